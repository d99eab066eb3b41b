//! Short text between UTF-8, UTF-16 and UTF-32, one character at a time, which is faster than vectors that
//! would be mostly empty. Each function converts everything, or returns `None` if something is malformed or
//! there may not be enough room.

use core::mem::MaybeUninit;

use super::utf16::ByteOrder;
use crate::simd::eight_units;

/// The number of bytes of UTF-8 that fit in a general register.
const WORD: usize = 8;

/// Calls `put` with each scalar value of UTF-8, until it returns `None`.
#[inline(always)]
pub(crate) fn scalars(src: &[u8], mut put: impl FnMut(u32) -> Option<()>) -> Option<()> {
    let mut rest = src;
    while rest.len() > WORD {
        let (scalar, len) = front(u32::from_le_bytes(*rest.first_chunk()?))?;
        put(scalar)?;
        rest = rest.get(len..)?;
    }
    let mut word = word(rest);
    let mut left = rest.len();
    while left > 0 {
        // The zeros after the end are not continuation bytes.
        let (scalar, len) = front(word as u32)?;
        put(scalar)?;
        word >>= 8 * len;
        left -= len;
    }
    Some(())
}

/// Returns the scalar value at the front of four bytes, and its length in bytes.
#[inline(always)]
pub(super) fn front(bytes: u32) -> Option<(u32, usize)> {
    let bits = |shift: u32| bytes >> shift & 0x3F;
    if bytes & 0x80 == 0 {
        Some((bytes & 0x7F, 1))
    } else if bytes & 0xC0E0 == 0x80C0 && bytes & 0x1E != 0 {
        Some(((bytes & 0x1F) << 6 | bits(8), 2))
    } else if bytes & 0xC0_C0F0 == 0x80_80E0 {
        let scalar = (bytes & 0xF) << 12 | bits(8) << 6 | bits(16);
        (scalar >= 0x800 && scalar & 0xF800 != 0xD800).then_some((scalar, 3))
    } else if bytes & 0xC0C0_C0F8 == 0x8080_80F0 {
        let scalar = (bytes & 7) << 18 | bits(8) << 12 | bits(16) << 6 | bits(24);
        (0x1_0000..=0x10_FFFF)
            .contains(&scalar)
            .then_some((scalar, 4))
    } else {
        None
    }
}

/// Loads at most eight bytes, followed by zeros.
#[inline(always)]
fn word(src: &[u8]) -> u64 {
    if let Some(bytes) = src.first_chunk() {
        u64::from_le_bytes(*bytes)
    } else if let Some(word) = word_of_ends(src) {
        word
    } else {
        let bytes = src.iter().rev();
        bytes.fold(0, |word, &byte| word << 8 | u64::from(byte))
    }
}

/// Loads four to eight bytes, followed by zeros.
#[inline(always)]
fn word_of_ends(src: &[u8]) -> Option<u64> {
    if src.len() > WORD {
        return None;
    }
    let (first, last) = (src.first_chunk()?, src.last_chunk()?);
    let last = u64::from(u32::from_le_bytes(*last)) << (8 * (src.len() - 4));
    Some(u64::from(u32::from_le_bytes(*first)) | last)
}

/// Returns four to eight bytes as units, followed by zeros.
#[inline(always)]
pub(crate) fn widen_up_to_8(src: &[u8]) -> Option<[u16; 8]> {
    Some(eight_units::widen(word_of_ends(src)?.to_le_bytes()))
}

