//! Validation of UTF-8, by the crate simdutf8; copies of short UTF-8; and UTF-16 to UTF-8.

use core::mem::MaybeUninit;

use super::vector::Sse4;
use crate::simd::generic;
use crate::simd::kernels::Transcoded;

/// Converts UTF-16 to UTF-8, with or without U+FFFD for lone surrogates. Two kernels, one for each byte order, would be
/// up to a tenth faster, and take 7 KB more.
#[target_feature(enable = "sse4.2,popcnt")]
pub(in crate::simd) fn utf16_to_utf8(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_be: bool,
    is_lossy: bool,
) -> Transcoded {
    generic::utf16_to_utf8::utf16_to_utf8(Sse4::here(), src, dst, is_be, is_lossy)
}

/// Up to this many bytes, std takes half the time of the crate simdutf8.
const MAX_PLAIN: usize = 16;

/// Returns the length of the longest well-formed prefix, found by the crate simdutf8.
#[target_feature(enable = "sse4.2,popcnt")]
pub(in crate::simd) fn utf8_valid_prefix(src: &[u8]) -> usize {
    if src.len() <= MAX_PLAIN && core::str::from_utf8(src).is_ok() {
        return src.len();
    }
    // SAFETY: this function requires SSE4.2, the only feature that the callee needs.
    match unsafe { simdutf8::compat::imp::x86::sse42::validate_utf8(src) } {
        Ok(_) => src.len(),
        Err(error) => error.valid_up_to(),
    }
}

/// Up to this many bytes, a vector, the algorithm for short text copies them. Up to 64 bytes would take half the time by
/// it, too, for 1 KB more code.
const MAX_SHORT: usize = 16;

/// Copies a short text if it is well-formed and fits. Returns its length.
#[target_feature(enable = "sse4.2,popcnt")]
pub(in crate::simd) fn copy_short_text(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if src.len() <= MAX_SHORT {
        generic::utf8_copy::copy_short_text(Sse4::here(), src, dst)
    } else {
        None
    }
}
