//! Kernels for AVX2: vectors of 32 bytes.

pub(in crate::simd::x86_64) mod ascii_runs;
mod compact;
pub(in crate::simd) mod iso_2022_jp;
pub(in crate::simd::x86_64) mod partial;
pub(in crate::simd) mod single_byte;
mod single_byte_map;
pub(in crate::simd) mod single_byte_short;
mod single_byte_threes;
pub(in crate::simd) mod single_byte_to_utf8;
pub(in crate::simd) mod table;
pub(in crate::simd::x86_64) mod three_bytes;
pub(in crate::simd::x86_64) mod two_byte;
mod two_byte_encode;
pub(in crate::simd) mod two_byte_steps;

pub(in crate::simd) mod utf32;
pub(in crate::simd) mod utf32_to_utf8;
pub(in crate::simd::x86_64) mod utf8_blocks;
pub(in crate::simd::x86_64) mod utf8_short;
pub(in crate::simd::x86_64) mod utf8_threes;
pub(in crate::simd) mod utf8_to_utf16;
pub(in crate::simd) mod utf8_to_utf32;
pub(in crate::simd::x86_64) mod vector;

use core::arch::x86_64::{
    __m128i, __m256i, _mm_loadl_epi64, _mm256_cmpgt_epi32, _mm256_loadu_si256,
    _mm256_maskload_epi32, _mm256_set1_epi32, _mm256_setr_epi32, _mm256_storeu_si256,
    _mm256_sub_epi32,
};
use core::mem::MaybeUninit;

/// The number of bytes in a vector.
pub(super) const LANES: usize = 32;

#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn load(from: &[u8; LANES]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn store(to: &mut [MaybeUninit<u8>; LANES], value: __m256i) {
    // SAFETY: the array has the 32 bytes that are written; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn store_units(to: &mut [MaybeUninit<u16>; LANES / 2], value: __m256i) {
    // SAFETY: the array has the 32 bytes that are written; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), value) }
}

/// Loads eight bytes, followed by eight zeros.
#[inline]
#[target_feature(enable = "avx2")]
fn load_8(from: &[u8; 8]) -> __m128i {
    // SAFETY: the array has the eight bytes that are read; the load needs no alignment.
    unsafe { _mm_loadl_epi64(from.as_ptr().cast()) }
}

/// Loads as many whole groups of four bytes as there are, at most 16, followed by zeros.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn load_fours(from: &[u8]) -> [__m256i; 2] {
    let fours = (from.len() / 4).min(16);
    let numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    let count = _mm256_set1_epi32(fours as i32);
    let low = _mm256_cmpgt_epi32(count, numbers);
    let high = _mm256_cmpgt_epi32(_mm256_sub_epi32(count, _mm256_set1_epi32(8)), numbers);
    // SAFETY: only groups whose lane in the mask is set are read, and these are in the slice.
    let low = unsafe { _mm256_maskload_epi32(from.as_ptr().cast(), low) };
    // SAFETY: these, too, are in the slice; if no lane is set, nothing is read and the address may be outside.
    let high = unsafe { _mm256_maskload_epi32(from.as_ptr().wrapping_add(LANES).cast(), high) };
    [low, high]
}