/// Widens the first `N` and the last `N` bytes, if there are as many; `N` is at most eight, and the slices have the same
/// length. The compiler turns a loop over the units of both `N` into one over parts of them.
#[inline(always)]
pub(crate) fn widen_ends<const N: usize>(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Option<()> {
    let widened = |bytes: &[u8; N]| -> Option<[MaybeUninit<u16>; N]> {
        let mut word = [0; WORD];
        word.first_chunk_mut().map(|to| *to = *bytes)?;
        let units = eight_units::widen(word).map(MaybeUninit::new);
        units.first_chunk().copied()
    };
    *dst.last_chunk_mut()? = widened(src.last_chunk()?)?;
    *dst.first_chunk_mut()? = widened(src.first_chunk()?)?;
    Some(())
}

/// Converts UTF-8 to UTF-16. Returns the number of units written.
#[inline(always)]
pub(crate) fn utf8_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Option<usize> {
    if let Some(word) = src.first_chunk()
        && src.len() == WORD
        && let Some(to) = dst.first_chunk_mut()
        && let Some(units) = four_of_two_bytes(u64::from_le_bytes(*word))
    {
        *to = units.map(MaybeUninit::new);
        return Some(units.len());
    }
    let mut written = 0;
    scalars(src, |scalar| {
        if scalar < 0x1_0000 {
            dst.get_mut(written)?.write(scalar as u16);
            written += 1;
        } else {
            let to = dst.get_mut(written..)?.first_chunk_mut::<2>()?;
            let pair = [0xD7C0 + (scalar >> 10), 0xDC00 | scalar & 0x3FF];
            *to = pair.map(|unit| MaybeUninit::new(unit as u16));
            written += 2;
        }
        Some(())
    })?;
    Some(written)
}

/// Returns the scalar values of a word, the first byte lowest, if they are four of two bytes.
#[inline(always)]
fn four_of_two_bytes(word: u64) -> Option<[u16; 4]> {
    let each = |bits: u16| u64::from(bits) * 0x1_0001_0001_0001;
    // Lead bytes C0 and C1 have none of these bits, and are not allowed.
    let leads = (word & each(0x1E)) + each(0x7FFF);
    let are_two = word & each(0xC0E0) == each(0x80C0) && leads & each(0x8000) == each(0x8000);
    let units = (word & each(0x1F)) << 6 | word >> 8 & each(0x3F);
    are_two.then_some([0, 16, 32, 48].map(|shift| (units >> shift) as u16))
}

/// Converts UTF-8 to UTF-32. Returns the number of units written.
#[inline(always)]
pub(crate) fn utf8_to_utf32(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> Option<usize> {
    let mut written = 0;
    scalars(src, |scalar| {
        dst.get_mut(written)?.write(scalar);
        written += 1;
        Some(())
    })?;
    Some(written)
}

/// Converts UTF-16, given as bytes, to UTF-8. Returns the number of bytes written.
#[inline(always)]
pub(crate) fn utf16_to_utf8(
    order: impl ByteOrder,
    src: &[[u8; 2]],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let unit = |bytes| u32::from(order.code_unit(bytes));
    let mut written = 0;
    let mut rest = src;
    while let [first, after @ ..] = rest {
        let first = unit(*first);
        rest = after;
        let scalar = if first & 0xF800 != 0xD800 {
            first
        } else {
            let [second, after @ ..] = rest else {
                return None;
            };
            let second = unit(*second);
            if first & 0x400 != 0 || second & 0xFC00 != 0xDC00 {
                return None;
            }
            rest = after;
            0x1_0000 + ((first & 0x3FF) << 10 | second & 0x3FF)
        };
        written += put_utf8(scalar, dst.get_mut(written..)?)?;
    }
    Some(written)
}

/// Converts at least eight units of UTF-16 to Latin-1, by blocks of which the last one overlaps the one before it.
/// `dst` has the same length.
///
/// As loops over units, which the compiler unrolls before it vectorises them, this would be too large to be inlined.
#[inline(always)]
pub(crate) fn utf16_to_latin1(src: &[u16], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let narrow = |front: &[u16; 8], back: &[u16; 8]| {
        let (bytes, are_latin1) = eight_units::narrow_latin1([*front, *back]);
        are_latin1.then_some(bytes.map(|bytes| bytes.map(MaybeUninit::new)))
    };
    if src.len() <= 16 {
        let [front, back] = narrow(src.first_chunk()?, src.last_chunk()?)?;
        *dst.first_chunk_mut()? = front;
        *dst.last_chunk_mut()? = back;
        return Some(src.len());
    }
    let mut bits = 0;
    let whole = src.as_chunks::<16>().0.as_flattened();
    for (&unit, to) in whole.iter().zip(&mut *dst) {
        bits |= unit;
        to.write(unit as u8);
    }
    if bits > 0xFF {
        return None;
    }
    let (last, to) = (src.last_chunk::<16>()?, dst.last_chunk_mut::<16>()?);
    let (block, to) = (last.as_chunks::<8>().0, to.as_chunks_mut::<8>().0);
    to.copy_from_slice(&narrow(&block[0], &block[1])?);
    Some(src.len())
}

/// Converts UTF-32 to UTF-8, if there is room for as many characters of four bytes. Returns the number of bytes written.
///
/// That the units are scalar values is tested once, and the room only for four bytes: with fewer branches for each
/// character, the processor predicts more of them.
#[inline(always)]
pub(crate) fn utf32_to_utf8(src: &[u32], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let size = dst.len();
    let mut room = dst;
    let mut are_scalars = true;
    for &unit in src {
        are_scalars &= char::from_u32(unit).is_some();
        let (bytes, len) = utf8_of(unit);
        *room.first_chunk_mut()? = bytes.to_le_bytes().map(MaybeUninit::new);
        room = &mut room[len..];
    }
    are_scalars.then_some(size - room.len())
}

/// Writes a scalar value; `None` if there is no room. Returns its number of bytes.
#[inline(always)]
pub(super) fn put_utf8(scalar: u32, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let (bytes, len) = utf8_of(scalar);
    let bytes = bytes.to_le_bytes().map(MaybeUninit::new);
    if let Some(to) = dst.first_chunk_mut::<4>() {
        *to = bytes;
    } else {
        for (to, byte) in dst.get_mut(..len)?.iter_mut().zip(bytes) {
            *to = byte;
        }
    }
    Some(len)
}

/// Returns the UTF-8 of a scalar value, the first byte lowest, and its number of bytes.
#[inline(always)]
pub(super) fn utf8_of(scalar: u32) -> (u32, usize) {
    let bits = |shift: u32| scalar >> shift & 0x3F;
    if scalar < 0x80 {
        (scalar, 1)
    } else if scalar < 0x800 {
        (0x80C0 | scalar >> 6 | bits(0) << 8, 2)
    } else if scalar < 0x1_0000 {
        (0x80_80E0 | scalar >> 12 | bits(6) << 8 | bits(0) << 16, 3)
    } else {
        let upper = 0x8080_80F0 | scalar >> 18 | bits(12) << 8;
        (upper | bits(6) << 16 | bits(0) << 24, 4)
    }
}
