//! AVX2: vectors of 32 bytes.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::LANES;
use super::partial::{Dwords, Partial};
use crate::simd::generic;
use crate::simd::kernels::Entries;
use crate::simd::uninit::room_at;
use crate::simd::vector::{MARKED, Vector, binary, methods};
use crate::simd::x86_64::sse4;
use crate::simd::x86_64::sse4::vector::Sse4;
use crate::simd::x86_64::{shifts, splats, vectors_of_parts};

/// Wraps calls of intrinsics in methods of [`Vectors256`].
macro_rules! avx2 {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX2.
        unsafe { $calls }
    };
}

/// The kernels of `generic/` with these vectors.
pub(super) const ENTRIES: Entries = {
    // SAFETY: a table with these entries is selected only if its features are available, which include those
    // of `kernels`.
    unsafe { generic::table::entries::<Vectors256<Dwords>>() }
};

/// The features that [`ENTRIES`] need.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn kernels() {}

/// Vectors of 32 bytes.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Vectors256<P>(P);

impl Vectors256<Dwords> {
    /// Makes the token; the features of the caller are the proof.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub(super) fn here() -> Self {
        Vectors256(Dwords::here())
    }
}

impl<P: Partial> Vectors256<P> {
    pub(in crate::simd::x86_64) fn new(partial: P) -> Self {
        Vectors256(partial)
    }
}

// SAFETY: the `Partial` is the proof of AVX2.
unsafe impl<P: Partial> Vector for Vectors256<P> {
    type V = __m256i;
    const LANES: usize = LANES;
    const KEEPS_CONSTANTS: bool = true;
    const MARKS_VECTORS: bool = true;
    type Short = Self;

    vectors_of_parts!(Vectors256);

    splats! {
        splat_u8(u8) = _mm256_set1_epi8,
        splat_u16(u16) = _mm256_set1_epi16,
        splat_u32(u32) = _mm256_set1_epi32,
    }

    binary! {
        and = _mm256_and_si256,
        or = _mm256_or_si256,
        xor = _mm256_xor_si256,
        add_u8 = _mm256_add_epi8,
        sub_u8 = _mm256_sub_epi8,
        saturating_add_u8 = _mm256_adds_epu8,
        saturating_sub_u8 = _mm256_subs_epu8,
        max_u8 = _mm256_max_epu8,
        eq_u8 = _mm256_cmpeq_epi8,
        add_u16 = _mm256_add_epi16,
        min_u16 = _mm256_min_epu16,
        eq_u16 = _mm256_cmpeq_epi16,
        gt_i16 = _mm256_cmpgt_epi16,
        add_u32 = _mm256_add_epi32,
        min_u32 = _mm256_min_epu32,
        max_u32 = _mm256_max_epu32,
        eq_u32 = _mm256_cmpeq_epi32,
        look_up = _mm256_shuffle_epi8,
        look_up_low_half = _mm256_shuffle_epi8,
        pack_u16 = _mm256_packus_epi16,
    }

    shifts! {
        shl_u16 = _mm256_slli_epi16,
        shr_u16 = _mm256_srli_epi16,
        shl_u32 = _mm256_slli_epi32,
        shr_u32 = _mm256_srli_epi32,
    }

