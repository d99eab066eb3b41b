//! The tables of a single-byte encoding in the forms that kernels look things up in, all of them made from
//! the code unit of each byte. There is one for each direction.

use super::single_byte_rows::{Chain, Rows, upper_threes, upper_units, upper_utf8};

/// The code unit of each byte of a single-byte encoding, little-endian; 0 = unmapped (and byte 0). Bytes
/// below 80 are ASCII; the others stand for characters of the Basic Multilingual Plane above U+007F.
pub(crate) type ByteUnits = [[u8; 2]; 256];

/// Maps the bytes of a single-byte encoding to UTF-8.
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "some forms are for the kernels of x86-64 alone")
)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingleByteToUtf8 {
    /// The UTF-8 of each byte, followed by its length; 0 = unmapped.
    pub(in crate::simd) utf8: [[u8; 4]; 256],
    #[cfg(feature = "avx512")]
    pub(in crate::simd) planes: Utf8Planes,
    /// If most upper bytes have three bytes in UTF-8, the first of which is the same in all of them: that
    /// byte, or else 0.
    pub(in crate::simd) threes_first: u8,
    /// The last byte and the first one. With `threes_first`, the last byte and the one before it, with
    /// characters of other lengths unmapped.
    pub(in crate::simd) utf8_rows: Rows,
    /// The last byte and the first one.
    pub(in crate::simd) utf8_chain: Chain,
}

/// The UTF-8 of the bytes 80 to FF: all first bytes, all second ones, all third ones. The first byte of an
/// unmapped one is [`UNMAPPED`]. Only AVX-512 can look things up in such large tables.
#[cfg(feature = "avx512")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf8Planes {
    pub(in crate::simd) first: [u8; 128],
    pub(in crate::simd) second: [u8; 128],
    pub(in crate::simd) third: [u8; 128],
}

/// Maps the bytes of a single-byte encoding to UTF-16.
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "some forms are for the kernels of x86-64 alone")
)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingleByteToUtf16 {
    pub(in crate::simd) units: ByteUnits,
    /// The code units of the bytes 80 to FF: all low bytes, all high ones.
    pub(in crate::simd) low: [u8; 128],
    pub(in crate::simd) high: [u8; 128],
    pub(in crate::simd) byte_rows: Rows,
    pub(in crate::simd) byte_chain: Chain,
}

/// Consecutive code points, with one gap at most, that have consecutive bytes in a single-byte encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) first: u16,
    /// The number of code points after the first one.
    pub(crate) more: u16,
    /// The first code point of the gap.
    pub(crate) gap: u16,
    /// The number of code points in the gap after its first one.
    pub(crate) more_gap: u16,
    /// What is added to a code point.
    pub(crate) shift: u16,
    /// Whether text has few characters that are neither ASCII nor in the run.
    pub(crate) has_most: bool,
}

impl Run {
    /// No code points but ASCII.
    pub(crate) const ASCII: Self = Run {
        first: 0,
        more: 0x7F,
        gap: 0x80,
        more_gap: 0,
        shift: 0,
        has_most: false,
    };

    /// The upper half of x-user-defined.
    pub(crate) const USER_DEFINED: Self = Run {
        first: 0xF780,
        more: 0x7F,
        gap: 0,
        more_gap: 0,
        shift: 0x80_u16.wrapping_sub(0xF780),
        has_most: true,
    };

