//! Single-byte encodings: by table, eight bytes at a time.

use core::mem::MaybeUninit;

use super::ascii::HIGH_BITS;
use super::{bmp_block_to_utf_8, bmp_to_utf_8};
use crate::simd::kernels::{ByteUnits, Kernels, SingleByteCells};

/// The code unit of a byte; 0 for an unmapped byte (and for the byte 0).
#[inline(always)]
fn code_unit(table: &ByteUnits, byte: u8) -> u16 {
    u16::from_le_bytes(table[usize::from(byte)])
}

/// Decodes up to the first unmapped byte, with the ASCII kernel of `kernels`.
pub(in crate::simd) fn single_byte_to_utf_16(
    kernels: &Kernels,
    table: &ByteUnits,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let mut done = 0;
    while let Some(block) = src[done..].first_chunk::<8>()
        && let Some(to) = dst[done..].first_chunk_mut::<8>()
    {
        if u64::from_ne_bytes(*block) & HIGH_BITS == 0 {
            done += (kernels.ascii_to_utf_16)(&src[done..], &mut dst[done..]);
            continue;
        }
        let units = block.map(|byte| code_unit(table, byte));
        *to = units.map(MaybeUninit::new);
        if units.contains(&0) {
            break;
        }
        done += 8;
    }
    for (&byte, to) in src[done..].iter().zip(&mut dst[done..]) {
        let unit = code_unit(table, byte);
        if unit == 0 && byte != 0 {
            break;
        }
        to.write(unit);
        done += 1;
    }
    done
}

/// Decodes up to the first unmapped byte, with the ASCII kernel of `kernels`. Returns the bytes
/// read and the bytes written.
pub(in crate::simd) fn single_byte_to_utf_8(
    kernels: &Kernels,
    table: &ByteUnits,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    single_byte_to_utf_8_by(kernels, table, src, dst, bmp_block_to_utf_8)
}

/// [`single_byte_to_utf_8`] with a function that converts eight code units without a surrogate; it
/// returns the bytes written.
#[inline(always)]
pub(in crate::simd) fn single_byte_to_utf_8_by(
    kernels: &Kernels,
    table: &ByteUnits,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    block_to_utf_8: impl Fn([u16; 8], &mut [MaybeUninit<u8>; 32]) -> usize,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // Eight bytes, and the most that they can become.
    while let Some(block) = src[read..].first_chunk::<8>()
        && let Some(to) = dst[written..].first_chunk_mut::<32>()
    {
        if u64::from_ne_bytes(*block) & HIGH_BITS == 0 {
            let run = (kernels.ascii_to_utf_8)(&src[read..], &mut dst[written..]);
            read += run;
            written += run;
            continue;
        }
        let units = block.map(|byte| code_unit(table, byte));
        if units.contains(&0) {
            break;
        }
        read += 8;
        written += block_to_utf_8(units, to);
    }
    // The bytes before an unmapped one, or those at the end.
    for &byte in &src[read..] {
        let Some(to) = dst[written..].first_chunk_mut::<32>() else {
            break;
        };
        let unit = code_unit(table, byte);
        if unit == 0 && byte != 0 {
            break;
        }
        read += 1;
        written += bmp_to_utf_8(unit, to, 0);
    }
    (read, written)
}

/// Encodes UTF-16 up to the first unit that the encoding does not have, with the ASCII kernel of
/// `kernels`. Returns the number of units.
pub(in crate::simd) fn utf_16_to_single_byte(
    kernels: &Kernels,
    table: &SingleByteCells,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let cell = |unit: u16| {
        let block = table.blocks[usize::from(unit >> 6)];
        table.cells[usize::from(block)][usize::from(unit & 63)]
    };
    let mut done = 0;
    while let Some(block) = src[done..].first_chunk::<8>()
        && let Some(to) = dst[done..].first_chunk_mut::<8>()
    {
        if block.iter().fold(0, |all, unit| all | unit) < 0x80 {
            done += kernels.narrow(&src[done..], &mut dst[done..]);
            continue;
        }
        let bytes = block.map(cell);
        *to = bytes.map(MaybeUninit::new);
        if bytes.contains(&0) {
            break;
        }
        done += 8;
    }
    for (&unit, to) in src[done..].iter().zip(&mut dst[done..]) {
        let byte = cell(unit);
        if byte == 0 && unit != 0 {
            break;
        }
        to.write(byte);
        done += 1;
    }
    done
}
