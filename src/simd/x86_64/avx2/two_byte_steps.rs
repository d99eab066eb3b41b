//! Two-byte encodings ↔ UTF-16 and UTF-8.

use core::mem::MaybeUninit;

use super::ascii_runs;
use super::pdep;
use super::table::kernels;
use super::three_bytes;
use super::two_byte::{blocks_to_utf8, blocks_to_utf16};
use super::two_byte_encode::blocks_of_utf16;
use crate::simd::buffer::encode_by_utf16;
use crate::simd::scalar;
use crate::simd::two_byte::cells::TwoByteCells;
use crate::simd::two_byte::decode::{PAIRS, ROOM_OF_PAIRS, ToUtf8, ToUtf16};
use crate::simd::two_byte::encode::{BYTES_OF_GROUP, FromUtf8, FromUtf16, put_utf16_ascii};
use crate::simd::two_byte::index::TwoByteIndex;
use crate::simd::two_byte::windows::{
    MAX_RUN_ENDS, MAX_RUN_ENDS_UTF16, begins_as_page, decode_by_windows, encode_by_windows,
};

/// Decodes to UTF-16, up to the first byte or pair without a code unit. Returns the number of bytes read and
/// of code units written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn two_byte_to_utf16(
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let target = ToUtf16 {
        ascii: |src: &[u8], to: &mut [_]| ascii_runs::to_utf16::<64, false>(src, to),
    };
    decode_by_windows(target, index, src, dst, |flat, src, dst| {
        blocks_to_utf16(index, flat, src, dst)
    })
}

/// Decodes to UTF-8, up to the first byte or pair without a code unit. Returns the number of bytes read and
/// written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn two_byte_to_utf8(
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    if pdep::is_slow() {
        return scalar::two_byte::two_byte_to_utf8(kernels(), index, src, dst);
    }
    let target = ToUtf8 {
        ascii: |src: &[u8], to: &mut [_]| ascii_runs::to_utf8::<64, false>(src, to),
        three: |unit| three_bytes::three(unit),
        threes: |units: [_; PAIRS], to: &mut [_; ROOM_OF_PAIRS]| three_bytes::put_threes(units, to),
    };
    decode_by_windows(target, index, src, dst, |flat, src, dst| {
        blocks_to_utf8(index, flat, src, dst)
    })
}

/// Encodes UTF-16 up to the first unit without bytes, or whose bytes don't fit. Returns the number of code
/// units read and of bytes written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_two_byte(
    cells: &TwoByteCells,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let source = FromUtf16 {
        ascii: |src: &[u16], to: &mut [_]| put_utf16_ascii(kernels(), src, to),
    };
    encode_by_windows(
        source,
        cells,
        MAX_RUN_ENDS_UTF16,
        begins_as_page(src),
        src,
        dst,
        |flat, src, dst| blocks_of_utf16(flat, src, dst),
    )
}

/// Encodes well-formed UTF-8 up to the first character without bytes, or whose bytes don't fit. Returns the
/// number of bytes read and written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf8_to_two_byte(
    cells: &TwoByteCells,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let source = FromUtf8 {
        ascii: |src: &[u8], to: &mut [_]| ascii_runs::to_utf8::<64, false>(src, to),
        threes: |from: &[_; BYTES_OF_GROUP]| three_bytes::units(from),
    };
    encode_by_windows(
        source,
        cells,
        MAX_RUN_ENDS,
        false,
        src,
        dst,
        |flat, src, dst| {
            let mut written = 0;
            let read = encode_by_utf16(
                kernels(),
                src,
                dst,
                |_, _| 0,
                |units, dst| {
                    let (read, put) = blocks_of_utf16(flat, units, &mut dst[written..]);
                    written += put;
                    read
                },
            );
            (read, written)
        },
    )
}
