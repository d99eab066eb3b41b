//! Converts one large file on several cores to an encoding that writes some characters as similar ones (`similar.rs`),
//! each of which has to be reported with its place.
//!
//! The input is cut into blocks where a decoder has no state. A block without such a character and without a fault is
//! converted by whichever core is free. All others are converted in their turn as `converter.rs` would, so that output,
//! messages and totals are the same as on one core, wherever the input is cut. Tested in `cli/tests/cli/cores.rs`.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use simdtext::parallel::Parallel;
use simdtext::{Bom, Encoder, Encoding, ISO_2022_JP, MIN_ENCODED, UTF_16LE, Unmappable};

use super::cores::Held;
use super::text::{Broken, Conversion};
use crate::charset::Charset;
use crate::decode::{DecodeRun, LONGEST_BOM, Whole};
use crate::input::Source;
use crate::lines::Lines;
use crate::similar::similar;

/// About how many bytes are converted at a time.
const BLOCK: usize = 256 * 1024;

/// The maximum number of bytes in which a place to cut is looked for.
const LONGEST: usize = 8 << 20;

/// Whether an input in this encoding can be cut into blocks.
pub(crate) fn has_blocks(from: &'static Encoding) -> bool {
    from.is_ascii_compatible() || Charset::from(from).is_utf16()
}

/// A block of the input, and what it becomes, unless that is to be found out in its turn.
struct Block {
    bytes: Vec<u8>,
    converted: Option<(Vec<u8>, Lines)>,
}

/// Cuts an input into blocks.
struct Cutter<'s, 'r> {
    source: &'s mut Source<'r>,
    from: &'static Encoding,
    /// What was read after the last block.
    rest: Vec<u8>,
    /// Set if there are no more blocks: that was all of the input, there is no place to cut the rest, or reading has
    /// failed.
    end: Option<io::Result<()>>,
}

impl Cutter<'_, '_> {
    fn next(&mut self) -> Option<Vec<u8>> {
        while self.end.is_none() {
            let searched = self.rest.len();
            self.rest.resize(searched + BLOCK, 0);
            let read = self.source.read(&mut self.rest[searched..], BLOCK);
            let n = *read.as_ref().unwrap_or(&0);
            self.rest.truncate(searched + n);
            if let Err(error) = read {
                self.end = Some(Err(error));
            } else if n < BLOCK {
                self.end = Some(Ok(()));
                return Some(std::mem::take(&mut self.rest)).filter(|rest| !rest.is_empty());
            } else if let Some(cut) = last_cut(&self.rest, searched, self.from) {
                let next = self.rest.split_off(cut);
                return Some(std::mem::replace(&mut self.rest, next));
            } else if self.rest.len() >= LONGEST {
                self.end = Some(Ok(()));
            }
        }
        None
    }
}

/// The last place at or after `from` at which a decoder begins anew whatever precedes: after ASCII that is no second
/// byte of any character. A line end of two characters is not cut.
fn last_cut(bytes: &[u8], from: usize, encoding: &'static Encoding) -> Option<usize> {
    let is_end = |byte: u8| byte < b'0' && byte != b'\r';
    if !Charset::from(encoding).is_utf16() {
        return (from..bytes.len())
            .rfind(|at| is_end(bytes[*at]))
            .map(|at| at + 1);
    }
    let from = from / 2;
    let (units, _) = bytes.as_chunks::<2>();
    let unit = |at: usize| match encoding == UTF_16LE {
        true => u16::from_le_bytes(units[at]),
        false => u16::from_be_bytes(units[at]),
    };
    let ends = |at: &usize| u8::try_from(unit(*at)).is_ok_and(is_end);
    (from..units.len()).rfind(ends).map(|at| 2 * (at + 1))
}

