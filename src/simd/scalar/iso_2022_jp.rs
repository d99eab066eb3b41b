//! ISO-2022-JP ↔ UTF-16 and UTF-8.

use core::mem::MaybeUninit;

use crate::simd::two_byte::cells::TwoByteCells;
use crate::simd::two_byte::encode_steps::{self as of, unit};
use crate::simd::two_byte::index::TwoByteIndex;
use crate::simd::two_byte::iso_2022_jp::{
    JisState, decode, encode, put_unshifted, put_unshifted_bytes,
};
use crate::simd::two_byte::steps::{self as to, three};

/// Decodes up to what is neither ASCII nor a pair, nor an escape sequence to one of the two. Returns the
/// bytes read and the units written.
pub(in crate::simd) fn to_utf16(
    index: &TwoByteIndex,
    state: &mut JisState,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_unshifted_bytes(src, to);
    decode(to::Utf16 { ascii }, index, state, src, dst)
}

/// The same, to UTF-8. Returns the bytes read and the bytes written.
pub(in crate::simd) fn to_utf8(
    index: &TwoByteIndex,
    state: &mut JisState,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_unshifted_bytes(src, to);
    decode(to::Utf8 { ascii, three }, index, state, src, dst)
}

/// Encodes up to what is neither ASCII nor has a pair, with the escape sequences between the two. Returns
/// the units read and the bytes written.
pub(in crate::simd) fn of_utf16(
    cells: &TwoByteCells,
    pairs: &mut bool,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = |src: &[u16], to: &mut [_]| put_unshifted(src, to);
    encode(of::Utf16 { ascii }, cells, pairs, src, dst)
}

/// The same from well-formed UTF-8. Returns the bytes read and the bytes written.
pub(in crate::simd) fn of_utf8(
    cells: &TwoByteCells,
    pairs: &mut bool,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = |src: &[u8], to: &mut [_]| put_unshifted_bytes(src, to);
    encode(of::Utf8 { ascii, unit }, cells, pairs, src, dst)
}
