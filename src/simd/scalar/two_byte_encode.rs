//! UTF-16 and UTF-8 → two-byte encodings.

use core::mem::MaybeUninit;

use crate::simd::kernels::Kernels;
use crate::simd::two_byte::cells::TwoByteCells;
use crate::simd::two_byte::encode_steps::{Utf8, Utf16, encode, put_utf16_ascii, unit};
use crate::simd::two_byte::steps::put_ascii;

/// Encodes up to the first unit without bytes, or for whose bytes there is no room, with the ASCII kernel
/// of `kernels`. Returns the units read and the bytes written.
pub(in crate::simd) fn utf16_to_two_byte(
    kernels: &Kernels,
    cells: &TwoByteCells,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = |src: &[u16], to: &mut [_]| put_utf16_ascii(kernels, src, to);
    encode(Utf16 { ascii }, cells, src, dst)
}

/// The same from well-formed UTF-8. Returns the bytes read and the bytes written.
pub(in crate::simd) fn utf8_to_two_byte(
    kernels: &Kernels,
    cells: &TwoByteCells,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_ascii(src, to, kernels.ascii_to_utf8);
    encode(Utf8 { ascii, unit }, cells, src, dst)
}
