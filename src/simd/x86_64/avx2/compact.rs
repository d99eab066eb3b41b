//! Writes 32 characters of unequal length without gaps: what the kernels from UTF-16 to UTF-8 share.

use core::arch::x86_64::{
    __m256i, _mm_storeu_si128, _mm256_adds_epu16, _mm256_castsi128_si256, _mm256_castsi256_si128,
    _mm256_cmpgt_epi16, _mm256_extracti128_si256, _mm256_inserti128_si256, _mm256_min_epu16,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi16, _mm256_shuffle_epi8,
    _mm256_unpackhi_epi16, _mm256_unpacklo_epi16, _pdep_u64, _pext_u32,
};
use core::mem::MaybeUninit;

use crate::simd::shared::shuffles::{ONE_OR_TWO, UP_TO_THREE};
use crate::simd::x86_64::sse4;

/// What 32 characters of up to three bytes take, and what the last store may overrun them by.
pub(super) const ROOM: usize = 3 * 32 + 16;

/// What lies around a block.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// The unit before the block if it is a leading surrogate whose trailing one is in the block,
    /// or else 0.
    pub(super) before: u16,
    /// The unit after the block, or 0.
    pub(super) after: u16,
}

/// What became of a block.
pub(super) struct Converted {
    pub(super) units: usize,
    pub(super) bytes: usize,
    pub(super) errors: usize,
    /// The last unit if it is a leading surrogate whose trailing one follows, or else 0.
    pub(super) open: u16,
    /// A lone surrogate follows, or a leading one at the end.
    pub(super) stopped: bool,
}

impl Around {
    pub(super) const NOTHING: Around = Around {
        before: 0,
        after: 0,
    };
}

impl Converted {
    pub(super) const NOTHING: Converted = Converted {
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

/// A byte for each four lanes: in pairs a bit for each in `longer` and one for each in `three`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn fours(longer: u32, three: u32) -> u64 {
    _pdep_u64(u64::from(longer), 0x5555_5555_5555_5555)
        | _pdep_u64(u64::from(three), 0xAAAA_AAAA_AAAA_AAAA)
}

/// Writes half a block at `at`, as [`up_to_three`] does; `lanes` are its bits in pairs.
///
/// # Safety
///
/// `at` is at most `HALF_ROOM` less than `N`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
unsafe fn half_up_to_three<const N: usize>(
    first: __m256i,
    last: __m256i,
    lanes: u32,
    to: &mut [MaybeUninit<u8>; N],
    at: usize,
) {
    debug_assert!(at <= N - HALF_ROOM);
    let [a, b, c, d] = lanes.to_le_bytes();
    // The unpacks work on each half by itself: lanes 0 to 3 and 8 to 11, and the others.
    let low = _mm256_unpacklo_epi16(first, last);
    let high = _mm256_unpackhi_epi16(first, last);
    let low = _mm256_shuffle_epi8(low, rows(&UP_TO_THREE, a, c));
    let high = _mm256_shuffle_epi8(high, rows(&UP_TO_THREE, b, d));
    // Behind one byte for each lane before, and one for each bit.
    let after = |four: u32| (4 * four + (lanes << (32 - 8 * four)).count_ones()) as usize;
    // SAFETY: `at` leaves room for half a block and a store.
    unsafe { store_low(to, at, low) };
    // SAFETY: as above; the fours of lanes before take at most 12 bytes each.
    unsafe { store_low(to, at + after(1), high) };
    // SAFETY: as above.
    unsafe { store_high(to, at + after(2), low) };
    // SAFETY: as above.
    unsafe { store_high(to, at + after(3), high) };
}

/// Writes of every lane in `three` both bytes of `first` and the low one of `last`, of every other in
/// `longer` the high byte of `last` and the low one, and of the others the low byte of `last`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn up_to_three(
    first: [__m256i; 2],
    last: [__m256i; 2],
    longer: u32,
    three: u32,
    to: &mut [MaybeUninit<u8>; ROOM],
) {
    let lanes = fours(longer, three);
    let (low, high) = (lanes as u32, (lanes >> 32) as u32);
    let after = HALF + low.count_ones() as usize;
    // SAFETY: at the front.
    unsafe { half_up_to_three(first[0], last[0], low, to, 0) };
    // SAFETY: after 16 lanes of at most three bytes.
    unsafe { half_up_to_three(first[1], last[1], high, to, after) };
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

/// Writes the 16 characters of half a block, of which none is a surrogate, from what `first` and `last`
/// are made of them. Returns the number of bytes.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn up_to_three_of_half(
    units: __m256i,
    first: __m256i,
    last: __m256i,
    to: &mut [MaybeUninit<u8>; HALF_ROOM],
) -> usize {
    let lanes = lanes_of_half(units);
    // SAFETY: at the front.
    unsafe { half_up_to_three(first, last, lanes, to, 0) };
    HALF + lanes.count_ones() as usize
}

/// Writes both bytes of every lane of `first` and the low byte of `last`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn all_three(first: [__m256i; 2], last: [__m256i; 2], to: &mut [MaybeUninit<u8>; ROOM]) {
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
