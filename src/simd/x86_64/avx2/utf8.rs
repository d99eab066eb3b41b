//! The vectors of AVX2, as the algorithms for UTF-8 see them.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{LANES, load, units};
use crate::simd::generic::table::utf8_entries;
use crate::simd::generic::utf8_vector::{Text, Utf8Vector};
use crate::simd::kernels::Entries;
use crate::simd::vector::Vector;
use crate::simd::x86_64::sse4;
use crate::simd::x86_64::sse4::vector::Sse4;

/// Calls of instructions, in methods of [`Vectors256`].
macro_rules! avx2 {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX2.
        unsafe { $calls }
    };
}

/// How less than a vector is loaded and copied.
///
/// # Safety
///
/// A value of the type exists only where the processor has what that takes, and AVX2, BMI1, BMI2 and
/// POPCNT. `copy_front` writes all of `dst`.
pub(in crate::simd::x86_64) unsafe trait Partial: Copy {
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

    /// Up to 32 bytes from the front of `from`; the other lanes are 0.
    fn load_front(self, from: &[u8]) -> __m256i;

    /// Up to 32 code units of UTF-16, as bytes; the other lanes are 0.
    fn load_units(self, from: &[u8]) -> [__m256i; 2];

    /// Copies no more than 32 bytes, which both slices have.
    fn copy_front(self, src: &[u8], dst: &mut [MaybeUninit<u8>]);
}

/// By whole dwords, and what is left.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Dwords(());

// SAFETY: `assume` says so; `copy_front` copies as many bytes as there are.
unsafe impl Partial for Dwords {
    #[inline(always)]
    unsafe fn assume() -> Self {
        Dwords(())
    }

    #[inline(always)]
    fn run_on<T, U, R>(
        self,
        src: &[T],
        dst: &mut [U],
        f: impl FnOnce(Self, &[T], &mut [U]) -> R,
    ) -> R {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
        fn enabled<T, U, R>(
            src: &[T],
            dst: &mut [U],
            f: impl FnOnce(Dwords, &[T], &mut [U]) -> R,
        ) -> R {
            f(Dwords(()), src, dst)
        }
        // SAFETY: `self` is the proof that the processor has these.
        unsafe { enabled(src, dst, f) }
    }

    #[inline(always)]
    fn load_front(self, from: &[u8]) -> __m256i {
        avx2!(load_front(from))
    }

    #[inline(always)]
    fn load_units(self, from: &[u8]) -> [__m256i; 2] {
        avx2!(units::load_units(from))
    }

    #[inline(always)]
    fn copy_front(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        copy_front(src, dst);
    }
}

/// The kernels for UTF-8 with these vectors, and those of SSE4.2.
pub(super) const ENTRIES: Entries = {
    // SAFETY: a table with these is given away only where its features are there, which include those of
    // `kernels`.
    unsafe { utf8_entries::<Vectors256<Dwords>>(sse4::table::ENTRIES) }
};

/// The features that [`ENTRIES`] need.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn kernels() {}

/// Vectors of 32 bytes.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Vectors256<P>(P);

impl Vectors256<Dwords> {
    /// The features of the caller are the proof.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub(super) fn here() -> Self {
        Vectors256(Dwords(()))
    }
}

impl<P: Partial> Vectors256<P> {
    pub(in crate::simd::x86_64) fn new(partial: P) -> Self {
        Vectors256(partial)
    }

    #[inline(always)]
    pub(super) fn partial(self) -> P {
        self.0
    }
}

// SAFETY: the `Partial` is the proof of AVX2.
unsafe impl<P: Partial> Utf8Vector for Vectors256<P> {
    type V = __m256i;
    const LANES: usize = LANES;
    const KEEPS_CONSTANTS: bool = true;
    type Short = Self;
    type Part = Sse4;

    #[inline(always)]
    unsafe fn assume() -> Self {
        // SAFETY: the caller says so.
        Vectors256(unsafe { P::assume() })
    }

    #[inline(always)]
    fn short(self) -> Self {
        self
    }

