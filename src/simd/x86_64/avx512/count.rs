//! Lengths and counts for AVX-512: short texts by masks, the last bytes by a masked load; long ones
//! as with AVX2.

use core::arch::x86_64::{
    __m512i, __mmask64, _mm512_cmpge_epu8_mask, _mm512_cmpgt_epi8_mask, _mm512_movepi8_mask,
    _mm512_set1_epi8,
};

use super::{LANES, lanes_below, load, load_front};
use crate::simd::scalar;
use crate::simd::x86_64::avx2;

/// Where sums of vectors win over masks, each of which goes through a general register.
const LONG: usize = 4 * LANES;

/// Code units of UTF-16 in UTF-8.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi2")]
pub(in crate::simd) fn utf_16_len_of_utf_8(src: &[u8]) -> usize {
    count(src, |bytes| {
        let four = _mm512_cmpge_epu8_mask(bytes, splat(0xF0));
        (is_no_continuation(bytes), four)
    })
}

/// Characters in UTF-8.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi2")]
pub(in crate::simd) fn scalars_in_utf_8(src: &[u8]) -> usize {
    if src.len() >= LONG {
        return avx2::count::scalars_in_utf_8(src);
    }
    count(src, |bytes| (is_no_continuation(bytes), 0))
}

/// Bytes of UTF-8 in Latin-1.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi2")]
pub(in crate::simd) fn utf_8_len_of_latin_1(src: &[u8]) -> usize {
    if src.len() >= LONG {
        return avx2::count::utf_8_len_of_latin_1(src);
    }
    src.len() + count(src, |bytes| (_mm512_movepi8_mask(bytes), 0))
}

/// Bytes of UTF-8 in UTF-32.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi2")]
pub(in crate::simd) fn utf_8_len_of_utf_32(src: &[u32]) -> usize {
    scalar::count::utf_8_len_of_utf_32(src)
}

/// Code units of UTF-16 in UTF-32.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi2")]
pub(in crate::simd) fn utf_16_len_of_utf_32(src: &[u32]) -> usize {
    scalar::count::utf_16_len_of_utf_32(src)
}

/// Counts the bytes in both masks.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi2")]
fn count(src: &[u8], masks: impl Fn(__m512i) -> (__mmask64, __mmask64)) -> usize {
    let ones = |(first, second): (u64, u64)| (first.count_ones() + second.count_ones()) as usize;
    let (vectors, rest) = src.as_chunks::<LANES>();
    let mut count = 0;
    for from in vectors {
        count += ones(masks(load(from)));
    }
    let inside = lanes_below(rest.len());
    let (first, second) = masks(load_front(rest));
    count + ones((first & inside, second & inside))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn is_no_continuation(bytes: __m512i) -> __mmask64 {
    // Signed, continuation bytes are the smallest.
    _mm512_cmpgt_epi8_mask(bytes, splat(0xBF))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}
