//! Short text in legacy encodings, converted inline: calling a kernel, and the loop around it, take longer.
//!
//! Each function converts everything, or returns `None` if the text is longer, has other characters, or does
//! not fit.

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::ascii::{HIGH_BITS, HIGH_BITS_OF_16};
use super::short;
use super::short_single_byte::from_utf16_by_run;
use super::utf16::{ByteOrder, FixedOrder, code_unit};
use crate::simd::eight_units::widen;
use crate::simd::single_byte::Run;

/// The maximum number of bytes or units that are converted inline.
pub(crate) const MAX_INLINE: usize = 16;

/// The maximum number of ASCII bytes or units that are converted inline.
pub(crate) const MAX_INLINE_ASCII: usize = 128;

/// The number of ASCII bytes or units that are converted at a time, if there are more than [`MAX_INLINE`].
const WIDE: usize = 16;

/// Returns whether `bytes` are ASCII, and short enough.
#[inline(always)]
pub(crate) fn is_ascii(bytes: &[u8]) -> bool {
    if bytes.len() > MAX_INLINE {
        return bytes.len() <= MAX_INLINE_ASCII && is_wide_ascii(bytes);
    }
    // The first and the last bytes may overlap.
    let ends = |first: u64, last: u64| (first | last) & HIGH_BITS == 0;
    match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => ends(u64::from_ne_bytes(*first), u64::from_ne_bytes(*last)),
        _ => match (bytes.first_chunk(), bytes.last_chunk()) {
            (Some(first), Some(last)) => ends(
                u64::from(u32::from_ne_bytes(*first)),
                u64::from(u32::from_ne_bytes(*last)),
            ),
            _ => match *bytes {
                [] => true,
                // The one in the middle may be the first or the last.
                [first, .., last] => first | bytes[bytes.len() / 2] | last < 0x80,
                [byte] => byte < 0x80,
            },
        },
    }
}

/// Returns whether more than [`MAX_INLINE`] bytes are ASCII.
#[inline(always)]
fn is_wide_ascii(bytes: &[u8]) -> bool {
    is_without(HIGH_BITS_OF_16, bytes)
}

/// Returns whether none of `bits` is set in any of the chunks of `bytes`, of which there is at least one.
#[inline(always)]
fn is_without(bits: u128, bytes: &[u8]) -> bool {
    let word = |chunk: &[u8; WIDE]| u128::from_ne_bytes(*chunk);
    let (chunks, _) = bytes.as_chunks::<WIDE>();
    let ([first, others @ ..], Some(last)) = (chunks, bytes.last_chunk()) else {
        return false;
    };
    // The first one and the last one usually decide.
    let mut all = word(first) | word(last);
    if all & bits == 0 {
        for chunk in others {
            all |= word(chunk);
            // Unrolled, this would be hundreds of bytes in each place that it is inlined in.
            black_box(());
        }
    }
    all & bits == 0
}

/// Converts more than [`MAX_INLINE`] units; `dst` has the same length as `src`.
#[inline(always)]
fn each_wide<From: Copy, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    convert: impl Fn(From) -> To + Copy,
) {
    debug_assert_eq!(src.len(), dst.len());
    let (chunks, _) = src.as_chunks::<WIDE>();
    for (from, to) in chunks.iter().zip(dst.as_chunks_mut::<WIDE>().0) {
        *to = from.map(|unit| MaybeUninit::new(convert(unit)));
        black_box(());
    }
    if let (Some(from), Some(to)) = (src.last_chunk::<WIDE>(), dst.last_chunk_mut::<WIDE>()) {
        *to = from.map(|unit| MaybeUninit::new(convert(unit)));
    }
}

/// Converts the first `N` units and the last `N`, if there are that many. Returns whether there are.
#[inline(always)]
fn ends<const N: usize, From: Copy, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    convert: impl Fn([From; N]) -> [To; N],
) -> bool {
    let (Some(front), Some(back)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return false;
    };
    put(convert(*front), dst.first_chunk_mut());
    put(convert(*back), dst.last_chunk_mut());
    true
}

