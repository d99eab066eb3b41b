//! Writes 32 characters of unequal length without gaps: what the kernels from UTF-16 to UTF-8 share.

use core::arch::x86_64::{
    __m256i, _mm_storeu_si128, _mm256_adds_epu16, _mm256_castsi128_si256, _mm256_castsi256_si128,
    _mm256_cmpgt_epi16, _mm256_extracti128_si256, _mm256_inserti128_si256, _mm256_min_epu16,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi16, _mm256_shuffle_epi8,
    _mm256_unpackhi_epi16, _mm256_unpacklo_epi16, _pext_u32,
};
use core::mem::MaybeUninit;

use crate::simd::shared::shuffles::{ONE_OR_TWO, UP_TO_THREE};
use crate::simd::x86_64::sse4;

/// What 32 characters of up to three bytes take, and what the last store may overrun them by.
pub(super) const ROOM: usize = 3 * 32 + 16;

/// Two rows of a table of shuffles.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn rows(table: &[[u8; 16]; 256], low: u8, high: u8) -> __m256i {
    let low = _mm256_castsi128_si256(sse4::load(&table[usize::from(low)]));
    _mm256_inserti128_si256::<1>(low, sse4::load(&table[usize::from(high)]))
}

/// Stores half a vector.
///
/// # Safety
///
/// `at` is at most 16 less than `N`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
unsafe fn store_low<const N: usize>(to: &mut [MaybeUninit<u8>; N], at: usize, value: __m256i) {
    debug_assert!(at <= N - 16);
    // SAFETY: the caller leaves 16 bytes at `at`; the store needs no alignment.
    let to = unsafe { to.as_mut_ptr().add(at) };
    let half = _mm256_castsi256_si128(value);
    // SAFETY: as above.
    unsafe { _mm_storeu_si128(to.cast(), half) };
}

/// Stores the other half.
///
/// # Safety
///
/// `at` is at most 16 less than `N`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
unsafe fn store_high<const N: usize>(to: &mut [MaybeUninit<u8>; N], at: usize, value: __m256i) {
    debug_assert!(at <= N - 16);
    // SAFETY: the caller leaves 16 bytes at `at`; the store needs no alignment.
    let to = unsafe { to.as_mut_ptr().add(at) };
    let half = _mm256_extracti128_si256::<1>(value);
    // SAFETY: as above.
    unsafe { _mm_storeu_si128(to.cast(), half) };
}

/// The characters of half a block, which a vector holds.
pub(super) const HALF: usize = 16;

/// What half a block takes in characters of up to two bytes.
pub(super) const HALF_ROOM_OF_TWO: usize = 2 * HALF;

/// What half a block takes in characters of up to three bytes, and what the last store may overrun
/// them by.
pub(super) const HALF_ROOM: usize = 3 * HALF + 16;

/// Writes half a block at `at`: of every lane in `longer` the high byte and the low one, of the others
/// the low byte.
///
/// # Safety
///
/// `at` is at most `HALF_ROOM_OF_TWO` less than `N`.
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
    let kept = _mm256_shuffle_epi8(words, rows(&ONE_OR_TWO, low, high));
    // SAFETY: `at` leaves room for half a block and a store.
    unsafe { store_low(to, at, kept) };
    let at = at + 8 + low.count_ones() as usize;
    // SAFETY: as above; eight lanes before take at most 16 bytes.
    unsafe { store_high(to, at, kept) };
}

/// Writes of every lane in `longer` the high byte and the low one, of the others the low byte.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn pack_1_2([low, high]: [__m256i; 2], longer: u32, to: &mut [MaybeUninit<u8>; ROOM]) {
    let after = HALF + (longer as u16).count_ones() as usize;
    // SAFETY: at the front.
    unsafe { half_pack_1_2(low, longer as u16, to, 0) };
    // SAFETY: after 16 lanes of at most two bytes.
    unsafe { half_pack_1_2(high, (longer >> 16) as u16, to, after) };
}

/// The bits of half a block in pairs: of each unit whether it takes more than one byte, and whether
/// more than two.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn lanes_of_half(units: __m256i) -> u32 {
    // The highest bit of each byte: from U+0080 on in the low one, from U+0800 on in the high one.
    let longer = _mm256_min_epu16(units, _mm256_set1_epi16(0x80));
    let three = _mm256_adds_epu16(units, _mm256_set1_epi16(0x7800));
    _mm256_movemask_epi8(_mm256_or_si256(longer, three)).cast_unsigned()
}

/// Writes half a block: of every lane the low byte, and before it the high one, unless that is 0.
/// Returns the number of bytes.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn pack_1_2_of_half(
    units: __m256i,
    words: __m256i,
    to: &mut [MaybeUninit<u8>; HALF_ROOM_OF_TWO],
) -> usize {
    let longer = _mm256_cmpgt_epi16(units, _mm256_set1_epi16(0x7F));
    let longer = _mm256_movemask_epi8(longer).cast_unsigned();
    let longer = _pext_u32(longer, 0x5555_5555) as u16;
    // SAFETY: at the front.
    unsafe { half_pack_1_2(words, longer, to, 0) };
    HALF + longer.count_ones() as usize
}

/// The bits of [`lanes_of_half`] that say whether a unit takes three bytes.
pub(super) const THREE: u32 = 0xAAAA_AAAA;

/// Writes the 16 characters of half a block: of every lane of three bytes both bytes of `first` and the low one
/// of `last`, of every other longer one the high byte of `last` and the low one, and of the others the low byte
/// of `last`. `lanes` are their bits in pairs. Returns the number of bytes.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn up_to_three_of_half(
    first: __m256i,
    last: __m256i,
    lanes: u32,
    to: &mut [MaybeUninit<u8>; HALF_ROOM],
) -> usize {
    let [a, b, c, d] = lanes.to_le_bytes();
    // The unpacks work on each half by itself: lanes 0 to 3 and 8 to 11, and the others.
    let low = _mm256_unpacklo_epi16(first, last);
    let high = _mm256_unpackhi_epi16(first, last);
    let low = _mm256_shuffle_epi8(low, rows(&UP_TO_THREE, a, c));
    let high = _mm256_shuffle_epi8(high, rows(&UP_TO_THREE, b, d));
    // After one byte for each lane before, and one for each bit.
    let after = |four: u32| (4 * four + (lanes << (32 - 8 * four)).count_ones()) as usize;
    // SAFETY: at the front.
    unsafe { store_low(to, 0, low) };
    // SAFETY: each four lanes before take at most 12 bytes, so that `at` is at most 36 of 48.
    unsafe { store_low(to, after(1), high) };
    // SAFETY: as above.
    unsafe { store_high(to, after(2), low) };
    // SAFETY: as above.
    unsafe { store_high(to, after(3), high) };
    HALF + lanes.count_ones() as usize
}
