//! UTF-8 validation for AVX-512, and a copy with it: the vectors of `utf8_valid.rs`.
//!
//! Short texts take vectors of 32 bytes. Where no vector of 64 was used for a millisecond or so,
//! the first tenth of one in which they are is three times as slow: Intel's processors wait for
//! more power. A program that has only short texts should never pay for that.

use core::arch::x86_64::{
    __m256i, __m512i, _mm512_alignr_epi8, _mm512_alignr_epi32, _mm512_and_si512,
    _mm512_movepi8_mask, _mm512_or_si512, _mm512_set1_epi8, _mm512_setzero_si512,
    _mm512_shuffle_epi8, _mm512_srli_epi16, _mm512_subs_epu8, _mm512_test_epi8_mask,
    _mm512_xor_si512,
};
use core::mem::MaybeUninit;

use super::{
    LANES, broadcast, load, load_front, load_front_half, store, store_front, store_front_half,
};
use crate::simd::x86_64::avx2::utf8::{Partial, Vectors256};
use crate::simd::x86_64::utf8_copy::{self, CHUNK_BEHIND_ERROR};
use crate::simd::x86_64::utf8_errors::{FIRST_HIGH, FIRST_LOW, SECOND_HIGH, TWO_CONTINUATIONS};
use crate::simd::x86_64::utf8_valid::{self, CHUNK, Text, Vectors};

/// How two bytes that follow each other are looked up.
///
/// # Safety
///
/// A value of the type exists only where the processor has what that takes, and all that the table for
/// AVX-512 needs. `classes` finds what is malformed: not 0 in a byte where something is wrong.
pub(in crate::simd::x86_64) unsafe trait Lookup: Copy {
    /// For each byte the classes of errors that it and the one before it belong to.
    fn classes(self, text: Text<__m512i>) -> __m512i;
}

/// Look-ups by half bytes, in tables of 16.
#[derive(Clone, Copy)]
pub(super) struct Halves(());

impl Halves {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
    fn here() -> Self {
        Halves(())
    }
}

// SAFETY: only `here` makes one, in code for these features; the tables are those of the standard.
unsafe impl Lookup for Halves {
    #[inline(always)]
    fn classes(self, text: Text<__m512i>) -> __m512i {
        // SAFETY: `self` was made where AVX-512 is enabled.
        unsafe { classes(text) }
    }
}

/// Less than a vector of 32 bytes, by masks.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Masks(());

impl Masks {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
    pub(in crate::simd::x86_64) fn here() -> Self {
        Masks(())
    }
}

// SAFETY: only `here` makes one, in code for these features; a mask has a bit for each byte of `dst`.
unsafe impl Partial for Masks {
    #[inline(always)]
    fn load_front(self, from: &[u8]) -> __m256i {
        // SAFETY: `self` was made where AVX-512 is enabled.
        unsafe { load_front_half(from) }
    }

    #[inline(always)]
    fn copy_few(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        // SAFETY: as above.
        unsafe { copy_front_half(src, dst) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn copy_front_half(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    store_front_half(dst, load_front_half(src));
}

/// Vectors of 64 bytes.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Vectors512<L>(pub(in crate::simd::x86_64) L);

/// For each byte the classes of errors that it and the one before it belong to.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn classes(text: Text<__m512i>) -> __m512i {
    let half = _mm512_set1_epi8(0x0F);
    let high = |bytes| _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), half);
    let first_low = _mm512_and_si512(text.one_before, half);
    let first_high = _mm512_shuffle_epi8(broadcast(&FIRST_HIGH), high(text.one_before));
    let first_low = _mm512_shuffle_epi8(broadcast(&FIRST_LOW), first_low);
    let second_high = _mm512_shuffle_epi8(broadcast(&SECOND_HIGH), high(text.bytes));
    _mm512_and_si512(_mm512_and_si512(first_high, first_low), second_high)
}

