//! Comparisons of bytes, and conversion of ASCII to code units, for the kernels that read UTF-8 with AVX-512.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{LANES, halves, store, store_front};
use crate::simd::generic::utf8_units::Units;
use crate::simd::x86_64::avx2;

/// Returns a mask of the bytes that are at least `least`.
#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn at_least(v: __m512i, least: u8) -> u64 {
    _mm512_cmpge_epu8_mask(v, bytes(least))
}

#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn bytes(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn continuations(v: __m512i) -> u64 {
    _mm512_cmplt_epi8_mask(v, bytes(0xC0))
}

/// Returns the bytes one, two and three before those of `x`, which is preceded by `before`.
#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn shifted(before: __m512i, x: __m512i) -> [__m512i; 3] {
    let before = _mm512_alignr_epi64::<6>(x, before);
    [
        _mm512_alignr_epi8::<15>(x, before),
        _mm512_alignr_epi8::<14>(x, before),
        _mm512_alignr_epi8::<13>(x, before),
    ]
}

/// Writes ASCII bytes as code units.
#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn widen(to: &mut Units, bytes: __m512i) {
    let (vectors, _) = to.as_chunks_mut::<LANES>();
    for (to, half) in vectors.iter_mut().zip(halves(bytes)) {
        store(to, _mm512_cvtepu8_epi16(half));
    }
}

/// Writes half a vector of ASCII bytes as code units.
#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn widen_half(
    to: &mut [MaybeUninit<u8>; LANES],
    bytes: &[u8; LANES / 2],
) {
    store(to, _mm512_cvtepu8_epi16(avx2::load(bytes)));
}

/// Writes ASCII bytes as code units, as many as `to` has room for.
#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl,bmi2")]
pub(in crate::simd::x86_64) fn widen_exactly(to: &mut [MaybeUninit<u8>], x: __m512i) {
    let (to, rest) = to.split_at_mut(LANES.min(to.len()));
    let [lower, upper] = halves(x);
    store_front(to, _mm512_cvtepu8_epi16(lower));
    if !rest.is_empty() {
        store_front(rest, _mm512_cvtepu8_epi16(upper));
    }
}
