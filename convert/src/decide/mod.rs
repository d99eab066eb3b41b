//! Finds out the encoding of an input, and whether what is said about it can be true. The steps, in order:
//!
//! 1. An [`Answer`] is found before the conversion: the encoding, with the [`Basis`] for it. If `--from` does not
//!    state it, a [`Question`] does that. What the input says about itself wins: a byte order mark, the Content-Type
//!    that came with it, a declaration in HTML, XML or CSS. Otherwise all of it is read, which shows for certain
//!    whether it is ASCII or UTF-8. If it is neither, other declarations are looked for (`declarations.rs`,
//!    `statements.rs`), and in the end the encoding is guessed from a sample (`scan.rs`).
//! 2. A [`Watch`] sees all of the input, mostly while it is converted, and says what was [`Seen`]: whether it is
//!    text, is UTF-8 after all, or has parts in other encodings.
//! 3. [`judge()`] compares the two by its rules. The [`Judgement`] is to convert the input or not, and why.
//! 4. If a label or a list states the encoding, a sample that the watch has kept shows whether the text is far more
//!    plausible in another ([`Misnamed`]).

mod answer;
mod declarations;
mod doubled;
mod judge;
mod misnamed;
mod scan;
mod seven_bit;
mod statements;
mod watch;

use std::io;

use simdtext::detect::{self, BinaryScan, Guess};
use simdtext::sniff::{self, Confidence, Evidence, FirstValid, Format, HEAD_LEN, Hints};
use simdtext::{Bom, Encoding, ISO_2022_JP, UTF_8};

use crate::binary::{self, NotText};
use crate::charset::Charset;
use crate::input::Source;
use crate::options::{Options, SourceEncoding};
use crate::utf32;
pub use answer::{Answer, Basis};
use doubled::Doubled;
pub(crate) use judge::{Doubt, Judgement, judge};
pub(crate) use misnamed::{Misnamed, may_be_misnamed};
use scan::{HEAD, Sample, Scan};
use watch::UnitScan;
pub(crate) use watch::{Seen, Watch};

/// What is known about all inputs, and what may be guessed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Question<'a> {
    pub(crate) hints: Hints<'a>,
    pub(crate) guess: detect::Options<'a>,
    /// UTF-8 if the input is valid, or else the first of these.
    pub(crate) list: &'a [&'static Encoding],
    /// `Some` to look for UTF-8 that was encoded twice; it says what is done with a byte order mark.
    pub(crate) doubled: Option<Bom>,
    /// How many bytes of an input that can be read only once may go to a temporary file.
    pub(crate) spool_limit: u64,
    /// Whether to read all of an input even if its beginning reveals its encoding, to see whether all of it
    /// is text. A conversion finds that out anyway.
    pub(crate) to_end: bool,
}

/// Why the encoding could not be decided.
#[derive(Debug)]
pub(crate) enum Unknown {
    Read(io::Error),
    /// In every encoding of the list something is malformed; this says where, for each, and that it is not converted.
    Invalid(String),
}

impl From<io::Error> for Unknown {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

impl<'a> Question<'a> {
    /// What `convert` has to find out; `None` if its flags state it.
    pub(crate) fn of_convert(options: &'a Options) -> Option<Self> {
        if options.per_line {
            // The encoding of each line is found out separately.
            return None;
        }
        let doubled = options.undo_double_encoding.then_some(options.bom);
        let question = Self {
            hints: Hints::new().late_meta(true),
            guess: detect::Options::new().tld(options.tld_label()),
            doubled,
            spool_limit: options.spool_limit,
            ..Self::default()
        };
        match &options.from {
            // If the encoding is named, the input is examined only for what else it may be.
            SourceEncoding::Encoding(charset) if doubled.is_some() && *charset == UTF_8 => {
                Some(Self {
                    hints: Hints::new().override_label(charset.name()),
                    ..question
                })
            }
            SourceEncoding::Encoding(_) => None,
            SourceEncoding::Auto => Some(question),
            SourceEncoding::FirstValid(list) => Some(Self { list, ..question }),
        }
    }

