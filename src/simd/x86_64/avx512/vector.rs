//! AVX-512: vectors of 64 bytes.
//!
//! Short texts use vectors of 32 bytes. After a millisecond or so without 64-byte vectors, the first tenth of
//! a millisecond with them is three times as slow: Intel's processors wait for more power. A program that has
//! only short texts should not pay for that. With VBMI2 it does, from 33 bytes on: other kernels of that table
//! have no narrower form anyway, and 256 bytes are validated in two thirds of the time.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::masks::Masks;
use super::{LANES, broadcast, load_front, store_front};
use crate::simd::generic::table::utf8_entries;
use crate::simd::generic::utf8_steps::Steps;
use crate::simd::kernels::Entries;
use crate::simd::uninit::room_at;
use crate::simd::vector::{Text, Vector, binary, classes_by_halves, methods, text_by_loads};
use crate::simd::x86_64::avx2;
use crate::simd::x86_64::avx2::partial::Partial;
use crate::simd::x86_64::avx2::vector::Vectors256;
use crate::simd::x86_64::sse4::vector::Sse4;
use crate::simd::x86_64::{run_on_with, splats, vectors_of_parts};

/// Wraps calls of intrinsics in methods of [`Vectors512`].
macro_rules! avx512 {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX-512.
        unsafe { $calls }
    };
}

/// The way of looking up two consecutive bytes, and of moving bytes.
///
/// # Safety
///
/// A value of the type exists only if the processor has the instructions for it, and all that the AVX-512
/// table needs. `classes` finds malformed sequences as [`Vector::classes`] does.
pub(in crate::simd::x86_64) unsafe trait Lookup: Copy {
    /// What [`Vector::IS_FOR_SHORT`] says.
    const IS_FOR_SHORT: bool;

    /// Makes a token.
    ///
    /// # Safety
    ///
    /// The processor has the instructions.
    unsafe fn assume() -> Self;

    /// Runs `f` on two slices in a function that is compiled for the instruction set.
    fn run_on<T, U, R>(
        self,
        src: &[T],
        dst: &mut [U],
        f: impl FnOnce(Self, &[T], &mut [U]) -> R,
    ) -> R;

    /// Returns the bytes one, two and three before those of a vector, given those four before; `None` if there is
    /// no better way than loads or shuffles.
    fn before(self, four_before: __m512i, bytes: __m512i) -> Option<[__m512i; 3]>;

    /// Returns, for each byte, the classes of errors that it and the byte before it belong to; `None` if half
    /// bytes are the best way to look them up.
    fn classes(self, one_before: __m512i, bytes: __m512i) -> Option<__m512i>;
}

/// Look-ups by half bytes, in tables of 16 entries.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct FourBits(());

// SAFETY: `assume` requires the features, and `classes` leaves the look-up to `Vector`.
unsafe impl Lookup for FourBits {
    const IS_FOR_SHORT: bool = false;

    #[inline(always)]
    unsafe fn assume() -> Self {
        FourBits(())
    }

    run_on_with!(
        FourBits,
        "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt"
    );

    #[inline(always)]
    fn before(self, _: __m512i, _: __m512i) -> Option<[__m512i; 3]> {
        None
    }

    #[inline(always)]
    fn classes(self, _: __m512i, _: __m512i) -> Option<__m512i> {
        None
    }
}

/// The kernels with these vectors, and otherwise those of AVX2.
pub(super) const ENTRIES: Entries = {
    // SAFETY: a table with these entries is selected only if its features are available, which include those
    // of `kernels`.
    unsafe { utf8_entries::<Vectors512<FourBits>>(avx2::table::ENTRIES) }
};

/// The features that [`ENTRIES`] need.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,popcnt")]
pub(super) fn kernels() {}

/// Vectors of 64 bytes.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Vectors512<L>(L);

impl Vectors512<FourBits> {
    /// Makes the token; the features of the caller are the proof.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
    pub(in crate::simd::x86_64) fn here() -> Self {
        Vectors512(FourBits(()))
    }
}

impl<L: Lookup> Vectors512<L> {
    /// Returns a text with the bytes four before, if [`Lookup::before`] gives those between.
    #[inline(always)]
    fn text(self, four_before: __m512i, bytes: __m512i) -> Option<Text<__m512i>> {
        let [one_before, two_before, three_before] = self.0.before(four_before, bytes)?;
        Some(Text {
            bytes,
            one_before,
            two_before,
            three_before,
            four_before,
        })
    }
}

// SAFETY: the `Lookup` is the proof of AVX-512.
unsafe impl<L: Lookup> Vector for Vectors512<L> {
    type V = __m512i;
    const LANES: usize = LANES;
    const KEEPS_CONSTANTS: bool = true;
    const IS_FOR_SHORT: bool = L::IS_FOR_SHORT;
    type Short = Vectors256<Masks>;

    vectors_of_parts!(Vectors512);

