//! UTF-8 validation, and a copy with it: as for AVX-512, but with look-ups in tables of 64. Their
//! indexes are the lower six bits of a byte, whatever stands above, so that nothing has to be masked
//! off; and the upper six bits take one shift.

use core::arch::x86_64::{__m512i, _mm512_and_si512, _mm512_permutexvar_epi8, _mm512_srli_epi16};
use core::mem::MaybeUninit;

use crate::simd::x86_64::avx2::utf8::Vectors256;
use crate::simd::x86_64::avx512::load;
use crate::simd::x86_64::avx512::utf8::{Lookup, Masks, Vectors512};
use crate::simd::x86_64::utf8_copy::{self, CHUNK_BEHIND_ERROR};
use crate::simd::x86_64::utf8_errors::{FIRST_HIGH, FIRST_LOW, SECOND_HIGH};
use crate::simd::x86_64::utf8_valid::{self, CHUNK, Text};

/// Look-ups by six bits.
#[derive(Clone, Copy)]
struct Sixes(());

impl Sixes {
    #[inline]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt"
    )]
    fn here() -> Self {
        Sixes(())
    }
}

// SAFETY: only `here` makes one, in code for these features; the tables are those of half bytes.
unsafe impl Lookup for Sixes {
    #[inline(always)]
    fn classes(self, text: Text<__m512i>) -> __m512i {
        // SAFETY: `self` was made where VBMI is enabled.
        unsafe { classes(text) }
    }
}

/// A table of half bytes as one of six bits, the half being the upper four of them, or the lower.
const fn by_six(table: &[u8; 16], upper: bool) -> [u8; 64] {
    let mut wide = [0; 64];
    let mut six = 0;
    while six < 64 {
        wide[six] = table[if upper { six >> 2 } else { six & 0xF }];
        six += 1;
    }
    wide
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn classes(text: Text<__m512i>) -> __m512i {
    const FIRST_UPPER: [u8; 64] = by_six(&FIRST_HIGH, true);
    const FIRST_LOWER: [u8; 64] = by_six(&FIRST_LOW, false);
    const SECOND_UPPER: [u8; 64] = by_six(&SECOND_HIGH, true);
    let upper = |bytes| _mm512_srli_epi16::<2>(bytes);
    let first_upper = _mm512_permutexvar_epi8(upper(text.one_before), load(&FIRST_UPPER));
    let first_lower = _mm512_permutexvar_epi8(text.one_before, load(&FIRST_LOWER));
    let second_upper = _mm512_permutexvar_epi8(upper(text.bytes), load(&SECOND_UPPER));
    _mm512_and_si512(_mm512_and_si512(first_upper, first_lower), second_upper)
}

/// The length of the longest well-formed prefix.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf8_valid_prefix(src: &[u8]) -> usize {
    if utf8_valid::are_few_and_valid(Vectors256(Masks::here()), src) {
        src.len()
    } else {
        long_valid_prefix(src)
    }
}

/// [`utf8_valid_prefix`] of many vectors, or where something is wrong.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn long_valid_prefix(src: &[u8]) -> usize {
    utf8_valid::valid_prefix(Vectors512(Sixes::here()), src)
}

/// Copies well-formed UTF-8, as far as there is room for whole characters. Returns its length.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
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
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn long_copy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::many_to_utf8::<CHUNK, _>(Vectors512(Sixes::here()), src, dst)
}

/// [`utf8_to_utf8`] after an error, before the next one.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn copy_after_error(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::copy_after_error(
        src,
        dst,
        |src, dst| utf8_to_utf8(src, dst),
        |src, dst| long_copy_after_error(src, dst),
    )
}

#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn long_copy_after_error(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::many_to_utf8::<CHUNK_BEHIND_ERROR, _>(Vectors512(Sixes::here()), src, dst)
}
