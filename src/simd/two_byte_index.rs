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
pub(crate) const KATAKANA: u16 = 0xFF61 - 0xA1;

/// An index of an encoding whose characters have one byte or two.
#[derive(Debug)]
pub(crate) struct TwoByteIndex {
    /// The code unit of each pointer, little-endian; 0 = none, or more than one unit.
    pub(crate) units: &'static [[u8; 2]],
    pub(crate) leads: Ranges,
    pub(crate) trails: Ranges,
    pub(crate) katakana: Katakana,
    /// Pointers in a row.
    pub(crate) width: u16,
    /// A pointer without a code unit; or 0, where all that the ranges can make have one.
    pub(crate) nothing: u16,
    /// A pointer with a code unit.
    pub(crate) something: u16,
    /// Where the row of a lead byte starts, and what a trail byte adds.
    rows: [u32; 256],
    columns: [u32; 256],
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
        let (mut nothing, mut something) = (0, 0);
        let mut pointer = units.len();
        while pointer > 0 {
            pointer -= 1;
            if units[pointer][0] == 0 && units[pointer][1] == 0 {
                nothing = pointer;
            } else {
                something = pointer;
            }
        }
        assert!(
            units.len() <= 1 << 16 && all < 1 << 16,
            "pointers are words"
        );
        assert!(
            nothing > 0 || all as usize <= units.len(),
            "what lies behind the index has a place where it finds nothing"
        );
        TwoByteIndex {
            units,
            leads,
            trails,
            katakana,
            width: width as u16,
            nothing: nothing as u16,
            something: something as u16,
            rows,
            columns,
        }
    }

    /// The pointer of two bytes; where they have none, one that no index has.
    #[inline(always)]
    pub(crate) fn pointer(&self, lead: u8, trail: u8) -> usize {
        (self.rows[usize::from(lead)] + self.columns[usize::from(trail)]) as usize
    }

    /// The code unit of two bytes, or 0.
    #[inline(always)]
    pub(crate) fn unit(&self, lead: u8, trail: u8) -> u16 {
        match self.units.get(self.pointer(lead, trail)) {
            Some(&unit) => u16::from_le_bytes(unit),
            None => 0,
        }
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
