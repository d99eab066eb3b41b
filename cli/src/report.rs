//! What a conversion tells about one input: the first few faults one by one, the rest as a total.

use simdtext::Unmappable;

use crate::args::{ConvertArgs, Invalid};
use crate::decode::Fault;
use crate::exit::Exit;
use crate::input::Input;
use crate::message::{Counted, Shown, say};

/// How many malformed sequences, and how many unmappable characters, are shown of each input.
const SHOWN: u64 = 5;

pub(crate) struct Report<'a> {
    input: &'a Input,
    args: &'a ConvertArgs,
    malformed: Tally,
    unmappable: Tally,
    /// The encoding that the input turned out to be in; known where something was malformed.
    encoding: &'static str,
    /// Whether one of the unmappable characters was U+FFFD.
    lost_replacement: bool,
}

#[derive(Default)]
struct Tally {
    total: u64,
    shown: u64,
}

impl<'a> Report<'a> {
    pub(crate) fn new(input: &'a Input, args: &'a ConvertArgs) -> Self {
        Self {
            input,
            args,
            malformed: Tally::default(),
            unmappable: Tally::default(),
            encoding: args.from.name(),
            lost_replacement: false,
        }
    }

    /// Whether the next malformed sequence is to be shown, or ends the input.
    pub(crate) fn wants_malformed(&self) -> bool {
        self.malformed.shown < SHOWN || self.args.invalid == Invalid::Strict
    }

    pub(crate) fn malformed(&mut self, fault: &Fault) {
        self.malformed.shown += 1;
        self.encoding = fault.encoding.name();
        say(format_args!(
            "{}:{}: {} ({})",
            self.input, fault.line, fault.malformed, self.encoding
        ));
    }

    pub(crate) fn count_malformed(&mut self) {
        self.malformed.total += 1;
    }

    /// How many more unmappable characters are to be shown.
    pub(crate) fn room(&self) -> usize {
        usize::try_from(SHOWN.saturating_sub(self.unmappable.shown)).unwrap_or(0)
    }

    /// Shows a character that the output's encoding does not have.
    pub(crate) fn unmappable(&mut self, ch: char, line: u64, offset: u64) {
        self.unmappable.shown += 1;
        self.lost_replacement |= ch == char::REPLACEMENT_CHARACTER;
        say(format_args!(
            "{}:{line}: unmappable character {} at offset {offset} (not in {})",
            self.input,
            Shown(ch),
            self.args.to
        ));
    }

    pub(crate) fn count_unmappable(&mut self, characters: u64) {
        self.unmappable.total += characters;
    }

    /// Gives the totals, and says what can be done.
    pub(crate) fn finish(&self) -> Exit {
        if self.malformed.total > 0 {
            self.finish_malformed();
        }
        if self.unmappable.total > 0 {
            self.finish_unmappable();
        }
        if self.malformed.total + self.unmappable.total > 0 {
            Exit::Faults
        } else {
            Exit::Clean
        }
    }

    fn finish_malformed(&self) {
        let Self {
            input, encoding, ..
        } = self;
        let total = Counted(self.malformed.total, "malformed sequence");
        let done = match self.args.invalid {
            Invalid::Strict => {
                return say(format_args!(
                    "{input}: stopped there. --invalid=replace or --invalid=skip goes on; if it is \
                     not {encoding}, name its encoding with --from"
                ));
            }
            Invalid::Replace => "replaced by U+FFFD",
            Invalid::Skip => "left out",
        };
        say(format_args!(
            "{input}: {total} {done}{}. If it is not {encoding}, name its encoding with --from; \
             --invalid=strict converts nothing that is malformed",
            self.malformed
                .how_many_shown("; `simdtext check` lists all")
        ));
    }

    fn finish_unmappable(&self) {
        let input = self.input;
        let total = Counted(self.unmappable.total, "unmappable character");
        let done = match self.args.unmappable {
            Unmappable::Strict => {
                let cause = if self.lost_replacement && self.malformed.total > 0 {
                    " U+FFFD stands for malformed input; --invalid=skip leaves it out."
                } else {
                    ""
                };
                return say(format_args!(
                    "{input}: stopped there.{cause} --unmappable=ncr, replace:CHAR or skip goes on; \
                     --to=utf-8 has every character"
                ));
            }
            Unmappable::Ncr => String::from("written as references such as &#9733;"),
            Unmappable::Replace(ch) => format!("replaced by {}", Shown(ch)),
            Unmappable::Skip => String::from("left out"),
        };
        say(format_args!(
            "{input}: {total} {done}{}. --unmappable=strict stops at the first; --to=utf-8 has \
             every character",
            self.unmappable.how_many_shown("")
        ));
    }
}

impl Tally {
    /// " (5 shown)", unless all were.
    fn how_many_shown(&self, more: &str) -> String {
        if self.shown < self.total {
            format!(" ({} shown{more})", self.shown)
        } else {
            String::new()
        }
    }
}
