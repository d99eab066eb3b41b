//! Short text, converted in line: a call of a kernel takes as long as a few characters do.
//!
//! Each function converts everything, or returns `None` if the text is too long, malformed, or may not fit.
//! The caller then calls a kernel.
//!
//! Kernels with masks are called at once for what would take one of several paths here, by its length: in a text with words
//! of many lengths, the path is mispredicted for most of them. Words of UTF-8 to UTF-16 and back take 0.5 to 0.6 times as
//! long, but ASCII that is all of the same length, up to 16 units, up to 1.5 times.

use core::mem::MaybeUninit;
use core::ops::BitOr;

use crate::simd::{self, FixedOrder, beyond_bmp, blocks, short, surrogate};

/// Up to this many bytes of UTF-8 are converted one character after the other.
const SHORT_BYTES: usize = 8;

/// Up to this many units of UTF-32 are converted one character after the other.
const SHORT_UNITS: usize = 8;

/// From this many units of UTF-16 on, a kernel is faster than one character after the other.
const VECTOR_UNITS: usize = 5;

/// Up to this many bytes or units are converted as if they were ASCII, while that is checked; of UTF-16,
/// twice as many.
const ASCII: usize = 16;

/// The maximum length of ASCII text that is converted to UTF-16 in line. Longer text is often not pure ASCII.
const LONG_ASCII: usize = 32;

/// The maximum number of bytes of Latin-1 that are converted to UTF-16 in line.
const MAX_LATIN1_BYTES: usize = 208;

/// The maximum number of units of UTF-16 that are converted to Latin-1 in line.
const MAX_LATIN1_UNITS: usize = 128;

/// Converts each unit to one unit. `None` if there are more than `most`, if they do not fit, or if `fit` is
/// false for the bits that are set in any of them. This is a plain loop, which the compiler vectorises.
#[inline(always)]
pub(super) fn one_to_one<From, To>(
    most: usize,
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    convert: impl Fn(From) -> To,
    fit: impl Fn(From) -> bool,
) -> Option<usize>
where
    From: Copy + Default + BitOr<Output = From>,
{
    if src.len() > dst.len().min(most) {
        return None;
    }
    let mut bits = From::default();
    for (&unit, to) in src.iter().zip(dst) {
        bits = bits | unit;
        to.write(convert(unit));
    }
    fit(bits).then_some(src.len())
}

/// Converts each unit to one unit. `None` if there are not 8 to 16, or not as much room.
#[inline(always)]
pub(super) fn each_to_one<From: Copy, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    convert: impl Fn(From) -> To,
) -> Option<usize> {
    blocks::convert_short(src, dst, convert).then_some(src.len())
}

/// Whether this UTF-16 is of 8 to 16 units and has no surrogates.
#[inline(always)]
pub(super) fn has_no_surrogates(src: &[u16]) -> bool {
    blocks::is_short_without(src, surrogate)
}

/// Text that begins with ASCII mostly goes on with ASCII, for which vectors are faster.
#[inline(always)]
fn is_short(src: &[u8]) -> bool {
    src.len() <= SHORT_BYTES && src.first().is_some_and(|byte| !byte.is_ascii())
}

/// Converts UTF-8 to UTF-16.
#[inline(always)]
pub(super) fn utf8_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Option<usize> {
    if simd::active().masks_ends {
        return None;
    }
    if is_short(src) {
        return short::utf8_to_utf16(src, dst);
    }
    if src.len() <= ASCII {
        return ascii_to(src, dst);
    }
    if src.len() <= LONG_ASCII && src.first().is_some_and(u8::is_ascii) && src.is_ascii() {
        one_to_one(LONG_ASCII, src, dst, u16::from, |_| true)
    } else {
        None
    }
}

