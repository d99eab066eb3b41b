//! Two-byte encodings ↔ UTF-16 and UTF-8: the kernels for instruction sets without better ones.

use core::mem::MaybeUninit;

use crate::simd::kernels::Kernels;
use crate::simd::two_byte::cells::TwoByteCells;
use crate::simd::two_byte::decode::{OneByOne, ToUtf8, ToUtf16, decode, put_ascii, three};
use crate::simd::two_byte::encode::{FromUtf8, FromUtf16, encode, put_utf16_ascii};
use crate::simd::two_byte::index::TwoByteIndex;

/// Decodes to UTF-16, up to the first byte or pair without a code unit, with the ASCII kernel of `kernels`.
/// Returns the number of bytes read and of units written.
pub(in crate::simd) fn two_byte_to_utf16(
    kernels: &Kernels,
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_ascii(src, to, kernels.ascii_to_utf16());
    decode(ToUtf16 { ascii }, index, &mut { usize::MAX }, src, dst)
}

/// Decodes to UTF-8, up to the first byte or pair without a code unit, with the ASCII kernel of `kernels`.
/// Returns the number of bytes read and written.
pub(in crate::simd) fn two_byte_to_utf8(
    kernels: &Kernels,
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_ascii(src, to, kernels.ascii_to_utf8());
    decode(
        ToUtf8 {
            ascii,
            three,
            threes: OneByOne,
        },
        index,
        &mut { usize::MAX },
        src,
        dst,
    )
}

/// Encodes UTF-16 up to the first unit without bytes, or whose bytes don't fit, with the ASCII kernel of
/// `kernels`. Returns the number of units read and of bytes written.
pub(in crate::simd) fn utf16_to_two_byte(
    kernels: &Kernels,
    cells: &TwoByteCells,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = |src: &[u16], to: &mut [_]| put_utf16_ascii(kernels, src, to);
    encode(FromUtf16 { ascii }, cells, &mut { usize::MAX }, src, dst)
}

/// Encodes well-formed UTF-8 up to the first character without bytes, or whose bytes don't fit, with the
/// ASCII kernel of `kernels`. Returns the number of bytes read and written.
pub(in crate::simd) fn utf8_to_two_byte(
    kernels: &Kernels,
    cells: &TwoByteCells,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_ascii(src, to, kernels.ascii_to_utf8());
    encode(
        FromUtf8 {
            ascii,
            threes: OneByOne,
        },
        cells,
        &mut { usize::MAX },
        src,
        dst,
    )
}
