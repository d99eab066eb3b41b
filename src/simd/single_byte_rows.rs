//! The upper half of a single-byte table as eight rows of 16 entries, the size of table that `pshufb` looks
//! up.
//!
//! In most rows of most encodings, the code points are consecutive: what such a row adds to the byte depends
//! only on the high half of the byte, so that one look-up serves all of these rows. Each other row takes a
//! look-up of its own.

use core::hint::black_box;

use super::single_byte::{ByteUnits, UNMAPPED};

/// The bytes 80 to FF, each of which maps to one byte (to encode) or two (to decode).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    /// What the consecutive rows add to the byte, by its high half.
    pub(crate) low: [u8; 16],
    /// The second byte of rows in which it is always the same.
    pub(crate) high: [u8; 16],
    /// The other rows; the entries after them are unused.
    pub(crate) others: [Row; 8],
    /// The numbers of other rows below A0, below C0, and in all.
    pub(crate) counts: [u8; 3],
    /// By the low half of the byte, a bit for each row in which it is unmapped.
    pub(crate) unmapped: [u8; 16],
}

/// A row whose code points are not consecutive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The row's first byte, 16 times.
    #[allow(dead_code, reason = "only vectors look things up in rows")]
    pub(crate) first: [u8; 16],
    /// What is added to each byte.
    pub(crate) low: [u8; 16],
    /// The second bytes, if they are not all the same. (If they are, they are in `Rows::high`.)
    pub(crate) high: [u8; 16],
    pub(crate) has_high: bool,
}

/// Returns the code units of the bytes 80 to FF of an encoding.
pub(super) fn upper_units(units: &ByteUnits) -> [u16; 128] {
    core::array::from_fn(|byte| u16::from_le_bytes(units[0x80 + byte]))
}

/// Returns the last byte and, above it, the first byte of the UTF-8 of the bytes 80 to FF.
pub(super) fn upper_utf8(utf8: &[[u8; 4]; 256]) -> [u16; 128] {
    core::array::from_fn(|byte| match utf8[0x80 + byte] {
        [lead, last, _, 2] | [lead, _, last, 3] => u16::from_le_bytes([last, lead]),
        _ => 0,
    })
}

/// Returns the last byte and, above it, the one before it, of UTF-8 characters of three bytes that begin with
/// `first`.
pub(super) fn upper_threes(utf8: &[[u8; 4]; 256], first: u8) -> [u16; 128] {
    core::array::from_fn(|byte| match utf8[0x80 + byte] {
        [lead, middle, last, 3] if lead == first => u16::from_le_bytes([last, middle]),
        _ => 0,
    })
}

const NO_ROW: Row = Row {
    first: [0; 16],
    low: [0; 16],
    high: [0; 16],
    has_high: false,
};

impl Rows {
    /// `units` are what the bytes 80 to FF map to; 0 = unmapped.
    pub(crate) fn new(units: &[u16; 128]) -> Self {
        let mut rows = Rows {
            low: [0; 16],
            high: [0; 16],
            others: [NO_ROW; 8],
            counts: [0; 3],
            unmapped: [0; 16],
        };
        for (row, units) in units.as_chunks::<16>().0.iter().enumerate() {
            let first = 0x80 + 16 * row as u8;
            let mut other = Row {
                first: [first; 16],
                ..NO_ROW
            };
            let mut in_steps = true;
            // What the previous mapped bytes have in common.
            let mut common = None;
            for (column, &unit) in units.iter().enumerate() {
                if unit == 0 {
                    rows.unmapped[column] |= 1 << row;
                    continue;
                }
                let [low, high] = unit.to_le_bytes();
                let low = low.wrapping_sub(first + column as u8);
                (other.low[column], other.high[column]) = (low, high);
                let (common_low, common_high) = *common.get_or_insert((low, high));
                in_steps &= (common_low, common_high) == (low, high);
                other.has_high |= common_high != high;
            }
            let (low, high) = common.unwrap_or_default();
            if !other.has_high {
                rows.high[8 + row] = high;
            }
            if in_steps {
                rows.low[8 + row] = low;
            } else {
                rows.others[usize::from(rows.counts[2])] = other;
                rows.counts[0] += u8::from(row < 2);
                rows.counts[1] += u8::from(row < 4);
                rows.counts[2] += 1;
            }
        }
        rows
    }

    /// Makes rows that map the code points of a page to bytes; their low seven bits are treated as bytes from
    /// 80 to FF.
    pub(super) fn of_page(units: &ByteUnits, page: u8) -> Self {
        let mut bytes = [0; 128];
        for byte in 0x80..=0xFF {
            let unit = u16::from_le_bytes(units[usize::from(byte)]);
            if unit >> 7 == u16::from(page) {
                bytes[usize::from(unit & 0x7F)] = byte;
            }
        }
        Rows::new(&bytes)
    }

    /// Returns whether so many rows need look-ups of their own that [`Chain`] is better.
    #[inline(always)]
    #[allow(dead_code, reason = "only tables with vectors use it")]
    pub(crate) const fn wants_chain(&self) -> bool {
        self.counts[2] > self.counts[1] + 1
    }
}

/// The upper half of a table in another form: what each row adds, by exclusive or, to the rows above it. The
/// first rows are those at the end, where most letters are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    /// Added to the byte itself, which gives the first byte that it maps to.
    pub(crate) low: [[u8; 16]; 8],
    /// The second byte that it maps to; [`UNMAPPED`] for an unmapped byte.
    pub(crate) high: [[u8; 16]; 8],
}

impl Chain {
    /// `units` are what the bytes 80 to FF map to; 0 = unmapped.
    pub(crate) fn new(units: &[u16; 128]) -> Self {
        let mut chain = Chain {
            low: [[0; 16]; 8],
            high: [[0; 16]; 8],
        };
        for column in 0..16 {
            let (mut low_before, mut high_before) = (0, 0);
            // Hidden from the compiler, which would unroll the loop: this runs once per table.
            for row in 0..black_box(8) {
                let place = 16 * (7 - row) + column;
                let [low, high] = match units[place] {
                    0 => [0, UNMAPPED],
                    unit => (unit ^ (0x80 + place as u16)).to_le_bytes(),
                };
                chain.low[row][column] = low ^ low_before;
                chain.high[row][column] = high ^ high_before;
                (low_before, high_before) = (low, high);
            }
        }
        chain
    }
}
