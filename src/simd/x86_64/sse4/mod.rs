//! Kernels for SSE4.2: vectors of 16 bytes, with the algorithms of `generic/`. The load here is for
//! kernels with wider vectors.

pub(in crate::simd) mod kernels;
pub(in crate::simd) mod table;
pub(super) mod vector;

use core::arch::x86_64::{__m128i, _mm_loadu_si128};

/// The number of bytes in a vector.
pub(super) const LANES: usize = 16;

#[inline]
#[target_feature(enable = "sse4.2")]
pub(in crate::simd::x86_64) fn load(from: &[u8; LANES]) -> __m128i {
    // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}
