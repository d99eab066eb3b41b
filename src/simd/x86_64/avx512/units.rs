//! The vectors of AVX-512, as the algorithms for counts and code units see them.

use core::arch::x86_64::*;

use super::utf8::{self, Halves, Lookup, Vectors512};
use super::{LANES, load_front, utf32};
use crate::simd::generic::utf8_vector::Utf8Vector;
use crate::simd::kernels::Entries;
use crate::simd::x86_64::unit_vector::{self, UnitVector};

/// Calls of instructions, in methods of [`Vectors512`].
macro_rules! avx512 {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX-512.
        unsafe { $calls }
    };
}

/// The kernels of these vectors, and those for UTF-8.
pub(super) const ENTRIES: Entries = {
    // SAFETY: a table with these is given away only where its features are there, which include those of
    // `kernels`.
    unsafe { unit_vector::entries::<Vectors512<Halves>>(utf8::ENTRIES) }
};

pub(super) use super::utf8::kernels;

// SAFETY: the `Lookup` is the proof of AVX-512.
unsafe impl<L: Lookup> UnitVector for Vectors512<L> {
    #[inline(always)]
    fn add_u8(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_add_epi8(a, b))
    }

    #[inline(always)]
    fn gt_i8(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_movm_epi8(_mm512_cmpgt_epi8_mask(a, b)))
    }

    #[inline(always)]
    fn add_to_sums(self, sums: __m512i, counts: __m512i) -> __m512i {
        avx512!(_mm512_add_epi64(
            sums,
            _mm512_sad_epu8(counts, _mm512_setzero_si512())
        ))
    }

    #[inline(always)]
    fn total(self, sums: __m512i) -> usize {
        avx512!(_mm512_reduce_add_epi64(sums) as usize)
    }

    #[inline(always)]
    fn load_units(self, from: &[u8]) -> [__m512i; 2] {
        // Where nothing is left, the address is still that of the slice: others are slow.
        let (low, high) = from.split_at(from.len().min(LANES));
        avx512!([load_front(low), load_front(high)])
    }

    #[inline(always)]
    fn has_surrogates(self, [a, b, c, d]: [__m512i; 4]) -> bool {
        avx512!({
            let splat = |unit: u16| _mm512_set1_epi16(unit.cast_signed());
            // Added to this, surrogates are the smallest.
            let moved = splat(0x2800);
            let [a, b] = [_mm512_add_epi16(a, moved), _mm512_add_epi16(b, moved)];
            let [c, d] = [_mm512_add_epi16(c, moved), _mm512_add_epi16(d, moved)];
            let least = _mm512_min_epu16(_mm512_min_epu16(a, b), _mm512_min_epu16(c, d));
            _mm512_testn_epi16_mask(least, splat(0xF800)) != 0
        })
    }

    #[inline(always)]
    fn kinds(self, [a, b]: [__m512i; 2]) -> [u64; 2] {
        avx512!({
            let splat = |unit: u16| _mm512_set1_epi16(unit.cast_signed());
            let (a, b) = (self.and(a, splat(0xFC00)), self.and(b, splat(0xFC00)));
            let (lead, trail) = (splat(0xD800), splat(0xDC00));
            let leading = [
                _mm512_cmpeq_epi16_mask(a, lead),
                _mm512_cmpeq_epi16_mask(b, lead),
            ];
            let trailing = [
                _mm512_cmpeq_epi16_mask(a, trail),
                _mm512_cmpeq_epi16_mask(b, trail),
            ];
            [leading, trailing].map(|[low, high]| u64::from(low) | u64::from(high) << (LANES / 2))
        })
    }

    #[inline(always)]
    fn less_than_three(self, [a, b]: [__m512i; 2]) -> __m512i {
        avx512!({
            let upper = _mm512_packus_epi16(_mm512_srli_epi16::<7>(a), _mm512_srli_epi16::<7>(b));
            // 70 for ASCII, up to 7F where there are two bytes, and a set upper bit is looked up as 0.
            let class = _mm512_adds_epu8(upper, self.splat_u8(0x70));
            let less = self.table(&[2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
            _mm512_shuffle_epi8(less, class)
        })
    }

    #[inline(always)]
    fn are_scalars(self, [a, b, c, d]: [__m512i; 4]) -> bool {
        avx512!({
            let first = _mm512_set1_epi32(0xD800);
            let [a0, b0] = [_mm512_sub_epi32(a, first), _mm512_sub_epi32(b, first)];
            let [c0, d0] = [_mm512_sub_epi32(c, first), _mm512_sub_epi32(d, first)];
            let least = _mm512_min_epu32(_mm512_min_epu32(a0, b0), _mm512_min_epu32(c0, d0));
            let most = _mm512_max_epu32(_mm512_max_epu32(a, b), _mm512_max_epu32(c, d));
            let surrogates = _mm512_cmplt_epu32_mask(least, _mm512_set1_epi32(0x800));
            surrogates | utf32::above(most, 0x10_FFFF) == 0
        })
    }
}