    #[inline(always)]
    fn part(self) -> Sse4 {
        // SAFETY: a processor with AVX2 has SSE4.2 and POPCNT.
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
            |partial, src, dst| f(Vectors256(partial), src, dst),
        )
    }

    #[inline(always)]
    fn load(self, from: &[u8]) -> __m256i {
        match from.first_chunk::<LANES>() {
            // SAFETY: the array has the 32 bytes that are read; the load needs no alignment.
            Some(from) => unsafe { _mm256_loadu_si256(from.as_ptr().cast()) },
            None => avx2!(_mm256_setzero_si256()),
        }
    }

    #[inline(always)]
    fn load_front(self, from: &[u8]) -> __m256i {
        self.0.load_front(from)
    }

    #[inline(always)]
    fn store(self, to: &mut [MaybeUninit<u8>], v: __m256i) {
        if let Some(to) = to.first_chunk_mut::<LANES>() {
            // SAFETY: the array has the 32 bytes that are written; the store needs no alignment.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), v) }
        }
    }

    #[inline(always)]
    fn copy_front(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        self.0.copy_front(src, dst);
    }

    #[inline(always)]
    fn text_after(self, before: __m256i, bytes: __m256i) -> Text<__m256i> {
        avx2!({
            let before = _mm256_permute2x128_si256::<0x21>(before, bytes);
            Text {
                bytes,
                one_before: _mm256_alignr_epi8::<15>(bytes, before),
                two_before: _mm256_alignr_epi8::<14>(bytes, before),
                three_before: _mm256_alignr_epi8::<13>(bytes, before),
            }
        })
    }

    #[inline(always)]
    fn splat_u8(self, byte: u8) -> __m256i {
        avx2!(_mm256_set1_epi8(byte.cast_signed()))
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_and_si256(a, b))
    }

    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_or_si256(a, b))
    }

    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_xor_si256(a, b))
    }

    #[inline(always)]
    fn saturating_sub_u8(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_subs_epu8(a, b))
    }

    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> __m256i {
        // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
        let table = unsafe { _mm_loadu_si128(table.as_ptr().cast()) };
        avx2!(_mm256_broadcastsi128_si256(table))
    }

    #[inline(always)]
    fn look_up(self, table: __m256i, indices: __m256i) -> __m256i {
        avx2!(_mm256_shuffle_epi8(table, indices))
    }

    #[inline(always)]
    fn splat_u16(self, unit: u16) -> __m256i {
        avx2!(_mm256_set1_epi16(unit.cast_signed()))
    }

    #[inline(always)]
    fn sub_u8(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_sub_epi8(a, b))
    }

    #[inline(always)]
    fn max_u8(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_max_epu8(a, b))
    }

    #[inline(always)]
    fn add_u16(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_add_epi16(a, b))
    }

    #[inline(always)]
    fn shl_u16<const BITS: i32>(self, v: __m256i) -> __m256i {
        avx2!(_mm256_slli_epi16::<BITS>(v))
    }

    #[inline(always)]
    fn shr_u16<const BITS: i32>(self, v: __m256i) -> __m256i {
        avx2!(_mm256_srli_epi16::<BITS>(v))
    }

    #[inline(always)]
    fn interleave_u8(self, a: __m256i, b: __m256i) -> [__m256i; 2] {
        avx2!([_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)])
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
    fn part_of(self, [low, high]: [__m256i; 2], i: usize) -> __m128i {
        let units = if i.is_multiple_of(2) { low } else { high };
        if i < 2 {
            avx2!(_mm256_castsi256_si128(units))
        } else {
            avx2!(_mm256_extracti128_si256::<1>(units))
        }
    }

    #[inline(always)]
    fn keep_where_not_ascii(self, v: __m256i, of: __m256i) -> __m256i {
        avx2!(_mm256_and_si256(
            v,
            _mm256_cmpgt_epi8(_mm256_setzero_si256(), of)
        ))
    }

    #[inline(always)]
    fn select_where_not_ascii(self, of: __m256i, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_blendv_epi8(b, a, of))
    }

    #[inline(always)]
    fn keep(self, v: __m256i, bytes: u64) -> __m256i {
        avx2!(_mm256_and_si256(v, expand(bytes as u32)))
    }

    #[inline(always)]
    fn blend_units(self, units: [__m256i; 2], others: [__m256i; 2], bytes: u64) -> [__m256i; 2] {
        let lanes = avx2!(expand(bytes as u32));
        let [low, high] = self.interleave_u8(lanes, lanes);
        avx2!([
            _mm256_blendv_epi8(units[0], others[0], low),
            _mm256_blendv_epi8(units[1], others[1], high),
        ])
    }

    #[inline(always)]
    fn widen_signed(self, to: &mut [MaybeUninit<u8>], v: __m256i) {
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
    fn is_ascii(self, v: __m256i) -> bool {
        avx2!(_mm256_movemask_epi8(v) == 0)
    }

    #[inline(always)]
    fn is_zero(self, v: __m256i) -> bool {
        avx2!(_mm256_testz_si256(v, v) == 1)
    }

    #[inline(always)]
    fn not_zero(self, v: __m256i) -> u64 {
        let zeros = avx2!(_mm256_movemask_epi8(_mm256_cmpeq_epi8(
            v,
            _mm256_setzero_si256()
        )));
        u64::from(!zeros.cast_unsigned())
    }

    #[inline(always)]
    fn block_not_zero(self, block: [__m256i; 4]) -> u64 {
        self.not_zero(block[0]) | self.not_zero(block[1]) << LANES
    }

    #[inline(always)]
    fn block_at_least(self, block: [__m256i; 4], least: u8) -> u64 {
        let rest = self.splat_u8(least - 0x80);
        let low = avx2!(_mm256_movemask_epi8(_mm256_subs_epu8(block[0], rest)));
        let high = avx2!(_mm256_movemask_epi8(_mm256_subs_epu8(block[1], rest)));
        u64::from(low.cast_unsigned()) | u64::from(high.cast_unsigned()) << LANES
    }

    #[inline(always)]
    fn block_continuations(self, block: [__m256i; 4]) -> u64 {
        let starts = self.splat_u8(0xC0);
        // Signed, continuation bytes are the smallest.
        let low = avx2!(_mm256_movemask_epi8(_mm256_cmpgt_epi8(starts, block[0])));
        let high = avx2!(_mm256_movemask_epi8(_mm256_cmpgt_epi8(starts, block[1])));
        u64::from(low.cast_unsigned()) | u64::from(high.cast_unsigned()) << LANES
    }
}