    /// Returns the run of most letters of an encoding with these upper bytes, or [`Run::ASCII`] if many letters are in
    /// no run or in another one, as in IBM866. Text in Latin letters is mostly ASCII.
    pub(super) const fn of(upper: &[[u8; 2]; 128]) -> Self {
        let (mut run, mut most, mut first, mut end) = (Run::ASCII, 0, 0, 0);
        let mut is_latin = false;
        let mut place = 0;
        while place < 128 {
            let (found, letters) = Run::at(upper, place, true);
            // Small letters come after capitals.
            if letters > most || letters == most && found.more >= run.more {
                (run, most) = (found, letters);
                (first, end) = (place, place + 1 + found.more as usize);
            }
            // This letter is in all encodings of Latin letters, but not in windows-1256, which has some of them.
            is_latin |= u16::from_le_bytes(upper[place]) == 0xE4;
            place += 1;
        }
        if is_latin {
            return run;
        }
        let mut others = 0;
        place = 0;
        while place < 128 {
            let (_, letters) = Run::at(upper, place, false);
            if letters > others && !(first <= place && place < end) {
                others = letters;
            }
            place += 1;
        }
        if most >= 27 && others < 16 {
            run
        } else {
            Run::ASCII
        }
    }

    /// Returns the longest run at a byte, with or without a gap, and the number of letters in it: 0 if the run at the byte
    /// before is longer.
    const fn at(upper: &[[u8; 2]; 128], place: usize, may_have_gap: bool) -> (Self, u16) {
        const LONGEST_GAP: u16 = 5;
        let first = u16::from_le_bytes(upper[place]);
        let mut run = Run {
            first,
            more: 0,
            gap: 0,
            more_gap: 0,
            shift: (0x80 + place as u16).wrapping_sub(first),
            has_most: true,
        };
        let (mut letters, mut next) = (0, 0);
        let continues = place > 0 && u16::from_le_bytes(upper[place - 1]) == first.wrapping_sub(1);
        if first == 0 || continues {
            return (run, 0);
        }
        while place + (next as usize) < 128 {
            let unit = u16::from_le_bytes(upper[place + next as usize]);
            if unit == first + next {
                if next > run.more + 1 {
                    run.gap = first + run.more + 1;
                    run.more_gap = next - run.more - 2;
                }
                run.more = next;
                // Hebrew points are rare.
                letters += matches!(unit, 0xC0..0x590 | 0x5D0..0x2000) as u16;
            } else if !may_have_gap || run.gap > 0 || next - run.more > LONGEST_GAP {
                break;
            }
            next += 1;
        }
        (run, letters)
    }

    /// Returns the run from bytes to code points.
    #[inline(always)]
    pub(super) const fn bytes(self) -> Self {
        Run {
            first: self.first.wrapping_add(self.shift),
            gap: self.gap.wrapping_add(self.shift),
            shift: self.shift.wrapping_neg(),
            ..self
        }
    }

    /// Returns what a unit is shifted to, if it is ASCII or in the run.
    #[inline(always)]
    pub(super) fn shifted(self, unit: u16) -> Option<u16> {
        let in_gap = unit.wrapping_sub(self.gap) <= self.more_gap;
        let in_run = (unit.wrapping_sub(self.first) <= self.more) & !in_gap;
        let shift = if in_run { self.shift } else { 0 };
        (in_run | (unit < 0x80)).then_some(unit.wrapping_add(shift))
    }
}

/// Maps UTF-16 or UTF-8 to the bytes of a single-byte encoding.
#[cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, reason = "some forms are for the kernels of x86-64 alone")
)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitsToSingleByte {
    /// The map from code points to bytes.
    pub(in crate::simd) cells: SingleByteCells,
    /// The pages of 128 code points with the most characters, in descending order: the first one begins at
    /// U+0080 × this.
    pub(in crate::simd) pages: [u8; PAGES],
    /// The map from the code points of the first page to bytes.
    pub(in crate::simd) page_rows: Rows,
}

/// Stands for the first byte of an unmapped one: above all others.
pub(crate) const UNMAPPED: u8 = 0xFF;

/// The number of pages of 128 code points that kernels keep in registers.
pub(crate) const PAGES: usize = 4;

