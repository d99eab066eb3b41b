//! Short text in legacy encodings, converted inline: calling a kernel, and the loop around it, take longer.
//!
//! Each function converts everything, or returns `None` if the text is longer, has other characters, or does
//! not fit.

use core::mem::MaybeUninit;

use super::ascii::HIGH_BITS;
use super::short;
use super::utf16::code_unit;
use crate::simd::single_byte::{SingleByteCells, SingleByteToUtf8, SingleByteToUtf16};
use crate::simd::widen::widen;

/// The maximum number of bytes or units that are converted inline.
pub(crate) const MAX_INLINE: usize = 16;

/// The maximum number of ASCII bytes or units that are converted inline.
pub(crate) const MAX_INLINE_ASCII: usize = 64;

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
            _ => bytes.iter().all(u8::is_ascii),
        },
    }
}

/// Returns whether more than [`MAX_INLINE`] bytes are ASCII.
#[inline(always)]
fn is_wide_ascii(bytes: &[u8]) -> bool {
    const HIGH: u128 = (HIGH_BITS as u128) << 64 | HIGH_BITS as u128;
    let word = |chunk: &[u8; WIDE]| u128::from_ne_bytes(*chunk);
    let (chunks, _) = bytes.as_chunks::<WIDE>();
    // The first one usually decides.
    let [first, others @ ..] = chunks else {
        return false;
    };
    let last = bytes.last_chunk().map_or(0, word);
    word(first) & HIGH == 0 && others.iter().fold(last, |all, chunk| all | word(chunk)) & HIGH == 0
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
    }
    if let (Some(from), Some(to)) = (src.last_chunk::<WIDE>(), dst.last_chunk_mut::<WIDE>()) {
        *to = from.map(|unit| MaybeUninit::new(convert(unit)));
    }
}

/// Converts at most 16 units; `dst` has the same length as `src`. Converts pieces from both ends, which may
/// overlap.
#[inline(always)]
fn map<From: Copy, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    convert: impl Fn(From) -> To + Copy,
) {
    debug_assert_eq!(src.len(), dst.len());
    // As a call, 16 bytes of x-user-defined take a sixth longer.
    if !ends::<{ MAX_INLINE / 2 }, _, _>(
        src,
        dst,
        #[inline(always)]
        |units| units.map(convert),
    ) {
        map_few(src, dst, convert);
    }
}