/// Copies at most 16 bytes; `dst` has the same length as `src`. Copies pieces from both ends, which may overlap.
#[inline(always)]
fn copy(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    debug_assert_eq!(src.len(), dst.len());
    if !ends::<{ MAX_INLINE / 2 }, _, _>(src, dst, |bytes| bytes)
        && !ends::<{ MAX_INLINE / 4 }, _, _>(src, dst, |bytes| bytes)
    {
        for (&byte, to) in src.iter().zip(dst) {
            to.write(byte);
            black_box(());
        }
    }
}

/// Copies ASCII.
#[inline(always)]
pub(crate) fn ascii(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if !is_ascii(src) {
        return None;
    }
    let dst = dst.get_mut(..src.len())?;
    if src.len() > MAX_INLINE {
        each_wide(src, dst, |byte| byte);
    } else {
        copy(src, dst);
    }
    Some(src.len())
}

/// Widens ASCII.
#[inline(always)]
pub(crate) fn ascii_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Option<usize> {
    if !is_ascii(src) {
        return None;
    }
    let dst = dst.get_mut(..src.len())?;
    if src.len() > 2 * MAX_INLINE {
        each_wide(src, dst, u16::from);
        return Some(src.len());
    }
    if !ends::<MAX_INLINE, _, _>(src, dst, widen_both_halves) && !ends(src, dst, widen) {
        for (&byte, to) in src.iter().zip(dst) {
            to.write(byte.into());
            black_box(());
        }
    }
    Some(src.len())
}

/// Widens 16 bytes.
#[inline(always)]
pub(super) fn widen_both_halves(bytes: [u8; MAX_INLINE]) -> [u16; MAX_INLINE] {
    let mut units = [0; MAX_INLINE];
    for (bytes, units) in bytes.as_chunks().0.iter().zip(units.as_chunks_mut().0) {
        *units = widen(*bytes);
    }
    units
}

/// Narrows ASCII.
#[inline(always)]
pub(crate) fn utf16_to_ascii(src: &[u16], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    // The first unit usually decides.
    if src.len() > MAX_INLINE_ASCII || src.first().is_some_and(|&unit| unit >= 0x80) {
        return None;
    }
    if src.len() <= MAX_INLINE {
        let dst = dst.get_mut(..src.len())?;
        return (from_utf16_by_run(Run::ASCII, src, dst) == 0).then_some(src.len());
    }
    if src.iter().fold(0, |all, unit| all | unit) >= 0x80 {
        return None;
    }
    each_wide(src, dst.get_mut(..src.len())?, |unit| unit as u8);
    Some(src.len())
}

/// Writes `units`, for which there is room. With `map` or an iterator, this may become a call, because the compiler
/// takes short text to be rare.
#[inline(always)]
pub(super) fn put<T, const N: usize>(units: [T; N], to: Option<&mut [MaybeUninit<T>; N]>) {
    debug_assert!(to.is_some(), "{N} units fit");
    if let Some(to) = to {
        let to: *mut [T; N] = to.as_mut_ptr().cast();
        // SAFETY: there is room for `N` units, at their alignment.
        unsafe { to.write(units) };
    }
}

/// Copies text.
#[inline(always)]
pub(crate) fn utf8(src: &str, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let dst = dst.get_mut(..src.len())?;
    if src.len() > MAX_INLINE {
        for (to, &byte) in dst.iter_mut().zip(src.as_bytes()) {
            to.write(byte);
        }
    } else {
        copy(src.as_bytes(), dst);
    }
    Some(src.len())
}

