//! The encoding of an input, and the reason for it.

use simdtext::detect::{self, Candidate, Guess};
use simdtext::sniff::{Confidence, Evidence};
use simdtext::{Encoding, REPLACEMENT, UTF_8};

use super::declarations::{self, UnknownLabel, declared_elsewhere, unknown_label};
use crate::binary::NotText;
use crate::charset::Charset;

/// The reason for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Basis {
    /// The label that was given.
    Label,
    /// A byte order mark.
    Bom,
    /// The charset of the Content-Type that came with the input.
    Transport,
    /// A declaration in the input.
    Prescan,
    /// A declaration in a comment or a statement of a program, or in the header of a mail or of a catalogue of messages.
    Comment,
    /// A `meta` element in HTML, after the part that browsers look at before they parse.
    LateMeta,
    /// The input is valid UTF-8, and not only ASCII.
    Utf8,
    /// The input is only ASCII.
    Ascii,
    /// The first encoding of the list in which nothing is malformed.
    List,
    /// Each line is decided by itself.
    Lines,
    /// The text is most plausible in this encoding.
    Detected,
    /// The input is not text.
    Binary,
    /// The input is not plausible as text in any encoding.
    Implausible,
    /// The input has the escape sequences of this encoding, which is not decoded.
    Undecodable(&'static str),
    /// Nothing: the encoding is not known.
    Fallback,
}

impl Basis {
    /// The name in reports, and in the JSON of the command.
    pub fn name(self) -> &'static str {
        match self {
            Self::Label => "label",
            Self::Bom => "bom",
            Self::Transport => "transport",
            Self::Prescan => "prescan",
            Self::Comment => "comment",
            Self::LateMeta => "late-meta",
            Self::Utf8 => "utf-8",
            Self::Ascii => "ascii",
            Self::List => "list",
            Self::Lines => "lines",
            Self::Detected => "detected",
            Self::Binary => "binary",
            Self::Implausible => "implausible",
            Self::Undecodable(_) => "escapes",
            Self::Fallback => "fallback",
        }
    }

    /// Whether a label states the encoding, in the input or outside of it.
    pub(crate) fn is_label(self) -> bool {
        self == Self::Label || self.is_declared()
    }

    /// Whether a label or a list states what it is in.
    pub(crate) fn is_stated(self) -> bool {
        self.is_label() || self == Self::List
    }

    /// Whether the input declares it.
    pub(crate) fn is_declared(self) -> bool {
        matches!(self, Self::Prescan | Self::Comment | Self::LateMeta)
    }

    /// How a label was stated.
    pub(crate) fn said(self) -> &'static str {
        match self {
            Self::Label => "named",
            Self::List => "listed",
            _ => "declared",
        }
    }

    /// Whether the answer is only likely.
    pub fn is_guess(self) -> bool {
        matches!(self, Self::Detected | Self::Fallback)
    }
}

impl From<Evidence> for Basis {
    fn from(evidence: Evidence) -> Self {
        match evidence {
            Evidence::Bom => Self::Bom,
            Evidence::Override => Self::Label,
            Evidence::Transport => Self::Transport,
            Evidence::Prescan => Self::Prescan,
            Evidence::LateMeta => Self::LateMeta,
            Evidence::Utf8Valid => Self::Utf8,
            Evidence::Detected => Self::Detected,
            // These reasons, and any that are added, say nothing about this particular input.
            _ => Self::Fallback,
        }
    }
}

/// The encoding of an input, and the reason for it.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// `None` if the input is not text, or not plausible as text in any encoding.
    pub charset: Option<Charset>,
    /// The reason.
    pub basis: Basis,
    /// Whether the answer may turn out to be wrong.
    pub confidence: Confidence,
    /// The guess, if it was guessed.
    pub(crate) guess: Option<Guess>,
    /// Another encoding that is hardly less plausible, if it was guessed.
    pub(crate) rival: Option<&'static Encoding>,
    pub(crate) not_text: Option<NotText>,
    /// What the input declares, if it was guessed because no encoding has this label.
    pub(crate) unknown: Option<UnknownLabel>,
    /// Whether all of the input was examined, so that nothing more can be found in it.
    pub(crate) is_final: bool,
    /// Whether the input is UTF-8 that was read as windows-1252 and written as UTF-8 again, and undoing that
    /// loses nothing. It may still declare another encoding, which is then in `charset`.
    pub is_doubled: bool,
}

