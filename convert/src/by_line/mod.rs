//! `--per-line`: each line is decoded from an encoding of its own.
//!
//! `blocks.rs` reads whole lines, the library cuts them on all cores into segments of one encoding, and each
//! segment is decoded like an input of its own, except that offsets and line numbers go on. If nothing states
//! the encoding of a line, `guess.rs` guesses it. A line that is too long for memory is decided as a whole
//! and read again (`long_line.rs`).
//!
//! The result depends neither on the size of reads nor on the number of cores: each line is decided by
//! itself, and the encoding of most lines is decided by the bytes from the first of them on.

mod blocks;
mod guess;
mod long_line;

use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;
use simdtext::sniff::{SegmentReason, Segments};
use simdtext::{Bom, Encoding, ISO_2022_JP, UTF_8, WINDOWS_1252};

use super::buffered::Buffered;
use super::cores::{Cores, Held};
use super::text::{Broken, Conversion};
use crate::decode::{DecodeRun, LONGEST_BOM, Whole};
use crate::input::Source;
use crate::lines::Lines;
use crate::options::{Options, SourceEncoding};
use blocks::{Blocks, LONGEST_LINE, sound_lines, split};
use guess::{Guesser, WINDOW};

/// How many bytes of lines one core decides at a time.
const PART: usize = 64 * 1024;

/// With fewer bytes a second core does not pay.
const MANY_PARTS: usize = 4;

/// How the encoding of each line is decided.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// UTF-8, or else the first of these in which the line is not malformed, or else the first of these. Empty if
    /// encodings are guessed.
    list: Vec<&'static Encoding>,
    tld: Option<String>,
    /// How many bytes of a line may go to a temporary file.
    spool_limit: u64,
}

impl Choice {
    /// `None` if lines are not decided one by one.
    pub(crate) fn of(options: &Options) -> Option<Self> {
        let list = match &options.from {
            // `Settings` refuses all others.
            SourceEncoding::Encoding(charset) => charset.standard().into_iter().collect(),
            SourceEncoding::FirstValid(list) => list.clone(),
            SourceEncoding::Auto => Vec::new(),
        };
        options.per_line.then(|| Self {
            list,
            tld: options.tld_label().map(String::from),
            spool_limit: options.spool_limit,
        })
    }

    /// Whether nothing states which encodings lines may be in.
    fn guesses(&self) -> bool {
        self.list.is_empty()
    }

    /// Decides the encodings of the lines in `bytes`, as segments whose ranges begin at `from`.
    fn decide(&self, bytes: &[u8], from: usize, guesser: Option<&Guesser>) -> Vec<Decided> {
        let otherwise = |line: &[u8]| match (self.list.first(), guesser) {
            (Some(named), _) => *named,
            (None, Some(guesser)) => guesser.guess(line),
            // Without a guesser, all lines are known to be valid.
            (None, None) => WINDOWS_1252,
        };
        let segments = Segments::new(bytes, &self.list, otherwise).iso_2022_jp(self.guesses());
        let mut all = Vec::new();
        for segment in segments {
            let start = segment.range.start;
            let is_weighed = matches!(
                segment.reason,
                SegmentReason::Otherwise | SegmentReason::Escapes
            );
            let parts = if segment.encoding == UTF_8 && self.knows_escapes() {
                damaged(&bytes[segment.range])
            } else {
                vec![(0..segment.range.len(), segment.encoding, is_weighed)]
            };
            all.extend(parts.into_iter().map(|(part, encoding, is_weighed)| {
                let range = start + part.start..start + part.end;
                Decided {
                    weight: weight(&bytes[range.clone()], encoding),
                    range: from + range.start..from + range.end,
                    encoding,
                    is_guess: self.guesses() && is_weighed,
                }
            }));
        }
        all
    }

    /// Whether lines may be in ISO-2022-JP.
    fn knows_escapes(&self) -> bool {
        self.guesses() || self.list.contains(&ISO_2022_JP)
    }
}

