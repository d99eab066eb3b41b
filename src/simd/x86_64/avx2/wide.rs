//! Vectors of 64 bytes for AVX2: two of 32 for one.

use core::arch::x86_64::{
    __m128i, __m256i, _mm256_and_si256, _mm256_blendv_epi8, _mm256_castsi256_si128,
    _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_extracti128_si256, _mm256_max_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_shuffle_epi8,
    _mm256_slli_epi16, _mm256_srli_epi16, _mm256_subs_epu8, _mm256_testz_si256,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _mm256_xor_si256,
};

use super::single_byte_map::both;
use super::utf8_blocks::{front, views_after, zeros_around};
use super::{LANES, load};
use crate::simd::x86_64::wide::{BEFORE, BLOCK, Views, Wide, views_of_block};

/// The proof that the processor has AVX2, POPCNT, BMI1 and BMI2.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Avx2(());

impl Avx2 {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub(in crate::simd::x86_64) fn here() -> Self {
        Avx2(())
    }
}

/// Applies an operation to both halves.
#[inline(always)]
fn pairs(
    [a, b]: [__m256i; 2],
    [c, d]: [__m256i; 2],
    operation: impl Fn(__m256i, __m256i) -> __m256i,
) -> [__m256i; 2] {
    [operation(a, c), operation(b, d)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_ascii([low, high]: [__m256i; 2]) -> bool {
    _mm256_movemask_epi8(_mm256_or_si256(low, high)) == 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_zero([low, high]: [__m256i; 2]) -> bool {
    let any = _mm256_or_si256(low, high);
    _mm256_testz_si256(any, any) != 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn quarters([low, high]: [__m256i; 2]) -> [__m128i; 4] {
    [
        _mm256_castsi256_si128(low),
        _mm256_extracti128_si256::<1>(low),
        _mm256_castsi256_si128(high),
        _mm256_extracti128_si256::<1>(high),
    ]
}

// SAFETY: the only way to an `Avx2` is `Avx2::here`, which safe code calls only where the features are
// enabled that the methods use.
unsafe impl Wide for Avx2 {
    type V = [__m256i; 2];

    const TAKES_THREES_AT_ONCE: bool = true;

    #[inline(always)]
    fn load(self, from: &[u8; BLOCK]) -> Self::V {
        let (halves, _) = from.as_chunks();
        // SAFETY: `self` is the proof of AVX2, and so in all methods.
        [0, 1].map(|half| unsafe { load(&halves[half]) })
    }

    #[inline(always)]
    fn load_front(self, from: &[u8]) -> Self::V {
        // SAFETY: as above.
        unsafe { front(from) }
    }

    #[inline(always)]
    fn views(self, src: &[u8], at: usize) -> Views<Self::V> {
        if let Some(block) = at
            .checked_sub(BEFORE)
            .and_then(|at| src[at..].first_chunk())
        {
            return views_of_block(self, block);
        }
        let before = match src[..at].last_chunk() {
            // SAFETY: as above.
            Some(before) => unsafe { load(before) },
            None if at == 0 => self.splat_u8(0)[0],
            None => return views_of_block(self, &zeros_around(src, at)),
        };
        let x = self.load_front(&src[at..]);
        // SAFETY: as above.
        unsafe { views_after(before, x) }
    }

    #[inline(always)]
    fn views_after_zeros(self, x: Self::V) -> Views<Self::V> {
        let [zero, _] = self.splat_u8(0);
        // SAFETY: as above.
        unsafe { views_after(zero, x) }
    }

    #[inline(always)]
    fn splat_u8(self, byte: u8) -> Self::V {
        // SAFETY: as above.
        unsafe { [_mm256_set1_epi8(byte.cast_signed()); 2] }
    }

    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> Self::V {
        // SAFETY: as above.
        unsafe { [both(table); 2] }
    }

    #[inline(always)]
    fn look_up(self, table: Self::V, indices: Self::V) -> Self::V {
        // SAFETY: as above.
        pairs(table, indices, |a, b| unsafe { _mm256_shuffle_epi8(a, b) })
    }

    #[inline(always)]
    fn and(self, a: Self::V, b: Self::V) -> Self::V {
        // SAFETY: as above.
        pairs(a, b, |a, b| unsafe { _mm256_and_si256(a, b) })
    }

    #[inline(always)]
    fn or(self, a: Self::V, b: Self::V) -> Self::V {
        // SAFETY: as above.
        pairs(a, b, |a, b| unsafe { _mm256_or_si256(a, b) })
    }

    #[inline(always)]
    fn xor(self, a: Self::V, b: Self::V) -> Self::V {
        // SAFETY: as above.
        pairs(a, b, |a, b| unsafe { _mm256_xor_si256(a, b) })
    }

    #[inline(always)]
    fn saturating_sub_u8(self, a: Self::V, b: Self::V) -> Self::V {
        // SAFETY: as above.
        pairs(a, b, |a, b| unsafe { _mm256_subs_epu8(a, b) })
    }

    #[inline(always)]
    fn shl_u16<const BITS: i32>(self, v: Self::V) -> Self::V {
        // SAFETY: as above.
        v.map(|v| unsafe { _mm256_slli_epi16::<BITS>(v) })
    }

    #[inline(always)]
    fn shr_u16<const BITS: i32>(self, v: Self::V) -> Self::V {
        // SAFETY: as above.
        v.map(|v| unsafe { _mm256_srli_epi16::<BITS>(v) })
    }

    #[inline(always)]
    fn interleave_u8(self, a: Self::V, b: Self::V) -> [Self::V; 2] {
        [
            // SAFETY: as above.
            pairs(a, b, |a, b| unsafe { _mm256_unpacklo_epi8(a, b) }),
            // SAFETY: as above.
            pairs(a, b, |a, b| unsafe { _mm256_unpackhi_epi8(a, b) }),
        ]
    }

    #[inline(always)]
    fn not_ascii(self, v: Self::V) -> u64 {
        // SAFETY: as above.
        let [low, high] = v.map(|v| unsafe { _mm256_movemask_epi8(v) });
        u64::from(low.cast_unsigned()) | u64::from(high.cast_unsigned()) << LANES
    }

    #[inline(always)]
    fn is_ascii(self, v: Self::V) -> bool {
        // SAFETY: as above.
        unsafe { is_ascii(v) }
    }

    #[inline(always)]
    fn continuations(self, v: Self::V) -> u64 {
        let starts = self.splat_u8(0xC0);
        // SAFETY: as above.
        self.not_ascii(pairs(starts, v, |a, b| unsafe { _mm256_cmpgt_epi8(a, b) }))
    }

    #[inline(always)]
    fn any_at_least(self, v: Self::V, least: u8) -> bool {
        // SAFETY: as above.
        let highest = unsafe { _mm256_max_epu8(v[0], v[1]) };
        !self.is_ascii(self.saturating_sub_u8([highest; 2], self.splat_u8(least - 0x80)))
    }

    #[inline(always)]
    fn not_zero(self, v: Self::V) -> u64 {
        let zero = self.splat_u8(0);
        // SAFETY: as above.
        !self.not_ascii(pairs(v, zero, |a, b| unsafe { _mm256_cmpeq_epi8(a, b) }))
    }

    #[inline(always)]
    fn is_zero(self, v: Self::V) -> bool {
        // SAFETY: as above.
        unsafe { is_zero(v) }
    }

    #[inline(always)]
    fn keep_where_not_ascii(self, v: Self::V, of: Self::V) -> Self::V {
        let zero = self.splat_u8(0);
        // SAFETY: as above.
        self.and(
            v,
            pairs(zero, of, |a, b| unsafe { _mm256_cmpgt_epi8(a, b) }),
        )
    }

    #[inline(always)]
    fn select_where_not_ascii(self, of: Self::V, a: Self::V, b: Self::V) -> Self::V {
        // SAFETY: as above.
        [0, 1].map(|i| unsafe { _mm256_blendv_epi8(b[i], a[i], of[i]) })
    }

    #[inline(always)]
    fn quarters(self, v: Self::V) -> [__m128i; 4] {
        // SAFETY: as above.
        unsafe { quarters(v) }
    }
}
