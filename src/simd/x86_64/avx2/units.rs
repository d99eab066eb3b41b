//! The vectors of AVX2, as the algorithms for counts and code units see them.

use core::arch::x86_64::*;

use super::utf8::{self, Dwords, Partial, Vectors256};
use super::{load, load_fours, utf32};
use crate::simd::generic::utf8_vector::Utf8Vector;
use crate::simd::kernels::Entries;
use crate::simd::scalar;
use crate::simd::x86_64::unit_vector::{self, UnitVector};

/// Calls of instructions, in methods of [`Vectors256`].
macro_rules! avx2 {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX2.
        unsafe { $calls }
    };
}

/// The kernels of these vectors, and those for UTF-8.
pub(super) const ENTRIES: Entries = {
    // SAFETY: a table with these is given away only where its features are there, which include those of
    // `kernels`.
    unsafe { unit_vector::entries::<Vectors256<Dwords>>(utf8::ENTRIES) }
};

pub(super) use super::utf8::kernels;

// SAFETY: the `Partial` is the proof of AVX2.
unsafe impl<P: Partial> UnitVector for Vectors256<P> {
    #[inline(always)]
    fn add_u8(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_add_epi8(a, b))
    }

    #[inline(always)]
    fn gt_i8(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_cmpgt_epi8(a, b))
    }

    #[inline(always)]
    fn add_to_sums(self, sums: __m256i, counts: __m256i) -> __m256i {
        avx2!(_mm256_add_epi64(
            sums,
            _mm256_sad_epu8(counts, _mm256_setzero_si256())
        ))
    }

    #[inline(always)]
    fn total(self, sums: __m256i) -> usize {
        avx2!({
            let low = _mm256_castsi256_si128(sums);
            let two = _mm_add_epi64(low, _mm256_extracti128_si256::<1>(sums));
            _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as usize
        })
    }

    #[inline(always)]
    fn load_units(self, from: &[u8]) -> [__m256i; 2] {
        self.partial().load_units(from)
    }

    #[inline(always)]
    fn has_surrogates(self, [a, b, c, d]: [__m256i; 4]) -> bool {
        avx2!({
            let splat = |unit: u16| _mm256_set1_epi16(unit.cast_signed());
            // Added to this, surrogates are the smallest.
            let moved = splat(0x2800);
            let [a, b] = [_mm256_add_epi16(a, moved), _mm256_add_epi16(b, moved)];
            let [c, d] = [_mm256_add_epi16(c, moved), _mm256_add_epi16(d, moved)];
            let least = _mm256_min_epu16(_mm256_min_epu16(a, b), _mm256_min_epu16(c, d));
            let upper = _mm256_and_si256(least, splat(0xF800));
            _mm256_movemask_epi8(_mm256_cmpeq_epi16(upper, _mm256_setzero_si256())) != 0
        })
    }

    #[inline(always)]
    fn kinds(self, [a, b]: [__m256i; 2]) -> [u64; 2] {
        avx2!({
            let upper = _mm256_packus_epi16(_mm256_srli_epi16::<8>(a), _mm256_srli_epi16::<8>(b));
            // The pack works on each half by itself: put the quarters in order.
            let upper = _mm256_permute4x64_epi64::<0b11_01_10_00>(upper);
            let kind = self.and(upper, self.splat_u8(0xFC));
            let leading = _mm256_movemask_epi8(_mm256_cmpeq_epi8(kind, self.splat_u8(0xD8)));
            let trailing = _mm256_movemask_epi8(_mm256_cmpeq_epi8(kind, self.splat_u8(0xDC)));
            [leading, trailing].map(|mask| u64::from(mask.cast_unsigned()))
        })
    }

    #[inline(always)]
    fn less_than_three(self, [a, b]: [__m256i; 2]) -> __m256i {
        avx2!({
            let upper = _mm256_packus_epi16(_mm256_srli_epi16::<7>(a), _mm256_srli_epi16::<7>(b));
            // 70 for ASCII, up to 7F where there are two bytes, and a set upper bit is looked up as 0.
            let class = _mm256_adds_epu8(upper, self.splat_u8(0x70));
            let less = self.table(&[2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
            _mm256_shuffle_epi8(less, class)
        })
    }

    #[inline(always)]
    fn are_scalars(self, units: [__m256i; 4]) -> bool {
        avx2!(utf32::are_scalars(units))
    }
}

/// Up to 32 code units of UTF-16, as bytes; the other lanes are 0.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_units(from: &[u8]) -> [__m256i; 2] {
    if let ([low, high, ..], _) = from.as_chunks() {
        return [load(low), load(high)];
    }
    let [low, high] = load_fours(from);
    let Some(&odd) = from.last_chunk::<2>().filter(|_| from.len() % 4 == 2) else {
        return [low, high];
    };
    // The last unit, where the loads of four bytes have left it out.
    let splat = |unit: u16| _mm256_set1_epi16(unit.cast_signed());
    let lane = splat((from.len() / 2) as u16 - 1);
    let lanes = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let last = splat(u16::from_le_bytes(odd));
    let with_last = |units: __m256i, lanes: __m256i| {
        let here = _mm256_cmpeq_epi16(lanes, lane);
        _mm256_or_si256(units, _mm256_and_si256(last, here))
    };
    [
        with_last(low, lanes),
        with_last(high, _mm256_add_epi16(lanes, splat(16))),
    ]
}

/// Each CR, and each LF that is not right after one. With vectors of 64 bytes the plain loop was no
/// faster.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn line_ends(src: &[u8]) -> usize {
    scalar::count::line_ends(src)
}
