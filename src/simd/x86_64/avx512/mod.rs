//! Kernels for AVX-512 (F, BW, DQ and VL): 64 bytes at a time, and masks.

use core::arch::x86_64::{__m512i, _mm512_loadu_si512, _mm512_storeu_si512};
use core::mem::MaybeUninit;

pub(in crate::simd) mod ascii;

/// Bytes in a vector.
pub(super) const LANES: usize = 64;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn load(from: &[u8; LANES]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn store(to: &mut [MaybeUninit<u8>; LANES], value: __m512i) {
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), value) }
}
