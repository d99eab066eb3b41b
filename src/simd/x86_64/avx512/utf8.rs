//! The vectors of AVX-512, as the algorithms for UTF-8 see them.
//!
//! Short texts take vectors of 32 bytes. Where no vector of 64 was used for a millisecond or so,
//! the first tenth of one in which they are is three times as slow: Intel's processors wait for
//! more power. A program that has only short texts should never pay for that.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{LANES, broadcast, load_front, load_front_half, store_front, store_front_half};
use crate::simd::generic::table::utf8_entries;
use crate::simd::generic::utf8_vector::{Text, Utf8Vector, classes_by_halves};
use crate::simd::kernels::Entries;
use crate::simd::vector::Vector;
use crate::simd::x86_64::avx2;
use crate::simd::x86_64::avx2::utf8::{Partial, Vectors256};
use crate::simd::x86_64::sse4::vector::Sse4;

/// Calls of instructions, in methods of [`Vectors512`].
macro_rules! avx512 {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX-512.
        unsafe { $calls }
    };
}

/// How two bytes that follow each other are looked up.
///
/// # Safety
///
/// A value of the type exists only where the processor has what that takes, and all that the table for
/// AVX-512 needs. `classes` finds what is malformed, as [`Utf8Vector::classes`] does.
pub(in crate::simd::x86_64) unsafe trait Lookup: Copy {
    /// A token.
    ///
    /// # Safety
    ///
    /// The processor has the instructions.
    unsafe fn assume() -> Self;

    /// Runs `f` in a function that is compiled for the instruction set, with two slices.
    fn run_on<T, U, R>(
        self,
        src: &[T],
        dst: &mut [U],
        f: impl FnOnce(Self, &[T], &mut [U]) -> R,
    ) -> R;

    /// For each byte the classes of errors that it and the one before it belong to, if there is a better
    /// way than by half bytes.
    fn classes(self, one_before: __m512i, bytes: __m512i) -> Option<__m512i>;
}

/// Look-ups by half bytes, in tables of 16.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Halves(());

// SAFETY: `assume` says so, and `classes` leaves all to `Utf8Vector`.
unsafe impl Lookup for Halves {
    #[inline(always)]
    unsafe fn assume() -> Self {
        Halves(())
    }

    #[inline(always)]
    fn run_on<T, U, R>(
        self,
        src: &[T],
        dst: &mut [U],
        f: impl FnOnce(Self, &[T], &mut [U]) -> R,
    ) -> R {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
        fn enabled<T, U, R>(
            src: &[T],
            dst: &mut [U],
            f: impl FnOnce(Halves, &[T], &mut [U]) -> R,
        ) -> R {
            f(Halves(()), src, dst)
        }
        // SAFETY: `self` is the proof that the processor has these.
        unsafe { enabled(src, dst, f) }
    }

    #[inline(always)]
    fn classes(self, _: __m512i, _: __m512i) -> Option<__m512i> {
        None
    }
}

/// Less than a vector of 32 bytes, by masks.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Masks(());

// SAFETY: `assume` says so; a mask has a bit for each byte of `dst`.
unsafe impl Partial for Masks {
    #[inline(always)]
    unsafe fn assume() -> Self {
        Masks(())
    }

    #[inline(always)]
    fn run_on<T, U, R>(
        self,
        src: &[T],
        dst: &mut [U],
        f: impl FnOnce(Self, &[T], &mut [U]) -> R,
    ) -> R {
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
        fn enabled<T, U, R>(
            src: &[T],
            dst: &mut [U],
            f: impl FnOnce(Masks, &[T], &mut [U]) -> R,
        ) -> R {
            f(Masks(()), src, dst)
        }
        // SAFETY: `self` is the proof that the processor has these.
        unsafe { enabled(src, dst, f) }
    }

    #[inline(always)]
    fn load_front(self, from: &[u8]) -> __m256i {
        avx512!(load_front_half(from))
    }

    #[inline(always)]
    fn load_units(self, from: &[u8]) -> [__m256i; 2] {
        // Where nothing is left, the address is still that of the slice: others are slow.
        let (low, high) = from.split_at(from.len().min(LANES / 2));
        avx512!([load_front_half(low), load_front_half(high)])
    }

    #[inline(always)]
    fn copy_front(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        avx512!(store_front_half(dst, load_front_half(src)));
    }
}

/// The kernels for UTF-8 with these vectors, and those of AVX2.
pub(super) const ENTRIES: Entries = {
    // SAFETY: a table with these is given away only where its features are there, which include those of
    // `kernels`.
    unsafe { utf8_entries::<Vectors512<Halves>>(avx2::table::ENTRIES) }
};

/// The features that [`ENTRIES`] need.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,popcnt")]
pub(super) fn kernels() {}

/// Vectors of 64 bytes.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Vectors512<L>(L);

impl Vectors512<Halves> {
    /// The features of the caller are the proof.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
    pub(super) fn here() -> Self {
        Vectors512(Halves(()))
    }
}

// SAFETY: the `Lookup` is the proof of AVX-512.
unsafe impl<L: Lookup> Utf8Vector for Vectors512<L> {
    type V = __m512i;
    const LANES: usize = LANES;
    const KEEPS_CONSTANTS: bool = true;
    type Short = Vectors256<Masks>;
    type Part = Sse4;

    #[inline(always)]
    unsafe fn assume() -> Self {
        // SAFETY: the caller says so.
        Vectors512(unsafe { L::assume() })
    }

