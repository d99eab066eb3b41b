//! The faults of one input: the first few are reported one by one, the rest as a total.

use std::fmt;

use simdtext::{REPLACEMENT, Unmappable};

use super::settings::Settings;
use crate::charset::Charset;
use crate::decode::Fault;
use crate::message::{Counted, NOT_DECODED, Shown, Voice};
use crate::options::Invalid;
use crate::severity::Severity;

/// The maximum number of malformed sequences, and of unmappable characters, that are shown for each input.
pub(crate) const SHOWN: u64 = 5;

pub(crate) struct Faults<'a> {
    input: &'a (dyn fmt::Display + Sync),
    settings: &'a Settings,
    voice: Voice<'a>,
    pub(crate) malformed: Tally,
    pub(crate) unmappable: Tally,
    /// Unmappable characters that are written as similar ones.
    pub(crate) similar: Tally,
    /// The faults that were shown, for programs.
    first: Vec<FirstFault>,
    /// The encoding that the input turned out to be in. It is known if something was malformed.
    pub(crate) encoding: Charset,
    /// Whether one of the unmappable characters was U+FFFD.
    lost_replacement: bool,
}

/// A fault in an input. Only the first few of each kind are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FirstFault {
    /// Its offset, in bytes from the start of the input.
    pub offset: u64,
    /// Its line in the decoded text, from 1.
    pub line: u64,
    /// What the fault is.
    pub kind: FirstFaultKind,
}

/// The kind of a [`Fault`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FirstFaultKind {
    /// Bytes that encode no character.
    Malformed(Vec<u8>),
    /// A character that the encoding of the output does not have.
    Unmappable(char),
}

/// How many faults of a kind there are, and how many of them were shown.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) total: u64,
    shown: u64,
}

impl<'a> Faults<'a> {
    pub(crate) fn new(
        input: &'a (dyn fmt::Display + Sync),
        settings: &'a Settings,
        voice: Voice<'a>,
    ) -> Self {
        Self {
            input,
            settings,
            voice,
            malformed: Tally::default(),
            unmappable: Tally::default(),
            similar: Tally::default(),
            first: Vec::new(),
            encoding: settings.from,
            lost_replacement: false,
        }
    }

    /// Whether the next malformed sequence has to be seen, to be shown or to end the input.
    pub(crate) fn wants_malformed(&self) -> bool {
        self.malformed.room() > 0 || self.settings.invalid == Invalid::Strict
    }

    /// Shows a malformed sequence.
    pub(crate) fn show_malformed(&mut self, fault: &Fault) {
        let Fault {
            malformed,
            line,
            encoding,
        } = *fault;
        self.malformed.shown += 1;
        self.encoding = encoding;
        let kind = FirstFaultKind::Malformed(malformed.bytes().to_vec());
        self.show(malformed.offset, line, kind, format_args!("{fault}"));
    }

    fn show(&mut self, offset: u64, line: u64, kind: FirstFaultKind, message: fmt::Arguments<'_>) {
        self.first.push(FirstFault { offset, line, kind });
        (self.voice)(format_args!("{}:{line}: {message}", self.input));
    }

    /// Shows a character that the encoding of the output does not have.
    pub(crate) fn show_unmappable(&mut self, ch: char, line: u64, offset: u64) {
        self.unmappable.shown += 1;
        self.lost_replacement |= ch == char::REPLACEMENT_CHARACTER;
        let (shown, to) = (Shown(ch), self.settings.to);
        let message = format_args!("unmappable character {shown} at offset {offset} (not in {to})");
        self.show(offset, line, FirstFaultKind::Unmappable(ch), message);
    }

    /// Shows a character for which a similar one is written.
    pub(crate) fn show_similar(&mut self, ch: char, line: u64, offset: u64) {
        self.similar.shown += 1;
        let (shown, to) = (Shown(ch), self.settings.to);
        let message = format_args!(
            "character {shown} at offset {offset} is not in {to}, which has a similar one"
        );
        self.show(offset, line, FirstFaultKind::Unmappable(ch), message);
    }

    /// The number of malformed sequences, and that of unmappable characters.
    pub(crate) fn totals(&self) -> (u64, u64) {
        (
            self.malformed.total,
            self.unmappable.total + self.similar.total,
        )
    }

    /// The faults that were shown.
    pub(crate) fn into_first(self) -> Vec<FirstFault> {
        self.first
    }

    /// Reports the totals, and what the user can do.
    pub(crate) fn finish(&mut self) -> Severity {
        if self.malformed.total > 0 {
            self.finish_malformed();
        }
        if self.unmappable.total > 0 {
            self.finish_unmappable();
        }
        if self.similar.total > 0 {
            let total = Counted(self.similar.total, "character");
            let others = match self.similar.total {
                1 => "a similar one",
                _ => "similar ones",
            };
            (self.voice)(format_args!(
                "{}: {total} written as {others}{}, as the Encoding Standard says; --to=utf-8 has every character",
                self.input,
                self.similar.how_many_shown("")
            ));
        }
        let (malformed, unmappable) = self.totals();
        if malformed + unmappable > 0 {
            Severity::Faults
        } else {
            Severity::Clean
        }
    }

    fn finish_malformed(&mut self) {
        let (input, encoding) = (self.input, self.encoding);
        if encoding == REPLACEMENT {
            return (self.voice)(format_args!("{input}: {NOT_DECODED}"));
        }
        let total = Counted(self.malformed.total, "malformed sequence");
        let done = match self.settings.invalid {
            Invalid::Strict => {
                return (self.voice)(format_args!(
                    "{input}: stopped there. --invalid=replace or --invalid=skip goes on; if it is \
                     not {encoding}, name its encoding with --from"
                ));
            }
            Invalid::Replace => "replaced by U+FFFD",
            Invalid::Skip => "left out",
        };
        (self.voice)(format_args!(
            "{input}: {total} {done}{}. If it is not {encoding}, name its encoding with --from; \
             --invalid=strict converts nothing that is malformed",
            self.malformed
                .how_many_shown("; `simdtext check` lists all")
        ));
    }

    fn finish_unmappable(&mut self) {
        let input = self.input;
        let total = Counted(self.unmappable.total, "unmappable character");
        let done = match self.settings.unmappable {
            Unmappable::Strict => {
                let cause = if self.lost_replacement && self.malformed.total > 0 {
                    " U+FFFD stands for malformed input; --invalid=skip leaves it out."
                } else {
                    ""
                };
                return (self.voice)(format_args!(
                    "{input}: stopped there.{cause} --unmappable=ncr, replace:CHAR or skip goes on; \
                     --to=utf-8 has every character"
                ));
            }
            Unmappable::Ncr => String::from("written as references such as &#9733;"),
            Unmappable::Replace(ch) => format!("replaced by {}", Shown(ch)),
            Unmappable::Skip => String::from("left out"),
            // The command offers no other way.
            other => format!("handled as {other:?}"),
        };
        (self.voice)(format_args!(
            "{input}: {total} {done}{}. --unmappable=strict stops at the first; --to=utf-8 has \
             every character",
            self.unmappable.how_many_shown("")
        ));
    }
}

impl Tally {
    /// How many more will be shown.
    pub(crate) fn room(&self) -> usize {
        usize::try_from(SHOWN.saturating_sub(self.shown)).unwrap_or(0)
    }

    /// " (5 shown)", unless all of them were.
    fn how_many_shown(&self, more: &str) -> String {
        if self.shown < self.total {
            format!(" ({} shown{more})", self.shown)
        } else {
            String::new()
        }
    }
}