    /// Decides about an input. `open` opens it a second time, unless it `is_once`: can be read only once. The
    /// returned source gives all of it.
    pub(crate) fn of_input(
        &self,
        mut source: Source<'static>,
        is_once: bool,
        open: impl FnOnce() -> io::Result<Source<'static>>,
    ) -> Result<(Source<'static>, Answer), Unknown> {
        if !is_once {
            let answer = self.of_source(&mut source)?;
            return Ok((open()?, answer));
        }
        if self.list.is_empty() && self.doubled.is_none() {
            let mut head = vec![0; HEAD];
            let mut n = source.read(&mut head, HEAD_LEN)?;
            if n >= HEAD_LEN && self.may_declare_late(&head[..n]) {
                // The same number of bytes is examined however the input arrives.
                n += source.read(&mut head[n..], HEAD - n)?;
            }
            head.truncate(n);
            let answer = self.of_head(&head, n < HEAD_LEN);
            return Ok((source.after(head), answer));
        }
        let file = source.spooled(self.spool_limit)?;
        let answer = self.of_source(&mut Source::of_spool(file.try_clone()?)?)?;
        Ok((Source::of_spool(file)?, answer))
    }

    /// Decides by the first bytes of an input that can be read only once. If `complete`, they are all of it.
    pub(crate) fn of_head(&self, head: &[u8], complete: bool) -> Answer {
        (self.of_beginning(head, complete))
            .or_packed(head)
            .or_unknown(head)
    }

    fn of_beginning(&self, head: &[u8], complete: bool) -> Answer {
        if let Some(order) = utf32::order_of_bom(head) {
            return Answer::new(Charset::Utf32(order), Basis::Bom, Confidence::Certain);
        }
        let declared = self.declared(head, complete);
        if head.is_ascii()
            && declared.is_none_or(|answer| answer.is(UTF_8))
            && let Some(encoding) = seven_bit::undecodable(head)
        {
            return Answer::undecodable(encoding);
        }
        // Valid UTF-8 may not be text, and ASCII may be UTF-16.
        if let Some(answer) = declared
            && (answer.basis != Basis::Utf8 || !head.contains(&0))
        {
            return answer;
        }
        let answer = match binary::format_of(head) {
            Some(format) => Answer::not_text(NotText::Magic(format)),
            None => self.guessed(detect::detect(head, complete, &self.guess), head, complete),
        };
        declared
            .filter(|_| answer.not_text.is_none())
            .unwrap_or(answer)
    }

    /// Reads as much of an input as is needed; if it is ASCII or UTF-8, that is all of it.
    pub(crate) fn of_source(&self, source: &mut Source<'_>) -> Result<Answer, Unknown> {
        let mut scan = Scan::begin(source)?;
        // The head of a longer input is overwritten.
        let head = (!scan.is_at_end()).then(|| scan.head().to_vec());
        let answer = self.of_scan(&mut scan)?;
        let head = head.as_deref().unwrap_or(scan.head());
        Ok(answer.or_packed(head).or_unknown(head))
    }

