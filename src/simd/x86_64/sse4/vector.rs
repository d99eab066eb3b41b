//! SSE4.2: vectors of 16 bytes.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::simd::generic;
use crate::simd::kernels::Entries;
use crate::simd::vector::Vector;

/// Calls of instructions, in methods of [`Sse4`].
macro_rules! sse {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has SSE4.2.
        unsafe { $calls }
    };
}

/// Bytes in a vector.
const LANES: usize = 16;

/// The vectors of SSE4.2.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Sse4(());

impl Sse4 {
    /// The features of the caller are the proof.
    #[inline]
    #[target_feature(enable = "sse4.2,popcnt")]
    pub(super) fn here() -> Self {
        Sse4(())
    }
}

/// What `generic/` makes of these vectors.
pub(super) const ENTRIES: Entries = {
    // SAFETY: a table with these is given away only where its features are there, which include those of `kernels`.
    unsafe { generic::table::entries::<Sse4>() }
};

/// The features that [`ENTRIES`] need.
#[target_feature(enable = "sse4.2,popcnt")]
pub(super) fn kernels() {}

// SAFETY: a value is made where SSE4.2 and POPCNT are enabled, or by `assume`, whose caller says that the
// processor has them.
unsafe impl Vector<LANES> for Sse4 {
    type V = __m128i;

