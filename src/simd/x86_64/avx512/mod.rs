//! Kernels for AVX-512 (F, BW, DQ and VL): vectors of 64 bytes, and masks.
//!
//! An operation has a kernel of its own here only if that is at least 1.1 times as fast as with AVX2 in the
//! matrix (geometric mean of the operation). UTF-8 to UTF-16 (1.07, with the lossy kernel), UTF-16 to UTF-8 (1.07),
//! UTF-16 to UTF-32 (0.99) and back (1.00), UTF-32 to UTF-8 (0.97), Latin-1 to UTF-8 (0.98) and back (1.07), single
//! bytes to UTF-8 (1.00), UTF-16 validated, copied and counted (0.96 to 1.01) and other counts (0.91 to 1.08) did not
//! reach that, and use AVX2's kernels.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

mod masks;
pub(in crate::simd) mod single_byte;
pub(in crate::simd) mod table;
pub(in crate::simd) mod utf8_to_utf32;
pub(in crate::simd::x86_64) mod vector;
pub(in crate::simd::x86_64) mod wide;

/// The number of bytes in a vector.
pub(in crate::simd::x86_64) const LANES: usize = 64;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn load(from: &[u8; LANES]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn store(to: &mut [MaybeUninit<u8>; LANES], value: __m512i) {
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), value) }
}

/// Returns the lower and the upper half.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn halves(vector: __m512i) -> [__m256i; 2] {
    [
        _mm512_castsi512_si256(vector),
        _mm512_extracti64x4_epi64::<1>(vector),
    ]
}

/// Returns a mask of the lanes below `count`: all of them if it is 64 or more.
#[inline]
#[target_feature(enable = "bmi2")]
pub(in crate::simd::x86_64) fn lanes_below(count: usize) -> u64 {
    _bzhi_u64(u64::MAX, count.min(LANES) as u32)
}

/// Loads up to 64 bytes from the front of `from`; the other lanes are 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(in crate::simd::x86_64) fn load_front(from: &[u8]) -> __m512i {
    let inside = lanes_below(from.len());
    // SAFETY: lanes outside the slice are masked off, and masked-off lanes are not read.
    unsafe { _mm512_maskz_loadu_epi8(inside, from.as_ptr().cast()) }
}

/// Loads up to 32 bytes from the front of `from`; the other lanes are 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn load_front_half(from: &[u8]) -> __m256i {
    let inside = _bzhi_u32(u32::MAX, from.len().min(LANES / 2) as u32);
    // SAFETY: lanes outside the slice are masked off, and masked-off lanes are not read.
    unsafe { _mm256_maskz_loadu_epi8(inside, from.as_ptr().cast()) }
}

/// Loads up to 16 bytes from the front of `from`; the other lanes are 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn load_front_16(from: &[u8]) -> __m128i {
    let inside = _bzhi_u32(0xFFFF, from.len().min(16) as u32) as u16;
    // SAFETY: lanes outside the slice are masked off, and masked-off lanes are not read.
    unsafe { _mm_maskz_loadu_epi8(inside, from.as_ptr().cast()) }
}

/// Stores as many lanes as `to` has room for.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(in crate::simd::x86_64) fn store_front(to: &mut [MaybeUninit<u8>], value: __m512i) {
    let inside = lanes_below(to.len());
    // SAFETY: lanes outside the slice are masked off, and masked-off lanes are not written.
    unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), inside, value) }
}

/// Repeats 16 bytes four times: a table for `_mm512_shuffle_epi8`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn broadcast(table: &[u8; 16]) -> __m512i {
    // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
    _mm512_broadcast_i32x4(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

/// Stores as many bytes as there is room for, at most 32.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn store_front_half(to: &mut [MaybeUninit<u8>], value: __m256i) {
    let lanes = _bzhi_u32(u32::MAX, to.len().min(LANES / 2) as u32);
    // SAFETY: only the bytes of the slice are written, one for each bit of the mask.
    unsafe { _mm256_mask_storeu_epi8(to.as_mut_ptr().cast(), lanes, value) }
}
