//! What became of one file.

use std::path::PathBuf;
use std::time::Duration;

use crate::charset::Charset;
use crate::decide::Basis;
use crate::faults::FirstFault;
use crate::severity::Severity;

/// What became of a file, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum State {
    /// It was converted, or would be in a dry run.
    Converted,
    /// Its bytes would not change.
    Unchanged,
    /// It is UTF-8 already, and most likely was converted before.
    Already,
    /// An earlier run of the journal finished it.
    Finished,
    /// There is an output already that was not to be replaced.
    Kept,
    /// It is not text.
    Binary,
    /// It has faults that were to be strict about.
    Faulty,
    /// It was not converted, for a reason that is reported.
    Skipped,
    /// It could not be read, or its output not be written.
    Failed,
}

impl State {
    /// The name in the journal, and in the JSON of the command.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converted => "converted",
            Self::Unchanged => "unchanged",
            Self::Already => "already",
            Self::Finished => "finished",
            Self::Kept => "kept",
            Self::Binary => "binary",
            Self::Faulty => "faulty",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
        }
    }
}

/// What became of a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileReport {
    /// What became of it, in a word.
    pub state: State,
    /// How bad it is.
    pub severity: Severity,
    /// Its output, if that is another file.
    pub target: Option<PathBuf>,
    /// The size of the input, in bytes.
    pub bytes_in: u64,
    /// The size of the output, in bytes.
    pub bytes_out: u64,
    /// What it is in, as far as that is known.
    pub from: Charset,
    /// What `from` was decided by: the name of a [`Basis`].
    pub evidence: &'static str,
    /// How many sequences were malformed.
    pub malformed: u64,
    /// How many characters were unmappable.
    pub unmappable: u64,
    /// The first few faults.
    pub first_faults: Vec<FirstFault>,
    /// What is to be said about its text, a message for each line.
    pub faults: Vec<String>,
    /// What is to be said of a file that was converted.
    pub note: Option<String>,
    /// Why it was not converted.
    pub why: Option<String>,
    /// Whether it was not converted because `from` is a guess.
    pub is_guess: bool,
    /// Whether a file was written, or in a dry run would be.
    pub changed: bool,
    /// Whether converting back gave the original, with [`Options::verify`](crate::Options::verify).
    pub verified: Option<bool>,
    /// How many declarations were corrected.
    pub corrected: u64,
    /// How long it took.
    pub took: Duration,
}

impl FileReport {
    /// How many malformed sequences and unmappable characters it has.
    pub fn errors(&self) -> u64 {
        self.malformed + self.unmappable
    }

    pub(crate) fn new(from: Charset) -> Self {
        Self {
            state: State::Converted,
            severity: Severity::Clean,
            target: None,
            bytes_in: 0,
            bytes_out: 0,
            from,
            evidence: Basis::Label.name(),
            malformed: 0,
            unmappable: 0,
            first_faults: Vec::new(),
            faults: Vec::new(),
            note: None,
            why: None,
            is_guess: false,
            changed: false,
            verified: None,
            corrected: 0,
            took: Duration::ZERO,
        }
    }

    /// What was found while it was converted is of no concern: that was thrown away.
    pub(crate) fn forget_faults(&mut self) {
        self.faults.clear();
        self.first_faults.clear();
        (self.malformed, self.unmappable) = (0, 0);
        self.severity = Severity::Clean;
    }

    /// It was not converted.
    pub(crate) fn refuse(&mut self, refusal: Refusal) {
        if refusal.is_not_text {
            self.forget_faults();
        }
        self.severity.worsen(refusal.severity);
        self.state = if refusal.is_not_text {
            State::Binary
        } else if refusal.severity == Severity::Faults {
            State::Skipped
        } else {
            State::Failed
        };
        self.why = Some(refusal.why);
        self.is_guess = refusal.is_guess;
        self.changed = false;
    }
}

/// Why a file is not converted.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) severity: Severity,
    /// Behind the name of the file and a colon.
    pub(crate) why: String,
    /// Because its encoding is a guess.
    pub(crate) is_guess: bool,
    /// Because it is not text.
    pub(crate) is_not_text: bool,
    /// Because it was changed while it was read.
    pub(crate) is_restless: bool,
}

impl Refusal {
    /// It was changed while it was read.
    pub(crate) fn restless(why: impl Into<String>) -> Self {
        Self {
            is_restless: true,
            ..Self::skip(why)
        }
    }

    /// It is better left alone.
    pub(crate) fn skip(why: impl Into<String>) -> Self {
        Self {
            severity: Severity::Faults,
            why: why.into(),
            is_guess: false,
            is_not_text: false,
            is_restless: false,
        }
    }

    /// It is not text.
    pub(crate) fn not_text(why: impl Into<String>) -> Self {
        Self {
            is_not_text: true,
            ..Self::skip(why)
        }
    }

    /// Its encoding is a guess, which is not acted on.
    pub(crate) fn guess(why: impl Into<String>) -> Self {
        Self {
            is_guess: true,
            ..Self::skip(why)
        }
    }

    /// It can't be done.
    pub(crate) fn fail(why: impl Into<String>) -> Self {
        Self {
            severity: Severity::Trouble,
            why: why.into(),
            is_guess: false,
            is_not_text: false,
            is_restless: false,
        }
    }
}