    fn of_scan(&self, scan: &mut Scan<'_, '_>) -> Result<Answer, Unknown> {
        if let Some(order) = utf32::order_of_bom(scan.head()) {
            let answer = Answer::new(Charset::Utf32(order), Basis::Bom, Confidence::Certain);
            return self.of_declared(answer, scan);
        }
        let declared = if self.list.is_empty() {
            self.declared(scan.head(), scan.is_at_end())
                .filter(|answer| answer.basis != Basis::Utf8)
        } else {
            bom(scan.head())
        };
        if let Some(answer) = declared {
            return self.of_declared(answer, scan);
        }
        if let Some(format) = binary::format_of(scan.head()) {
            return Ok(Answer::not_text(NotText::Magic(format)));
        }
        if scan.head().contains(&0) {
            let guess = detect::detect(scan.head(), scan.is_at_end(), &self.guess);
            if let Some(answer) = self.of_units(guess) {
                return self.of_declared(answer, scan);
            }
        }
        let is_whole = scan.is_at_end();
        // A header would be in these bytes.
        let mut undecodable = seven_bit::undecodable(scan.head());
        let mut signs = BinaryScan::new();
        let mut first = FirstValid::new(self.list);
        let mut doubled = self.doubled.map(Doubled::new);
        while let Some(block) = scan.block()? {
            if !signs.feed(block) {
                break;
            }
            first.feed(block);
            if let Some(doubled) = &mut doubled {
                doubled.feed(block);
            }
            if first.is_decided() && scan.sample.is_enough() && !self.to_end {
                break;
            }
        }
        if let Some(signs) = signs.finish() {
            // UTF-16 of Chinese without ASCII has no NUL in its bytes, but other control characters.
            let guess = is_whole.then(|| detect::detect(scan.head(), true, &self.guess));
            let answer = guess.and_then(|guess| self.of_units(guess));
            return Ok(answer.unwrap_or_else(|| Answer::not_text(NotText::Signs(signs))));
        }
        let is_final = scan.is_at_end();
        let Sample {
            has_non_ascii,
            has_escapes,
            ..
        } = scan.sample;
        if !has_non_ascii {
            undecodable = undecodable.or_else(|| seven_bit::undecodable(scan.sample().0));
            if let Some(encoding) = undecodable {
                return Ok(Answer::undecodable(encoding));
            }
        }
        let answer = match first.finish() {
            Some(encoding) if encoding == UTF_8 && !has_non_ascii && !has_escapes => {
                Answer::new(UTF_8, Basis::Ascii, Confidence::Certain)
            }
            Some(encoding) if encoding == UTF_8 && has_non_ascii => Answer {
                is_doubled: doubled.is_some_and(Doubled::finish),
                ..Answer::new(UTF_8, Basis::Utf8, Confidence::Certain)
            },
            Some(encoding) if !self.list.is_empty() => {
                let encoding = if encoding == UTF_8 && self.is_iso_2022_jp(scan) {
                    ISO_2022_JP
                } else {
                    encoding
                };
                Answer::new(encoding, Basis::List, Confidence::Tentative)
            }
            None if !self.list.is_empty() => return Err(Unknown::Invalid(in_words(&first))),
            _ => {
                let (sample, complete) = scan.sample();
                let guess = detect::detect(sample, complete, &self.guess);
                match guess.evidence {
                    // That was the sample and not all of the input, which is most likely damaged.
                    Evidence::Utf8Valid => Answer {
                        guess: Some(guess),
                        ..Answer::new(UTF_8, Basis::Detected, Confidence::Tentative)
                    },
                    _ => self.guessed(guess, sample, is_final),
                }
            }
        };
        Ok(Answer {
            // Any other input may still turn out to be UTF-8, and UTF-8 may have lines in ISO-2022-JP.
            is_final: answer.not_text.is_some() || is_final && answer.is(UTF_8) && !has_escapes,
            ..answer
        })
    }

    /// Whether this ASCII has escape sequences of ISO-2022-JP, and that is in the list.
    fn is_iso_2022_jp(&self, scan: &Scan<'_, '_>) -> bool {
        if scan.sample.has_non_ascii
            || !scan.sample.has_escapes
            || !self.list.contains(&ISO_2022_JP)
        {
            return false;
        }
        let (sample, complete) = scan.sample();
        detect::detect(sample, complete, &self.guess).encoding == Some(ISO_2022_JP)
    }

    /// Recognises inputs that state their encoding, or that are UTF-16 or UTF-32 by their units.
    fn of_declared(&self, answer: Answer, scan: &mut Scan<'_, '_>) -> Result<Answer, Unknown> {
        // A page that was converted to UTF-8, and once more, may still declare what it was in at first.
        let may_be_utf8 = answer.is(UTF_8) || answer.basis.is_declared();
        let mut doubled = self.doubled.filter(|_| may_be_utf8).map(Doubled::new);
        let Some(charset) = answer.charset else {
            return Ok(answer);
        };
        if !self.to_end && doubled.is_none() {
            return Ok(answer);
        }
        let mut signs = charset.standard().map(BinaryScan::for_encoding);
        let mut units = UnitScan::of(charset);
        while let Some(block) = scan.block()? {
            let is_text = signs.as_mut().is_none_or(|signs| signs.feed(block));
            if let Some(units) = &mut units {
                units.feed(block);
            }
            let may_be_doubled = doubled.as_mut().is_some_and(|it| it.feed(block));
            if !is_text || !may_be_doubled && !self.to_end {
                break;
            }
        }
        let signs = signs.and_then(|signs| signs.finish().map(NotText::Signs));
        Ok(match signs.or_else(|| units?.not_text()) {
            Some(not_text) => Answer::not_text(not_text),
            None => Answer {
                is_doubled: doubled.is_some_and(Doubled::finish),
                ..answer
            },
        })
    }

