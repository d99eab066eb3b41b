//! `--per-line`: each line is decoded from an encoding of its own.
//!
//! The library cuts blocks of whole lines into segments of one encoding; each is decoded as an input
//! of its own would be, but for offsets and line numbers, which go on.

use std::io::{self, Write};

use simdtext::detect::{self, Options, detect};
use simdtext::sniff::{FirstValid, Reason, Segments};
use simdtext::{Bom, Encoding, UTF_8, WINDOWS_1252};

use super::buffered::Buffered;
use super::faults::Faults;
use super::text::{Conversion, Converter, Stop};
use crate::args::{ConvertArgs, FromArg, has_lines};
use crate::decode::{Broken, Decoding, Run, Whole};
use crate::input::Source;
use crate::lines::Lines;

/// Bytes that are read at a time.
const BLOCK: usize = 1 << 20;

/// Longer lines are cut, behind an ASCII character that no sequence holds.
const LONGEST_LINE: usize = 8 << 20;

/// Bytes of lines that are weighed to guess what all such lines are in.
const SAMPLE: usize = 64 * 1024;

/// By how many bits the guess at a line has to be ahead to outweigh that at all lines.
const SURE: u32 = 16;

/// How each line is decided.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// UTF-8, else the first of these without a fault.
    list: Vec<&'static Encoding>,
    /// Where lines are malformed in all of them. `None`: it is guessed.
    otherwise: Option<&'static Encoding>,
    tld: Option<String>,
}

impl Choice {
    pub(crate) fn of(args: &ConvertArgs) -> Self {
        let list = match &args.from {
            FromArg::Encoding(encoding) => vec![*encoding],
            FromArg::FirstValid(list) => list.clone(),
            FromArg::Auto => Vec::new(),
        };
        Self {
            otherwise: list.first().copied(),
            list,
            tld: args.guess.tld().map(String::from),
        }
    }

    fn options(&self) -> Options<'_> {
        Options {
            tld: self.tld.as_deref().map(str::as_bytes),
            ..Options::default()
        }
    }

    /// What all lines are in that are no UTF-8, as far as these tell.
    fn guess(&self, lines: &[u8]) -> &'static Encoding {
        let mut sample = Vec::new();
        for segment in Segments::new(lines, &[], |_| WINDOWS_1252) {
            if segment.reason == Reason::Otherwise && sample.len() < SAMPLE {
                let segment = &lines[segment.range];
                sample.extend_from_slice(&segment[..segment.len().min(SAMPLE)]);
            }
        }
        let guess = detect(&sample, true, &self.options());
        with_lines(guess.encoding.unwrap_or(WINDOWS_1252))
    }

    /// What a line is in that is malformed in UTF-8, where most such lines are in `most`.
    fn guess_line(&self, line: &[u8], most: &'static Encoding) -> &'static Encoding {
        let guess = detect(line, true, &self.options());
        let is_sure = match guess.reason {
            detect::Reason::Plausible { margin, .. } => margin >= SURE,
            _ => true,
        };
        if is_sure || FirstValid::new(&[most]).decide(line).is_none() {
            with_lines(guess.encoding.unwrap_or(most))
        } else {
            most
        }
    }
}

