//! Errors that keep a run from beginning.

use std::fmt;
use std::io;

use crate::message::plain;

/// The reason why nothing was read or written.
///
/// Its text says what can't be done, where, and what to do instead. Options are spelled as in the command:
/// `--out-dir` stands for [`Options::out_dir`](crate::Options::out_dir).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Options exclude each other, or can't be followed with these inputs.
    Options(String),
    /// Two inputs would be written to the same output, or an output would replace an input.
    Collision(String),
    /// Another run is working in one of the folders, or uses the journal. Try again when that run has ended.
    InUse(String),
    /// The journal belongs to a run with other options or of another version, or the file is not a journal.
    /// It was not changed; a run with a new journal can begin.
    OtherJournal(String),
    /// The journal is damaged, so it no longer says which files are converted.
    DamagedJournal(String),
    /// A file or folder that was named can't be opened, made or written.
    #[non_exhaustive]
    Io {
        /// What can't be done, where, and why.
        message: String,
        /// The error of the system.
        kind: io::ErrorKind,
    },
}

impl Error {
    /// What can't be done, with the error of the system after it.
    pub(crate) fn io(what: impl fmt::Display, error: &io::Error) -> Self {
        Self::Io {
            message: format!("{what}: {}", plain(error)),
            kind: error.kind(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Options(message)
        | Self::Collision(message)
        | Self::InUse(message)
        | Self::OtherJournal(message)
        | Self::DamagedJournal(message)
        | Self::Io { message, .. }) = self;
        f.write_str(message)
    }
}

impl std::error::Error for Error {}