    methods! {
        fn load_front(self, from: &[u8]) -> Self::V = self.0.load_front(from);
        fn select(self, lanes: Self::V, a: Self::V, b: Self::V) -> Self::V =
            _mm256_blendv_epi8(b, a, lanes);
        fn lt_i8(self, a: Self::V, b: Self::V) -> Self::V = _mm256_cmpgt_epi8(b, a);
        fn table(self, table: &[u8; 16]) -> Self::V =
            _mm256_broadcastsi128_si256(sse4::load(table));
        fn for_interleaving(self, bytes: Self::V) -> Self::V = quarters_in_order(bytes);
        fn interleave_u8(self, a: Self::V, b: Self::V) -> [Self::V; 2] =
            [_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)];
        fn interleave_u16(self, a: Self::V, b: Self::V) -> [Self::V; 2] =
            [_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)];
        fn packed_in_order(self, packed: Self::V) -> Self::V = quarters_in_order(packed);
        fn narrow_u16(self, a: Self::V, b: Self::V) -> Self::V =
            quarters_in_order(self.pack_u16(a, b));
        fn narrow_u32(self, a: Self::V, b: Self::V) -> Self::V =
            quarters_in_order(_mm256_packus_epi32(a, b));
        fn unit_after(self, v: Self::V, after: Self::V) -> Self::V =
            _mm256_alignr_epi8::<2>(halves_before(v, after), v);
        fn any_of(self, v: Self::V, bits: Self::V) -> bool = _mm256_testz_si256(v, bits) == 0;
        fn mask_u8(self, v: Self::V) -> u64 = _mm256_movemask_epi8(v).cast_unsigned().into();
        fn mask_u16(self, lanes: Self::V) -> [u8; 4] = {
            // Not by `pext`: see `pdep.rs`.
            let twice = _mm256_movemask_epi8(_mm256_packs_epi16(lanes, lanes));
            [twice as u8, (twice >> 16) as u8, 0, 0]
        };
        fn lanes_of(self, mask: u64) -> Self::V = expand(mask as u32);
    }

    #[inline(always)]
    unsafe fn assume() -> Self {
        // SAFETY: the caller guarantees AVX2.
        Vectors256(unsafe { P::assume() })
    }

    #[inline(always)]
    fn short(self) -> Self {
        self
    }

    #[inline(always)]
    fn load(self, from: &[u8]) -> __m256i {
        match from.first_chunk::<LANES>() {
            // SAFETY: the array has the 32 bytes that are read; the load needs no alignment.
            Some(from) => unsafe { _mm256_loadu_si256(from.as_ptr().cast()) },
            None => self.splat_u8(0),
        }
    }

    #[inline(always)]
    fn store(self, to: &mut [MaybeUninit<u8>], v: __m256i) {
        if let Some(to) = room_at::<LANES, _>(to, 0) {
            // SAFETY: the array has the 32 bytes that are written; the store needs no alignment.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), v) }
        }
    }

    #[inline(always)]
    fn copy_front(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        self.0.copy_front(src, dst);
    }

    #[inline(always)]
    fn rows(self, table: &[[u8; 16]; 256], [low, high]: [u8; 2]) -> __m256i {
        avx2!({
            let low = _mm256_castsi128_si256(sse4::load(&table[usize::from(low)]));
            _mm256_inserti128_si256::<1>(low, sse4::load(&table[usize::from(high)]))
        })
    }

    #[inline(always)]
    fn part_of(self, [low, high]: [__m256i; 2], i: usize) -> __m128i {
        let units = if i.is_multiple_of(2) { low } else { high };
        if i < 2 {
            avx2!(_mm256_castsi256_si128(units))
        } else {
            avx2!(_mm256_extracti128_si256::<1>(units))
        }
    }

    #[inline(always)]
    fn add_times_64(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        let weights = self.splat_u16(64 << 8 | 1);
        let [low, high] = self.interleave_u8(a, b);
        avx2!([
            _mm256_maddubs_epi16(weights, low),
            _mm256_maddubs_epi16(weights, high)
        ])
    }

    #[inline(always)]
    fn before<const N: usize>(self, before: __m256i, v: __m256i) -> __m256i {
        avx2!(match N {
            1 => _mm256_alignr_epi8::<15>(v, halves_before(before, v)),
            2 => _mm256_alignr_epi8::<14>(v, halves_before(before, v)),
            3 => _mm256_alignr_epi8::<13>(v, halves_before(before, v)),
            _ => _mm256_alignr_epi8::<12>(v, halves_before(before, v)),
        })
    }

    #[inline(always)]
    fn mask_of_lengths(self, units: __m256i) -> u32 {
        // As with SSE4.2.
        let two = self.min_u16(units, self.splat_u16(0x80));
        let three = avx2!(_mm256_adds_epu16(units, self.splat_u16(0x7800)));
        self.mask_u8(self.or(two, three)) as u32
    }

    #[inline(always)]
    fn widen_signed(self, to: &mut [MaybeUninit<u8>], v: __m256i) {
        debug_assert!(to.len() >= 2 * LANES, "two vectors fit");
        if let ([low, high, ..], _) = to.as_chunks_mut::<LANES>() {
            let halves = avx2!([
                _mm256_cvtepi8_epi16(_mm256_castsi256_si128(v)),
                _mm256_cvtepi8_epi16(_mm256_extracti128_si256::<1>(v)),
            ]);
            self.store(low, halves[0]);
            self.store(high, halves[1]);
        }
    }

    #[inline(always)]
    fn marks(self, src: &[u8]) -> u16 {
        let Some(src) = src.first_chunk::<{ MARKED * LANES }>() else {
            return 0;
        };
        let mut any = [self.splat_u8(0); MARKED];
        for (any, bytes) in any.iter_mut().zip(src.as_chunks::<LANES>().0) {
            *any = self.and(self.load(bytes), self.splat_u8(0x80));
        }
        // In each 128-bit half, two bytes become one that is not 0 unless both are.
        let mut len = MARKED;
        while len > 1 {
            len /= 2;
            for i in 0..len {
                any[i] = avx2!(_mm256_packs_epi16(any[2 * i], any[2 * i + 1]));
            }
        }
        avx2!({
            let halves = _mm256_castsi256_si128(any[0]);
            let any = _mm_or_si128(halves, _mm256_extracti128_si256::<1>(any[0]));
            let none = _mm_cmpeq_epi8(any, _mm_setzero_si128());
            !(_mm_movemask_epi8(none) as u16)
        })
    }

    #[inline(always)]
    fn sum_u8(self, v: __m256i) -> usize {
        avx2!({
            let sums = _mm256_sad_epu8(v, _mm256_setzero_si256());
            let low = _mm256_castsi256_si128(sums);
            let two = _mm_add_epi64(low, _mm256_extracti128_si256::<1>(sums));
            _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as usize
        })
    }
}

/// Returns the upper half of `before`, followed by the lower half of `v`.
#[inline]
#[target_feature(enable = "avx2")]
fn halves_before(before: __m256i, v: __m256i) -> __m256i {
    _mm256_permute2x128_si256::<0x21>(before, v)
}

/// Exchanges the quarters in the middle: compensates for packing and unpacking, which work within each 128-bit half.
#[inline]
#[target_feature(enable = "avx2")]
fn quarters_in_order(v: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(v)
}

/// Returns FF for every set bit.
#[inline]
#[target_feature(enable = "avx2")]
fn expand(mask: u32) -> __m256i {
    #[rustfmt::skip]
    let byte = _mm256_setr_epi8(
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
        2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
    );
    let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
    let spread = _mm256_shuffle_epi8(_mm256_set1_epi32(mask.cast_signed()), byte);
    _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit)
}