    splats! {
        splat_u8(u8) = _mm512_set1_epi8,
        splat_u16(u16) = _mm512_set1_epi16,
        splat_u32(u32) = _mm512_set1_epi32,
    }

    binary! {
        and = _mm512_and_si512,
        or = _mm512_or_si512,
        xor = _mm512_xor_si512,
        add_u8 = _mm512_add_epi8,
        sub_u8 = _mm512_sub_epi8,
        saturating_add_u8 = _mm512_adds_epu8,
        saturating_sub_u8 = _mm512_subs_epu8,
        max_u8 = _mm512_max_epu8,
        add_u16 = _mm512_add_epi16,
        min_u16 = _mm512_min_epu16,
        add_u32 = _mm512_add_epi32,
        min_u32 = _mm512_min_epu32,
        max_u32 = _mm512_max_epu32,
        look_up = _mm512_shuffle_epi8,
        look_up_low_half = _mm512_shuffle_epi8,
    }

    methods! {
        fn load_front(self, from: &[u8]) -> Self::V = load_front(from);
        fn table(self, table: &[u8; 16]) -> Self::V = broadcast(table);
        fn shl_u16<const BITS: i32>(self, v: Self::V) -> Self::V =
            _mm512_sll_epi16(v, _mm_cvtsi32_si128(BITS));
        fn shr_u16<const BITS: i32>(self, v: Self::V) -> Self::V =
            _mm512_srl_epi16(v, _mm_cvtsi32_si128(BITS));
        fn for_interleaving(self, bytes: Self::V) -> Self::V =
            _mm512_permutexvar_epi64(_mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0), bytes);
        fn interleave_u8(self, a: Self::V, b: Self::V) -> [Self::V; 2] =
            [_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)];
        fn not_zero(self, v: Self::V) -> u64 = _mm512_test_epi8_mask(v, v);
        fn block_at_least(self, block: [Self::V; 4], least: u8) -> u64 =
            _mm512_cmpge_epu8_mask(block[0], self.splat_u8(least));
        fn eq_u8(self, a: Self::V, b: Self::V) -> Self::V =
            _mm512_movm_epi8(_mm512_cmpeq_epi8_mask(a, b));
        fn lt_i8(self, a: Self::V, b: Self::V) -> Self::V =
            _mm512_movm_epi8(_mm512_cmplt_epi8_mask(a, b));
        fn eq_u16(self, a: Self::V, b: Self::V) -> Self::V =
            _mm512_movm_epi16(_mm512_cmpeq_epi16_mask(a, b));
        fn gt_i16(self, a: Self::V, b: Self::V) -> Self::V =
            _mm512_movm_epi16(_mm512_cmpgt_epi16_mask(a, b));
        fn eq_u32(self, a: Self::V, b: Self::V) -> Self::V =
            _mm512_movm_epi32(_mm512_cmpeq_epi32_mask(a, b));
        fn select(self, lanes: Self::V, a: Self::V, b: Self::V) -> Self::V =
            _mm512_mask_blend_epi8(_mm512_movepi8_mask(lanes), b, a);
        fn shl_u32<const BITS: i32>(self, v: Self::V) -> Self::V =
            _mm512_sll_epi32(v, _mm_cvtsi32_si128(BITS));
        fn shr_u32<const BITS: i32>(self, v: Self::V) -> Self::V =
            _mm512_srl_epi32(v, _mm_cvtsi32_si128(BITS));
        fn interleave_u16(self, a: Self::V, b: Self::V) -> [Self::V; 2] =
            [_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)];
        // The packs work within each 128-bit quarter: put the eighths in order.
        fn narrow_u16(self, a: Self::V, b: Self::V) -> Self::V =
            eighths_in_order(_mm512_packus_epi16(a, b));
        fn narrow_u32(self, a: Self::V, b: Self::V) -> Self::V =
            eighths_in_order(_mm512_packus_epi32(a, b));
        fn unit_after(self, v: Self::V, after: Self::V) -> Self::V =
            _mm512_alignr_epi8::<2>(_mm512_alignr_epi32::<4>(after, v), v);
        fn any_of(self, v: Self::V, bits: Self::V) -> bool = _mm512_test_epi8_mask(v, bits) != 0;
        fn mask_u8(self, v: Self::V) -> u64 = _mm512_movepi8_mask(v);
        fn mask_u16(self, lanes: Self::V) -> [u8; 4] = _mm512_movepi16_mask(lanes).to_le_bytes();
        fn lanes_of(self, mask: u64) -> Self::V = _mm512_movm_epi8(mask);
        fn block_not_zero(self, block: [Self::V; 4]) -> u64 = self.not_zero(block[0]);
        fn sum_u8(self, v: Self::V) -> usize =
            _mm512_reduce_add_epi64(_mm512_sad_epu8(v, _mm512_setzero_si512())) as usize;
    }

    #[inline(always)]
    unsafe fn assume() -> Self {
        // SAFETY: the caller guarantees AVX-512.
        Vectors512(unsafe { L::assume() })
    }

    #[inline(always)]
    fn short(self) -> Self::Short {
        // SAFETY: `self` is the proof that the processor has AVX-512.
        Vectors256::new(unsafe { Masks::assume() })
    }

    #[inline(always)]
    fn load(self, from: &[u8]) -> __m512i {
        match from.first_chunk::<LANES>() {
            // SAFETY: the array has the 64 bytes that are read; the load needs no alignment.
            Some(from) => unsafe { _mm512_loadu_si512(from.as_ptr().cast()) },
            None => avx512!(_mm512_setzero_si512()),
        }
    }

    #[inline(always)]
    fn store(self, to: &mut [MaybeUninit<u8>], v: __m512i) {
        if let Some(to) = room_at::<LANES, _>(to, 0) {
            // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
            unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), v) }
        }
    }

    #[inline(always)]
    fn copy_front(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        avx512!(store_front(dst, load_front(src)));
    }

    #[inline(always)]
    fn add_times_64(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
        let weights = self.splat_u16(64 << 8 | 1);
        let [low, high] = self.interleave_u8(a, b);
        avx512!([
            _mm512_maddubs_epi16(weights, low),
            _mm512_maddubs_epi16(weights, high)
        ])
    }

    #[inline(always)]
    fn part_of(self, [low, high]: [__m512i; 2], i: usize) -> __m128i {
        let units = if i.is_multiple_of(2) { low } else { high };
        match i / 2 {
            0 => avx512!(_mm512_castsi512_si128(units)),
            1 => avx512!(_mm512_extracti32x4_epi32::<1>(units)),
            2 => avx512!(_mm512_extracti32x4_epi32::<2>(units)),
            _ => avx512!(_mm512_extracti32x4_epi32::<3>(units)),
        }
    }

    #[inline(always)]
    fn widen_signed(self, to: &mut [MaybeUninit<u8>], v: __m512i) {
        debug_assert!(to.len() >= 2 * LANES, "two vectors fit");
        if let ([low, high, ..], _) = to.as_chunks_mut::<LANES>() {
            let halves = avx512!([
                _mm512_cvtepi8_epi16(_mm512_castsi512_si256(v)),
                _mm512_cvtepi8_epi16(_mm512_extracti64x4_epi64::<1>(v)),
            ]);
            self.store(low, halves[0]);
            self.store(high, halves[1]);
        }
    }

    #[inline(always)]
    fn classes(self, one_before: __m512i, bytes: __m512i) -> __m512i {
        match self.0.classes(one_before, bytes) {
            Some(classes) => classes,
            None => classes_by_halves(self, one_before, bytes),
        }
    }

    #[inline(always)]
    fn block_continuations(self, block: [__m512i; 4]) -> u64 {
        // As signed bytes, continuation bytes are the smallest.
        avx512!(_mm512_cmplt_epi8_mask(block[0], self.splat_u8(0xC0)))
    }

    #[inline(always)]
    fn before<const N: usize>(self, before: __m512i, v: __m512i) -> __m512i {
        avx512!(match N {
            1 => _mm512_alignr_epi8::<15>(v, quarters_before(before, v)),
            2 => _mm512_alignr_epi8::<14>(v, quarters_before(before, v)),
            3 => _mm512_alignr_epi8::<13>(v, quarters_before(before, v)),
            _ => _mm512_alignr_epi32::<15>(v, before),
        })
    }

    #[inline(always)]
    fn text_after(self, before: __m512i, bytes: __m512i) -> Text<__m512i> {
        let four_before = self.before::<4>(before, bytes);
        self.text(four_before, bytes).unwrap_or_else(
            #[inline(always)]
            || Text {
                bytes,
                one_before: self.before::<1>(before, bytes),
                two_before: self.before::<2>(before, bytes),
                three_before: self.before::<3>(before, bytes),
                four_before,
            },
        )
    }

    #[inline(always)]
    fn text_inside(self, window: &[u8]) -> Text<__m512i> {
        let four_before = self.load(window);
        let bytes = self.load(window.get(4..).unwrap_or_default());
        self.text(four_before, bytes).unwrap_or_else(
            #[inline(always)]
            || text_by_loads(self, window),
        )
    }
}

impl Steps for Vectors512<FourBits> {
    const BLOCKS_BEFORE_THREES: u32 = 2;
}

/// Returns the last quarter of `before`, followed by the first three of `v`.
#[inline]
#[target_feature(enable = "avx512f")]
fn quarters_before(before: __m512i, v: __m512i) -> __m512i {
    _mm512_alignr_epi32::<12>(v, before)
}

/// Restores the order of eighths after a pack, which works within each 128-bit quarter.
#[inline]
#[target_feature(enable = "avx512f")]
fn eighths_in_order(packed: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0), packed)
}
