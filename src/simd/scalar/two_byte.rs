//! Two-byte encodings → UTF-16 and UTF-8.

use core::mem::MaybeUninit;

use crate::simd::kernels::Kernels;
use crate::simd::two_byte_index::TwoByteIndex;
use crate::simd::two_byte_steps::{Utf8, Utf16, decode, put_ascii, three};

/// Decodes up to the first byte or pair without a code unit, with the ASCII kernel of `kernels`.
/// Returns the bytes read and the units written.
pub(in crate::simd) fn two_byte_to_utf_16(
    kernels: &Kernels,
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_ascii(src, to, kernels.ascii_to_utf_16);
    decode(Utf16 { ascii }, index, src, dst)
}

/// The same, to UTF-8. Returns the bytes read and the bytes written.
pub(in crate::simd) fn two_byte_to_utf_8(
    kernels: &Kernels,
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_ascii(src, to, kernels.ascii_to_utf_8);
    decode(Utf8 { ascii, three }, index, src, dst)
}
