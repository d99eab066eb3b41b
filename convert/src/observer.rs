//! The events of a run.

use std::fmt;
use std::path::Path;

use crate::output::Abort;
use crate::report::{FileReport, Summary};

/// Something that happened in a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The folders are locked. From now on the process should end only by way of [`Cancel`](crate::Cancel).
    Locked,
    /// Everything that can be refused beforehand was checked. Files are converted from now on.
    Begin,
    /// The total size of the inputs in bytes, if [`Observer::wants_total`].
    Total(u64),
    /// A file is done, whether it was converted or not.
    #[non_exhaustive]
    File {
        /// The file, as it was named or found.
        path: &'a Path,
        /// What happened to it.
        report: &'a FileReport,
        /// The totals so far, including this file.
        summary: &'a Summary,
    },
    /// An output file is about to be written, as a temporary file that takes its place at the end. Only sent
    /// by [`convert_files`](crate::convert_files).
    #[non_exhaustive]
    Temporary {
        /// The output.
        path: &'a Path,
        /// Removes the temporary file if the process has to end early. Keep a clone of it.
        abort: &'a Abort,
    },
    /// A warning. The run goes on.
    Warning(fmt::Arguments<'a>),
    /// A piece of information.
    Notice(fmt::Arguments<'a>),
    /// Something that is not about one file could not be done. The run goes on, and its severity is
    /// [`Error`](crate::Severity::Error).
    Error(fmt::Arguments<'a>),
}

/// Receives the events of a run.
///
/// Called from several threads, but [`event`](Self::event) only from one at a time, so that events have an
/// order. A function or closure `Fn(Event<'_>) + Sync` is an observer, and so is `()`, which ignores events.
pub trait Observer: Sync {
    /// Receives an event. The run goes on when this returns.
    fn event(&self, event: Event<'_>);

    /// Receives the number of bytes that were read from an input since the last call. Called from several
    /// threads at the same time, for each block of each file.
    fn read(&self, bytes: u64) {
        let _ = bytes;
    }

    /// Whether to walk the inputs a second time, beside the conversion, for [`Event::Total`].
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