/// Converts a block. `None` if there is a fault or a similar character in it.
fn converted(
    bytes: &[u8],
    from: &'static Encoding,
    to: &'static Encoding,
) -> Option<(Vec<u8>, Lines)> {
    let text = from.decode_strict(bytes, Bom::Keep).ok()?.text;
    if similar(&text, to).next().is_some() {
        return None;
    }
    // ISO-2022-JP stays in a set of its own after these.
    if to == ISO_2022_JP && text.contains(['\u{A5}', '\u{203E}']) {
        return None;
    }
    let encoded = to.encode(&text, Unmappable::Strict).ok()?;
    let mut lines = Lines::default();
    lines.advance(text.as_bytes());
    Some((encoded.bytes.into_owned(), lines))
}

/// Whether the encoder is in the state in which it begins.
fn is_idle(encoder: &Encoder) -> bool {
    let mut room = [0; MIN_ENCODED];
    let end = encoder
        .clone()
        .encode_from_utf8("", &mut room, true, Unmappable::Strict);
    end.written == 0
}

/// A conversion in progress.
struct Job<'c, 'f, W> {
    conversion: Conversion<'c, 'f, W>,
    text: &'c mut String,
    from: &'static Encoding,
    /// The offset of the next block, and the lines before it.
    offset: u64,
    lines: Lines,
}

impl<'c, 'f, W: Write> Job<'c, 'f, W> {
    /// Writes a block.
    fn deliver(&mut self, block: &Block) -> Result<(), Broken> {
        let is_idle = (self.conversion.encoder.as_deref()).is_some_and(is_idle);
        match &block.converted {
            Some((converted, lines)) if is_idle => {
                self.conversion.out.write(converted)?;
                self.lines.append(*lines);
            }
            _ => self.run(|run| run.take(&block.bytes, false))?,
        }
        self.offset += block.bytes.len() as u64;
        Ok(())
    }

    /// Decodes the next bytes in order.
    fn run(
        &mut self,
        feed: impl FnOnce(&mut DecodeRun<'_, Conversion<'c, 'f, W>>) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        let place = (self.offset, self.lines);
        self.lines = (self.conversion).run(self.text, self.from, place, feed)?;
        Ok(())
    }
}

impl Held<'_> {
    /// Converts all of `source`, which is in the encoding `from` after a byte order mark of `bom` bytes.
    pub(super) fn convert_blocks<W: Write + Send>(
        &self,
        conversion: Conversion<'_, '_, W>,
        text: &mut String,
        (from, bom): (&'static Encoding, usize),
        source: &mut Source<'_>,
    ) -> Result<Whole, Broken> {
        source.read(&mut [0; LONGEST_BOM][..bom], bom)?;
        let to = conversion.settings.encodes_to();
        let mut cutter = Cutter {
            source,
            from,
            rest: Vec::new(),
            end: None,
        };
        let mut job = Job {
            conversion,
            text,
            from,
            offset: bom as u64,
            lines: Lines::default(),
        };
        let mut done = Ok(());
        let is_stopped = AtomicBool::new(false);
        let next = || match is_stopped.load(Ordering::Relaxed) {
            true => None,
            false => cutter.next(),
        };
        Parallel::new().pool(self.pool()).batch(
            std::iter::from_fn(next),
            |bytes| Block {
                converted: converted(&bytes, from, to),
                bytes,
            },
            |block| {
                if done.is_ok() {
                    done = job.deliver(&block);
                    is_stopped.store(done.is_err(), Ordering::Relaxed);
                }
            },
        );
        done?;
        let mut bytes = std::mem::take(&mut cutter.rest);
        let mut len = job.offset;
        let mut end = cutter.end.unwrap_or(Ok(()));
        if bytes.is_empty() {
            end?;
        } else {
            job.run(|run| {
                let mut n = bytes.len();
                while n > 0 {
                    run.take(&bytes[..n], false)?;
                    len += n as u64;
                    std::mem::replace(&mut end, Ok(()))?;
                    n = cutter.source.read(&mut bytes, 1)?;
                }
                Ok(())
            })?;
        }
        Ok(Whole {
            encoding: from.into(),
            bytes: len,
            bom: bom as u64,
        })
    }
}
