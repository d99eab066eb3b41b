//! `--per-line`: each line is decoded from an encoding of its own.
//!
//! `blocks.rs` reads whole lines, the library cuts them into segments of one encoding, on all cores, and
//! each is decoded as an input of its own would be, but for offsets and line numbers, which go on.
//! Where nobody says what a line is in, `guess.rs` does. A line that there is no memory for is decided
//! as a whole and read again: `long_line.rs`.
//!
//! Nothing depends on how reads were cut or on the number of cores: lines are decided one by one, and
//! what most of them are in is decided on the bytes from the first of them on.

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
use super::faults::Faults;
use super::output::WriteError;
use super::text::{Conversion, Shared, SinkError};
use crate::decode::{Broken, Decoding, Run, Whole};
use crate::input::Source;
use crate::lines::Lines;
use crate::options::{Options, SourceEncoding};
use blocks::{Blocks, LONGEST_LINE, sound_lines, split};
use guess::{Guesser, WINDOW};

/// Bytes of lines that one core decides about at a time.
const PART: usize = 64 * 1024;

/// Fewer are not worth more than one core.
const MANY_PARTS: usize = 4;

const LONGEST_BOM: usize = 3;

/// How each line is decided.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// UTF-8, else the first of these without a fault.
    list: Vec<&'static Encoding>,
    /// Where lines are malformed in all of them. `None`: it is guessed.
    otherwise: Option<&'static Encoding>,
    tld: Option<String>,
    /// How many bytes of a line a temporary file may take.
    spool_limit: u64,
}

impl Choice {
    pub(crate) fn of(options: &Options) -> Self {
        let list = match &options.from {
            // `Settings` lets no other by.
            SourceEncoding::Encoding(charset) => charset.standard().into_iter().collect(),
            SourceEncoding::FirstValid(list) => list.clone(),
            SourceEncoding::Auto => Vec::new(),
        };
        Self {
            otherwise: list.first().copied(),
            list,
            tld: options.guess.tld().map(String::from),
            spool_limit: options.spool_limit,
        }
    }

    /// Whether nobody said what lines may be in.
    fn guesses(&self) -> bool {
        self.otherwise.is_none()
    }

    /// What the lines of `bytes` are in, as segments whose ranges begin at `from`.
    fn decide(&self, bytes: &[u8], from: usize, guesser: Option<&Guesser>) -> Vec<Decided> {
        let otherwise = |line: &[u8]| match (self.otherwise, guesser) {
            (Some(named), _) => named,
            (None, Some(guesser)) => guesser.guess(line),
            // Without one, all lines are known to be valid.
            (None, None) => WINDOWS_1252,
        };
        let decided = |segment: simdtext::sniff::Segment| {
            let segment_bytes = bytes.get(segment.range.clone()).unwrap_or_default();
            let is_weighed = matches!(
                segment.reason,
                SegmentReason::Otherwise | SegmentReason::Escapes
            );
            Decided {
                range: from + segment.range.start..from + segment.range.end,
                encoding: segment.encoding,
                is_guess: self.guesses() && is_weighed,
                weight: weight(segment_bytes, segment.encoding),
            }
        };
        let segments = Segments::new(bytes, &self.list, otherwise);
        if self.guesses() {
            segments.with_iso_2022_jp().map(decided).collect()
        } else {
            segments.map(decided).collect()
        }
    }
}

/// A segment about which it is known what it is in.
struct Decided {
    range: Range<usize>,
    encoding: &'static Encoding,
    is_guess: bool,
    /// How much of it tells.
    weight: u64,
}

/// How many bytes of lines in this encoding could be none of ASCII. ASCII is in whatever encoding the
/// lines around it are in, and these may be in the next block.
fn weight(bytes: &[u8], encoding: &'static Encoding) -> u64 {
    if encoding == ISO_2022_JP {
        let is_escaped = |line: &&[u8]| line.contains(&0x1B);
        let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r'));
        lines.filter(is_escaped).map(|line| line.len() as u64).sum()
    } else {
        bytes.iter().filter(|byte| !byte.is_ascii()).count() as u64
    }
}

/// How much there is of each encoding.
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

/// The lines of an input on their way.
struct Job<'c> {
    choice: &'c Choice,
    lines: Lines,
    /// Made when there is a line to guess.
    guesser: Option<Guesser>,
    is_guessed: bool,
    totals: Totals,
    /// Where there are cores for it.
    cores: Option<&'c Cores>,
    held: Option<Held<'c>>,
}

impl Job<'_> {
    /// [`Choice::decide`] on all cores, if that is worth it.
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

impl Shared {
    /// Converts one input line by line. Also says whether the encoding of a line was guessed.
    pub(super) fn add_by_line<W: Write>(
        &mut self,
        choice: &Choice,
        source: &mut Source<'_>,
        out: &mut Buffered<W>,
        faults: &mut Faults<'_>,
        cores: Option<&Cores>,
    ) -> Result<(Whole, bool), Broken<SinkError>> {
        let mut job = Job {
            choice,
            lines: Lines::default(),
            guesser: None,
            is_guessed: false,
            totals: Totals::default(),
            cores,
            held: None,
        };
        let mut blocks = Blocks::new(source);
        blocks.fill(LONGEST_BOM).map_err(Broken::Read)?;
        if let [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] = blocks.data() {
            let why = "it is UTF-16, whose lines can't be told apart; leave --per-line out";
            return Err(Broken::Read(io::Error::other(why)));
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
                    more(&mut blocks, 0, out)?;
                } else {
                    self.add_long_line(&mut blocks, &mut job, out, faults)?;
                }
                continue;
            }
            if choice.guesses() && job.guesser.is_none() {
                let sound = sound_lines(&blocks.data()[..end]);
                if sound == 0 {
                    if blocks.data().len() < WINDOW && !blocks.is_at_end() {
                        more(&mut blocks, WINDOW, out)?;
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
                job.lines = self
                    .run(decided.encoding, place, out, faults, |run| {
                        run.take(bytes, false)
                    })
                    .map_err(Broken::Stopped)?;
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

    /// Decodes a part of the input by itself: `place` is its offset and the lines before it. Returns the
    /// lines after it.
    fn run<'f, W: Write, E: From<SinkError>>(
        &mut self,
        encoding: &'static Encoding,
        place: (u64, Lines),
        out: &mut Buffered<W>,
        faults: &mut Faults<'f>,
        feed: impl FnOnce(&mut Run<'_, Conversion<'_, 'f, W>>) -> Result<(), E>,
    ) -> Result<Lines, E> {
        let decoding = Decoding {
            encoding: encoding.into(),
            bom: Bom::Keep,
            replacement: self.settings.replacement(),
        };
        let mut conversion = Conversion {
            settings: &self.settings,
            encoder: self.encoder.as_mut(),
            out,
            faults,
        };
        let (offset, lines) = place;
        let mut run = Run::new(encoding, decoding, &mut self.buffers.text, &mut conversion)
            .starting_at(offset, lines);
        feed(&mut run)?;
        run.take(&[], true)?;
        Ok(run.lines())
    }
}

/// Reads on: `least` bytes in all, or something. What was written comes out before it waits for that.
fn more<W: Write>(
    blocks: &mut Blocks<'_, '_>,
    least: usize,
    out: &mut Buffered<W>,
) -> Result<(), Broken<SinkError>> {
    if blocks.may_wait() {
        let flushed: Result<(), WriteError> = out.flush();
        flushed.map_err(|error| Broken::Stopped(SinkError::Write(error)))?;
    }
    let least = least.max(blocks.data().len() + 1);
    blocks.fill(least).map_err(Broken::Read)
}
