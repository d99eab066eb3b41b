//! UTF-16 at any alignment and of either byte order.

use core::mem::MaybeUninit;

use super::bmp_block_to_utf8;
use crate::simd::kernels::Transcoded;
use crate::simd::surrogates::{is_leading_surrogate, is_surrogate, surrogate_pair};

#[inline(always)]
pub(in crate::simd) fn code_unit<const BE: bool>(bytes: [u8; 2]) -> u16 {
    if BE {
        u16::from_be_bytes(bytes)
    } else {
        u16::from_le_bytes(bytes)
    }
}

/// The byte order of UTF-16. It is known when a kernel is compiled ([`FixedOrder`]), or when it is called (`bool`:
/// whether it is big-endian).
pub(in crate::simd) trait ByteOrder: Copy {
    fn is_be(self) -> bool;

    #[inline(always)]
    fn code_unit(self, bytes: [u8; 2]) -> u16 {
        if self.is_be() {
            code_unit::<true>(bytes)
        } else {
            code_unit::<false>(bytes)
        }
    }
}

#[derive(Clone, Copy)]
pub(in crate::simd) struct FixedOrder<const BE: bool>;

impl<const BE: bool> ByteOrder for FixedOrder<BE> {
    #[inline(always)]
    fn is_be(self) -> bool {
        BE
    }
}

impl ByteOrder for bool {
    #[inline(always)]
    fn is_be(self) -> bool {
        self
    }
}

/// Narrows the ASCII prefix of UTF-16. Returns its length in units.
#[inline(never)]
pub(in crate::simd) fn utf16_to_ascii<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let units = src.as_chunks::<2>().0;
    let mut copied = 0;
    for (unit, to) in units.iter().zip(dst) {
        let unit = code_unit::<BE>(*unit);
        if unit >= 0x80 {
            break;
        }
        to.write(unit as u8);
        copied += 1;
    }
    copied
}

/// Returns the character at the front of UTF-16, the number of bytes that it takes, and the number of errors
/// in it (one if it stands for a lone surrogate). `None` at the end, before a leading surrogate at the end,
/// and, unless `is_lossy`, before a lone one.
#[inline(always)]
pub(in crate::simd) fn front(
    src: &[u8],
    is_be: bool,
    is_lossy: bool,
) -> Option<(char, usize, usize)> {
    let (&unit, after) = src.split_first_chunk::<2>()?;
    let unit = is_be.code_unit(unit);
    if let Some(ch) = char::from_u32(u32::from(unit)) {
        return Some((ch, 2, 0));
    }
    if is_leading_surrogate(unit) {
        let trail = is_be.code_unit(*after.first_chunk::<2>()?);
        if let Some(ch) = surrogate_pair(unit, trail) {
            return Some((ch, 4, 0));
        }
    }
    is_lossy.then_some((char::REPLACEMENT_CHARACTER, 2, 1))
}

/// Converts UTF-16 up to the first lone surrogate or a leading one at the end, as far as there is room. If `is_lossy`,
/// writes U+FFFD for every lone surrogate except a leading one at the end. One function for both byte orders.
#[inline(never)]
pub(in crate::simd) fn utf16_to_utf8(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_be: bool,
    is_lossy: bool,
) -> Transcoded {
    let mut done = Transcoded::default();
    loop {
        let (ahead, room) = done.rest(src, dst);
        // Eight code units, and room for the most bytes that they can become.
        let (Some(block), Some(to)) = (ahead.first_chunk::<16>(), room.first_chunk_mut::<32>())
        else {
            break;
        };
        let mut units: [u16; 8] =
            core::array::from_fn(|i| u16::from_le_bytes([block[2 * i], block[2 * i + 1]]));
        if is_be {
            units = units.map(u16::swap_bytes);
        }
        if units.iter().fold(0, |all, unit| all | unit) < 0x80 {
            let run = if is_be {
                utf16_to_ascii::<true>(ahead, room)
            } else {
                utf16_to_ascii::<false>(ahead, room)
            };
            done.read += 2 * run;
            done.written += run;
        } else if !units
            .iter()
            .fold(false, |any, &unit| any | is_surrogate(unit))
        {
            done.read += 16;
            done.written += bmp_block_to_utf8(units, to);
        } else {
            let end = done.read + 16;
            if !chars_to_utf8(src, dst, &mut done, end, is_be, is_lossy) {
                return done;
            }
        }
    }
    chars_to_utf8(src, dst, &mut done, src.len(), is_be, is_lossy);
    done
}

/// Converts one character at a time, until `end` bytes are read. Returns false if it stops before.
#[inline(never)]
pub(in crate::simd) fn chars_to_utf8(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    done: &mut Transcoded,
    end: usize,
    is_be: bool,
    is_lossy: bool,
) -> bool {
    while done.read < end {
        let (ahead, room) = done.rest(src, dst);
        let Some((ch, len, errors)) = front(ahead, is_be, is_lossy) else {
            return false;
        };
        let mut bytes = [0; 4];
        let bytes = ch.encode_utf8(&mut bytes).as_bytes();
        let Some(to) = room.get_mut(..bytes.len()) else {
            return false;
        };
        for (to, byte) in to.iter_mut().zip(bytes) {
            to.write(*byte);
        }
        done.read += len;
        done.written += bytes.len();
        done.errors += errors;
    }
    true
}
