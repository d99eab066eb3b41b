//! Kernels for SSE4.2: vectors of 16 bytes, with the algorithms of `generic/`. The loads and stores here are
//! for kernels with wider vectors.

pub(in crate::simd) mod kernels;
pub(in crate::simd) mod table;
pub(super) mod vector;

use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_storeu_si128};
use core::mem::MaybeUninit;

/// The number of bytes in a vector.
pub(super) const LANES: usize = 16;

#[inline]
#[target_feature(enable = "sse4.2")]
pub(in crate::simd::x86_64) fn load(from: &[u8; LANES]) -> __m128i {
    // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse4.2")]
pub(super) fn load_units(from: &[u16; LANES / 2]) -> __m128i {
    // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "sse4.2")]
pub(super) fn store(to: &mut [MaybeUninit<u8>; LANES], value: __m128i) {
    // SAFETY: the array has the 16 bytes that are written; the store needs no alignment.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "sse4.2")]
pub(super) fn store_units(to: &mut [MaybeUninit<u16>; LANES / 2], value: __m128i) {
    // SAFETY: the array has the 16 bytes that are written; the store needs no alignment.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), value) }
}
