//! What decoders convert with `fill.rs`.

use core::mem::MaybeUninit;

use super::fill::{FillSource, FillUnit, Front, ascii_front, put_ascii_units};
use super::short;
use super::utf16::{ByteOrder, FixedOrder};
use crate::simd::surrogates::{is_leading_surrogate, is_surrogate, surrogate_pair};
use crate::simd::two_byte::index::TwoByteIndex;
use crate::simd::two_byte::unit::CHUNK;

/// UTF-8 text.
#[derive(Clone, Copy)]
pub(crate) struct Utf8Source;

/// Returns the scalar value at the front of UTF-8, and its length in bytes.
#[inline(always)]
pub(super) fn utf8_front(src: &[u8]) -> Option<(u32, usize)> {
    if let Some(bytes) = src.first_chunk() {
        return short::front(u32::from_le_bytes(*bytes));
    }
    // The zeros after the end are not continuation bytes.
    let bytes = src.iter().rev();
    short::front(bytes.fold(0, |word, &byte| word << 8 | u32::from(byte)))
}

impl<To: FillUnit> FillSource<To> for Utf8Source {
    type From = u8;
    const ASCII_UNITS: usize = 1;
    const HAS_RUNS: bool = true;

    #[inline(always)]
    fn front(self, src: &[u8]) -> Option<Front> {
        match utf8_front(src)? {
            // By the length, which is known in each case of `utf8_front`: by the value it would be computed.
            (scalar, 1) => ascii_front(scalar, 1),
            (scalar, len) => Some(To::of_scalar(scalar, len)),
        }
    }
}

/// UTF-8 with U+FFFD for each maximal subpart of malformed input, except one that more input may continue.
#[derive(Clone, Copy)]
pub(crate) struct DamagedUtf8Source;

impl<To: FillUnit> FillSource<To> for DamagedUtf8Source {
    type From = u8;
    const ASCII_UNITS: usize = 1;
    const HAS_RUNS: bool = true;

    #[inline(always)]
    fn front(self, src: &[u8]) -> Option<Front> {
        match FillSource::<To>::front(Utf8Source, src) {
            None => Some(To::replacement(malformed_len(src)?)),
            front => front,
        }
    }
}

/// Returns the length of the malformed sequence at the front of `src`, or `None` if more input may continue it.
#[inline(always)]
fn malformed_len(src: &[u8]) -> Option<usize> {
    /// For leading bytes from E0 on, a bit for each quarter of the continuation bytes that may follow.
    const SECOND: [u8; 32] = {
        let mut quarters = [0; 32];
        let mut lead = 0xE0;
        while lead <= 0xF4 {
            quarters[lead - 0xE0] = match lead {
                0xE0 => 0b1100,
                0xED => 0b0011,
                0xF0 => 0b1110,
                0xF4 => 0b0001,
                _ => 0b1111,
            };
            lead += 1;
        }
        quarters
    };
    let Some(&[a, b, c, _]) = src.first_chunk() else {
        return short_malformed_len(src);
    };
    let quarter = b.wrapping_sub(0x80) >> 4;
    let two = a >= 0xE0 && quarter < 4 && SECOND[usize::from(a & 0x1F)] >> quarter & 1 == 1;
    let three = two && a >= 0xF0 && c & 0xC0 == 0x80;
    Some(1 + usize::from(two) + usize::from(three))
}

#[cold]
#[inline(never)]
fn short_malformed_len(src: &[u8]) -> Option<usize> {
    core::str::from_utf8(src).err()?.error_len()
}

/// Returns the length of the whole characters in `src`, if it is well-formed: an incomplete character at the
/// end is left out.
#[inline(always)]
pub(crate) fn whole_characters(src: &[u8]) -> usize {
    let len = src.len();
    // From this value on, the byte at this distance from the end starts an incomplete character.
    for (back, least) in [(1, 0xC0), (2, 0xE0), (3, 0xF0)] {
        match len.checked_sub(back).and_then(|at| src.get(at)) {
            Some(&byte) if byte >= least => return len - back,
            Some(0x80..0xC0) => {}
            _ => return len,
        }
    }
    len
}

/// Returns whether `src` starts with a character that has more bytes than `room`.
#[inline(always)]
pub(crate) fn starts_with_more_than(room: usize, src: &[u8]) -> bool {
    !src.is_empty() && utf8_front(src).is_some_and(|(_, len)| len > room)
}

/// UTF-16 text, as bytes in an order that is known when it is compiled, or when it is called.
#[derive(Clone, Copy)]
pub(crate) struct Utf16BytesSource<O> {
    order: O,
    /// Whether U+FFFD stands for each lone surrogate, except a leading one at the end.
    is_lossy: bool,
}

impl<O> Utf16BytesSource<O> {
    #[inline(always)]
    pub(crate) fn new(order: O) -> Self {
        Utf16BytesSource {
            order,
            is_lossy: false,
        }
    }

    #[inline(always)]
    pub(in crate::simd) fn lossy(order: O, is_lossy: bool) -> Self {
        Utf16BytesSource { order, is_lossy }
    }
}

/// Returns whether `src`, which is UTF-16, starts with a character that has more code units than `room`.
#[inline(always)]
pub(crate) fn starts_with_more_units_than<const BE: bool>(room: usize, src: &[u8]) -> bool {
    let front: Option<Front> =
        FillSource::<u16>::front(Utf16BytesSource::new(FixedOrder::<BE>), src);
    front.is_some_and(|front| front.written > room)
}

impl<O: ByteOrder, To: FillUnit> FillSource<To> for Utf16BytesSource<O> {
    type From = u8;
    const ASCII_UNITS: usize = 2;
    const ASCII_BY_FRONT: bool = true;

    #[inline(always)]
    fn put_ascii<const N: usize>(self, src: &[u8], to: &mut [MaybeUninit<To>; N]) -> Option<usize> {
        if N > CHUNK {
            // Longer runs of ASCII seldom come here, and would be a third of the code.
            return None;
        }
        let units = src.as_chunks().0.first_chunk::<N>()?;
        let units = units.map(|unit| self.order.code_unit(unit));
        Some(put_ascii_units(units, to))
    }

    #[inline(always)]
    fn front(self, src: &[u8]) -> Option<Front> {
        let (units, _) = src.as_chunks();
        let unit = self.order.code_unit(*units.first()?);
        if !is_surrogate(unit) {
            return Some(To::of_unit(unit, 2));
        }
        if is_leading_surrogate(unit)
            && let Some(ch) = surrogate_pair(unit, self.order.code_unit(*units.get(1)?))
        {
            return Some(To::of_scalar(u32::from(ch), 4));
        }
        self.is_lossy.then(|| To::replacement(2))
    }
}

/// Text in an encoding with characters of one and two bytes.
#[derive(Clone, Copy)]
pub(crate) struct TwoByteSource<'a>(pub(crate) &'a TwoByteIndex);

impl<To: FillUnit> FillSource<To> for TwoByteSource<'_> {
    type From = u8;
    const ASCII_UNITS: usize = 1;

    #[inline(always)]
    fn front(self, src: &[u8]) -> Option<Front> {
        let byte = *src.first()?;
        if byte.is_ascii() {
            return ascii_front(u32::from(byte), 1);
        }
        // At the end there is no trail byte; 0 is not one.
        let next = src.get(1).copied().unwrap_or(0);
        let (unit, len) = match self.0.unit(byte, next) {
            // Half-width katakana, if anything.
            0 => self.0.look_up(byte, next),
            unit => (unit, 2),
        };
        (unit != 0).then(|| To::of_unit(unit, len))
    }
}
