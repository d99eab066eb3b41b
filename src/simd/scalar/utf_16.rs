//! UTF-16 at any alignment and of either byte order.

use core::mem::MaybeUninit;

use super::{bmp_block_to_utf_8, bmp_to_utf_8};
use crate::simd::Kernels;

#[inline(always)]
fn code_unit<const BE: bool>(bytes: [u8; 2]) -> u16 {
    if BE {
        u16::from_be_bytes(bytes)
    } else {
        u16::from_le_bytes(bytes)
    }
}

#[inline(always)]
fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}

/// Narrows the ASCII prefix of UTF-16.
pub(in crate::simd) fn utf_16_to_ascii<const BE: bool>(
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

/// Copies UTF-16 up to the first surrogate.
pub(in crate::simd) fn utf_16_to_utf_16<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    const BLOCK: usize = 16;
    let units = src.as_chunks::<2>().0;
    let (blocks, _) = units.as_chunks::<BLOCK>();
    let (to_blocks, _) = dst.as_chunks_mut::<BLOCK>();
    let mut copied = 0;
    for (block, to) in blocks.iter().zip(to_blocks) {
        let block = block.map(code_unit::<BE>);
        *to = block.map(MaybeUninit::new);
        if block
            .iter()
            .fold(false, |any, &unit| any | is_surrogate(unit))
        {
            break;
        }
        copied += BLOCK;
    }
    for (unit, to) in units[copied..].iter().zip(&mut dst[copied..]) {
        let unit = code_unit::<BE>(*unit);
        if is_surrogate(unit) {
            break;
        }
        to.write(unit);
        copied += 1;
    }
    copied
}

/// Converts UTF-16 up to the first surrogate, with the ASCII kernel of `kernels`. Returns the bytes
/// read and the bytes written.
pub(in crate::simd) fn utf_16_to_utf_8<const BE: bool>(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    utf_16_to_utf_8_by::<BE>(kernels, src, dst, bmp_block_to_utf_8)
}

/// [`utf_16_to_utf_8`] with a function that converts eight code units without a surrogate; it
/// returns the bytes written.
#[inline(always)]
pub(in crate::simd) fn utf_16_to_utf_8_by<const BE: bool>(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    block_to_utf_8: impl Fn([u16; 8], &mut [MaybeUninit<u8>; 32]) -> usize,
) -> (usize, usize) {
    let narrow = if BE {
        kernels.utf_16be_to_ascii
    } else {
        kernels.utf_16le_to_ascii
    };
    let (mut read, mut written) = (0, 0);
    // Eight code units, and the most bytes that they can become.
    while let Some(block) = src[read..].first_chunk::<16>()
        && let Some(to) = dst[written..].first_chunk_mut::<32>()
    {
        let units: [u16; 8] =
            core::array::from_fn(|i| code_unit::<BE>([block[2 * i], block[2 * i + 1]]));
        if units.iter().fold(0, |all, unit| all | unit) < 0x80 {
            let run = narrow(&src[read..], &mut dst[written..]);
            read += 2 * run;
            written += run;
        } else if units
            .iter()
            .fold(false, |any, &unit| any | is_surrogate(unit))
        {
            break;
        } else {
            read += 16;
            written += block_to_utf_8(units, to);
        }
    }
    // The units before a surrogate, or those at the end.
    let (units, _) = src[read..].as_chunks::<2>();
    for unit in units.iter().map(|unit| code_unit::<BE>(*unit)) {
        let Some(to) = dst[written..].first_chunk_mut::<32>() else {
            break;
        };
        if is_surrogate(unit) {
            break;
        }
        read += 2;
        written += bmp_to_utf_8(unit, to, 0);
    }
    (read, written)
}

/// The length of the prefix that has no lone surrogate.
pub(in crate::simd) fn utf_16_valid_prefix(src: &[u16]) -> usize {
    const BLOCK: usize = 32;
    let mut valid = 0;
    loop {
        while let Some(block) = src[valid..].first_chunk::<BLOCK>()
            && !block
                .iter()
                .fold(false, |any, &unit| any | is_surrogate(unit))
        {
            valid += BLOCK;
        }
        match src[valid..] {
            [unit, ..] if !is_surrogate(unit) => valid += 1,
            [0xD800..=0xDBFF, 0xDC00..=0xDFFF, ..] => valid += 2,
            _ => return valid,
        }
    }
}

/// Copies code units in the other byte order, as far as there is room.
#[inline(always)]
pub(in crate::simd) fn utf_16_swap(src: &[u16], dst: &mut [MaybeUninit<u16>]) -> usize {
    for (unit, to) in src.iter().zip(dst.iter_mut()) {
        to.write(unit.swap_bytes());
    }
    src.len().min(dst.len())
}
