//! ISO-2022-JP ↔ UTF-16 and UTF-8.

use core::mem::MaybeUninit;

use crate::simd::two_byte::cells::TwoByteCells;
use crate::simd::two_byte::decode::{ToUtf8, ToUtf16, three};
use crate::simd::two_byte::encode::{FromUtf8, FromUtf16, unit};
use crate::simd::two_byte::index::TwoByteIndex;
use crate::simd::two_byte::iso_2022_jp::{
    JisState, decode, encode, put_unshifted, put_unshifted_bytes,
};

/// Decodes to UTF-16, up to what is neither ASCII nor a pair, nor an escape sequence to one of the two. Returns the
/// bytes read and the units written.
pub(in crate::simd) fn to_utf16(
    index: &TwoByteIndex,
    state: &mut JisState,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_unshifted_bytes(src, to);
    decode(ToUtf16 { ascii }, index, state, src, dst)
}

/// Decodes to UTF-8, up to what is neither ASCII nor a pair, nor an escape sequence to one of the two. Returns the bytes read and the bytes written.
pub(in crate::simd) fn to_utf8(
    index: &TwoByteIndex,
    state: &mut JisState,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_unshifted_bytes(src, to);
    decode(ToUtf8 { ascii, three }, index, state, src, dst)
}

/// Encodes UTF-16 up to what is neither ASCII nor has a pair, with the escape sequences between the two. Returns
/// the units read and the bytes written.
pub(in crate::simd) fn of_utf16(
    cells: &TwoByteCells,
    pairs: &mut bool,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = |src: &[u16], to: &mut [_]| put_unshifted(src, to);
    encode(FromUtf16 { ascii }, cells, pairs, src, dst)
}

/// Encodes well-formed UTF-8 up to what is neither ASCII nor has a pair, with the escape sequences between
/// the two. Returns the bytes read and the bytes written.
pub(in crate::simd) fn of_utf8(
    cells: &TwoByteCells,
    pairs: &mut bool,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_unshifted_bytes(src, to);
    encode(FromUtf8 { ascii, unit }, cells, pairs, src, dst)
}
