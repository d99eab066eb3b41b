//! What a run tells while it is under way.

use std::fmt;
use std::path::Path;

use crate::output::Abort;
use crate::report::{FileReport, Summary};

/// Something that happened in a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The folders are locked: from now on the process should not end without [`Cancel`](crate::Cancel).
    Locked,
    /// All that can be refused beforehand was checked. From now on files are converted.
    Begin,
    /// How many bytes the inputs have in all, if [`Observer::wants_total`].
    Total(u64),
    /// A file is done, converted or not.
    #[non_exhaustive]
    File {
        /// The file, as it was named or found.
        path: &'a Path,
        /// What became of it.
        report: &'a FileReport,
        /// The totals, with this file.
        summary: &'a Summary,
    },
    /// An output file is about to be written, into a temporary file that takes its place at the end. Only by
    /// [`convert_files`](crate::convert_files).
    #[non_exhaustive]
    Temporary {
        /// The output.
        path: &'a Path,
        /// What removes the temporary file, should the process have to end before. Keep a clone.
        abort: &'a Abort,
    },
    /// Something is not as it should be, and the run goes on.
    Warning(fmt::Arguments<'a>),
    /// Something that is good to know.
    Notice(fmt::Arguments<'a>),
    /// Something could not be done that is not about one file: the run goes on, and its severity is
    /// [`Trouble`](crate::Severity::Trouble).
    Trouble(fmt::Arguments<'a>),
}

/// What takes the events of a run.
///
/// Threads call it, one at a time for [`event`](Self::event), so that events come in one order. A function
/// or closure `Fn(Event<'_>) + Sync` is an observer, and so is `()`, which drops them.
pub trait Observer: Sync {
    /// Takes an event. The run goes on when this returns.
    fn event(&self, event: Event<'_>);

    /// Takes the number of bytes that were read from an input since the last call. Called by several threads
    /// at once, for each block of each file.
    fn read(&self, bytes: u64) {
        let _ = bytes;
    }

    /// Whether to walk the inputs once more beside the conversion, for [`Event::Total`].
    fn wants_total(&self) -> bool {
        false
    }
}

impl<F: Fn(Event<'_>) + Sync> Observer for F {
    fn event(&self, event: Event<'_>) {
        self(event);
    }
}

impl Observer for () {
    fn event(&self, _event: Event<'_>) {}
}
