//! ISO-2022-JP ↔ UTF-16 and UTF-8.

use core::mem::MaybeUninit;

use super::{ascii_runs, pdep, three_bytes};
use crate::simd::scalar;
use crate::simd::two_byte::cells::TwoByteCells;
use crate::simd::two_byte::decode::{PAIRS, ROOM_OF_PAIRS, ToUtf8, ToUtf16};
use crate::simd::two_byte::encode::{BYTES_OF_GROUP, FromUtf8, FromUtf16};
use crate::simd::two_byte::index::TwoByteIndex;
use crate::simd::two_byte::iso_2022_jp::{JisState, decode, encode, put_unshifted};

/// Decodes to UTF-16, up to anything that is not ASCII, a pair, or an escape sequence to one of the two.
/// Returns the number of bytes read and of code units written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn to_utf16(
    index: &TwoByteIndex,
    state: &mut JisState,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let target = ToUtf16 {
        ascii: |src: &[u8], to: &mut [_]| ascii_runs::to_utf16::<32, true>(src, to),
    };
    decode(target, index, state, src, dst)
}

/// Decodes to UTF-8, up to anything that is not ASCII, a pair, or an escape sequence to one of the two.
/// Returns the number of bytes read and written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn to_utf8(
    index: &TwoByteIndex,
    state: &mut JisState,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    if pdep::is_slow() {
        return (scalar::table::ENTRIES.iso_2022_jp_to_utf8)(index, state, src, dst);
    }
    let target = ToUtf8 {
        ascii: |src: &[u8], to: &mut [_]| ascii_runs::to_utf8::<32, true>(src, to),
        three: |unit| three_bytes::three(unit),
        threes: |units: [_; PAIRS], to: &mut [_; ROOM_OF_PAIRS]| three_bytes::put_threes(units, to),
    };
    decode(target, index, state, src, dst)
}

/// Encodes UTF-16, up to a character that is not ASCII and has no pair, with the escape sequences between the
/// two. Returns the number of code units read and of bytes written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn of_utf16(
    cells: &TwoByteCells,
    pairs: &mut bool,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let source = FromUtf16 {
        ascii: |src: &[u16], to: &mut [_]| put_unshifted(src, to),
    };
    encode(source, cells, pairs, src, dst)
}

/// Encodes well-formed UTF-8, up to a character that is not ASCII and has no pair, with the escape sequences
/// between the two. Returns the number of bytes read and written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn of_utf8(
    cells: &TwoByteCells,
    pairs: &mut bool,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let source = FromUtf8 {
        ascii: |src: &[u8], to: &mut [_]| ascii_runs::to_utf8::<32, true>(src, to),
        threes: |from: &[_; BYTES_OF_GROUP]| three_bytes::units(from),
    };
    encode(source, cells, pairs, src, dst)
}
