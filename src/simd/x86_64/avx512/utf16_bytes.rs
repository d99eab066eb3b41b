//! From code units in a vector to the bytes of UTF-8 in memory, for AVX-512.

use core::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_shuffle_epi8, _mm_unpackhi_epi16, _mm_unpacklo_epi16,
    _mm512_and_si512, _mm512_castsi512_si256, _mm512_extracti32x4_epi32, _mm512_extracti64x4_epi64,
    _mm512_min_epu16, _mm512_permutex2var_epi32, _mm512_set_epi32, _mm512_set1_epi16,
    _mm512_shuffle_epi8, _mm512_slli_epi16, _mm512_srli_epi16, _mm512_ternarylogic_epi32,
    _mm512_unpackhi_epi16, _mm512_unpacklo_epi16,
};
use core::mem::MaybeUninit;

use super::{LANES, store, store_front_16};
use crate::simd::x86_64::avx2::{
    self,
    compact::{self, ROOM},
};
use crate::simd::x86_64::sse4::{
    self,
    utf16::{ONE_OR_TWO, UP_TO_THREE},
};

/// Code units in a vector.
pub(super) const UNITS: usize = 32;

/// For a ternary logic instruction: `a | b & c`.
pub(super) const OR_AND: i32 = 0xF0 | 0xCC & 0xAA;
/// For a ternary logic instruction: `a | b | c`.
pub(super) const OR: i32 = 0xF0 | 0xCC | 0xAA;
/// For a ternary logic instruction: `a & b | c`.
pub(super) const AND_OR: i32 = 0xF0 & 0xCC | 0xAA;

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(super) fn splat(unit: u16) -> __m512i {
    _mm512_set1_epi16(unit.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(super) fn halves(v: __m512i) -> [__m256i; 2] {
    [_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v)]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(super) fn quarters(v: __m512i) -> [__m128i; 4] {
    [
        _mm512_extracti32x4_epi32::<0>(v),
        _mm512_extracti32x4_epi32::<1>(v),
        _mm512_extracti32x4_epi32::<2>(v),
        _mm512_extracti32x4_epi32::<3>(v),
    ]
}

/// Writes of every lane in `longer` the high byte and the low one, of the others the low byte.
/// `AT_END`, the first `bytes` of them, and nothing after them. False where there is no room.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(super) fn pack_1_2<const AT_END: bool>(
    words: __m512i,
    longer: u32,
    bytes: usize,
    to: &mut [MaybeUninit<u8>],
) -> bool {
    if let Some(to) = to.first_chunk_mut::<ROOM>() {
        compact::pack_1_2(halves(words), longer, to);
        return true;
    }
    if !AT_END || bytes > to.len() {
        return false;
    }
    let mut to = &mut to[..bytes];
    for (words, longer) in quarters(words).into_iter().zip(longer.to_le_bytes()) {
        let row = sse4::load(&ONE_OR_TWO[usize::from(longer)]);
        store_front_16(to, _mm_shuffle_epi8(words, row));
        let len = 8 + longer.count_ones() as usize;
        to = match to.get_mut(len..) {
            Some(to) => to,
            None => return true,
        };
    }
    true
}

/// Writes of every lane in `three` both bytes of the first vector and the low one of the last, of
/// every other in `longer` the high byte of the last vector and the low one, and of the others the
/// low one. `AT_END`, the first `bytes` of them, and nothing after them. False where there is no
/// room.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(super) fn up_to_three<const AT_END: bool>(
    [first, last]: [__m512i; 2],
    [longer, three]: [u32; 2],
    bytes: usize,
    to: &mut [MaybeUninit<u8>],
) -> bool {
    if let Some(to) = to.first_chunk_mut::<ROOM>() {
        compact::up_to_three(halves(first), halves(last), longer, three, to);
        return true;
    }
    if !AT_END || bytes > to.len() {
        return false;
    }
    let mut to = &mut to[..bytes];
    // A byte for each four lanes.
    let lanes = compact::fours(longer, three).to_le_bytes();
    let (first, last) = (quarters(first), quarters(last));
    for (i, lanes) in lanes.into_iter().enumerate() {
        let (first, last) = (first[i / 2], last[i / 2]);
        let four = if i % 2 == 0 {
            _mm_unpacklo_epi16(first, last)
        } else {
            _mm_unpackhi_epi16(first, last)
        };
        let row = sse4::load(&UP_TO_THREE[usize::from(lanes)]);
        store_front_16(to, _mm_shuffle_epi8(four, row));
        let len = 4 + lanes.count_ones() as usize;
        to = match to.get_mut(len..) {
            Some(to) => to,
            None => return true,
        };
    }
    true
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(super) fn swap_bytes(v: __m512i) -> __m512i {
    let pairs = _mm512_set_epi32(
        0x0E0F_0C0D,
        0x0A0B_0809,
        0x0607_0405,
        0x0203_0001,
        0x0E0F_0C0D,
        0x0A0B_0809,
        0x0607_0405,
        0x0203_0001,
        0x0E0F_0C0D,
        0x0A0B_0809,
        0x0607_0405,
        0x0203_0001,
        0x0E0F_0C0D,
        0x0A0B_0809,
        0x0607_0405,
        0x0203_0001,
    );
    _mm512_shuffle_epi8(v, pairs)
}

/// The first two bytes of three.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(super) fn first(units: __m512i) -> __m512i {
    let lead = _mm512_srli_epi16::<12>(units);
    _mm512_ternarylogic_epi32::<OR>(lead, middle(units), splat(0x80E0))
}

/// The last byte of each character in the low half of each lane (below 80 the first as well), the
/// first of two in the high one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(super) fn last(units: __m512i) -> __m512i {
    let last = _mm512_ternarylogic_epi32::<AND_OR>(units, splat(0x3F), splat(0x80));
    let last = _mm512_min_epu16(units, last);
    _mm512_ternarylogic_epi32::<OR>(last, middle(units), splat(0xC000))
}

/// The six bits above the lowest six, in the high half of each lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(super) fn middle(units: __m512i) -> __m512i {
    _mm512_and_si512(_mm512_slli_epi16::<2>(units), splat(0x3F00))
}

/// Writes 32 characters of three bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(super) fn all_three(first: __m512i, last: __m512i, to: &mut [MaybeUninit<u8>]) -> bool {
    // Four characters in a quarter: twelve bytes, and four of nothing.
    let row = [0x0402_0100, 0x0908_0605, 0x0E0D_0C0A, -1];
    let [a, b, c, d] = row;
    let rows = _mm512_set_epi32(d, c, b, a, d, c, b, a, d, c, b, a, d, c, b, a);
    let low = _mm512_shuffle_epi8(_mm512_unpacklo_epi16(first, last), rows);
    let high = _mm512_shuffle_epi8(_mm512_unpackhi_epi16(first, last), rows);
    // The unpacks work on each quarter by itself; 16 and up are the dwords of `high`.
    let order = _mm512_set_epi32(24, 10, 9, 8, 22, 21, 20, 6, 5, 4, 18, 17, 16, 2, 1, 0);
    let front = _mm512_permutex2var_epi32(low, order, high);
    let order = _mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 0, 30, 29, 28, 14, 13, 12, 26, 25);
    let back = _mm512_permutex2var_epi32(low, order, high);
    let Some(to) = to.first_chunk_mut::<{ 3 * UNITS }>() else {
        return false;
    };
    if let Some(to) = to.first_chunk_mut::<LANES>() {
        store(to, front);
    }
    if let Some(to) = to.last_chunk_mut::<{ LANES / 2 }>() {
        avx2::store(to, _mm512_castsi512_si256(back));
    }
    true
}