/// The text at the start of all text, or where nothing before it counts.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn at_start(bytes: __m512i) -> Text<__m512i> {
    let before = _mm512_alignr_epi32::<12>(bytes, _mm512_setzero_si512());
    Text {
        bytes,
        one_before: _mm512_alignr_epi8::<15>(bytes, before),
        two_before: _mm512_alignr_epi8::<14>(bytes, before),
        three_before: _mm512_alignr_epi8::<13>(bytes, before),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn errors(text: Text<__m512i>, classes: __m512i) -> __m512i {
    // From E0 and F0 the subtractions leave 80 or more: then this must be a continuation byte,
    // and so must the one before.
    let third = _mm512_subs_epu8(text.two_before, _mm512_set1_epi8(0x60));
    let fourth = _mm512_subs_epu8(text.three_before, _mm512_set1_epi8(0x70));
    let two_continuations = _mm512_set1_epi8(TWO_CONTINUATIONS.cast_signed());
    let expected = _mm512_and_si512(_mm512_or_si512(third, fourth), two_continuations);
    _mm512_xor_si512(classes, expected)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn cut_at_end(bytes: __m512i) -> __m512i {
    const WHOLE: [u8; LANES] = {
        let mut most = [0xFF; LANES];
        [most[LANES - 3], most[LANES - 2], most[LANES - 1]] = [0xEF, 0xDF, 0xBF];
        most
    };
    _mm512_subs_epu8(bytes, load(&WHOLE))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn or(a: __m512i, b: __m512i) -> __m512i {
    _mm512_or_si512(a, b)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn not_ascii(bytes: __m512i) -> u64 {
    _mm512_movepi8_mask(bytes)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn not_zero(bytes: __m512i) -> u64 {
    _mm512_test_epi8_mask(bytes, bytes)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn load_whole(from: &[u8]) -> __m512i {
    match from.first_chunk() {
        Some(bytes) => load(bytes),
        None => _mm512_setzero_si512(),
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn copy_front(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    store_front(dst, load_front(src));
}

// SAFETY: the `Lookup` was made where AVX-512 is enabled, and the functions below do what is said.
unsafe impl<L: Lookup> Vectors for Vectors512<L> {
    type Vector = __m512i;
    const LANES: usize = LANES;

    #[inline(always)]
    fn load_front(self, from: &[u8]) -> __m512i {
        // SAFETY: the `Lookup` was made where AVX-512 is enabled; here and below.
        unsafe { load_front(from) }
    }

    #[inline(always)]
    fn load(self, from: &[u8]) -> __m512i {
        // SAFETY: as above.
        unsafe { load_whole(from) }
    }

    #[inline(always)]
    fn at_start(self, bytes: __m512i) -> Text<__m512i> {
        // SAFETY: as above.
        unsafe { at_start(bytes) }
    }

    #[inline(always)]
    fn errors(self, text: Text<__m512i>) -> __m512i {
        // SAFETY: as above.
        unsafe { errors(text, self.0.classes(text)) }
    }

    #[inline(always)]
    fn cut_at_end(self, bytes: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { cut_at_end(bytes) }
    }

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { or(a, b) }
    }

    #[inline(always)]
    fn is_ascii(self, bytes: __m512i) -> bool {
        // SAFETY: as above.
        unsafe { not_ascii(bytes) == 0 }
    }

    #[inline(always)]
    fn first(self, errors: __m512i) -> Option<usize> {
        // SAFETY: as above.
        let errors = unsafe { not_zero(errors) };
        (errors != 0).then_some(errors.trailing_zeros() as usize)
    }

    #[inline(always)]
    fn none(self, errors: __m512i) -> bool {
        // SAFETY: as above.
        unsafe { not_zero(errors) == 0 }
    }

    #[inline(always)]
    fn store(self, to: &mut [MaybeUninit<u8>], bytes: __m512i) {
        if let Some(to) = to.first_chunk_mut() {
            // SAFETY: as above.
            unsafe { store(to, bytes) }
        }
    }

    #[inline(always)]
    fn copy_few(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        // SAFETY: as above.
        unsafe { copy_front(src, dst) }
    }
}

/// The length of the longest well-formed prefix.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_valid_prefix(src: &[u8]) -> usize {
    if utf8_valid::are_few_and_valid(Vectors256(Masks::here()), src) {
        src.len()
    } else {
        long_valid_prefix(src)
    }
}

/// [`utf8_valid_prefix`] of many vectors, or where something is wrong.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn long_valid_prefix(src: &[u8]) -> usize {
    utf8_valid::valid_prefix(Vectors512(Halves::here()), src)
}

/// Copies well-formed UTF-8, as far as there is room for whole characters. Returns its length.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::utf8_to_utf8(
        Vectors256(Masks::here()),
        src,
        dst,
        |src| long_valid_prefix(src),
        |src, dst| long_copy(src, dst),
    )
}

/// [`utf8_to_utf8`] of many vectors.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn long_copy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::many_to_utf8::<CHUNK, _>(Vectors512(Halves::here()), src, dst)
}

/// [`utf8_to_utf8`] after an error, before the next one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(super) fn copy_after_error(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::copy_after_error(
        src,
        dst,
        |src, dst| utf8_to_utf8(src, dst),
        |src, dst| long_copy_after_error(src, dst),
    )
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn long_copy_after_error(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::many_to_utf8::<CHUNK_BEHIND_ERROR, _>(Vectors512(Halves::here()), src, dst)
}
