//! Two-byte encodings → UTF-16 and UTF-8.

use core::mem::MaybeUninit;

use super::two_byte_blocks::{to_utf8, to_utf16};
use crate::simd::kernels::Kernels;
use crate::simd::two_byte::index::TwoByteIndex;
use crate::simd::two_byte::steps::{Utf8, Utf16, put_ascii, three};
use crate::simd::two_byte::windows::decode_by_windows;

/// Decodes up to the first byte or pair without a code unit, with the ASCII kernel of `kernels`.
/// Returns the bytes read and the units written.
pub(in crate::simd) fn two_byte_to_utf16(
    kernels: &Kernels,
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_ascii(src, to, kernels.ascii_to_utf16);
    decode_by_windows(Utf16 { ascii }, index, src, dst, |flat, src, dst| {
        to_utf16(flat, index.katakana, src, dst)
    })
}

/// The same, to UTF-8. Returns the bytes read and the bytes written.
pub(in crate::simd) fn two_byte_to_utf8(
    kernels: &Kernels,
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_ascii(src, to, kernels.ascii_to_utf8);
    decode_by_windows(Utf8 { ascii, three }, index, src, dst, |flat, src, dst| {
        to_utf8(flat, index.katakana, src, dst)
    })
}
