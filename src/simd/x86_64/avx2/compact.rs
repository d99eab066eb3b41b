//! Writes 32 characters of one or two bytes without gaps, for the kernels that convert from other encodings.

use core::arch::x86_64::{
    __m256i, _mm_storeu_si128, _mm256_castsi128_si256, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_inserti128_si256, _mm256_shuffle_epi8,
};
use core::mem::MaybeUninit;

use crate::simd::shared::shuffles::ONE_OR_TWO_HIGH_FIRST;
use crate::simd::x86_64::sse4;

/// The bytes that 32 characters of up to three bytes take at most, plus what the last store may overrun them
/// by.
pub(super) const ROOM_OF_32_CHARS: usize = 3 * 32 + 16;

/// Loads two rows of a table of shuffles.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn rows(table: &[[u8; 16]; 256], low: u8, high: u8) -> __m256i {
    let low = _mm256_castsi128_si256(sse4::load(&table[usize::from(low)]));
    _mm256_inserti128_si256::<1>(low, sse4::load(&table[usize::from(high)]))
}

/// Stores the lower half of a vector.
///
/// # Safety
///
/// `at` is at most `N - 16`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
unsafe fn store_low<const N: usize>(to: &mut [MaybeUninit<u8>; N], at: usize, value: __m256i) {
    debug_assert!(at <= N - 16);
    // SAFETY: the caller leaves 16 bytes at `at`.
    let to = unsafe { to.as_mut_ptr().add(at) };
    let half = _mm256_castsi256_si128(value);
    // SAFETY: the 16 bytes at `at` are inside `to`; the store needs no alignment.
    unsafe { _mm_storeu_si128(to.cast(), half) };
}

/// Stores the upper half of a vector.
///
/// # Safety
///
/// `at` is at most `N - 16`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
unsafe fn store_high<const N: usize>(to: &mut [MaybeUninit<u8>; N], at: usize, value: __m256i) {
    debug_assert!(at <= N - 16);
    // SAFETY: the caller leaves 16 bytes at `at`.
    let to = unsafe { to.as_mut_ptr().add(at) };
    let half = _mm256_extracti128_si256::<1>(value);
    // SAFETY: the 16 bytes at `at` are inside `to`; the store needs no alignment.
    unsafe { _mm_storeu_si128(to.cast(), half) };
}

/// The number of characters in half a block, one vector of words.
pub(super) const HALF_CHARS: usize = 16;

/// The bytes that half a block takes at most, in characters of up to two bytes.
pub(super) const HALF_ROOM_OF_TWO: usize = 2 * HALF_CHARS;

/// Writes half a block at `at`: the high and the low byte of every lane in `longer`, and the low byte of the
/// others.
///
/// # Safety
///
/// `at` is at most `N - HALF_ROOM_OF_TWO`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
unsafe fn half_pack_1_2<const N: usize>(
    words: __m256i,
    longer: u16,
    to: &mut [MaybeUninit<u8>; N],
    at: usize,
) {
    debug_assert!(at <= N - HALF_ROOM_OF_TWO);
    let [low, high] = longer.to_le_bytes();
    let kept = _mm256_shuffle_epi8(words, rows(&ONE_OR_TWO_HIGH_FIRST.0, low, high));
    // SAFETY: 32 bytes are left at `at`, and the store writes 16.
    unsafe { store_low(to, at, kept) };
    let at = at + 8 + low.count_ones() as usize;
    // SAFETY: the eight lanes before take at most 16 of the 32 bytes, which leaves 16.
    unsafe { store_high(to, at, kept) };
}

/// Writes the high and the low byte of every lane in `longer`, and the low byte of the others.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn pack_1_2(
    [low, high]: [__m256i; 2],
    longer: u32,
    to: &mut [MaybeUninit<u8>; ROOM_OF_32_CHARS],
) {
    let after = HALF_CHARS + (longer as u16).count_ones() as usize;
    // SAFETY: 0 is at most `ROOM_OF_32_CHARS - HALF_ROOM_OF_TWO`.
    unsafe { half_pack_1_2(low, longer as u16, to, 0) };
    // SAFETY: 16 lanes of at most two bytes are before, which leaves more than `HALF_ROOM_OF_TWO`.
    unsafe { half_pack_1_2(high, (longer >> 16) as u16, to, after) };
}
