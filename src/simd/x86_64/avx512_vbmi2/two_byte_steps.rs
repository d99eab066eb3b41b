//! Two-byte encodings → UTF-16 and UTF-8.

use core::mem::MaybeUninit;

use super::two_byte::{blocks_to_utf8, blocks_to_utf16};
use crate::simd::two_byte::decode::{ToUtf8, ToUtf16};
use crate::simd::two_byte::index::TwoByteIndex;
use crate::simd::two_byte::windows::decode_by_windows;
use crate::simd::x86_64::avx2::{ascii_runs, three_bytes};

/// Decodes up to the first byte or pair without a code unit. Returns the bytes read and the units
/// written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn two_byte_to_utf16(
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let target = ToUtf16 {
        ascii: |src: &[u8], to: &mut [_]| ascii_runs::to_utf16(src, to),
    };
    decode_by_windows(target, index, src, dst, |flat, src, dst| {
        blocks_to_utf16(index, flat, src, dst)
    })
}

/// Decodes to UTF-8, up to the first byte or pair without a code unit. Returns the bytes read and the
/// bytes written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn two_byte_to_utf8(
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let target = ToUtf8 {
        ascii: |src: &[u8], to: &mut [_]| ascii_runs::to_utf8(src, to),
        three: |unit| three_bytes::three(unit),
    };
    decode_by_windows(target, index, src, dst, |flat, src, dst| {
        blocks_to_utf8(index, flat, src, dst)
    })
}
