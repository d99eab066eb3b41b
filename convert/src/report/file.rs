//! The result for one file.

use std::path::PathBuf;
use std::time::Duration;

use simdtext::UTF_8;

use crate::charset::Charset;
use crate::decide::Basis;
use crate::faults::FirstFault;
use crate::severity::Severity;

/// The result for a file, in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum State {
    /// It was converted, or would be in a dry run.
    Converted,
    /// Its bytes would not change.
    Unchanged,
    /// It is UTF-8 already, and was most likely converted before.
    Already,
    /// An earlier run with the same journal finished it.
    Finished,
    /// Its output existed, and was not to be replaced.
    Kept,
    /// It is not text.
    Binary,
    /// It has malformed sequences or unmappable characters, and these were to be errors.
    Faulty,
    /// It was not converted, for the reason that is given.
    Skipped,
    /// It could not be read, or its output could not be written.
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

/// The result for a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileReport {
    /// The result, in a word.
    pub state: State,
    /// How bad it is.
    pub severity: Severity,
    /// Its output, if that is another file.
    pub target: Option<PathBuf>,
    /// The size of the input, in bytes.
    pub bytes_in: u64,
    /// The size of the output, in bytes.
    pub bytes_out: u64,
    /// Its encoding, if it [is known](Self::is_decided).
    pub from: Charset,
    /// How `from` was decided.
    pub evidence: Basis,
    /// How many sequences were malformed.
    pub malformed: u64,
    /// How many characters were unmappable.
    pub unmappable: u64,
    /// The first few faults.
    pub first_faults: Vec<FirstFault>,
    /// Messages about its text, one for each line.
    pub faults: Vec<String>,
    /// A warning about a file that was converted.
    pub note: Option<String>,
    /// The reason why it was not converted.
    pub why: Option<String>,
    /// Whether it was not converted because `from` is a guess.
    pub is_guess: bool,
    /// Whether a file was written, or in a dry run would be.
    pub changed: bool,
    /// Whether converting the output back gave the original, with
    /// [`Options::verify`](crate::Options::verify).
    pub verified: Option<bool>,
    /// How many declarations were corrected.
    pub corrected: u64,
    /// How long it took.
    pub took: Duration,
}

impl FileReport {
    /// Whether its encoding is known, named or not. Otherwise `from` means nothing: the file was left alone before
    /// it was read, or is not text.
    pub fn is_decided(&self) -> bool {
        self.state != State::Binary && self.evidence != Basis::Fallback
    }

    /// The number of its malformed sequences and unmappable characters.
    pub fn errors(&self) -> u64 {
        self.malformed + self.unmappable
    }

    /// A report about a file of which nothing is known but the encoding that was named, if one was.
    pub(crate) fn new(named: Option<Charset>) -> Self {
        Self {
            state: State::Converted,
            severity: Severity::Clean,
            target: None,
            bytes_in: 0,
            bytes_out: 0,
            from: named.unwrap_or(UTF_8.into()),
            evidence: named.map_or(Basis::Fallback, |_| Basis::Label),
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

    /// Adds a warning to those about a file that was converted.
    pub(crate) fn add_note(&mut self, note: String) {
        self.note = Some(match self.note.take() {
            Some(before) => format!("{before}; {note}"),
            None => note,
        });
    }

    /// What was found during the conversion does not matter, because its result was discarded.
    pub(crate) fn forget_faults(&mut self) {
        self.faults.clear();
        self.first_faults.clear();
        (self.malformed, self.unmappable) = (0, 0);
        self.severity = Severity::Clean;
    }

    /// It was not converted.
    pub(crate) fn refuse(&mut self, refusal: Refusal) {
        let (state, severity) = match refusal.kind {
            RefusalKind::Fail => (State::Failed, Severity::Error),
            RefusalKind::NotText => (State::Binary, Severity::Faults),
            RefusalKind::Skip | RefusalKind::Guess | RefusalKind::Restless => {
                (State::Skipped, Severity::Faults)
            }
        };
        if state == State::Binary {
            self.forget_faults();
        }
        self.state = state;
        self.severity.worsen(severity);
        self.why = Some(refusal.why);
        self.is_guess = refusal.kind == RefusalKind::Guess;
        (self.changed, self.bytes_out) = (false, 0);
    }
}

/// The reason why a file is not converted.
#[derive(Debug)]
pub(crate) struct Refusal {
    pub(crate) kind: RefusalKind,
    /// The reason, to be written after the name of the file and a colon.
    pub(crate) why: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefusalKind {
    /// It can't be converted.
    Fail,
    /// It should be left alone.
    Skip,
    /// Its encoding is a guess, and guesses are not to be accepted.
    Guess,
    /// It is not text.
    NotText,
    /// It was changed while it was read.
    Restless,
}

impl RefusalKind {
    /// The refusal for a reason.
    pub(crate) fn because(self, why: impl Into<String>) -> Refusal {
        Refusal {
            kind: self,
            why: why.into(),
        }
    }
}

impl Refusal {
    pub(crate) fn fail(why: impl Into<String>) -> Self {
        RefusalKind::Fail.because(why)
    }

    pub(crate) fn skip(why: impl Into<String>) -> Self {
        RefusalKind::Skip.because(why)
    }
}
