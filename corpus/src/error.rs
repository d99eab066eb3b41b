//! Errors that end a run.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a run could not be finished. Faults of the input are no such errors: they are counted, and the run
/// continues.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The output can't be written, or the state of a run can't be read.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What failed.
        error: io::Error,
    },
    /// The output folder is not empty, and no run is to be resumed.
    NotEmpty(PathBuf),
    /// Another run is writing to the output folder.
    Locked(PathBuf),
    /// The run to be resumed had other inputs or other options; says what differs.
    Changed(String),
    /// The options ask for something that is not possible.
    Usage(String),
    /// The numbers of records do not add up; says which.
    Miscounted(String),
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        move |error| Self::Io {
            path: path.to_path_buf(),
            error,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::NotEmpty(path) => write!(
                f,
                "{} is not empty: name another folder, or continue an interrupted run with --resume",
                path.display()
            ),
            Self::Locked(path) => write!(f, "{}: another run is writing there", path.display()),
            Self::Changed(what) => write!(f, "can't resume: {what}; start over in another folder"),
            Self::Usage(what) => f.write_str(what),
            Self::Miscounted(what) => write!(
                f,
                "the numbers of records do not add up, which is a bug in this program: {what}"
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // The message has the error itself.
            Self::Io { error, .. } => error.source(),
            _ => None,
        }
    }
}
