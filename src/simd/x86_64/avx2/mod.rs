//! Kernels for AVX2: vectors of 32 bytes.

pub(in crate::simd::x86_64) mod ascii_runs;
mod compact;
pub(in crate::simd) mod iso_2022_jp;
pub(in crate::simd::x86_64) mod partial;
mod pdep;
pub(in crate::simd) mod single_byte_short;
mod single_byte_threes;
pub(in crate::simd) mod single_byte_to_utf8;
pub(in crate::simd) mod table;
pub(in crate::simd::x86_64) mod three_bytes;
pub(in crate::simd::x86_64) mod two_byte;
mod two_byte_encode;
pub(in crate::simd) mod two_byte_steps;
pub(in crate::simd::x86_64) mod utf8_blocks;
pub(in crate::simd::x86_64) mod utf8_short;
pub(in crate::simd::x86_64) mod utf8_threes;
pub(in crate::simd) mod utf8_to_utf16;
pub(in crate::simd) mod utf8_to_utf32;
pub(in crate::simd::x86_64) mod vector;

use core::arch::x86_64::{__m256i, _mm256_loadu_si256, _mm256_storeu_si256};
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
