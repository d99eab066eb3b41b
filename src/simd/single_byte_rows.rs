//! The upper half of a single-byte table as eight rows of 16 entries, the size of table that `pshufb` looks
//! up.
//!
//! In most rows of most encodings, the code points are consecutive: what such a row adds to the byte depends
//! only on the high half of the byte, so that one look-up serves all of these rows. Each other row takes a
//! look-up of its own.

use super::single_byte::{ByteUnits, UNMAPPED};

/// The bytes 80 to FF, each of which maps to one byte (to encode) or two (to decode).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<Others = [Row; 8]> {
    /// What the consecutive rows add to the byte, by its high half.
    pub(crate) low: [u8; 16],
    /// The second byte of rows in which it is always the same.
    pub(crate) high: [u8; 16],
    /// The other rows; the entries after them are unused.
    pub(crate) others: Others,
    /// The numbers of other rows below A0, below C0, and in all.
    pub(crate) counts: [u8; 3],
    /// By the low half of the byte, a bit for each row in which it is unmapped.
    pub(crate) unmapped: [u8; 16],
}

/// The other rows or, if there are many, the chain that is better: a table holds only what its kernels read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RowsOrChain {
    Rows([Row; FEW]),
    Chain(Chain),
}

/// The maximum number of other rows that are better than a chain.
const FEW: usize = 5;

impl RowsOrChain {
    /// Returns the chain; a meaningless one if there are rows.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn chain(&self) -> &Chain {
        const NONE: &Chain = &Chain {
            low: [[0; 16]; 8],
            high: [[UNMAPPED; 16]; 8],
        };
        match self {
            RowsOrChain::Rows(_) => NONE,
            RowsOrChain::Chain(chain) => chain,
        }
    }
}

impl AsRef<[Row]> for RowsOrChain {
    #[inline(always)]
    fn as_ref(&self) -> &[Row] {
        match self {
            RowsOrChain::Rows(rows) => rows,
            RowsOrChain::Chain(_) => &[],
        }
    }
}

/// A row whose code points are not consecutive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The row's first byte, 16 times.
    #[cfg_attr(
        not(any(
            target_arch = "x86_64",
            all(
                target_arch = "aarch64",
                target_endian = "little",
                target_feature = "neon"
            ),
            all(target_arch = "wasm32", target_feature = "simd128")
        )),
        expect(dead_code, reason = "only vectors look things up in rows")
    )]
    pub(crate) first: [u8; 16],
    /// What is added to each byte.
    pub(crate) low: [u8; 16],
    /// The second bytes, if they are not all the same. (If they are, they are in `Rows::high`.)
    pub(crate) high: [u8; 16],
    pub(crate) has_high: bool,
}

/// Returns the code units of the bytes 80 to FF of an encoding.
pub(super) const fn upper_units(units: &ByteUnits) -> [u16; 128] {
    let mut upper = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        upper[byte] = u16::from_le_bytes(units[0x80 + byte]);
        byte += 1;
    }
    upper
}

/// Returns the last byte and, above it, the first byte of the UTF-8 of the bytes 80 to FF.
pub(super) const fn upper_utf8(utf8: &[[u8; 4]; 256]) -> [u16; 128] {
    let mut units = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        units[byte] = match utf8[0x80 + byte] {
            [lead, last, _, 2] | [lead, _, last, 3] => u16::from_le_bytes([last, lead]),
            _ => 0,
        };
        byte += 1;
    }
    units
}

/// Returns the last byte and, above it, the one before it, of UTF-8 characters of three bytes that begin with
/// `first`.
pub(super) const fn upper_threes(utf8: &[[u8; 4]; 256], first: u8) -> [u16; 128] {
    let mut units = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        if let [lead, middle, last, 3] = utf8[0x80 + byte]
            && lead == first
        {
            units[byte] = u16::from_le_bytes([last, middle]);
        }
        byte += 1;
    }
    units
}

/// For each row its bit in `Rows::unmapped`, by the high half of a byte.
#[cfg(any(
    target_arch = "x86_64",
    all(
        target_arch = "aarch64",
        target_endian = "little",
        target_feature = "neon"
    ),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(crate) const ROW_BITS: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128];

const NO_ROW: Row = Row {
    first: [0; 16],
    low: [0; 16],
    high: [0; 16],
    has_high: false,
};