    #[inline(always)]
    fn short(self) -> Self::Short {
        Vectors256::new(Masks(()))
    }

    #[inline(always)]
    fn part(self) -> Sse4 {
        // SAFETY: a processor with AVX-512 has SSE4.2 and POPCNT.
        unsafe { Vector::assume() }
    }

    #[inline(always)]
    fn run_on<T, U, R>(
        self,
        src: &[T],
        dst: &mut [U],
        f: impl FnOnce(Self, &[T], &mut [U]) -> R,
    ) -> R {
        self.0.run_on(
            src,
            dst,
            #[inline(always)]
            |lookup, src, dst| f(Vectors512(lookup), src, dst),
        )
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
    fn load_front(self, from: &[u8]) -> __m512i {
        avx512!(load_front(from))
    }

    #[inline(always)]
    fn store(self, to: &mut [MaybeUninit<u8>], v: __m512i) {
        if let Some(to) = to.first_chunk_mut::<LANES>() {
            // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
            unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), v) }
        }
    }

    #[inline(always)]
    fn copy_front(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        avx512!(store_front(dst, load_front(src)));
    }

    #[inline(always)]
    fn text_after(self, before: __m512i, bytes: __m512i) -> Text<__m512i> {
        avx512!({
            let before = _mm512_alignr_epi32::<12>(bytes, before);
            Text {
                bytes,
                one_before: _mm512_alignr_epi8::<15>(bytes, before),
                two_before: _mm512_alignr_epi8::<14>(bytes, before),
                three_before: _mm512_alignr_epi8::<13>(bytes, before),
            }
        })
    }

    #[inline(always)]
    fn splat_u8(self, byte: u8) -> __m512i {
        avx512!(_mm512_set1_epi8(byte.cast_signed()))
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_and_si512(a, b))
    }

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_or_si512(a, b))
    }

    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_xor_si512(a, b))
    }

    #[inline(always)]
    fn saturating_sub_u8(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_subs_epu8(a, b))
    }

    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> __m512i {
        avx512!(broadcast(table))
    }

    #[inline(always)]
    fn look_up(self, table: __m512i, indices: __m512i) -> __m512i {
        avx512!(_mm512_shuffle_epi8(table, indices))
    }

    #[inline(always)]
    fn splat_u16(self, unit: u16) -> __m512i {
        avx512!(_mm512_set1_epi16(unit.cast_signed()))
    }

    #[inline(always)]
    fn sub_u8(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_sub_epi8(a, b))
    }

    #[inline(always)]
    fn max_u8(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_max_epu8(a, b))
    }

    #[inline(always)]
    fn add_u16(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_add_epi16(a, b))
    }

    #[inline(always)]
    fn shl_u16<const BITS: i32>(self, v: __m512i) -> __m512i {
        avx512!(_mm512_sll_epi16(v, _mm_cvtsi32_si128(BITS)))
    }

    #[inline(always)]
    fn shr_u16<const BITS: i32>(self, v: __m512i) -> __m512i {
        avx512!(_mm512_srl_epi16(v, _mm_cvtsi32_si128(BITS)))
    }

    #[inline(always)]
    fn interleave_u8(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
        avx512!([_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)])
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
    fn keep_where_not_ascii(self, v: __m512i, of: __m512i) -> __m512i {
        avx512!(_mm512_maskz_mov_epi8(_mm512_movepi8_mask(of), v))
    }

    #[inline(always)]
    fn select_where_not_ascii(self, of: __m512i, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_mask_blend_epi8(_mm512_movepi8_mask(of), b, a))
    }

    #[inline(always)]
    fn keep(self, v: __m512i, bytes: u64) -> __m512i {
        avx512!(_mm512_maskz_mov_epi8(bytes, v))
    }

    #[inline(always)]
    fn blend_units(self, units: [__m512i; 2], others: [__m512i; 2], bytes: u64) -> [__m512i; 2] {
        let lanes = avx512!(_mm512_movm_epi8(bytes));
        let [low, high] = self.interleave_u8(lanes, lanes);
        avx512!([
            _mm512_mask_blend_epi16(_mm512_movepi16_mask(low), units[0], others[0]),
            _mm512_mask_blend_epi16(_mm512_movepi16_mask(high), units[1], others[1]),
        ])
    }

    #[inline(always)]
    fn widen_signed(self, to: &mut [MaybeUninit<u8>], v: __m512i) {
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
    fn is_ascii(self, v: __m512i) -> bool {
        avx512!(_mm512_movepi8_mask(v) == 0)
    }

    #[inline(always)]
    fn is_zero(self, v: __m512i) -> bool {
        self.not_zero(v) == 0
    }

    #[inline(always)]
    fn not_zero(self, v: __m512i) -> u64 {
        avx512!(_mm512_test_epi8_mask(v, v))
    }

    #[inline(always)]
    fn block_not_zero(self, block: [__m512i; 4]) -> u64 {
        self.not_zero(block[0])
    }

    #[inline(always)]
    fn block_at_least(self, block: [__m512i; 4], least: u8) -> u64 {
        avx512!(_mm512_cmpge_epu8_mask(block[0], self.splat_u8(least)))
    }

    #[inline(always)]
    fn block_continuations(self, block: [__m512i; 4]) -> u64 {
        // Signed, continuation bytes are the smallest.
        avx512!(_mm512_cmplt_epi8_mask(block[0], self.splat_u8(0xC0)))
    }
}
