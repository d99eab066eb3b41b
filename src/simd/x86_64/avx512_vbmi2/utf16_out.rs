//! Writes the code units of a block.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::utf8_units::{UnitHalves, Vbmi2Constants};
use crate::simd::generic::utf8_units::Units;
use crate::simd::x86_64::avx512::{LANES, store, store_front};

/// Returns the units at `ends`, compressed.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn packed(c: &Vbmi2Constants, ends: u64, halves: UnitHalves) -> [__m512i; 2] {
    let index = _mm512_maskz_compress_epi8(ends, c.positions);
    [
        fetched(c, c.twice[0], index, halves),
        fetched(c, c.twice[1], index, halves),
    ]
}

/// Returns the units at the positions in `index`, each of which `twice` selects for two lanes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn fetched(
    c: &Vbmi2Constants,
    twice: __m512i,
    index: __m512i,
    halves: UnitHalves,
) -> __m512i {
    let index = _mm512_permutexvar_epi8(twice, index);
    let words = _mm512_permutexvar_epi8(index, halves.low);
    _mm512_mask_permutexvar_epi8(words, c.seconds, index, halves.high)
}

/// Writes both vectors.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn store_both(to: &mut Units, words: [__m512i; 2]) {
    let (vectors, _) = to.as_chunks_mut::<LANES>();
    for (to, words) in vectors.iter_mut().zip(words) {
        store(to, words);
    }
}

/// Returns the units at `ends`, compressed, of a block with four-byte characters. `thirds` is a mask of their
/// third bytes, which are among `ends`, and `fourth_first` says whether the first byte is a fourth one.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn packed_with_surrogates(
    c: &Vbmi2Constants,
    ends: u64,
    halves: UnitHalves,
    thirds: u64,
    fourth_first: u64,
) -> [__m512i; 2] {
    let [low, high] = packed(c, ends, halves);
    let leads = _pext_u64(thirds, ends);
    let trails = leads << 1 | fourth_first;
    [
        surrogates(low, leads as u32, trails as u32),
        surrogates(high, (leads >> 32) as u32, (trails >> 32) as u32),
    ]
}

/// Turns the words at `leads` and `trails` into surrogates.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn surrogates(words: __m512i, leads: u32, trails: u32) -> __m512i {
    /// (a & b) | c
    const AND_OR: i32 = 0xEA;
    let base = _mm512_set1_epi16(0xD7C0_u16.cast_signed());
    let trail = _mm512_set1_epi16(0xDC00_u16.cast_signed());
    let bits = _mm512_set1_epi16(0x3FF);
    let tens = _mm512_ternarylogic_epi32::<AND_OR>(words, bits, trail);
    let words = _mm512_mask_add_epi16(words, leads, _mm512_srli_epi16::<4>(words), base);
    _mm512_mask_blend_epi16(trails, words, tens)
}

/// Fills `to`, which has room for at most two vectors.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn store_exactly(to: &mut [MaybeUninit<u8>], words: [__m512i; 2]) {
    let (to, rest) = to.split_at_mut(LANES.min(to.len()));
    store_front(to, words[0]);
    if !rest.is_empty() {
        store_front(rest, words[1]);
    }
}