impl Rows {
    /// `units` are what the bytes 80 to FF map to; 0 = unmapped.
    pub(crate) const fn new(units: &[u16; 128]) -> Self {
        let mut rows = Rows {
            low: [0; 16],
            high: [0; 16],
            others: [NO_ROW; 8],
            counts: [0; 3],
            unmapped: [0; 16],
        };
        let mut row = 0;
        while row < 8 {
            let first = 0x80 + 16 * row as u8;
            let mut other = Row {
                first: [first; 16],
                ..NO_ROW
            };
            let mut in_steps = true;
            // What the previous mapped bytes have in common.
            let mut common = None;
            let mut column = 0;
            while column < 16 {
                let unit = units[16 * row + column];
                if unit == 0 {
                    rows.unmapped[column] |= 1 << row;
                } else {
                    let low = (unit as u8).wrapping_sub(first + column as u8);
                    let high = (unit >> 8) as u8;
                    other.low[column] = low;
                    other.high[column] = high;
                    match common {
                        Some((a, b)) => {
                            in_steps &= a == low && b == high;
                            other.has_high |= b != high;
                        }
                        None => common = Some((low, high)),
                    }
                }
                column += 1;
            }
            if let Some((_, high)) = common
                && !other.has_high
            {
                rows.high[8 + row] = high;
            }
            if !in_steps {
                rows.others[rows.counts[2] as usize] = other;
                rows.counts[0] += (row < 2) as u8;
                rows.counts[1] += (row < 4) as u8;
                rows.counts[2] += 1;
            } else if let Some((low, _)) = common {
                rows.low[8 + row] = low;
            }
            row += 1;
        }
        rows
    }

    /// Replaces the rows with a chain if that is better. `units` are those that the rows were made of.
    pub(super) const fn or_chain(self, units: &[u16; 128]) -> Rows<RowsOrChain> {
        let others = if self.wants_chain() {
            RowsOrChain::Chain(Chain::new(units))
        } else {
            let mut few = [NO_ROW; FEW];
            let mut row = 0;
            while row < self.counts[2] as usize {
                few[row] = self.others[row];
                row += 1;
            }
            RowsOrChain::Rows(few)
        };
        Rows {
            low: self.low,
            high: self.high,
            others,
            counts: self.counts,
            unmapped: self.unmapped,
        }
    }

    /// Makes rows that map the code points of a page to bytes; their low seven bits are treated as bytes from
    /// 80 to FF.
    pub(super) const fn of_page(units: &ByteUnits, page: u8) -> Self {
        let mut bytes = [0; 128];
        let mut byte = 0x80;
        while byte < 256 {
            let unit = u16::from_le_bytes(units[byte]);
            if unit >> 7 == page as u16 {
                bytes[unit as usize & 0x7F] = byte as u16;
            }
            byte += 1;
        }
        Rows::new(&bytes)
    }
}

impl<Others> Rows<Others> {
    /// Returns whether so many rows need look-ups of their own that [`Chain`] is better.
    #[inline(always)]
    pub(crate) const fn wants_chain(&self) -> bool {
        self.counts[2] > self.counts[1] + 1
    }
}

/// The upper half of a table in another form: what each row adds, by exclusive or, to the rows above it. The
/// first rows are those at the end, where most letters are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chain {
    /// Added to the byte itself, which gives the first byte that it maps to; the last column comes first.
    pub(crate) low: [[u8; 16]; 8],
    /// The second byte that it maps to; [`UNMAPPED`] for an unmapped byte.
    pub(crate) high: [[u8; 16]; 8],
}

impl Chain {
    /// `units` are what the bytes 80 to FF map to; 0 = unmapped.
    pub(crate) const fn new(units: &[u16; 128]) -> Self {
        let mut chain = Chain {
            low: [[0; 16]; 8],
            high: [[0; 16]; 8],
        };
        let mut column = 0;
        while column < 16 {
            let (mut low_before, mut high_before) = (0, 0);
            let mut row = 0;
            while row < 8 {
                let byte = 0xFF - (16 * row + column);
                let (low, high) = match units[byte - 0x80] {
                    0 => (0, UNMAPPED),
                    unit => (unit as u8 ^ byte as u8, (unit >> 8) as u8),
                };
                chain.low[row][column] = low ^ low_before;
                chain.high[row][column] = high ^ high_before;
                (low_before, high_before) = (low, high);
                row += 1;
            }
            column += 1;
        }
        chain
    }
}