/// FF for every set bit.
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

/// Up to 32 bytes from the front of `from`; the other lanes are 0.
#[inline]
#[target_feature(enable = "avx2")]
fn load_front(from: &[u8]) -> __m256i {
    if let Some(bytes) = from.first_chunk() {
        return load(bytes);
    }
    let Some(last) = from.last_chunk() else {
        let byte = |at: usize| u32::from(from.get(at).copied().unwrap_or(0)) << (8 * at);
        let bytes = byte(0) | byte(1) | byte(2);
        return _mm256_zextsi128_si256(_mm_cvtsi32_si128(bytes.cast_signed()));
    };
    // Whole dwords, and then one dword with the up to three bytes after them.
    let dwords = _mm256_set1_epi32((from.len() / 4) as i32);
    let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    let inside = _mm256_cmpgt_epi32(dwords, lanes);
    // SAFETY: dwords that are not wholly in the slice are masked off, and what is masked off is not
    // read.
    let front = unsafe { _mm256_maskload_epi32(from.as_ptr().cast(), inside) };
    let shift = 8 * (4 - from.len() % 4);
    let rest = (u64::from(u32::from_le_bytes(*last)) >> shift) as u32;
    let rest = _mm256_set1_epi32(rest.cast_signed());
    _mm256_or_si256(
        front,
        _mm256_and_si256(rest, _mm256_cmpeq_epi32(dwords, lanes)),
    )
}

/// Copies no more than 32 bytes, which both slices have.
#[inline(always)]
fn copy_front(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    /// Copies the first and the last `N` bytes, if there are so many.
    #[inline(always)]
    fn ends<const N: usize>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
        if let (Some(front), Some(back)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) {
            if let Some(to) = dst.first_chunk_mut::<N>() {
                *to = front.map(MaybeUninit::new);
            }
            if let Some(to) = dst.last_chunk_mut::<N>() {
                *to = back.map(MaybeUninit::new);
            }
        }
        src.len() >= N
    }
    debug_assert_eq!(src.len(), dst.len());
    if !ends::<16>(src, dst) && !ends::<8>(src, dst) && !ends::<4>(src, dst) {
        for (to, from) in dst.iter_mut().zip(src).take(3) {
            to.write(*from);
        }
    }
}
