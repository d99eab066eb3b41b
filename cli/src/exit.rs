//! The exit status. Of several, the worst counts.

use std::io;

use simdtext_convert::{Error, Severity, WriteError};

use crate::message::{cannot_write_stdout, say};

/// How a run, or one file of it, has ended. Ordered from best to worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything was read, and nothing was wrong with it.
    #[default]
    Clean,
    /// The data has faults: malformed, unmappable, replaced or left out.
    Faults,
    /// A usage error, or something could not be read or written.
    Trouble,
    /// A signal ended the run early.
    Signal(u8),
}

impl Exit {
    /// Keeps the worse of the two.
    pub(crate) fn worsen(&mut self, other: Exit) {
        *self = (*self).max(other);
    }

    /// The exit status as a number.
    pub(crate) fn code(self) -> u8 {
        // The convention of shells: 130 for SIGINT, 143 for SIGTERM.
        const SIGNALS: u8 = 128;
        match self {
            Exit::Clean => 0,
            Exit::Faults => 1,
            Exit::Trouble => 2,
            Exit::Signal(number) => SIGNALS.saturating_add(number),
        }
    }
}

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nothing is begun, for this reason.
    Refused(String),
    /// Standard output can't be written.
    Output(io::Error),
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Self::Refused(why)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Refused(error.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl Failure {
    /// Reports it, and returns the exit status. A closed pipe is not an error.
    pub(crate) fn reported(self) -> Exit {
        match self {
            Self::Refused(why) => say(format_args!("{why}")),
            Self::Output(error) => match WriteError::from(error) {
                WriteError::ClosedPipe => return Exit::Clean,
                WriteError::Failed(error) => cannot_write_stdout(&error),
            },
        }
        Exit::Trouble
    }
}

impl From<Severity> for Exit {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Clean => Self::Clean,
            Severity::Faults => Self::Faults,
            Severity::Error => Self::Trouble,
        }
    }
}
