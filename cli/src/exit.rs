//! The exit status. Of several, the worst counts.

use simdtext_convert::Severity;

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

impl From<Severity> for Exit {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Clean => Self::Clean,
            Severity::Faults => Self::Faults,
            Severity::Error => Self::Trouble,
        }
    }
}
