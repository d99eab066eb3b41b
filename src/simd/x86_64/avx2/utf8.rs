//! UTF-8 validation for AVX2, and a copy with it: the vectors of `utf8_valid.rs`.

use core::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm_loadu_si128, _mm256_alignr_epi8, _mm256_and_si256,
    _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_cmpeq_epi32, _mm256_cmpgt_epi32,
    _mm256_maskload_epi32, _mm256_movemask_epi8, _mm256_or_si256, _mm256_permute2x128_si256,
    _mm256_set1_epi8, _mm256_set1_epi32, _mm256_setr_epi32, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_subs_epu8, _mm256_testz_si256, _mm256_xor_si256,
    _mm256_zextsi128_si256,
};
use core::mem::MaybeUninit;

use super::{LANES, load, store};
use crate::simd::x86_64::utf8_copy::{self, CHUNK_BEHIND_ERROR};
use crate::simd::x86_64::utf8_errors::{FIRST_HIGH, FIRST_LOW, SECOND_HIGH, TWO_CONTINUATIONS};
use crate::simd::x86_64::utf8_valid::{self, CHUNK, Text, Vectors};

/// How less than a vector is loaded and copied.
///
/// # Safety
///
/// A value of the type exists only where the processor has what that takes, and AVX2, BMI1, BMI2 and
/// POPCNT. `copy_few` writes all of `dst`.
pub(in crate::simd::x86_64) unsafe trait Partial: Copy {
    /// Up to 32 bytes from the front of `from`; the other lanes are 0.
    fn load_front(self, from: &[u8]) -> __m256i;

    /// Copies no more than 32 bytes, which both slices have.
    fn copy_few(self, src: &[u8], dst: &mut [MaybeUninit<u8>]);
}

/// By whole dwords, and what is left.
#[derive(Clone, Copy)]
pub(super) struct Dwords(());

impl Dwords {
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub(super) fn here() -> Self {
        Dwords(())
    }
}

// SAFETY: only `here` makes one, in code for these features; `copy_few` copies as many bytes as there are.
unsafe impl Partial for Dwords {
    #[inline(always)]
    fn load_front(self, from: &[u8]) -> __m256i {
        // SAFETY: `self` was made where AVX2 is enabled.
        unsafe { load_front(from) }
    }

    #[inline(always)]
    fn copy_few(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        copy_few(src, dst);
    }
}

/// Vectors of 32 bytes.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Vectors256<P>(pub(in crate::simd::x86_64) P);

/// For each byte the classes of errors that it and the one before it belong to.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn classes(text: Text<__m256i>) -> __m256i {
    let half = _mm256_set1_epi8(0x0F);
    let high = |bytes| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), half);
    let first_low = _mm256_and_si256(text.one_before, half);
    let first_high = _mm256_shuffle_epi8(broadcast(&FIRST_HIGH), high(text.one_before));
    let first_low = _mm256_shuffle_epi8(broadcast(&FIRST_LOW), first_low);
    let second_high = _mm256_shuffle_epi8(broadcast(&SECOND_HIGH), high(text.bytes));
    _mm256_and_si256(_mm256_and_si256(first_high, first_low), second_high)
}