/// Does what [`map`] does, for fewer than 8 units.
#[inline(always)]
fn map_few<From: Copy, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    convert: impl Fn(From) -> To + Copy,
) {
    if !ends::<{ MAX_INLINE / 4 }, _, _>(
        src,
        dst,
        #[inline(always)]
        |units| units.map(convert),
    ) {
        for (&unit, to) in src.iter().zip(dst) {
            to.write(convert(unit));
        }
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
    if let Some(to) = dst.first_chunk_mut() {
        *to = convert(*front).map(MaybeUninit::new);
    }
    if let Some(to) = dst.last_chunk_mut() {
        *to = convert(*back).map(MaybeUninit::new);
    }
    true
}

/// Does what [`map`] does, for a copy.
#[inline(always)]
fn copy(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    debug_assert_eq!(src.len(), dst.len());
    if !copy_ends::<{ MAX_INLINE / 2 }>(src, dst) && !copy_ends::<{ MAX_INLINE / 4 }>(src, dst) {
        for (&byte, to) in src.iter().zip(dst) {
            to.write(byte);
        }
    }
}

/// Copies the first `N` bytes and the last `N`, if there are that many. Returns whether there are.
#[inline(always)]
fn copy_ends<const N: usize>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    let (Some(front), Some(back)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return false;
    };
    if let Some(to) = dst.first_chunk_mut() {
        *to = front.map(MaybeUninit::new);
    }
    if let Some(to) = dst.last_chunk_mut() {
        *to = back.map(MaybeUninit::new);
    }
    true
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

/// Widens ASCII. For 64 bytes, a kernel with wider vectors takes three quarters of the time that this would
/// take.
#[inline(always)]
pub(crate) fn ascii_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Option<usize> {
    if src.len() > MAX_INLINE || !is_ascii(src) {
        return None;
    }
    let dst = dst.get_mut(..src.len())?;
    if !ends(src, dst, widen) {
        map_few(src, dst, u16::from);
    }
    Some(src.len())
}

/// Returns whether units are ASCII.
#[inline(always)]
fn is_ascii_units(units: &[u16]) -> bool {
    const HALF: usize = MAX_INLINE / 2;
    let any = |units: &[u16]| units.iter().fold(0, |all, unit| all | unit);
    let all = match (units.first_chunk::<HALF>(), units.last_chunk::<HALF>()) {
        // They overlap, or there is nothing between them.
        (Some(first), Some(last)) if units.len() <= MAX_INLINE => any(first) | any(last),
        _ => any(units),
    };
    all < 0x80
}

/// Narrows ASCII.
#[inline(always)]
pub(crate) fn utf16_to_ascii(src: &[u16], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if src.len() > MAX_INLINE_ASCII || !is_ascii_units(src) {
        return None;
    }
    let dst = dst.get_mut(..src.len())?;
    if src.len() > MAX_INLINE {
        each_wide(src, dst, |unit| unit as u8);
    } else {
        map(src, dst, |unit| unit as u8);
    }
    Some(src.len())
}

/// Decodes bytes of a single-byte encoding, not all of which are ASCII, to UTF-16.
#[inline(always)]
pub(crate) fn single_byte_to_utf16(
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> Option<usize> {
    if src.len() > MAX_INLINE {
        return None;
    }
    // Bit 31 is set if a unit is 0: for an unmapped byte, and for U+0000, which is rare and is converted
    // elsewhere as well. A search for the lowest unit would be compiled to a branch, which is unpredictable.
    let mut before = 0;
    for (&byte, to) in src.iter().zip(dst.get_mut(..src.len())?) {
        let unit = u16::from_le_bytes(table.units[usize::from(byte)]);
        before |= u32::from(unit).wrapping_sub(1);
        to.write(unit);
    }
    (before >> 31 == 0).then_some(src.len())
}

/// Decodes the first 16 bytes of a single-byte encoding to UTF-16 if all are mapped and there is room for them, unless
/// they are ASCII. Returns 16 or 0.
#[inline(always)]
pub(crate) fn sixteen_to_utf16(
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let (Some(bytes), Some(to)) = (src.first_chunk::<MAX_INLINE>(), dst.first_chunk_mut()) else {
        return 0;
    };
    if bytes.is_ascii() {
        return 0;
    }
    single_byte_to_utf16(table, bytes, to as &mut [_; MAX_INLINE]).unwrap_or(0)
}

/// Returns the code unit of a byte in x-user-defined.
#[inline(always)]
pub(crate) fn user_defined_unit(byte: u8) -> u16 {
    // Sign extension fills the high byte with ones, one more than needed.
    byte.cast_signed() as u16 & 0xF7FF
}

/// Decodes bytes of x-user-defined to UTF-16.
#[inline(always)]
pub(crate) fn user_defined_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Option<usize> {
    if src.len() > MAX_INLINE {
        return None;
    }
    map(src, dst.get_mut(..src.len())?, user_defined_unit);
    Some(src.len())
}

/// Decodes bytes of a single-byte encoding, not all of which are ASCII, to UTF-8. Returns the number of bytes
/// written.
#[inline(always)]
pub(crate) fn single_byte_to_utf8(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    if src.len() > MAX_INLINE {
        return None;
    }
    // One comparison per character, and one load for its bytes and their number: with the checks of slices,
    // the loop has twice as many instructions, and text of 16 bytes takes a tenth longer.
    let last = dst.len().checked_sub(4)?;
    let (mut written, mut before) = (0, 0);
    for (at, &byte) in src.iter().enumerate() {
        if written > last {
            // Less than four bytes are left, which may be all that the rest needs.
            for &byte in &src[at..] {
                let utf8 = table.utf8[usize::from(byte)];
                let len = usize::from(utf8[3]);
                let to = dst.get_mut(written..)?.get_mut(..len)?;
                for (to, byte) in to.iter_mut().zip(utf8) {
                    to.write(byte);
                }
                written += len;
                before |= u32::from_le_bytes(utf8).wrapping_sub(1);
            }
            break;
        }
        let utf8 = u32::from_le_bytes(table.utf8[usize::from(byte)]);
        // SAFETY: the comparison leaves four bytes at `written`.
        let to = unsafe { dst.as_mut_ptr().add(written) };
        // SAFETY: as above; bytes need no alignment.
        unsafe { to.cast::<[u8; 4]>().write(utf8.to_le_bytes()) };
        written += (utf8 >> 24) as usize;
        // Bit 31 is set if one is 0.
        before |= utf8.wrapping_sub(1);
    }
    (before >> 31 == 0).then_some(written)
}

/// Encodes code units in a single-byte encoding.
#[inline(always)]
pub(crate) fn utf16_to_single_byte(
    cells: SingleByteCells,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    if let Some(len) = utf16_to_ascii(src, dst) {
        return Some(len);
    }
    if src.len() > MAX_INLINE {
        return None;
    }
    // Bit 31 is set if one is 0.
    let mut before = 0;
    for (&unit, to) in src.iter().zip(dst.get_mut(..src.len())?) {
        let byte = cells.get(unit);
        before |= u32::from(byte).wrapping_sub(1);
        to.write(byte);
    }
    (before >> 31 == 0).then_some(src.len())
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
    let mut surrogates = false;
    for (&unit, to) in units.iter().zip(dst.get_mut(..units.len())?) {
        let unit = code_unit::<BE>(unit);
        surrogates |= unit & 0xF800 == 0xD800;
        to.write(unit);
    }
    (!surrogates).then_some(units.len())
}

/// Converts UTF-16 with surrogate pairs to UTF-8. Returns the number of bytes written.
#[inline(always)]
pub(crate) fn utf16_to_utf8<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    match src.as_chunks() {
        (units, []) if src.len() <= MAX_INLINE => short::utf16_to_utf8::<BE>(units, dst),
        _ => None,
    }
}
