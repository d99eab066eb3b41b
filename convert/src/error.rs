//! Why nothing was begun.

use std::fmt;
use std::io;

use crate::message::plain;

/// Why nothing was read or written.
///
/// Its text says what can't be done, where, and what to do instead. It names an option as the command spells
/// it: `--out-dir` is [`Options::out_dir`](crate::Options::out_dir).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Options exclude each other, or can't be obeyed with these inputs.
    Options(String),
    /// Two inputs would be written to the same output, or an output would replace an input.
    Collision(String),
    /// Another run is at work in one of the folders or has the journal. It can be tried again when that run has
    /// ended.
    InUse(String),
    /// The journal is that of a run with other options or of another version, or is no journal at all. It is as it
    /// was, and a run with a new journal can begin.
    OtherJournal(String),
    /// The journal is damaged, so that it no longer tells which files are converted.
    DamagedJournal(String),
    /// Something that was named can't be opened, made or written.
    #[non_exhaustive]
    Io {
        /// What can't be done, where, and why.
        message: String,
        /// Why, as the system has it.
        kind: io::ErrorKind,
    },
}

impl Error {
    /// What can't be done, followed by the words of the system for why.
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
