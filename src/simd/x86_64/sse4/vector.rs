//! SSE4.2: vectors of 16 bytes.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::simd::generic;
use crate::simd::generic::utf8_steps::Steps;
use crate::simd::generic::utf8_to_utf32::Steps32;
use crate::simd::kernels::Entries;
use crate::simd::uninit::room_at;
use crate::simd::vector::{Vector, binary, methods, vectors_of_16};
use crate::simd::x86_64::{run_on_with, shifts, splats};

/// Wraps calls of intrinsics in methods of [`Sse4`].
macro_rules! sse {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has SSE4.2.
        unsafe { $calls }
    };
}

/// The vectors of SSE4.2.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Sse4(());

impl Sse4 {
    /// Makes the token; the features of the caller are the proof.
    #[inline]
    #[target_feature(enable = "sse4.2,popcnt")]
    pub(super) fn here() -> Self {
        Sse4(())
    }
}

/// The kernels of `generic/` with these vectors.
pub(super) const ENTRIES: Entries = {
    // SAFETY: a table with these entries is selected only if its features are available, which include those
    // of `kernels`.
    unsafe { generic::table::entries::<Sse4>() }
};

/// The features that [`ENTRIES`] need.
#[target_feature(enable = "sse4.2,popcnt")]
pub(super) fn kernels() {}

// SAFETY: a value is made only where SSE4.2 and POPCNT are enabled, or by `assume`, whose caller guarantees
// that the processor has them.
unsafe impl Vector for Sse4 {
    type V = __m128i;

    vectors_of_16!();

    splats! {
        splat_u8(u8) = _mm_set1_epi8,
        splat_u16(u16) = _mm_set1_epi16,
        splat_u32(u32) = _mm_set1_epi32,
    }

    binary! {
        and = _mm_and_si128,
        or = _mm_or_si128,
        xor = _mm_xor_si128,
        add_u8 = _mm_add_epi8,
        sub_u8 = _mm_sub_epi8,
        saturating_add_u8 = _mm_adds_epu8,
        saturating_sub_u8 = _mm_subs_epu8,
        max_u8 = _mm_max_epu8,
        eq_u8 = _mm_cmpeq_epi8,
        lt_i8 = _mm_cmplt_epi8,
        add_u16 = _mm_add_epi16,
        min_u16 = _mm_min_epu16,
        eq_u16 = _mm_cmpeq_epi16,
        gt_i16 = _mm_cmpgt_epi16,
        add_u32 = _mm_add_epi32,
        min_u32 = _mm_min_epu32,
        max_u32 = _mm_max_epu32,
        eq_u32 = _mm_cmpeq_epi32,
        look_up = _mm_shuffle_epi8,
        look_up_low_half = _mm_shuffle_epi8,
        narrow_u16 = _mm_packus_epi16,
        pack_u16 = _mm_packus_epi16,
        narrow_u32 = _mm_packus_epi32,
    }

    shifts! {
        shl_u16 = _mm_slli_epi16,
        shr_u16 = _mm_srli_epi16,
        shl_u32 = _mm_slli_epi32,
        shr_u32 = _mm_srli_epi32,
    }

    methods! {
        fn select(self, lanes: Self::V, a: Self::V, b: Self::V) -> Self::V =
            _mm_blendv_epi8(b, a, lanes);
        fn interleave_u8(self, a: Self::V, b: Self::V) -> [Self::V; 2] =
            [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)];
        fn interleave_u16(self, a: Self::V, b: Self::V) -> [Self::V; 2] =
            [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)];
        fn unit_after(self, v: Self::V, after: Self::V) -> Self::V = _mm_alignr_epi8::<2>(after, v);
        fn any_of(self, v: Self::V, bits: Self::V) -> bool = _mm_testz_si128(v, bits) == 0;
        fn mask_u8(self, v: Self::V) -> u64 = _mm_movemask_epi8(v).cast_unsigned().into();
        fn mask_u16(self, lanes: Self::V) -> [u8; 4] =
            [_mm_movemask_epi8(_mm_packs_epi16(lanes, lanes)) as u8, 0, 0, 0];
    }

    #[inline(always)]
    unsafe fn assume() -> Self {
        Sse4(())
    }

    run_on_with!(Sse4, "sse4.2,popcnt");

    #[inline(always)]
    fn load(self, from: &[u8]) -> __m128i {
        match from.first_chunk::<16>() {
            // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
            Some(from) => unsafe { _mm_loadu_si128(from.as_ptr().cast()) },
            None => self.splat_u8(0),
        }
    }

    #[inline(always)]
    fn store(self, to: &mut [MaybeUninit<u8>], v: __m128i) {
        if let Some(to) = room_at::<16, _>(to, 0) {
            // SAFETY: the array has the 16 bytes that are written; the store needs no alignment.
            unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), v) }
        }
    }

    #[inline(always)]
    fn add_times_64(self, a: __m128i, b: __m128i) -> [__m128i; 2] {
        let weights = self.splat_u16(64 << 8 | 1);
        let [low, high] = self.interleave_u8(a, b);
        sse!([
            _mm_maddubs_epi16(weights, low),
            _mm_maddubs_epi16(weights, high)
        ])
    }

    #[inline(always)]
    fn before<const N: usize>(self, before: __m128i, v: __m128i) -> __m128i {
        sse!(match N {
            1 => _mm_alignr_epi8::<15>(v, before),
            2 => _mm_alignr_epi8::<14>(v, before),
            3 => _mm_alignr_epi8::<13>(v, before),
            _ => _mm_alignr_epi8::<12>(v, before),
        })
    }

    #[inline(always)]
    fn mask_of_lengths(self, units: __m128i) -> u32 {
        // The highest bit of each byte: set from U+0080 on in the low byte, from U+0800 on in the high one.
        let two = self.min_u16(units, self.splat_u16(0x80));
        let three = sse!(_mm_adds_epu16(units, self.splat_u16(0x7800)));
        self.mask_u8(self.or(two, three)) as u32
    }

    #[inline(always)]
    fn sum_u8(self, v: __m128i) -> usize {
        sse!({
            let sums = _mm_sad_epu8(v, _mm_setzero_si128());
            let both = _mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums));
            _mm_cvtsi128_si64(both) as usize
        })
    }
}

impl Steps for Sse4 {}

impl Steps32 for Sse4 {}
