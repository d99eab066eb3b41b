//! Kernels for AVX2: 32 bytes at a time.

pub(in crate::simd) mod ascii;
pub(in crate::simd::x86_64) mod compact;
pub(in crate::simd) mod latin_1;
pub(in crate::simd) mod utf_16;
pub(in crate::simd) mod utf_16_units;
pub(in crate::simd) mod utf_8;
mod utf_8_blocks;
pub(in crate::simd) mod utf_8_lossy;
pub(in crate::simd) mod utf_8_to_utf_16;
mod utf_8_units;

use core::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm256_storeu_si256};
use core::mem::MaybeUninit;

/// Bytes in a vector.
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