impl SingleByteToUtf8 {
    pub(super) fn new(units: &ByteUnits) -> Self {
        let utf8 = utf8(units);
        let upper = upper_utf8(&utf8);
        let mut table = SingleByteToUtf8 {
            utf8,
            #[cfg(feature = "avx512")]
            planes: Utf8Planes::new(&utf8),
            threes_first: 0,
            utf8_rows: Rows::new(&upper),
            utf8_chain: Chain::new(&upper),
        };
        let first = most_frequent_first(&utf8);
        let threes = Rows::new(&upper_threes(&utf8, first));
        if first >= 0xE0 && threes.counts[2] == 0 {
            table.threes_first = first;
            table.utf8_rows = threes;
        }
        table
    }

    /// Whether every byte is mapped, as far as that is known.
    #[inline(always)]
    pub(crate) const fn is_full(&self) -> bool {
        u128::from_ne_bytes(self.utf8_rows.unmapped) == 0
    }

    /// Returns the number of bytes of UTF-8 for a byte; 0 for an unmapped one.
    #[inline(always)]
    pub(crate) const fn utf8_len(&self, byte: u8) -> usize {
        self.utf8[byte as usize][3] as usize
    }

    /// Whether most letters have three bytes in UTF-8. If so, the byte E1 is such a letter; in other encodings it is
    /// not.
    #[allow(dead_code, reason = "some forms are for AVX-512 alone")]
    #[inline(always)]
    pub(in crate::simd) const fn has_mostly_three(&self) -> bool {
        self.utf8[0xE1][3] == 3
    }

    /// Whether most letters are Latin. If so, the byte E4 is a Latin letter, or 8A is in macintosh; in other encodings
    /// neither is.
    #[inline(always)]
    pub(crate) const fn is_latin(&self) -> bool {
        self.utf8[0xE4][0] <= 0xC5 || self.utf8[0x8A][0] == 0xC3
    }
}

#[cfg(feature = "avx512")]
impl Utf8Planes {
    fn new(utf8: &[[u8; 4]; 256]) -> Self {
        let mut planes = Utf8Planes {
            first: [UNMAPPED; 128],
            second: [0; 128],
            third: [0; 128],
        };
        for (byte, utf8) in utf8[0x80..].iter().enumerate() {
            if let [first, second, third, 1..=3] = *utf8 {
                planes.first[byte] = first;
                planes.second[byte] = second;
                planes.third[byte] = third;
            }
        }
        planes
    }
}

impl SingleByteToUtf16 {
    pub(super) fn new(units: &ByteUnits) -> Self {
        let upper = upper_units(units);
        SingleByteToUtf16 {
            units: *units,
            low: upper.map(|unit| unit.to_le_bytes()[0]),
            high: upper.map(|unit| unit.to_le_bytes()[1]),
            byte_rows: Rows::new(&upper),
            byte_chain: Chain::new(&upper),
        }
    }

    /// Returns the code unit of a byte; 0 for an unmapped one (and byte 0).
    #[inline(always)]
    pub(crate) fn unit(&self, byte: u8) -> u16 {
        u16::from_le_bytes(self.units[usize::from(byte)])
    }

    /// Returns whether every byte is mapped.
    #[allow(dead_code, reason = "only tables with vectors use it")]
    #[inline(always)]
    pub(crate) const fn is_full(&self) -> bool {
        u128::from_ne_bytes(self.byte_rows.unmapped) == 0
    }
}

impl UnitsToSingleByte {
    pub(super) fn new(units: &ByteUnits, cells: SingleByteCells) -> Self {
        let pages = pages(units);
        UnitsToSingleByte {
            cells,
            pages,
            page_rows: Rows::of_page(units, pages[0]),
        }
    }

    /// Encodes units that are in none of a kernel's tables: adds those of `missing` to the bytes of the
    /// others. Returns how many units can be encoded.
    #[inline(never)]
    #[allow(dead_code, reason = "only tables with vectors use it")]
    pub(super) fn add_missing(
        &self,
        missing: u64,
        from: &[u16],
        to: &mut [core::mem::MaybeUninit<u8>],
    ) -> usize {
        let mut missing = missing;
        while missing != 0 {
            let at = missing.trailing_zeros() as usize;
            missing &= missing - 1;
            let (Some(&unit), Some(to)) = (from.get(at), to.get_mut(at)) else {
                debug_assert!(false, "a unit or no room at {at}");
                break;
            };
            match self.cells.get(unit) {
                0 => return at,
                byte => to.write(byte),
            };
        }
        from.len()
    }
}