impl Answer {
    pub(crate) fn new(charset: impl Into<Charset>, basis: Basis, confidence: Confidence) -> Self {
        Self {
            charset: Some(charset.into()),
            basis,
            confidence,
            guess: None,
            rival: None,
            not_text: None,
            unknown: None,
            is_final: false,
            is_doubled: false,
        }
    }

    /// An encoding that was named.
    pub(crate) fn named(charset: Charset) -> Self {
        Self::new(charset, Basis::Label, Confidence::Certain)
    }

    /// No encoding, because the input is not text.
    pub(crate) fn not_text(not_text: NotText) -> Self {
        let (basis, confidence) = if not_text.is_binary() {
            (Basis::Binary, Confidence::Certain)
        } else {
            (Basis::Implausible, Confidence::Tentative)
        };
        Self {
            charset: None,
            not_text: Some(not_text),
            is_final: true,
            ..Self::new(UTF_8, basis, confidence)
        }
    }

    /// Says it better if the input is not text and begins with `head`.
    pub(super) fn or_packed(self, head: &[u8]) -> Self {
        match self.not_text.map(|not_text| not_text.or_packed(head)) {
            Some(not_text) if self.not_text != Some(not_text) => Self {
                guess: self.guess,
                ..Self::not_text(not_text)
            },
            _ => self,
        }
    }

    /// Text that looks like ASCII, but is in an encoding that is not decoded.
    pub(super) fn undecodable(encoding: &'static str) -> Self {
        Self::new(
            REPLACEMENT,
            Basis::Undecodable(encoding),
            Confidence::Tentative,
        )
    }

    /// The answer, with what the input declares in its first bytes, which browsers don't know, if it is only a guess.
    pub(super) fn or_unknown(self, head: &[u8]) -> Self {
        if !self.basis.is_guess() {
            return self;
        }
        if let Some(declared) = declared_elsewhere(head) {
            return Self {
                is_final: self.is_final,
                ..Self::new(declared, Basis::Comment, Confidence::Tentative)
            };
        }
        Self {
            unknown: unknown_label(head),
            ..self
        }
    }

    /// The answer if double encoding is undone. What was encoded twice is UTF-8, whatever it declares.
    pub(crate) fn undone(self) -> Self {
        if self.is_doubled && !self.is(UTF_8) {
            return Self {
                is_doubled: true,
                ..Self::new(UTF_8, Basis::Utf8, Confidence::Certain)
            };
        }
        self
    }

    /// Whether the encoding is this one.
    pub(crate) fn is(&self, encoding: &'static Encoding) -> bool {
        self.charset == Some(encoding.into())
    }

    /// The encoding, unless it is a guess.
    pub(crate) fn stated(&self) -> Option<Charset> {
        self.charset.filter(|_| !self.basis.is_guess())
    }

    /// The reason, as a phrase for people.
    pub fn reason(&self) -> String {
        match self.unknown {
            Some(label) => format!("{}; {}", self.plain_reason(), declarations::in_words(label)),
            None => self.plain_reason(),
        }
    }

    fn plain_reason(&self) -> String {
        if let Some(not_text) = self.not_text {
            return not_text.to_string();
        }
        match (self.basis, &self.guess) {
            (Basis::Detected, Some(guess)) if guess.reason == detect::Reason::Utf8 => {
                String::from("valid UTF-8 at first, though not to its end")
            }
            (Basis::Detected, Some(guess)) => match self.rival {
                Some(rival) => format!("{}; {rival} is hardly less plausible", guess.reason),
                None => guess.reason.to_string(),
            },
            (Basis::Label, _) => String::from("as it was named"),
            (Basis::Bom, _) => String::from("byte order mark"),
            (Basis::Transport, _) => String::from("Content-Type"),
            (Basis::Prescan, _) => String::from("declared in it"),
            (Basis::Comment, _) => String::from("declared in a comment, a header or a statement"),
            (Basis::LateMeta, _) => String::from("declared in it, after its first 1,024 bytes"),
            (Basis::Utf8, _) => String::from("valid UTF-8"),
            (Basis::Ascii, _) => String::from("ASCII"),
            (Basis::Lines, _) => String::from("line by line"),
            (Basis::List, _) => String::from("the first of the list in which nothing is malformed"),
            (Basis::Undecodable(encoding), _) => {
                format!("escape sequences of {encoding}, which is not decoded")
            }
            (Basis::Binary | Basis::Implausible, _) => String::from("not text"),
            (Basis::Detected | Basis::Fallback, _) => String::from("no evidence"),
        }
    }

    /// The candidates that were weighed, the most plausible first.
    pub fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.guess.iter().flat_map(Guess::candidates)
    }
}
