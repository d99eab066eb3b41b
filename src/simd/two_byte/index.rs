//! An index of two-byte characters, for the kernels and the state machines.

use crate::simd::flat::{Flat, Words};

/// The first and the last byte of two ranges, the lower one first. A single range is repeated.
pub(crate) type Ranges = [(u8, u8); 2];

/// How an encoding represents half-width katakana, U+FF61 to U+FF9F, whose bytes are A1 to DF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Katakana {
    /// Not at all, or as part of the index.
    No,
    /// As one byte (Shift_JIS).
    Alone,
    /// After a byte 8E (EUC-JP).
    After8E,
}

/// The difference between the code unit and the byte of half-width katakana.
pub(in crate::simd) const KATAKANA: u16 = 0xFF61 - 0xA1;

/// An index of an encoding whose characters have one or two bytes.
#[derive(Debug)]
pub(crate) struct TwoByteIndex {
    /// The code unit of each pointer; 0 if it has none, or more than one.
    pub(in crate::simd) units: &'static [u16],
    pub(in crate::simd) leads: Ranges,
    pub(in crate::simd) katakana: Katakana,
    /// Where the row of a lead byte starts, and what a trail byte adds. The columns are wider because they are added
    /// directly from memory.
    rows: [u16; 256],
    columns: [u32; 256],
    flat: Flat,
}

/// A row outside of any index, for bytes outside of the ranges.
const OUTSIDE: u16 = 1 << 15;

impl TwoByteIndex {
    /// `units` are those that [`unpack`](super::unpack::unpack) has written: none is ASCII or a surrogate, which makes
    /// the UTF-8 output well-formed.
    pub(in crate::simd) const fn new(
        units: &'static [u16],
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
        TwoByteIndex {
            units,
            leads,
            katakana,
            rows,
            columns,
            flat: Flat::new(),
        }
    }

    /// Returns the flat table, if there is one, or if `len` more bytes of text are enough to have it built:
    /// the unit of each trail and lead byte (trail << 8 | lead), or 0, also if the first byte is a character
    /// by itself.
    #[inline(always)]
    pub(in crate::simd) fn flat(&self, len: usize) -> Option<&Words> {
        self.flat.get(len, |table| self.fill(table))
    }

    /// Counts bytes of text that were decoded without the flat table.
    #[inline(always)]
    pub(in crate::simd) fn count(&self, len: usize) {
        self.flat.count(len);
    }

    /// Trail by trail, so that writes are contiguous.
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
        if self.katakana == Katakana::After8E {
            for trail in 0xA1..=0xDF_u8 {
                by_trail[usize::from(trail)][0x8E] = KATAKANA + u16::from(trail);
            }
        }
    }

    /// Returns what look-ups read.
    #[inline(always)]
    pub(crate) fn pairs(&self) -> Pairs<'_> {
        Pairs {
            units: self.units,
            rows: &self.rows,
            columns: &self.columns,
            katakana: self.katakana,
        }
    }

    /// Returns what look-ups read, if the index has this many pointers; the caller knows its katakana. Both are
    /// constants of an encoding, and the compiler treats them as such: with variables, 64 bytes of text took a tenth
    /// longer.
    #[inline(always)]
    pub(crate) fn pairs_of(&self, pointers: usize, katakana: Katakana) -> Option<Pairs<'_>> {
        let pairs = Pairs {
            katakana,
            ..self.pairs()
        };
        (self.units.len() == pointers).then_some(pairs)
    }

    /// Returns the pointer of two bytes; if they have none, one that no index has.
    #[inline(always)]
    pub(crate) fn pointer(&self, lead: u8, trail: u8) -> usize {
        self.pairs().pointer(lead, trail)
    }

    /// Returns the code unit of a pointer, or 0.
    #[inline(always)]
    pub(crate) fn at(&self, pointer: usize) -> u16 {
        self.pairs().at(pointer)
    }

    /// Returns the code unit of two bytes, or 0.
    #[inline(always)]
    pub(crate) fn unit(&self, lead: u8, trail: u8) -> u16 {
        self.pairs().unit(lead, trail)
    }

    /// Returns what [`Pairs::look_up`] does.
    #[inline(always)]
    pub(crate) fn look_up(&self, byte: u8, next: u8) -> (u16, usize) {
        self.pairs().look_up(byte, next)
    }
}

/// What look-ups read. The compiler can keep it in registers, because it knows that nobody writes to it; of an index,
/// which has atomic variables, it does not know that.
#[derive(Clone, Copy)]
pub(crate) struct Pairs<'a> {
    units: &'a [u16],
    rows: &'a [u16; 256],
    columns: &'a [u32; 256],
    katakana: Katakana,
}

impl Pairs<'_> {
    /// Returns the pointer of two bytes; if they have none, one that no index has.
    #[inline(always)]
    pub(crate) fn pointer(self, lead: u8, trail: u8) -> usize {
        (u32::from(self.rows[usize::from(lead)]) + self.columns[usize::from(trail)]) as usize
    }

    /// Returns the code unit of a pointer, or 0.
    #[inline(always)]
    pub(crate) fn at(self, pointer: usize) -> u16 {
        match self.units.get(pointer) {
            Some(&unit) => unit,
            None => 0,
        }
    }

    /// Returns the code unit of two bytes, or 0.
    #[inline(always)]
    pub(crate) fn unit(self, lead: u8, trail: u8) -> u16 {
        self.at(self.pointer(lead, trail))
    }

    /// Returns the code unit of the character at the start of `byte`, which is not ASCII, and the byte after
    /// it, or 0; and how many of the two bytes the character has.
    #[inline(always)]
    pub(crate) fn look_up(self, byte: u8, next: u8) -> (u16, usize) {
        match self.katakana {
            Katakana::Alone if matches!(byte, 0xA1..=0xDF) => {
                return (KATAKANA + u16::from(byte), 1);
            }
            Katakana::After8E if byte == 0x8E && matches!(next, 0xA1..=0xDF) => {
                return (KATAKANA + u16::from(next), 2);
            }
            _ => {}
        }
        (self.unit(byte, next), 2)
    }
}

/// Numbers the bytes of the ranges in steps of `step`.
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
