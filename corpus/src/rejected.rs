//! Why a record gives no text.

use std::fmt;

/// The kind of a [`Rejection`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// It is not text, judging by its bytes.
    Binary,
    /// It would not be plausible as text in any encoding.
    Implausible,
    /// It has no bytes.
    Empty,
    /// It is in an unsupported encoding or form: UTF-32, an encoding that the standard replaces as unsafe, an
    /// encrypted or sparse member of an archive.
    Unsupported,
    /// It has more bytes than [`Options::max_record`](crate::Options::max_record).
    TooLarge,
    /// Decompressed, it is more than [`Options::max_ratio`](crate::Options::max_ratio) times as large as
    /// compressed.
    Bomb,
    /// It, or the file that contains it, violates its format.
    Damaged,
    /// The file can't be read.
    Unreadable,
}

impl Reason {
    /// Returns the name in tables and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Implausible => "implausible",
            Self::Empty => "empty",
            Self::Unsupported => "unsupported",
            Self::TooLarge => "too-large",
            Self::Bomb => "bomb",
            Self::Damaged => "damaged",
            Self::Unreadable => "unreadable",
        }
    }

    /// Returns whether it is a fault of the input, and not just another kind of data.
    #[must_use]
    pub fn is_fault(self) -> bool {
        matches!(self, Self::Bomb | Self::Damaged | Self::Unreadable)
    }
}

/// Why a record gives no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The kind.
    pub reason: Reason,
    /// A phrase for users.
    pub detail: String,
}

impl Rejection {
    pub(crate) fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self {
            reason,
            detail: detail.into(),
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason.name(), self.detail)
    }
}
