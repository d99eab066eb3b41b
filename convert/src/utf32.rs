//! UTF-32, which is not in the standard: its byte order marks, decoding and encoding.
//!
//! Every unit has four bytes. A unit that is not a scalar value (a surrogate, or above U+10FFFF) is malformed
//! as a whole, and so are one to three bytes at the end. Tested in `cli/tests/cli/utf32.rs`.

use std::io::{self, Write};

use simdtext::detect::ByteOrder;
use simdtext::{Bom, Malformed, Progress, Status};

use crate::charset::Charset;

const UNIT: usize = 4;

/// How many bytes it takes to distinguish a byte order mark of UTF-32LE from one of UTF-16LE followed by a
/// NUL.
pub(crate) const TELLING: usize = 2 * UNIT;

/// The byte order mark of UTF-32 at the start of an input, if UTF-32 can follow it.
///
/// FF FE 00 00 could also be a mark of UTF-16LE followed by U+0000, with which no text begins. Still, it is
/// taken for UTF-32LE only if the next four bytes are a unit of UTF-32.
pub(crate) fn order_of_bom(head: &[u8]) -> Option<ByteOrder> {
    let order = match head {
        [0xFF, 0xFE, 0, 0, ..] => ByteOrder::Little,
        [0, 0, 0xFE, 0xFF, ..] => ByteOrder::Big,
        _ => return None,
    };
    match head[UNIT..].first_chunk() {
        Some(unit) => scalar(*unit, order).map(|_| order),
        None => Some(order),
    }
}

/// Whether the first three bytes of an input may be part of a byte order mark.
pub(crate) fn may_begin_bom(head: &[u8]) -> bool {
    head.starts_with(b"\xFF\xFE\0") || head.starts_with(b"\0\0\xFE")
}

/// The encoding to decode an input from that is said to be in `named`: a byte order mark of UTF-32 wins where
/// one of the standard's would.
pub(crate) fn by_bom(named: Charset, head: &[u8], bom: Bom) -> Charset {
    match order_of_bom(head) {
        Some(order) if bom == Bom::Sniff => Charset::Utf32(order),
        _ => named,
    }
}

/// The length of the byte order mark to remove, in bytes.
pub(crate) fn bom_length(head: &[u8], order: ByteOrder, bom: Bom) -> usize {
    let mark = encoded('\u{FEFF}', order);
    if bom != Bom::Keep && head.starts_with(&mark) {
        UNIT
    } else {
        0
    }
}

fn scalar(unit: [u8; UNIT], order: ByteOrder) -> Option<char> {
    char::from_u32(match order {
        ByteOrder::Little => u32::from_le_bytes(unit),
        ByteOrder::Big => u32::from_be_bytes(unit),
    })
}

fn encoded(ch: char, order: ByteOrder) -> [u8; UNIT] {
    match order {
        ByteOrder::Little => u32::from(ch).to_le_bytes(),
        ByteOrder::Big => u32::from(ch).to_be_bytes(),
    }
}

/// Decodes UTF-32. The methods are those of [`simdtext::Decoder`].
#[derive(Clone, Debug)]
pub(crate) struct Decoder {
    order: ByteOrder,
    /// Whether a byte order mark that comes next is left out.
    skips_mark: bool,
    /// The offset of the next unit, in bytes from the start of the input.
    offset: u64,
    /// The first bytes of that unit, if it was cut. Those past `held_len` are 0.
    held: [u8; UNIT],
    held_len: usize,
}

impl Decoder {
    pub(crate) fn new(order: ByteOrder, bom: Bom) -> Self {
        Self {
            order,
            skips_mark: bom != Bom::Keep,
            offset: 0,
            held: [0; UNIT],
            held_len: 0,
        }
    }

    pub(crate) fn encoding(&self) -> Charset {
        Charset::Utf32(self.order)
    }

    pub(crate) fn total_read(&self) -> u64 {
        self.offset + self.held_len as u64
    }

    /// The text goes into the spare capacity of `dst`.
    pub(crate) fn decode_to_string_strict(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> Progress {
        let mut rest = src;
        let before = dst.len();
        let status = loop {
            // A character has up to four bytes.
            if dst.capacity() - dst.len() < 4 {
                break Status::OutputFull;
            }
            let Some((unit, len)) = self.next(&mut rest, last) else {
                break Status::InputEmpty;
            };
            let offset = self.offset;
            self.offset += len as u64;
            let skips_mark = std::mem::take(&mut self.skips_mark);
            match scalar(unit, self.order).filter(|_| len == UNIT) {
                Some('\u{FEFF}') if skips_mark => {}
                Some(ch) => dst.push(ch),
                None => {
                    break Status::Malformed(Malformed {
                        offset,
                        // At most 4 bytes.
                        len: u8::try_from(len).unwrap_or(u8::MAX),
                        bytes: unit,
                    });
                }
            }
        };
        Progress {
            status,
            read: src.len() - rest.len(),
            written: dst.len() - before,
            errors: usize::from(matches!(status, Status::Malformed(_))),
        }
    }

    /// Takes the next unit and its length, which is less than [`UNIT`] at the end of the input. `None` if there is no
    /// whole one; its first bytes are kept.
    fn next(&mut self, src: &mut &[u8], last: bool) -> Option<([u8; UNIT], usize)> {
        if self.held_len == 0
            && let Some((unit, rest)) = src.split_first_chunk()
        {
            *src = rest;
            return Some((*unit, UNIT));
        }
        let (front, rest) = src.split_at(src.len().min(UNIT - self.held_len));
        self.held[self.held_len..][..front.len()].copy_from_slice(front);
        self.held_len += front.len();
        *src = rest;
        let is_due = self.held_len == UNIT || last && self.held_len > 0;
        is_due.then(|| {
            let len = std::mem::take(&mut self.held_len);
            (std::mem::take(&mut self.held), len)
        })
    }
}

/// Writes the UTF-8 that it receives as UTF-32, to convert back for `--verify`.
pub(crate) struct Encoder<W> {
    writer: W,
    order: ByteOrder,
    /// The beginning of a character that was cut by a call.
    held: Vec<u8>,
    units: Vec<u8>,
}

impl<W: Write> Encoder<W> {
    pub(crate) fn new(writer: W, order: ByteOrder) -> Self {
        Self {
            writer,
            order,
            held: Vec::new(),
            units: Vec::new(),
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.held) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
        };
        self.units.clear();
        for ch in String::from_utf8_lossy(&self.held[..whole]).chars() {
            self.units.extend_from_slice(&encoded(ch, self.order));
        }
        self.held.drain(..whole);
        self.writer.write_all(&self.units)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}