    /// UTF-16 or UTF-32 without a byte order mark; if there is a list, only if it is in the list.
    fn of_units(&self, guess: Guess) -> Option<Answer> {
        match guess.reason {
            detect::Reason::CodeUnits | detect::Reason::Utf32 { .. } if self.list.is_empty() => {
                Some(self.guessed(guess, &[], false))
            }
            detect::Reason::CodeUnits => {
                let listed = |encoding: &&'static Encoding| self.list.contains(encoding);
                let encoding = guess.encoding.filter(listed)?;
                Some(Answer::new(encoding, Basis::List, Confidence::Tentative))
            }
            _ => None,
        }
    }

    fn declared(&self, head: &[u8], complete: bool) -> Option<Answer> {
        let mut hints = self.hints;
        if hints.format == Format::Unknown && hints.transport.is_none() {
            hints.format = format_of(head);
        }
        let decision = sniff::resolve(&hints, head, complete);
        (decision.evidence != Evidence::Fallback).then(|| {
            Answer::new(
                decision.encoding,
                decision.evidence.into(),
                decision.confidence,
            )
        })
    }

    /// Whether a declaration may be after the first bytes.
    fn may_declare_late(&self, head: &[u8]) -> bool {
        let declared = self.declared(head, false);
        format_of(head) == Format::Html
            && declared.is_none_or(|it| matches!(it.basis, Basis::Utf8 | Basis::LateMeta))
    }

    /// The answer for a guess by a sample. With `complete`, all of the input was examined.
    fn guessed(&self, guess: Guess, sample: &[u8], complete: bool) -> Answer {
        let found = |charset| Answer::new(charset, guess.evidence.into(), guess.confidence);
        let answer = match (guess.reason, guess.encoding) {
            (detect::Reason::Ascii, _) => {
                let confidence = if complete {
                    Confidence::Certain
                } else {
                    Confidence::Tentative
                };
                return Answer::new(UTF_8, Basis::Ascii, confidence);
            }
            (detect::Reason::Binary(signs), _) => Answer::not_text(NotText::Signs(signs)),
            (detect::Reason::Utf32 { order, .. }, _) => found(Charset::Utf32(order)),
            (detect::Reason::Implausible, _) | (_, None) => Answer::not_text(NotText::Implausible),
            (_, Some(encoding)) => found(encoding.into()),
        };
        Answer {
            rival: answer.charset.and_then(|_| misnamed::rival(&guess, sample)),
            guess: Some(guess),
            ..answer
        }
    }
}

/// The encoding that a document declares in its first bytes.
pub(crate) fn declared_in(head: &[u8]) -> Option<Charset> {
    let answer = Question::default().declared(head, false)?;
    answer.charset.filter(|_| answer.basis == Basis::Prescan)
}

/// The format that a document looks like after white space, of which there may be more than a browser looks at.
pub(crate) fn format_of(head: &[u8]) -> Format {
    match head.trim_ascii_start() {
        b"" => Format::Html,
        begin => Format::from_head(begin),
    }
}

fn bom(head: &[u8]) -> Option<Answer> {
    Encoding::for_bom(head)
        .map(|(encoding, _)| Answer::new(encoding, Basis::Bom, Confidence::Certain))
}

/// The message that says where the first malformed sequence is in each encoding of the list.
fn in_words(first: &FirstValid) -> String {
    let failed = first.tried().filter_map(|tried| {
        let malformed = tried.failed?;
        Some(format!("{} at offset {}", tried.encoding, malformed.offset))
    });
    let failed = failed.collect::<Vec<_>>().join(", ");
    format!("it has malformed bytes in every encoding of the list ({failed}); not converted")
}