/// The encoding, if lines can be told apart in it.
fn with_lines(encoding: &'static Encoding) -> &'static Encoding {
    if has_lines(encoding) {
        encoding
    } else {
        WINDOWS_1252
    }
}

impl Converter {
    /// [`Converter::add`], line by line.
    pub(super) fn add_by_line<W: Write>(
        &mut self,
        choice: &Choice,
        source: &mut Source<'_>,
        out: &mut Buffered<W>,
        faults: &mut Faults<'_>,
    ) -> Result<Whole, Broken<Stop>> {
        let mut block = vec![0; BLOCK];
        let (mut filled, mut offset, mut bom) = (0, 0, 0);
        let mut lines = Lines::default();
        // What most lines are in, when it was guessed.
        let mut otherwise = None;
        let mut is_guessed = false;
        let mut totals: Vec<(&'static Encoding, u64)> = Vec::new();
        loop {
            let n = source
                .read(
                    &mut block[filled..],
                    if source.may_pause { 1 } else { BLOCK },
                )
                .map_err(Broken::Read)?;
            let is_end = n == 0;
            filled += n;
            if offset == 0 && bom == 0 && self.settings().bom != Bom::Keep {
                bom = if block[..filled].starts_with(b"\xEF\xBB\xBF") {
                    3
                } else {
                    0
                };
            }
            if offset == 0 && matches!(block[..filled], [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
                let why = "it is UTF-16, whose lines can't be told apart; leave --per-line out";
                return Err(Broken::Read(io::Error::other(why)));
            }
            let from = if offset == 0 { bom } else { 0 };
            let end = if is_end {
                filled
            } else {
                whole_lines(
                    &block[..filled],
                    filled == block.len() && filled >= LONGEST_LINE,
                )
            };
            let piece = block.get(from..end).unwrap_or_default();
            let decide = |line: &[u8]| match choice.otherwise {
                Some(named) => named,
                None => {
                    let most = *otherwise.get_or_insert_with(|| choice.guess(piece));
                    choice.guess_line(line, most)
                }
            };
            for segment in Segments::new(piece, &choice.list, decide) {
                is_guessed |= choice.otherwise.is_none() && segment.reason == Reason::Otherwise;
                let bytes = &piece[segment.range.clone()];
                match totals
                    .iter_mut()
                    .find(|(encoding, _)| *encoding == segment.encoding)
                {
                    Some((_, total)) => *total += bytes.len() as u64,
                    None => totals.push((segment.encoding, bytes.len() as u64)),
                }
                let at = offset + (from + segment.range.start) as u64;
                lines = self
                    .add_segment(bytes, segment.encoding, at, lines, out, faults)
                    .map_err(Broken::Stopped)?;
            }
            offset += end as u64;
            if is_end {
                let most = totals.iter().max_by_key(|(_, total)| *total);
                self.set_guessed(is_guessed);
                return Ok(Whole {
                    encoding: most.map_or(UTF_8, |(encoding, _)| encoding),
                    bytes: offset,
                    bom: bom as u64,
                });
            }
            block.copy_within(end..filled, 0);
            filled -= end;
            if filled == block.len() {
                block.resize((2 * filled).min(LONGEST_LINE), 0);
            }
            if source.may_pause {
                out.flush()
                    .map_err(|error| Broken::Stopped(Stop::Write(error)))?;
            }
        }
    }

    fn add_segment<W: Write>(
        &mut self,
        bytes: &[u8],
        encoding: &'static Encoding,
        offset: u64,
        lines: Lines,
        out: &mut Buffered<W>,
        faults: &mut Faults<'_>,
    ) -> Result<Lines, Stop> {
        let decoding = Decoding {
            encoding,
            bom: Bom::Keep,
            replacement: self.settings().replacement(),
        };
        let (encoder, buffers, settings) = self.parts();
        let mut conversion = Conversion {
            settings,
            encoder,
            out,
            faults,
        };
        let mut run =
            Run::new(decoding, &mut buffers.text, &mut conversion).starting_at(offset, lines);
        run.take(bytes, false)?;
        run.take(&[], true)?;
        Ok(run.lines())
    }
}

/// The end of the last whole line; with `cut`, some place near the end where a line can be cut, if
/// there is no whole one.
fn whole_lines(bytes: &[u8], cut: bool) -> usize {
    let last = |is_end: fn(&u8) -> bool| bytes.iter().rposition(is_end).map_or(0, |at| at + 1);
    match last(|byte| *byte == b'\n') {
        0 if cut => match last(|byte| *byte < 0x30 && *byte != 0x1B) {
            0 => bytes.len(),
            end => end,
        },
        end => end,
    }
}
