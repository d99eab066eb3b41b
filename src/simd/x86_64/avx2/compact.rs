//! Writes 32 characters of unequal length without gaps: what the kernels from UTF-16 to UTF-8 share.

use core::arch::x86_64::{
    __m256i, _mm_storeu_si128, _mm256_castsi128_si256, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_inserti128_si256, _mm256_shuffle_epi8, _mm256_unpackhi_epi16,
    _mm256_unpacklo_epi16, _pdep_u64,
};
use core::mem::MaybeUninit;

use crate::simd::x86_64::sse4;
use crate::simd::x86_64::sse4::utf_16::{ONE_OR_TWO, UP_TO_THREE};

/// What 32 characters of up to three bytes take, and what the last store may overrun them by.
pub(in crate::simd::x86_64) const ROOM: usize = 3 * 32 + 16;

/// What lies around a block.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Around {
    /// The unit before the block if it is a leading surrogate whose trailing one is in the block,
    /// or else 0.
    pub(in crate::simd::x86_64) before: u16,
    /// The unit behind the block, or 0.
    pub(in crate::simd::x86_64) after: u16,
}

/// What became of a block.
pub(in crate::simd::x86_64) struct Converted {
    pub(in crate::simd::x86_64) units: usize,
    pub(in crate::simd::x86_64) bytes: usize,
    pub(in crate::simd::x86_64) errors: usize,
    /// The last unit if it is a leading surrogate whose trailing one follows, or else 0.
    pub(in crate::simd::x86_64) open: u16,
    /// A lone surrogate follows, or a leading one at the end.
    pub(in crate::simd::x86_64) stopped: bool,
}

impl Around {
    pub(in crate::simd::x86_64) const NOTHING: Around = Around {
        before: 0,
        after: 0,
    };
}

impl Converted {
    pub(in crate::simd::x86_64) const NOTHING: Converted = Converted {
        units: 0,
        bytes: 0,
        errors: 0,
        open: 0,
        stopped: false,
    };
}

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
/// `at` is at most 16 less than `ROOM`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
unsafe fn store_low(to: &mut [MaybeUninit<u8>; ROOM], at: usize, value: __m256i) {
    debug_assert!(at <= ROOM - 16);
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
/// `at` is at most 16 less than `ROOM`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
unsafe fn store_high(to: &mut [MaybeUninit<u8>; ROOM], at: usize, value: __m256i) {
    debug_assert!(at <= ROOM - 16);
    // SAFETY: the caller leaves 16 bytes at `at`; the store needs no alignment.
    let to = unsafe { to.as_mut_ptr().add(at) };
    let half = _mm256_extracti128_si256::<1>(value);
    // SAFETY: as above.
    unsafe { _mm_storeu_si128(to.cast(), half) };
}

/// Writes of every lane in `longer` the high byte and the low one, of the others the low byte.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn one_or_two(
    words: [__m256i; 2],
    longer: u32,
    to: &mut [MaybeUninit<u8>; ROOM],
) {
    let mut at = 0;
    let mut longer = longer;
    for words in words {
        let [low, high, ..] = longer.to_le_bytes();
        longer >>= 16;
        let kept = _mm256_shuffle_epi8(words, rows(&ONE_OR_TWO, low, high));
        let middle = at + 8 + low.count_ones() as usize;
        // SAFETY: `at` grows by at most 16 for each half, so that it is at most 48 here.
        unsafe { store_low(to, at, kept) };
        // SAFETY: as above.
        unsafe { store_high(to, middle, kept) };
        at = middle + 8 + high.count_ones() as usize;
    }
}

/// A byte for each four lanes: a bit for each in `longer`, then one for each in `three`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn fours(longer: u32, three: u32) -> u64 {
    _pdep_u64(u64::from(longer), 0x0F0F_0F0F_0F0F_0F0F)
        | _pdep_u64(u64::from(three), 0xF0F0_F0F0_F0F0_F0F0)
}

/// Writes of every lane in `three` both bytes of `first` and the low one of `last`, of every other in
/// `longer` the high byte of `last` and the low one, and of the others the low byte of `last`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn up_to_three(
    first: [__m256i; 2],
    last: [__m256i; 2],
    longer: u32,
    three: u32,
    to: &mut [MaybeUninit<u8>; ROOM],
) {
    let lanes = fours(longer, three);
    for (half, (first, last)) in first.into_iter().zip(last).enumerate() {
        let [a, b, c, d] = core::array::from_fn(|i| lanes.to_le_bytes()[4 * half + i]);
        // The unpacks work on each half by itself: lanes 0 to 3 and 8 to 11, and the others.
        let low = _mm256_unpacklo_epi16(first, last);
        let high = _mm256_unpackhi_epi16(first, last);
        let low = _mm256_shuffle_epi8(low, rows(&UP_TO_THREE, a, c));
        let high = _mm256_shuffle_epi8(high, rows(&UP_TO_THREE, b, d));
        // Where four lanes go: behind one byte for each lane before, and one for each bit.
        let at = |four: usize| {
            let before = 4 * half + four;
            let bits = if before == 0 {
                0
            } else {
                lanes << (64 - 8 * before)
            };
            4 * before + bits.count_ones() as usize
        };
        // SAFETY: the seven times four lanes before take at most 84 bytes.
        unsafe { store_low(to, at(0), low) };
        // SAFETY: as above.
        unsafe { store_low(to, at(1), high) };
        // SAFETY: as above.
        unsafe { store_high(to, at(2), low) };
        // SAFETY: as above.
        unsafe { store_high(to, at(3), high) };
    }
}

/// Writes both bytes of every lane of `first` and the low byte of `last`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn all_three(
    first: [__m256i; 2],
    last: [__m256i; 2],
    to: &mut [MaybeUninit<u8>; ROOM],
) {
    let rows = rows(&UP_TO_THREE, 0xFF, 0xFF);
    for (half, (first, last)) in first.into_iter().zip(last).enumerate() {
        let low = _mm256_shuffle_epi8(_mm256_unpacklo_epi16(first, last), rows);
        let high = _mm256_shuffle_epi8(_mm256_unpackhi_epi16(first, last), rows);
        let at = 48 * half;
        // SAFETY: the last of them is 84.
        unsafe { store_low(to, at, low) };
        // SAFETY: as above.
        unsafe { store_low(to, at + 12, high) };
        // SAFETY: as above.
        unsafe { store_high(to, at + 24, low) };
        // SAFETY: as above.
        unsafe { store_high(to, at + 36, high) };
    }
}
