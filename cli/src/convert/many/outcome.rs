//! What became of one file.

use std::path::PathBuf;
use std::time::Duration;

use crate::charset::Charset;
use crate::convert::faults::FirstFault;
use crate::decide::Basis;
use crate::exit::Exit;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum State {
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
    /// In JSON, and in the journal.
    pub(crate) fn name(self) -> &'static str {
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

pub(crate) struct Outcome {
    pub(crate) state: State,
    pub(crate) exit: Exit,
    pub(crate) target: Option<PathBuf>,
    /// The size of the input, in bytes.
    pub(crate) bytes_in: u64,
    /// The size of the output, in bytes.
    pub(crate) bytes_out: u64,
    pub(crate) from: Charset,
    /// What `from` was decided by: the name of a [`Basis`].
    pub(crate) evidence: &'static str,
    pub(crate) malformed: u64,
    pub(crate) unmappable: u64,
    pub(crate) first_faults: Vec<FirstFault>,
    /// What to say about its text.
    pub(crate) faults: Vec<String>,
    /// What is to be said of a file that was converted.
    pub(crate) note: Option<String>,
    /// Why it was not converted.
    pub(crate) why: Option<String>,
    /// It was not converted because `from` is a guess.
    pub(crate) is_guess: bool,
    /// Whether a file was written, or with `--dry-run` would be.
    pub(crate) changed: bool,
    pub(crate) verified: Option<bool>,
    /// How many declarations were corrected.
    pub(crate) corrected: u64,
    pub(crate) took: Duration,
}

impl Outcome {
    pub(crate) fn new(from: Charset) -> Self {
        Self {
            state: State::Converted,
            exit: Exit::Clean,
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
        self.exit = Exit::Clean;
    }

    /// It was not converted.
    pub(crate) fn refuse(&mut self, refusal: Refusal) {
        if refusal.is_not_text {
            self.forget_faults();
        }
        self.exit.worsen(refusal.exit);
        self.state = if refusal.is_not_text {
            State::Binary
        } else if refusal.exit == Exit::Faults {
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
    pub(crate) exit: Exit,
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
            exit: Exit::Faults,
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
            exit: Exit::Trouble,
            why: why.into(),
            is_guess: false,
            is_not_text: false,
            is_restless: false,
        }
    }
}
