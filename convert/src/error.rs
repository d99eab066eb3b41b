//! Why nothing was begun.

use std::fmt;

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
    /// Another run is at work in one of the folders, or a folder can't be locked or made.
    Locked(String),
    /// The journal can't be used: it is damaged, in use, or that of a run with other options.
    Journal(String),
    /// Something that was named can't be opened or written.
    Io(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Options(message)
        | Self::Collision(message)
        | Self::Locked(message)
        | Self::Journal(message)
        | Self::Io(message)) = self;
        f.write_str(message)
    }
}

impl std::error::Error for Error {}
