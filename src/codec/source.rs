//! The input of encoders: text, as UTF-8 or UTF-16.

use crate::output::ByteOut;
use crate::output::run::{EncodeRun, EncodeShort};
use crate::simd::fill::{Fill, LittleRoom};
use crate::simd::{Kernels, is_leading_surrogate, surrogate_pair};

/// What is at the front of a text.
pub(crate) enum TextFront<T> {
    /// A character, and the text after it. A lone surrogate is U+FFFD.
    Char(char, T),
    /// A leading surrogate at the end of the text.
    Incomplete,
    /// The text is empty.
    Empty,
}

/// Text to encode: `&str`, or `&[u16]` that need not be well-formed.
pub(crate) trait TextSource: Copy {
    /// Returns the length in code units (bytes of UTF-8).
    fn units(self) -> usize;

    /// Returns the character at the front. `at_end` says that nothing follows this text.
    fn front(self, at_end: bool) -> TextFront<Self>;

    /// Returns the text after the first `units` code units, which must be whole characters.
    fn skip(self, units: usize) -> Self;

    /// Returns the first `units` code units, if an ASCII character follows them.
    fn before_ascii(self, units: usize) -> Option<Self>;

    /// Lets kernels encode from the front, as far as they go and there is room; returns the number of units
    /// read.
    fn run(self, kernels: &Kernels, run: impl EncodeRun, out: &mut ByteOut<'_>) -> usize;

    /// Returns whether `out` has less room than `little`, and less than this text needs.
    fn has_less_room_than(self, little: LittleRoom, out: &ByteOut<'_>) -> bool;

    /// Encodes from the front into little room. Encoding nothing is always correct.
    fn fill(self, kernels: &Kernels, run: impl EncodeRun, out: &mut ByteOut<'_>) -> Fill;

    /// Encodes all of the text if it is short, mappable and fits, or else nothing. Returns whether it did.
    fn try_short(self, run: impl EncodeShort, out: &mut ByteOut<'_>) -> bool;
}

impl TextSource for &str {
    #[inline(always)]
    fn units(self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn front(self, _: bool) -> TextFront<Self> {
        let mut chars = self.chars();
        match chars.next() {
            Some(ch) => TextFront::Char(ch, chars.as_str()),
            None => TextFront::Empty,
        }
    }

    #[inline(always)]
    fn skip(self, units: usize) -> Self {
        self.get(units..).unwrap_or_default()
    }

    #[inline(always)]
    fn before_ascii(self, units: usize) -> Option<Self> {
        let is_ascii = self.as_bytes().get(units).is_some_and(u8::is_ascii);
        self.get(..units).filter(|_| is_ascii)
    }

    #[inline(always)]
    fn run(self, kernels: &Kernels, run: impl EncodeRun, out: &mut ByteOut<'_>) -> usize {
        out.run_utf8(kernels, run, self)
    }

    #[inline(always)]
    fn has_less_room_than(self, little: LittleRoom, out: &ByteOut<'_>) -> bool {
        out.room() < self.len().min(little.utf8)
    }

    #[inline(always)]
    fn fill(self, kernels: &Kernels, run: impl EncodeRun, out: &mut ByteOut<'_>) -> Fill {
        out.fill_utf8(kernels, run, self)
    }

    #[inline(always)]
    fn try_short(self, run: impl EncodeShort, out: &mut ByteOut<'_>) -> bool {
        out.try_short_utf8(run, self)
    }
}

impl TextSource for &[u16] {
    #[inline(always)]
    fn units(self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn front(self, at_end: bool) -> TextFront<Self> {
        let Some((&unit, rest)) = self.split_first() else {
            return TextFront::Empty;
        };
        if let Some(ch) = char::from_u32(u32::from(unit)) {
            return TextFront::Char(ch, rest);
        }
        if is_leading_surrogate(unit) {
            match rest.split_first() {
                None if !at_end => return TextFront::Incomplete,
                Some((&trail, after)) => {
                    if let Some(ch) = surrogate_pair(unit, trail) {
                        return TextFront::Char(ch, after);
                    }
                }
                None => {}
            }
        }
        TextFront::Char(char::REPLACEMENT_CHARACTER, rest)
    }

    #[inline(always)]
    fn skip(self, units: usize) -> Self {
        self.get(units..).unwrap_or_default()
    }

    #[inline(always)]
    fn before_ascii(self, units: usize) -> Option<Self> {
        let is_ascii = self.get(units).is_some_and(|&unit| unit < 0x80);
        self.get(..units).filter(|_| is_ascii)
    }

    #[inline(always)]
    fn run(self, kernels: &Kernels, run: impl EncodeRun, out: &mut ByteOut<'_>) -> usize {
        out.run_utf16(kernels, run, self)
    }

    #[inline(always)]
    fn has_less_room_than(self, little: LittleRoom, out: &ByteOut<'_>) -> bool {
        out.room() < self.len().min(little.utf16)
    }

    #[inline(always)]
    fn fill(self, kernels: &Kernels, run: impl EncodeRun, out: &mut ByteOut<'_>) -> Fill {
        out.fill_utf16(kernels, run, self)
    }

    #[inline(always)]
    fn try_short(self, run: impl EncodeShort, out: &mut ByteOut<'_>) -> bool {
        out.try_short_utf16(run, self)
    }
}

/// Returns whether eight ASCII bytes come next.
#[inline(always)]
pub(crate) fn starts_with_ascii(src: &[u8]) -> bool {
    // The first one usually decides, and cheaply.
    src.first().is_some_and(u8::is_ascii)
        && src
            .first_chunk::<8>()
            .is_some_and(|bytes| u64::from_ne_bytes(*bytes) & 0x8080_8080_8080_8080 == 0)
}

/// Returns whether most of the next 16 bytes are ASCII.
#[inline(always)]
pub(crate) fn is_mostly_ascii(src: &[u8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let high = |bytes: &[u8; 8]| u64::from_ne_bytes(*bytes) >> 7 & ONES;
    match src.as_chunks() {
        // The count of each of eight columns; the product's highest byte is their sum.
        ([first, second, ..], _) => (high(first) + high(second)).wrapping_mul(ONES) >> 56 < 8,
        _ => false,
    }
}
