//! An index of two-byte characters, as the kernels and the state machines read it.

/// The first and the last byte of two ranges, the lower one first. Where there is one range, it
/// stands there twice.
pub(crate) type Ranges = [(u8, u8); 2];

/// How an encoding writes half-width katakana, U+FF61 to U+FF9F, whose bytes are A1 to DF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Katakana {
    /// Not at all, or by the index.
    No,
    /// As one byte (Shift_JIS).
    Alone,
    /// Behind a byte 8E (EUC-JP).
    Behind8E,
}

/// What a byte of half-width katakana lacks to its code unit.
const KATAKANA: u16 = 0xFF61 - 0xA1;

/// The entries behind an index: one for each byte.
pub(crate) const SINGLES: usize = 256;

/// An index of an encoding whose characters have one byte or two.
#[derive(Debug)]
pub(crate) struct TwoByteIndex {
    /// The code unit of each pointer, little-endian; 0 = none, or more than one unit. Behind these
    /// what [`with_singles`] adds.
    pub(crate) units: &'static [[u8; 2]],
    /// The number of pointers, and the place of what stands for byte 0, which is 0.
    pub(crate) pointers: u16,
    #[cfg_attr(
        not(any(target_arch = "x86_64", test)),
        expect(dead_code, reason = "for kernels with vectors")
    )]
    pub(crate) leads: Ranges,
    #[cfg_attr(
        not(any(target_arch = "x86_64", test)),
        expect(dead_code, reason = "for kernels with vectors")
    )]
    pub(crate) trails: Ranges,
    pub(crate) katakana: Katakana,
    /// Pointers in a row.
    #[cfg_attr(
        not(any(target_arch = "x86_64", test)),
        expect(dead_code, reason = "for kernels with vectors")
    )]
    pub(crate) width: u16,
    /// Where the row of a lead byte starts, and what a trail byte adds.
    rows: [u32; 256],
    columns: [u32; 256],
}

/// An index, and behind it the code unit of each byte that is a character by itself: ASCII, and
/// half-width katakana, whether it is or not. So every character of a text is one look-up.
pub(crate) const fn with_singles<const N: usize, const M: usize>(
    index: &[[u8; 2]; N],
) -> [[u8; 2]; M] {
    assert!(M == N + SINGLES, "an entry more for each byte");
    let mut units = [[0; 2]; M];
    let mut pointer = 0;
    while pointer < N {
        units[pointer] = index[pointer];
        pointer += 1;
    }
    let mut byte = 0;
    while byte < 0xE0 {
        if byte < 0x80 || 0xA1 <= byte {
            let add = if byte < 0x80 { 0 } else { KATAKANA };
            units[N + byte as usize] = (byte + add).to_le_bytes();
        }
        byte += 1;
    }
    units
}

/// Beyond any index: what a byte outside of the ranges stands for.
const OUTSIDE: u32 = 1 << 20;

impl TwoByteIndex {
    pub(crate) const fn new(
        units: &'static [[u8; 2]],
        leads: Ranges,
        trails: Ranges,
        katakana: Katakana,
    ) -> Self {
        let (columns, width) = number(trails, 1);
        let (rows, all) = number(leads, width);
        assert!(
            units.len() <= 1 << 16 && all < 1 << 16,
            "pointers are words"
        );
        // What is written as UTF-8 is well-formed because of this.
        let mut pointer = 0;
        while pointer < units.len() {
            let unit = u16::from_le_bytes(units[pointer]);
            assert!(!matches!(unit, 0xD800..=0xDFFF), "units are characters");
            assert!(
                !matches!(unit, 1..0x80) || pointer >= units.len() - SINGLES,
                "ASCII is outside of the index"
            );
            pointer += 1;
        }
        TwoByteIndex {
            units,
            pointers: (units.len() - SINGLES) as u16,
            leads,
            trails,
            katakana,
            width: width as u16,
            rows,
            columns,
        }
    }

    /// The pointer of two bytes; where they have none, one that no index has.
    #[inline(always)]
    pub(crate) fn pointer(&self, lead: u8, trail: u8) -> usize {
        (self.rows[usize::from(lead)] + self.columns[usize::from(trail)]) as usize
    }

    /// The code unit of a pointer, or 0.
    #[inline(always)]
    pub(crate) fn at(&self, pointer: usize) -> u16 {
        match self.units.get(pointer) {
            Some(&unit) if pointer < usize::from(self.pointers) => u16::from_le_bytes(unit),
            _ => 0,
        }
    }

    /// The code unit of two bytes, or 0.
    #[inline(always)]
    pub(crate) fn unit(&self, lead: u8, trail: u8) -> u16 {
        self.at(self.pointer(lead, trail))
    }

    /// The code unit that `byte`, which is no ASCII, and the byte behind it start with, or 0; and how
    /// many of the two it takes.
    #[inline(always)]
    pub(crate) fn look_up(&self, byte: u8, next: u8) -> (u16, usize) {
        match self.katakana {
            Katakana::Alone if matches!(byte, 0xA1..=0xDF) => {
                return (KATAKANA + u16::from(byte), 1);
            }
            Katakana::Behind8E if byte == 0x8E && matches!(next, 0xA1..=0xDF) => {
                return (KATAKANA + u16::from(next), 2);
            }
            _ => {}
        }
        (self.unit(byte, next), 2)
    }
}

/// Numbers the bytes of the ranges in steps.
const fn number(ranges: Ranges, step: u32) -> ([u32; 256], u32) {
    let mut numbers = [OUTSIDE; 256];
    let mut next = 0;
    let mut byte = 0;
    while byte < 256 {
        let [(a, b), (c, d)] = ranges;
        let inside = (a as usize <= byte && byte <= b as usize)
            || (c as usize <= byte && byte <= d as usize);
        if inside {
            numbers[byte] = next;
            next += step;
        }
        byte += 1;
    }
    (numbers, next)
}