/// Converts UTF-8 to UTF-32.
#[inline(always)]
pub(super) fn utf8_to_utf32(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> Option<usize> {
    if is_short(src) {
        short::utf8_to_utf32(src, dst)
    } else {
        ascii_to(src, dst)
    }
}

/// Widens ASCII.
#[inline(always)]
fn ascii_to<To: From<u8>>(src: &[u8], dst: &mut [MaybeUninit<To>]) -> Option<usize> {
    match src {
        [first, .., last] if (first | last).is_ascii() => {
            one_to_one(ASCII, src, dst, To::from, |bits| bits.is_ascii())
        }
        _ => None,
    }
}

/// Converts UTF-16.
#[inline(always)]
pub(super) fn utf16_to_utf8<const BE: bool>(
    src: &[[u8; 2]],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    // The bits that are set in ASCII, with the two bytes in memory order: one byte is 0, the other one below
    // 80.
    let ascii = u16::from_ne_bytes(if BE { [0, 0x7F] } else { [0x7F, 0] });
    let unit = |bytes: [u8; 2]| u16::from_ne_bytes(bytes);
    // Kernels take longer for few pairs.
    let is_pair = |first: &[u8; 2]| first[usize::from(!BE)] & 0xF8 == 0xD8;
    if simd::active().masks_ends && !src.first().is_some_and(is_pair) {
        return None;
    }
    match src {
        [first, .., last] if (unit(*first) | unit(*last)) & !ascii == 0 => {
            if src.len() > 2 * ASCII || src.len() > dst.len() {
                return None;
            }
            let mut bits = 0;
            for (from, to) in src.iter().zip(dst) {
                bits |= unit(*from);
                to.write(from[usize::from(BE)]);
            }
            (bits & !ascii == 0).then_some(src.len())
        }
        _ if src.len() < VECTOR_UNITS => short::utf16_to_utf8(FixedOrder::<BE>, src, dst),
        _ => None,
    }
}

/// Converts UTF-32.
#[inline(always)]
pub(super) fn utf32_to_utf8(src: &[u32], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    match src {
        [first, .., last] if first | last < 0x80 => {
            one_to_one(ASCII, src, dst, |unit| unit as u8, |bits| bits < 0x80)
        }
        _ if src.len() <= SHORT_UNITS => short::utf32_to_utf8(src, dst),
        _ => None,
    }
}

/// Converts UTF-32 of 8 to 16 units to UTF-16, if it is of the Basic Multilingual Plane.
#[inline(always)]
pub(super) fn utf32_to_utf16(src: &[u32], dst: &mut [MaybeUninit<u16>]) -> Option<usize> {
    if blocks::is_short_without(src, beyond_bmp) {
        each_to_one(src, dst, |unit| unit as u16)
    } else {
        None
    }
}

/// Converts UTF-16 of 8 to 16 units without surrogates to UTF-32.
#[inline(always)]
pub(super) fn utf16_to_utf32(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> Option<usize> {
    if has_no_surrogates(src) {
        each_to_one(src, dst, u32::from)
    } else {
        None
    }
}

/// Converts Latin-1 of 4 to 16 bytes to UTF-32. Up to eight take one path: if seven took a kernel, which of the two it is
/// would be mispredicted where a text of eight bytes of UTF-8 has become seven or eight.
#[inline(always)]
pub(super) fn latin1_to_utf32(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> Option<usize> {
    if src.len() > 8 {
        return each_to_one(src, dst, u32::from);
    }
    let (units, to) = (short::widen_up_to_8(src)?, dst.first_chunk_mut()?);
    *to = units.map(|unit| MaybeUninit::new(u32::from(unit)));
    Some(src.len())
}

/// Converts Latin-1 of at least four bytes to UTF-16. What is longer than 16 bytes takes a function of its own, so that the
/// compiler puts the rest in line.
#[inline(always)]
pub(super) fn latin1_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Option<usize> {
    if src.len() > MAX_LATIN1_BYTES {
        return None;
    }
    let dst = dst.get_mut(..src.len())?;
    if src.len() > 16 {
        latin1_blocks_to_utf16(src, dst);
    } else if src.len() > 8 {
        short::widen_ends::<8>(src, dst)?;
    } else {
        short::widen_ends::<4>(src, dst)?;
    }
    Some(src.len())
}

/// Converts Latin-1 of 16 bytes or more to as many units.
#[inline(never)]
fn latin1_blocks_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) {
    debug_assert!(src.len() >= 16 && src.len() == dst.len());
    if let Some(dst) = dst.get_mut(..src.len()) {
        blocks::convert_blocks(src, dst, u16::from);
    }
}

/// Converts UTF-16 to Latin-1.
#[inline(always)]
pub(super) fn utf16_to_latin1(src: &[u16], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if src.len() < 8 || src.len() > MAX_LATIN1_UNITS {
        return one_to_one(7, src, dst, |unit| unit as u8, |bits| bits <= 0xFF);
    }
    short::utf16_to_latin1(src, dst.get_mut(..src.len())?)
}
