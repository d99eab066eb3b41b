//! UTF-8 to UTF-32 for AVX-512: of every 16 positions, those where a character ends are packed
//! together.

use core::arch::x86_64::{
    __m512i, __mmask16, _mm512_castsi512_si128, _mm512_castsi512_si256, _mm512_cvtepu8_epi32,
    _mm512_cvtepu16_epi32, _mm512_extracti32x4_epi32, _mm512_extracti64x4_epi64,
    _mm512_maskz_compress_epi32, _mm512_or_si512, _mm512_permutex2var_epi64, _mm512_setr_epi64,
    _mm512_slli_epi32, _mm512_unpackhi_epi8, _mm512_unpacklo_epi8,
};
use core::mem::MaybeUninit;

use super::utf8_scalars::{Scalars, convert};
use super::utf32::{UNITS, store, store_front};

/// Converts well-formed UTF-8.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf32(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    convert::<true>(
        src,
        dst,
        |to, starts, scalars| {
            for (at, units) in packed(starts, scalars) {
                if let Some(to) = to[at..].first_chunk_mut() {
                    store(to, units);
                }
            }
        },
        |to, starts, scalars| {
            for (at, units) in packed(starts, scalars) {
                store_front(to.get_mut(at..).unwrap_or_default(), units);
            }
        },
    )
}

/// The scalar values at the bits of `starts`, for each 16 of these, and where they belong.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")]
fn packed(starts: u64, scalars: Scalars) -> [(usize, __m512i); 4] {
    let Scalars { low, high, top } = scalars;
    // The unpacks work on each quarter by itself: put the pieces in order.
    let (lower, upper) = (
        _mm512_unpacklo_epi8(low, high),
        _mm512_unpackhi_epi8(low, high),
    );
    let order = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    let first = _mm512_permutex2var_epi64(lower, order, upper);
    let order = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    let second = _mm512_permutex2var_epi64(lower, order, upper);
    let mut units = [
        _mm512_cvtepu16_epi32(_mm512_castsi512_si256(first)),
        _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(first)),
        _mm512_cvtepu16_epi32(_mm512_castsi512_si256(second)),
        _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(second)),
    ];
    if let Some(top) = top {
        let top = [
            _mm512_castsi512_si128(top),
            _mm512_extracti32x4_epi32::<1>(top),
            _mm512_extracti32x4_epi32::<2>(top),
            _mm512_extracti32x4_epi32::<3>(top),
        ];
        for (units, top) in units.iter_mut().zip(top) {
            let top = _mm512_slli_epi32::<16>(_mm512_cvtepu8_epi32(top));
            *units = _mm512_or_si512(*units, top);
        }
    }
    let quarter = |i: usize| {
        let at = (starts & ((1 << (UNITS * i)) - 1)).count_ones() as usize;
        let lanes = (starts >> (UNITS * i)) as __mmask16;
        (at, _mm512_maskz_compress_epi32(lanes, units[i]))
    };
    [quarter(0), quarter(1), quarter(2), quarter(3)]
}
