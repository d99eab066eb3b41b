//! Two-byte encodings → UTF-16 and UTF-8.

use core::mem::MaybeUninit;

use crate::simd::kernels::Kernels;
use crate::simd::two_byte_index::TwoByteIndex;
use crate::simd::two_byte_steps::{Utf8, Utf16, decode, three};

/// Decodes up to the first byte or pair without a code unit, with the ASCII kernel of `kernels`.
/// Returns the bytes read and the units written.
pub(in crate::simd) fn two_byte_to_utf_16(
    kernels: &Kernels,
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    decode(Utf16(kernels), index, src, dst)
}

/// The same, to UTF-8. Returns the bytes read and the bytes written.
pub(in crate::simd) fn two_byte_to_utf_8(
    kernels: &Kernels,
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    decode(Utf8 { kernels, three }, index, src, dst)
}
