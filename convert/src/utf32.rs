//! UTF-32, which the standard does not have: its byte order marks, and decoding and encoding it.
//!
//! Every unit has four bytes. One that is no scalar value (a surrogate, or above U+10FFFF) is malformed
//! as a whole, and so are one to three bytes at the end. Tested in `cli/tests/cli/utf32.rs`.

use std::io::{self, Write};

use simdtext::detect::ByteOrder;
use simdtext::{Bom, Malformed};

use crate::charset::Charset;

const UNIT: usize = 4;

/// Bytes at the front that tell a byte order mark of UTF-32LE from one of UTF-16LE with a NUL after it.
pub(crate) const TELLING: usize = 2 * UNIT;

/// The byte order mark of UTF-32 at the start of an input, if what follows it can be UTF-32.
///
/// FF FE 00 00 could be a mark of UTF-16LE with U+0000 after it, which no text begins with. Still, it is
/// taken for UTF-32LE only where the next four bytes are a unit of it.
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

/// Whether the first three bytes of an input may be of a byte order mark.
pub(crate) fn may_begin_bom(head: &[u8]) -> bool {
    head.starts_with(b"\xFF\xFE\0") || head.starts_with(b"\0\0\xFE")
}

/// What an input is decoded from that was said to be in `named`: a byte order mark of UTF-32 wins where
/// one of the standard's would.
pub(crate) fn by_bom(named: Charset, head: &[u8], bom: Bom) -> Charset {
    match order_of_bom(head) {
        Some(order) if bom == Bom::Sniff => Charset::Utf32(order),
        _ => named,
    }
}

/// The length of the byte order mark that is to be removed, in bytes.
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

/// What [`Units::next`] gives.
pub(crate) enum Item {
    Char(char),
    Malformed(Malformed),
}

/// Units out of an input that comes in blocks, which may cut them.
pub(crate) struct Units {
    order: ByteOrder,
    /// Bytes before the next unit.
    offset: u64,
    held: [u8; UNIT],
    held_len: usize,
}

impl Units {
    /// `offset` bytes are before the first unit.
    pub(crate) fn new(order: ByteOrder, offset: u64) -> Self {
        Self {
            order,
            offset,
            held: [0; UNIT],
            held_len: 0,
        }
    }

    /// In bytes from the start of the input.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next unit of `block`, which loses it. `None` where it has no whole one; its rest is kept.
    pub(crate) fn next(&mut self, block: &mut &[u8]) -> Option<Item> {
        let unit = if self.held_len == 0
            && let Some((unit, rest)) = block.split_first_chunk::<UNIT>()
        {
            *block = rest;
            *unit
        } else {
            let n = block.len().min(UNIT - self.held_len);
            let (front, rest) = block.split_at(n);
            self.held[self.held_len..][..n].copy_from_slice(front);
            self.held_len += n;
            *block = rest;
            if self.held_len < UNIT {
                return None;
            }
            self.held_len = 0;
            self.held
        };
        let offset = self.offset;
        self.offset += UNIT as u64;
        Some(match scalar(unit, self.order) {
            Some(ch) => Item::Char(ch),
            None => Item::Malformed(Malformed {
                offset,
                len: 4,
                bytes: unit,
            }),
        })
    }

    /// What the end of the input cuts.
    pub(crate) fn end(&mut self) -> Option<Malformed> {
        let len = std::mem::take(&mut self.held_len);
        let mut bytes = [0; UNIT];
        bytes[..len].copy_from_slice(&self.held[..len]);
        let offset = self.offset;
        self.offset += len as u64;
        (len > 0).then_some(Malformed {
            offset,
            // At most 3.
            len: u8::try_from(len).unwrap_or(u8::MAX),
            bytes,
        })
    }
}

/// Writes the UTF-8 that it gets as UTF-32: the way back, for `--verify`.
pub(crate) struct Encoder<W> {
    writer: W,
    order: ByteOrder,
    /// The beginning of a character that a call cut.
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

    pub(crate) fn into_inner(self) -> W {
        self.writer
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