/// Converts UTF-16 bytes without surrogates to native code units. Returns the number of units.
#[inline(always)]
pub(crate) fn utf16<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Option<usize> {
    let (units, []) = src.as_chunks() else {
        return None;
    };
    if units.len() > MAX_INLINE {
        return None;
    }
    let dst = dst.get_mut(..units.len())?;
    let mut surrogates = false;
    if let (Some(front), Some(back)) = (units.first_chunk(), units.last_chunk()) {
        let (front, back) = (eight::<BE>(front), eight::<BE>(back));
        surrogates = front.1 | back.1;
        put(front.0, dst.first_chunk_mut());
        put(back.0, dst.last_chunk_mut());
    } else {
        for (&unit, to) in units.iter().zip(dst) {
            let unit = code_unit::<BE>(unit);
            surrogates |= unit & 0xF800 == 0xD800;
            to.write(unit);
        }
    }
    (!surrogates).then_some(units.len())
}

/// Returns eight code units, and whether there are surrogates among them.
#[inline(always)]
fn eight<const BE: bool>(bytes: &[[u8; 2]; 8]) -> ([u16; 8], bool) {
    let (mut units, mut surrogates) = ([0; 8], false);
    for (unit, &bytes) in units.iter_mut().zip(bytes) {
        *unit = code_unit::<BE>(bytes);
        surrogates |= *unit & 0xF800 == 0xD800;
    }
    (units, surrogates)
}

/// Converts UTF-16 with surrogate pairs to UTF-8. Returns the number of bytes written.
#[inline(always)]
pub(crate) fn utf16_to_utf8<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    match src.as_chunks() {
        (units, []) if src.len() <= MAX_INLINE => {
            short::utf16_to_utf8(FixedOrder::<BE>, units, dst)
        }
        _ => None,
    }
}

/// Narrows UTF-16, given as bytes, if it is ASCII and has at least eight units. A separate function, because
/// vectors for both byte orders are large.
#[inline(never)]
pub(crate) fn utf16_bytes_to_ascii(
    is_big_endian: bool,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let (units, []) = src.as_chunks::<2>() else {
        return None;
    };
    if units.len() < MAX_INLINE / 2 || !is_without(bits_above_ascii(is_big_endian), src) {
        return None;
    }
    let dst = dst.get_mut(..units.len())?;
    // One of the bytes is 0.
    let narrow = |[a, b]: [u8; 2]| a | b;
    if units.len() < WIDE {
        ends::<{ MAX_INLINE / 2 }, _, _>(units, dst, |units| units.map(narrow));
    } else {
        each_wide(units, dst, narrow);
    }
    Some(units.len())
}

/// Returns whether eight ASCII characters come next in UTF-16, given as bytes.
#[inline(always)]
pub(crate) fn starts_with_utf16_ascii(is_big_endian: bool, src: &[u8]) -> bool {
    src.first_chunk()
        .is_some_and(|units| u128::from_ne_bytes(*units) & bits_above_ascii(is_big_endian) == 0)
}

/// Returns the bits that eight ASCII characters lack in UTF-16: all of the upper byte, and the highest of the lower one.
#[inline(always)]
fn bits_above_ascii(is_big_endian: bool) -> u128 {
    let bits = if is_big_endian {
        u16::from_be(0xFF80)
    } else {
        u16::from_le(0xFF80)
    };
    u128::MAX / 0xFFFF * u128::from(bits)
}

/// Converts five code units, given as bytes, that become three bytes each. Returns the number of bytes written.
#[inline(always)]
pub(crate) fn five_of_three_bytes(
    is_big_endian: bool,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let units = src.first_chunk::<10>()?.as_chunks().0.first_chunk::<5>()?;
    let units = units.map(|unit| is_big_endian.code_unit(unit));
    let dst = dst.first_chunk_mut::<16>()?;
    let is_other = |unit: u16| (unit < 0x800) | (unit & 0xF800 == 0xD800);
    if units.iter().fold(false, |any, &unit| any | is_other(unit)) {
        return None;
    }
    // The last byte of each word is overwritten by the next one.
    for (i, unit) in units.into_iter().enumerate() {
        let bits = |shift: u32| u32::from(unit) >> shift & 0x3F;
        let bytes = 0x80_80E0 | bits(12) | bits(6) << 8 | bits(0) << 16;
        put(bytes.to_le_bytes(), dst[3 * i..].first_chunk_mut());
    }
    Some(15)
}
