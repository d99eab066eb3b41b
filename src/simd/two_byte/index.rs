//! An index of two-byte characters, as the kernels and the state machines read it.

use crate::simd::flat::{Flat, Words};

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
    /// After a byte 8E (EUC-JP).
    Behind8E,
}

/// What a byte of half-width katakana lacks to its code unit.
pub(in crate::simd) const KATAKANA: u16 = 0xFF61 - 0xA1;

/// An index of an encoding whose characters have one byte or two.
#[derive(Debug)]
pub(crate) struct TwoByteIndex {
    /// The code unit of each pointer, little-endian; 0 = none, or more than one unit.
    pub(in crate::simd) units: &'static [[u8; 2]],
    pub(in crate::simd) leads: Ranges,
    pub(in crate::simd) katakana: Katakana,
    /// Where the row of a lead byte starts, and what a trail byte adds. The wider one takes part in the addition
    /// right from memory.
    rows: [u16; 256],
    columns: [u32; 256],
    flat: Flat,
}

/// Beyond any index: what a byte outside of the ranges stands for.
const OUTSIDE: u16 = 1 << 15;

impl TwoByteIndex {
    pub(crate) const fn new(
        units: &'static [[u8; 2]],
        leads: Ranges,
        trails: Ranges,
        katakana: Katakana,
    ) -> Self {
        let (narrow_columns, width) = number(trails, 1);
        let (rows, _) = number(leads, width);
        let mut columns = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            columns[byte] = narrow_columns[byte] as u32;
            byte += 1;
        }
        assert!(units.len() <= OUTSIDE as usize, "no pointer is outside");
        // What is written as UTF-8 is well-formed because of this. By bytes and without calls: the compiler takes
        // a second for it as it is.
        let mut pointer = 0;
        while pointer < units.len() {
            let [low, high] = units[pointer];
            assert!(high & 0xF8 != 0xD8, "units are characters");
            assert!(
                high != 0 || low == 0 || low >= 0x80,
                "ASCII is outside of the index"
            );
            pointer += 1;
        }
        TwoByteIndex {
            units,
            leads,
            katakana,
            rows,
            columns,
            flat: Flat::new(),
        }
    }

    /// The flat table, if there is one, or if `len` more bytes of text are enough to have it built: the
    /// unit of each trail byte and lead byte (trail << 8 | lead), or 0, as where the first byte is a
    /// character by itself.
    #[inline(always)]
    pub(in crate::simd) fn flat(&self, len: usize) -> Option<&Words> {
        self.flat.get(len, |table| self.fill(table))
    }

    /// Trail by trail, so that what is written lies together.
    fn fill(&self, table: &mut Words) {
        let [(first, _), (_, last)] = self.leads;
        let leads = usize::from(first)..usize::from(last) + 1;
        let rows = &self.rows[leads.clone()];
        let (by_trail, _) = table.as_chunks_mut::<256>();
        for (by_lead, &column) in by_trail.iter_mut().zip(&self.columns) {
            if column == u32::from(OUTSIDE) {
                continue;
            }
            for (to, &row) in by_lead[leads.clone()].iter_mut().zip(rows) {
                *to = self.at(usize::from(row) + column as usize);
            }
        }
        if self.katakana == Katakana::Behind8E {
            for trail in 0xA1..=0xDF_u8 {
                by_trail[usize::from(trail)][0x8E] = KATAKANA + u16::from(trail);
            }
        }
    }

    /// The pointer of two bytes; where they have none, one that no index has.
    #[inline(always)]
    pub(crate) fn pointer(&self, lead: u8, trail: u8) -> usize {
        (u32::from(self.rows[usize::from(lead)]) + self.columns[usize::from(trail)]) as usize
    }

    /// The code unit of a pointer, or 0.
    #[inline(always)]
    pub(crate) fn at(&self, pointer: usize) -> u16 {
        match self.units.get(pointer) {
            Some(&unit) => u16::from_le_bytes(unit),
            None => 0,
        }
    }

    /// The code unit of two bytes, or 0.
    #[inline(always)]
    pub(crate) fn unit(&self, lead: u8, trail: u8) -> u16 {
        self.at(self.pointer(lead, trail))
    }

    /// The code unit that `byte`, which is not ASCII, and the byte after it start with, or 0; and how
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
const fn number(ranges: Ranges, step: u16) -> ([u16; 256], u16) {
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
