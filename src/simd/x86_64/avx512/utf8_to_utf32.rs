//! UTF-8 to UTF-32 for AVX-512: for every 16 positions, the lanes in which a character ends are compressed.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::vector::{FourBits, Vectors512};
use super::{LANES, store, store_front};
use crate::simd::generic::utf8_scalars::{Scalars, ScalarsOfBlock};
use crate::simd::generic::utf8_to_utf32::{Steps32, Units32};
use crate::simd::uninit::room_at;
use crate::simd::x86_64::as_bytes;
use crate::simd::x86_64::avx2::utf8_threes;

/// The number of UTF-32 code units in a vector.
pub(in crate::simd::x86_64) const UNITS: usize = LANES / 4;

/// Wraps calls of functions for AVX-512.
macro_rules! avx512 {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX-512.
        unsafe { $calls }
    };
}

impl Steps32 for Vectors512<FourBits> {
    #[inline(always)]
    fn emit(self, to: &mut Units32, starts: u64, [scalars, ..]: ScalarsOfBlock<Self>) {
        for (at, units) in avx512!(packed(starts, scalars)) {
            if let Some(to) = room_at(as_bytes(to), 4 * at) {
                avx512!(store(to, units));
            }
        }
    }

    #[inline(always)]
    fn write(self, to: &mut [MaybeUninit<u32>], starts: u64, scalars: ScalarsOfBlock<Self>) {
        if let Some(to) = to.first_chunk_mut() {
            return self.emit(to, starts, scalars);
        }
        for (at, units) in avx512!(packed(starts, scalars[0])) {
            debug_assert!(at <= to.len(), "`to` has a unit for each start");
            let to = to.get_mut(at..).unwrap_or_default();
            avx512!(store_front(as_bytes(to), units));
        }
    }

    #[inline(always)]
    fn threes_to_utf32(self, src: &[u8], dst: &mut [MaybeUninit<u32>]) -> usize {
        avx512!(utf8_threes::to_utf32(src, dst))
    }
}

/// Returns the scalar values at the bits of `starts`, 16 positions at a time, and where they belong in the
/// output.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn packed(starts: u64, scalars: Scalars<__m512i>) -> [(usize, __m512i); 4] {
    let Scalars { low, high, top } = scalars;
    // The unpacks work within each 128-bit quarter: put the pieces in order.
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
        let quarters = [
            _mm512_extracti32x4_epi32::<0>(top),
            _mm512_extracti32x4_epi32::<1>(top),
            _mm512_extracti32x4_epi32::<2>(top),
            _mm512_extracti32x4_epi32::<3>(top),
        ];
        for (units, top) in units.iter_mut().zip(quarters) {
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