/// Maps code points to bytes of a single-byte encoding: for each 64 code points of the Basic Multilingual
/// Plane, the number of a block of 64 cells; a cell is a byte, or 0 for none (and for U+0000).
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingleByteCells {
    pub(crate) blocks: &'static [u8; 1024],
    pub(crate) cells: &'static [[u8; 64]; 256],
}

impl SingleByteCells {
    /// Returns the byte of a code unit, or 0.
    #[inline(always)]
    pub(crate) fn get(&self, unit: u16) -> u8 {
        let block = self.blocks[usize::from(unit >> 6)];
        self.cells[usize::from(block)][usize::from(unit & 63)]
    }

    /// Returns the bytes of the 64 code units from `unit` on, which must be a multiple of 64.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn block(&self, unit: u16) -> &'static [u8; 64] {
        &self.cells[usize::from(self.blocks[usize::from(unit >> 6)])]
    }
}

/// Returns the pages with the most characters, ASCII excluded. A page of Latin-1 signs without letters is not the first
/// one: ISO-8859-8 has more of these signs than Hebrew letters.
const fn pages(units: &ByteUnits) -> [u8; PAGES] {
    let mut counts = [0; 256];
    let mut latin_letters = 0;
    let mut byte = 0x80;
    while byte < 256 {
        let unit = u16::from_le_bytes(units[byte]);
        let page = unit as usize >> 7;
        if page < counts.len() {
            counts[page] += 1;
        }
        latin_letters += (0xC0 <= unit && unit < 0x100) as usize;
        byte += 1;
    }
    counts[0] = 0;
    let mut pages = [0; PAGES];
    let mut place = 0;
    while place < PAGES {
        let (mut best, mut page) = (1, 1);
        while page < counts.len() {
            if counts[page] > counts[best] {
                best = page;
            }
            page += 1;
        }
        pages[place] = best as u8;
        counts[best] = 0;
        place += 1;
    }
    if pages[0] == 1 && latin_letters < 16 {
        pages.swap(0, 1);
    }
    pages
}

/// Returns the UTF-8 of each byte, followed by its length; 0 = unmapped.
fn utf8(units: &ByteUnits) -> [[u8; 4]; 256] {
    core::array::from_fn(|byte| match u16::from_le_bytes(units[byte]) {
        0 if byte >= 0x80 => [0; 4],
        unit => utf8_of(unit),
    })
}

/// Returns the UTF-8 of a character, followed by its length. Not inlined, as vectors would make the code of
/// [`utf8`], which is called once, twice as large.
#[inline(never)]
fn utf8_of(unit: u16) -> [u8; 4] {
    let last = unit as u8 & 0x3F | 0x80;
    let middle = (unit >> 6) as u8 & 0x3F | 0x80;
    match unit {
        0..0x80 => [unit as u8, 0, 0, 1],
        0x80..0x800 => [(unit >> 6) as u8 | 0xC0, last, 0, 2],
        _ => [(unit >> 12) as u8 | 0xE0, middle, last, 3],
    }
}

/// Returns the most frequent first byte in the UTF-8 of the bytes 80 to FF.
fn most_frequent_first(utf8: &[[u8; 4]; 256]) -> u8 {
    let mut counts = [0_u8; 256];
    for [first, ..] in &utf8[0x80..] {
        counts[usize::from(*first)] += 1;
    }
    // Those of unmapped bytes.
    counts[0] = 0;
    let firsts = utf8[0x80..].iter().map(|[first, ..]| *first);
    firsts
        .max_by_key(|&first| counts[usize::from(first)])
        .unwrap_or(0)
}