    #[inline(always)]
    unsafe fn assume() -> Self {
        Sse4(())
    }

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce(Self) -> R) -> R {
        #[target_feature(enable = "sse4.2,popcnt")]
        fn enabled<R>(f: impl FnOnce(Sse4) -> R) -> R {
            f(Sse4(()))
        }
        // SAFETY: a token is made only where SSE4.2 and POPCNT were detected.
        unsafe { enabled(f) }
    }

    #[inline(always)]
    fn run_on<T, U, R>(
        self,
        src: &[T],
        dst: &mut [U],
        f: impl FnOnce(Self, &[T], &mut [U]) -> R,
    ) -> R {
        #[target_feature(enable = "sse4.2,popcnt")]
        fn enabled<T, U, R>(
            src: &[T],
            dst: &mut [U],
            f: impl FnOnce(Sse4, &[T], &mut [U]) -> R,
        ) -> R {
            f(Sse4(()), src, dst)
        }
        // SAFETY: a token is made only where SSE4.2 and POPCNT were detected.
        unsafe { enabled(src, dst, f) }
    }

    #[inline(always)]
    fn load(self, from: &[u8; LANES]) -> Self::V {
        // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
        unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [MaybeUninit<u8>; LANES], v: Self::V) {
        // SAFETY: the array has the 16 bytes that are written; the store needs no alignment.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), v) }
    }

    #[inline(always)]
    fn splat_u8(self, byte: u8) -> Self::V {
        sse!(_mm_set1_epi8(byte.cast_signed()))
    }

    #[inline(always)]
    fn splat_u16(self, unit: u16) -> Self::V {
        sse!(_mm_set1_epi16(unit.cast_signed()))
    }

    #[inline(always)]
    fn splat_u32(self, unit: u32) -> Self::V {
        sse!(_mm_set1_epi32(unit.cast_signed()))
    }

    #[inline(always)]
    fn and(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_and_si128(a, b))
    }

    #[inline(always)]
    fn or(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_or_si128(a, b))
    }

    #[inline(always)]
    fn xor(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_xor_si128(a, b))
    }

    #[inline(always)]
    fn select(self, lanes: Self::V, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_blendv_epi8(b, a, lanes))
    }

    #[inline(always)]
    fn add_u8(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_add_epi8(a, b))
    }

    #[inline(always)]
    fn sub_u8(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_sub_epi8(a, b))
    }

    #[inline(always)]
    fn saturating_sub_u8(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_subs_epu8(a, b))
    }

    #[inline(always)]
    fn max_u8(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_max_epu8(a, b))
    }

    #[inline(always)]
    fn eq_u8(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_cmpeq_epi8(a, b))
    }

    #[inline(always)]
    fn lt_i8(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_cmplt_epi8(a, b))
    }

    #[inline(always)]
    fn add_u16(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_add_epi16(a, b))
    }

    #[inline(always)]
    fn min_u16(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_min_epu16(a, b))
    }

    #[inline(always)]
    fn eq_u16(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_cmpeq_epi16(a, b))
    }

    #[inline(always)]
    fn at_least_u16(self, v: Self::V, least: u16) -> Self::V {
        sse!({
            let most = _mm_max_epu16(v, self.splat_u16(least));
            _mm_cmpeq_epi16(most, v)
        })
    }

    #[inline(always)]
    fn shl_u16<const BITS: i32>(self, v: Self::V) -> Self::V {
        sse!(_mm_slli_epi16::<BITS>(v))
    }

    #[inline(always)]
    fn shr_u16<const BITS: i32>(self, v: Self::V) -> Self::V {
        sse!(_mm_srli_epi16::<BITS>(v))
    }

    #[inline(always)]
    fn add_u32(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_add_epi32(a, b))
    }

    #[inline(always)]
    fn eq_u32(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_cmpeq_epi32(a, b))
    }

    #[inline(always)]
    fn at_least_u32(self, v: Self::V, least: u32) -> Self::V {
        sse!({
            let most = _mm_max_epu32(v, self.splat_u32(least));
            _mm_cmpeq_epi32(most, v)
        })
    }

    #[inline(always)]
    fn shl_u32<const BITS: i32>(self, v: Self::V) -> Self::V {
        sse!(_mm_slli_epi32::<BITS>(v))
    }

    #[inline(always)]
    fn shr_u32<const BITS: i32>(self, v: Self::V) -> Self::V {
        sse!(_mm_srli_epi32::<BITS>(v))
    }

    #[inline(always)]
    fn look_up(self, table: Self::V, indices: Self::V) -> Self::V {
        sse!(_mm_shuffle_epi8(table, indices))
    }

    #[inline(always)]
    fn look_up_or_0(self, table: Self::V, indices: Self::V) -> Self::V {
        sse!({
            // 16 and more become 80 and more.
            self.look_up(table, _mm_adds_epu8(indices, self.splat_u8(0x70)))
        })
    }

    #[inline(always)]
    fn interleave_u8(self, a: Self::V, b: Self::V) -> [Self::V; 2] {
        sse!([_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)])
    }

    #[inline(always)]
    fn interleave_u16(self, a: Self::V, b: Self::V) -> [Self::V; 2] {
        sse!([_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)])
    }

    #[inline(always)]
    fn add_times_64(self, a: Self::V, b: Self::V) -> [Self::V; 2] {
        sse!({
            let weights = self.splat_u16(64 << 8 | 1);
            self.interleave_u8(a, b).map(
                #[inline(always)]
                |pairs| _mm_maddubs_epi16(weights, pairs),
            )
        })
    }

    #[inline(always)]
    fn narrow_u16(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_packus_epi16(a, b))
    }

    #[inline(always)]
    fn narrow_u32(self, a: Self::V, b: Self::V) -> Self::V {
        sse!(_mm_packus_epi32(a, b))
    }

    #[inline(always)]
    fn one_before(self, before: Self::V, v: Self::V) -> Self::V {
        sse!(_mm_alignr_epi8::<15>(v, before))
    }

    #[inline(always)]
    fn two_before(self, before: Self::V, v: Self::V) -> Self::V {
        sse!(_mm_alignr_epi8::<14>(v, before))
    }

    #[inline(always)]
    fn three_before(self, before: Self::V, v: Self::V) -> Self::V {
        sse!(_mm_alignr_epi8::<13>(v, before))
    }

    #[inline(always)]
    fn unit_after(self, v: Self::V, after: Self::V) -> Self::V {
        sse!(_mm_alignr_epi8::<2>(after, v))
    }

    #[inline(always)]
    fn any(self, v: Self::V) -> bool {
        self.any_of(v, v)
    }

    #[inline(always)]
    fn any_of(self, v: Self::V, bits: Self::V) -> bool {
        sse!(_mm_testz_si128(v, bits) == 0)
    }

    #[inline(always)]
    fn is_ascii(self, v: Self::V) -> bool {
        sse!(_mm_movemask_epi8(v) == 0)
    }

    #[inline(always)]
    fn ascii_len(self, v: Self::V) -> usize {
        sse!({
            match _mm_movemask_epi8(v) {
                0 => LANES,
                others => others.trailing_zeros() as usize,
            }
        })
    }

    #[inline(always)]
    fn mask_u8(self, lanes: Self::V) -> u32 {
        sse!(_mm_movemask_epi8(lanes).cast_unsigned())
    }

    #[inline(always)]
    fn mask_u16(self, lanes: Self::V) -> u32 {
        sse!(self.mask_u8(_mm_packs_epi16(lanes, _mm_setzero_si128())))
    }

    #[inline(always)]
    fn sum_u8(self, v: Self::V) -> usize {
        sse!({
            let sums = _mm_sad_epu8(v, _mm_setzero_si128());
            let both = _mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums));
            _mm_cvtsi128_si64(both) as usize
        })
    }
}