/// The text at the start of all text, or where nothing before it counts.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn at_start(bytes: __m256i) -> Text<__m256i> {
    let before = _mm256_permute2x128_si256::<0x08>(bytes, bytes);
    Text {
        bytes,
        one_before: _mm256_alignr_epi8::<15>(bytes, before),
        two_before: _mm256_alignr_epi8::<14>(bytes, before),
        three_before: _mm256_alignr_epi8::<13>(bytes, before),
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn errors(text: Text<__m256i>) -> __m256i {
    // From E0 and F0 the subtractions leave 80 or more: then this must be a continuation byte,
    // and so must the one before.
    let third = _mm256_subs_epu8(text.two_before, _mm256_set1_epi8(0x60));
    let fourth = _mm256_subs_epu8(text.three_before, _mm256_set1_epi8(0x70));
    let two_continuations = _mm256_set1_epi8(TWO_CONTINUATIONS.cast_signed());
    let expected = _mm256_and_si256(_mm256_or_si256(third, fourth), two_continuations);
    _mm256_xor_si256(classes(text), expected)
}

/// The 16 bytes twice: a table for `_mm256_shuffle_epi8`.
#[inline]
#[target_feature(enable = "avx2")]
fn broadcast(table: &[u8; 16]) -> __m256i {
    // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_whole(from: &[u8]) -> __m256i {
    match from.first_chunk() {
        Some(bytes) => load(bytes),
        None => _mm256_setzero_si256(),
    }
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
fn copy_few(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
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

/// Not 0 in bytes that start a character which does not end in the vector.
#[inline]
#[target_feature(enable = "avx2")]
fn cut_at_end(bytes: __m256i) -> __m256i {
    const WHOLE: [u8; LANES] = {
        let mut most = [0xFF; LANES];
        [most[LANES - 3], most[LANES - 2], most[LANES - 1]] = [0xEF, 0xDF, 0xBF];
        most
    };
    _mm256_subs_epu8(bytes, load(&WHOLE))
}

#[inline]
#[target_feature(enable = "avx2")]
fn or(a: __m256i, b: __m256i) -> __m256i {
    _mm256_or_si256(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn not_ascii(bytes: __m256i) -> i32 {
    _mm256_movemask_epi8(bytes)
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_zero(bytes: __m256i) -> bool {
    _mm256_testz_si256(bytes, bytes) == 1
}

/// The bytes that are 0.
#[inline]
#[target_feature(enable = "avx2")]
fn zeros(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())).cast_unsigned()
}

// SAFETY: the `Partial` was made where AVX2 is enabled, and the functions below do what is said.
unsafe impl<P: Partial> Vectors for Vectors256<P> {
    type Vector = __m256i;
    const LANES: usize = LANES;

    #[inline(always)]
    fn load_front(self, from: &[u8]) -> __m256i {
        self.0.load_front(from)
    }

    #[inline(always)]
    fn load(self, from: &[u8]) -> __m256i {
        // SAFETY: the `Partial` was made where AVX2 is enabled; here and below.
        unsafe { load_whole(from) }
    }

    #[inline(always)]
    fn at_start(self, bytes: __m256i) -> Text<__m256i> {
        // SAFETY: as above.
        unsafe { at_start(bytes) }
    }

    #[inline(always)]
    fn errors(self, text: Text<__m256i>) -> __m256i {
        // SAFETY: as above.
        unsafe { errors(text) }
    }

    #[inline(always)]
    fn cut_at_end(self, bytes: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { cut_at_end(bytes) }
    }

    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: as above.
        unsafe { or(a, b) }
    }

    #[inline(always)]
    fn is_ascii(self, bytes: __m256i) -> bool {
        // SAFETY: as above.
        unsafe { not_ascii(bytes) == 0 }
    }

    #[inline(always)]
    fn first(self, errors: __m256i) -> Option<usize> {
        // SAFETY: as above.
        let zeros = unsafe { zeros(errors) };
        (zeros != u32::MAX).then_some(zeros.trailing_ones() as usize)
    }

    #[inline(always)]
    fn none(self, errors: __m256i) -> bool {
        // SAFETY: as above.
        unsafe { is_zero(errors) }
    }

    #[inline(always)]
    fn store(self, to: &mut [MaybeUninit<u8>], bytes: __m256i) {
        if let Some(to) = to.first_chunk_mut() {
            // SAFETY: as above.
            unsafe { store(to, bytes) }
        }
    }

    #[inline(always)]
    fn copy_few(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        self.0.copy_few(src, dst);
    }
}

/// The length of the longest well-formed prefix.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_valid_prefix(src: &[u8]) -> usize {
    if utf8_valid::are_few_and_valid(Vectors256(Dwords::here()), src) {
        src.len()
    } else {
        long_valid_prefix(src)
    }
}

/// [`utf8_valid_prefix`] of many vectors, or where something is wrong.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn long_valid_prefix(src: &[u8]) -> usize {
    utf8_valid::valid_prefix(Vectors256(Dwords::here()), src)
}

/// Copies well-formed UTF-8, as far as there is room for whole characters. Returns its length.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::utf8_to_utf8(
        Vectors256(Dwords::here()),
        src,
        dst,
        |src| long_valid_prefix(src),
        |src, dst| long_copy(src, dst),
    )
}

/// [`utf8_to_utf8`] of many vectors.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn long_copy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::many_to_utf8::<CHUNK, _>(Vectors256(Dwords::here()), src, dst)
}

/// [`utf8_to_utf8`] after an error, before the next one.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn copy_after_error(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::copy_after_error(
        src,
        dst,
        |src, dst| utf8_to_utf8(src, dst),
        |src, dst| long_copy_after_error(src, dst),
    )
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn long_copy_after_error(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::many_to_utf8::<CHUNK_BEHIND_ERROR, _>(Vectors256(Dwords::here()), src, dst)
}
