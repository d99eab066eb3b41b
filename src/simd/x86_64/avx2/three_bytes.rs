//! Three-byte characters, one by one and in groups.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::store;
use crate::simd::two_byte::decode::{PAIRS, ROOM_OF_PAIRS};

/// The bits of a code unit in its three bytes, the first of which is highest, with a fourth byte after them.
const BITS: u32 = 0x0F3F_3F00;

/// Returns the three bytes of a code unit from 0800 on, the first one lowest.
#[inline]
#[target_feature(enable = "bmi2")]
pub(in crate::simd::x86_64) fn three(unit: u16) -> u32 {
    (_pdep_u32(u32::from(unit), BITS) | 0xE080_8000).swap_bytes()
}

/// Returns the code unit of three bytes, the first one highest.
#[inline]
#[target_feature(enable = "bmi2")]
pub(in crate::simd::x86_64) fn unit(four: u32) -> u16 {
    _pext_u32(four, BITS) as u16
}

/// Writes units as three bytes each if none is below 0800; returns whether that is so. A load from the table
/// and an insertion for each take half the time of writing them one by one.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn put_threes(
    units: [u16; PAIRS],
    to: &mut [MaybeUninit<u8>; ROOM_OF_PAIRS],
) -> bool {
    let [a, b, c, d, e, f, g, h] = units.map(u16::cast_signed);
    let units = _mm_setr_epi16(a, b, c, d, e, f, g, h);
    let small = _mm_cmpeq_epi16(units, _mm_min_epu16(units, _mm_set1_epi16(0x7FF)));
    if _mm_testz_si128(small, small) == 0 {
        return false;
    }
    // The first byte of three is the lowest one.
    let wide = _mm256_cvtepu16_epi32(units);
    let first = _mm256_srli_epi32::<12>(wide);
    let second = _mm256_and_si256(_mm256_slli_epi32::<2>(wide), _mm256_set1_epi32(0x3F00));
    let third = _mm256_and_si256(_mm256_slli_epi32::<16>(wide), _mm256_set1_epi32(0x3F_0000));
    let threes = _mm256_or_si256(
        _mm256_or_si256(first, _mm256_set1_epi32(0x80_80E0)),
        _mm256_or_si256(second, third),
    );
    // Drops the fourth bytes: twelve bytes are left of each half, which are then moved together.
    #[rustfmt::skip]
    let twelve = _mm256_setr_epi8(
        0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1,
        0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1,
    );
    let packed = _mm256_shuffle_epi8(threes, twelve);
    let halves = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7);
    store(to, _mm256_permutevar8x32_epi32(packed, halves));
    true
}