/// A part of some lines, its encoding, and whether that was weighed.
type Part = (Range<usize>, &'static Encoding, bool);

/// Cuts lines of UTF-8 where there are damaged lines of ISO-2022-JP, which are ASCII, too. Undamaged ones are
/// recognised before. The end of such a line is not a part of it.
fn damaged(lines: &[u8]) -> Vec<Part> {
    if !lines.contains(&ESC) {
        return vec![(0..lines.len(), UTF_8, false)];
    }
    let mut parts: Vec<Part> = Vec::new();
    for range in split(lines, 1) {
        let line = &lines[range.clone()];
        let mut rest = range.start;
        if line.is_ascii() && line.windows(3).any(selects_another_set) {
            // After half a character, the line end would be taken for its other half.
            rest += line.trim_ascii_end().len();
            parts.push((range.start..rest, ISO_2022_JP, true));
        }
        match parts.last_mut() {
            Some((last, _, false)) => last.end = range.end,
            _ if rest < range.end => parts.push((rest..range.end, UTF_8, false)),
            _ => {}
        }
    }
    parts
}

const ESC: u8 = 0x1B;

/// Whether this is an escape sequence of ISO-2022-JP for a set other than ASCII.
fn selects_another_set(sequence: &[u8]) -> bool {
    matches!(
        sequence,
        [ESC, b'(', b'J' | b'I'] | [ESC, b'$', b'@' | b'B']
    )
}

/// A segment whose encoding is decided.
struct Decided {
    range: Range<usize>,
    encoding: &'static Encoding,
    is_guess: bool,
    /// How much of it is evidence.
    weight: u64,
}

/// How many bytes tell that these lines are in this encoding: those of lines with escape sequences, or those
/// that are not ASCII. ASCII counts for no encoding, because it takes that of the lines around it, which may
/// be in the next block.
fn weight(bytes: &[u8], encoding: &'static Encoding) -> u64 {
    if encoding == ISO_2022_JP {
        let is_escaped = |line: &&[u8]| line.contains(&ESC);
        let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
        lines.filter(is_escaped).map(|line| line.len() as u64).sum()
    } else {
        bytes.iter().filter(|byte| !byte.is_ascii()).count() as u64
    }
}

/// The number of bytes in each encoding.
#[derive(Default)]
struct Totals(Vec<(&'static Encoding, u64)>);

impl Totals {
    fn add(&mut self, encoding: &'static Encoding, weight: u64) {
        match self.0.iter_mut().find(|(other, _)| *other == encoding) {
            Some((_, total)) => *total += weight,
            None => self.0.push((encoding, weight)),
        }
    }

    fn most(&self) -> &'static Encoding {
        let most = self.0.iter().max_by_key(|(_, total)| *total);
        most.filter(|(_, total)| *total > 0)
            .map_or(UTF_8, |(encoding, _)| encoding)
    }
}

/// The lines of an input that is being converted.
struct PerLineJob<'c> {
    choice: &'c Choice,
    lines: Lines,
    /// Made when the first line has to be guessed.
    guesser: Option<Guesser>,
    is_guessed: bool,
    totals: Totals,
    /// The cores to use, if there are several.
    cores: Option<&'c Cores>,
    held: Option<Held<'c>>,
}

impl PerLineJob<'_> {
    /// Calls [`Choice::decide`], on all cores if that pays.
    fn decide(&mut self, piece: &[u8]) -> Vec<Decided> {
        let (choice, guesser) = (self.choice, self.guesser.as_ref());
        if piece.len() < MANY_PARTS * PART {
            return choice.decide(piece, 0, guesser);
        }
        if let Some(cores) = self.cores.take() {
            self.held = cores.hold();
        }
        let parts = split(piece, PART);
        let of_part =
            |part: &Range<usize>| choice.decide(&piece[part.clone()], part.start, guesser);
        match &self.held {
            Some(held) => held
                .pool()
                .install(|| parts.par_iter().flat_map_iter(of_part).collect()),
            None => parts.iter().flat_map(of_part).collect(),
        }
    }
}

impl<W: Write> Conversion<'_, '_, W> {
    /// Converts one input line by line. Also returns whether the encoding of any line was guessed.
    pub(super) fn by_line(
        &mut self,
        choice: &Choice,
        source: &mut Source<'_>,
        text: &mut String,
        cores: Option<&Cores>,
    ) -> Result<(Whole, bool), Broken> {
        let mut job = PerLineJob {
            choice,
            lines: Lines::default(),
            guesser: None,
            is_guessed: false,
            totals: Totals::default(),
            cores,
            held: None,
        };
        let mut blocks = Blocks::new(source);
        blocks.fill(LONGEST_BOM)?;
        if let [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] = blocks.data() {
            let why = "it is UTF-16, whose lines can't be told apart; leave --per-line out";
            return Err(io::Error::other(why).into());
        }
        let has_bom = blocks.data().starts_with(b"\xEF\xBB\xBF");
        let bom = if has_bom && self.settings.bom != Bom::Keep {
            LONGEST_BOM
        } else {
            0
        };
        blocks.consume(bom);
        loop {
            let mut end = blocks.whole_lines();
            if end == 0 {
                if blocks.is_at_end() {
                    break;
                }
                if blocks.data().len() < LONGEST_LINE {
                    more(&mut blocks, 0, self.out)?;
                } else {
                    self.long_line(&mut blocks, &mut job, text)?;
                }
                continue;
            }
            if choice.guesses() && job.guesser.is_none() {
                let sound = sound_lines(&blocks.data()[..end]);
                if sound == 0 {
                    if blocks.data().len() < WINDOW && !blocks.is_at_end() {
                        more(&mut blocks, WINDOW, self.out)?;
                    }
                    job.guesser = Some(Guesser::new(blocks.data(), choice.tld.as_deref()));
                    continue;
                }
                end = sound;
            }
            let piece = &blocks.data()[..end];
            for decided in job.decide(piece) {
                job.is_guessed |= decided.is_guess;
                job.totals.add(decided.encoding, decided.weight);
                let bytes = &piece[decided.range.clone()];
                let at = blocks.offset() + decided.range.start as u64;
                let place = (at, job.lines);
                job.lines =
                    self.run(text, decided.encoding, place, |run| run.take(bytes, false))?;
            }
            blocks.consume(end);
        }
        let whole = Whole {
            encoding: job.totals.most().into(),
            bytes: blocks.offset(),
            bom: bom as u64,
        };
        Ok((whole, job.is_guessed))
    }

    /// Decodes a part of the input into `text` and passes that on; `place` is its offset and the lines before it.
    /// Returns the lines after it.
    pub(super) fn run(
        &mut self,
        text: &mut String,
        encoding: &'static Encoding,
        place: (u64, Lines),
        feed: impl FnOnce(&mut DecodeRun<'_, Self>) -> Result<(), Broken>,
    ) -> Result<Lines, Broken> {
        let replacement = self.settings.replacement();
        let mut run = DecodeRun::starting_at(encoding, place, replacement, text, self);
        feed(&mut run)?;
        run.take(&[], true)?;
        Ok(run.lines())
    }
}

/// Reads more: until there are `least` bytes in all, or at least something. What was written is passed on
/// before this waits.
fn more<W: Write>(
    blocks: &mut Blocks<'_, '_>,
    least: usize,
    out: &mut Buffered<W>,
) -> Result<(), Broken> {
    if blocks.may_wait() {
        out.flush()?;
    }
    let least = least.max(blocks.data().len() + 1);
    Ok(blocks.fill(least)?)
}
