//! AVX-512 vectors with look-ups in tables of 64 entries, for UTF-8. Their indices are the lower six bits of
//! a byte, whatever the upper two are, so nothing has to be masked off; and the upper six bits take a single
//! shift.

use core::arch::x86_64::*;

use crate::simd::generic::table::{utf8_entries, utf8_to_utf16_entries};
use crate::simd::generic::utf8_errors::{FIRST_HIGH, FIRST_LOW, SECOND_HIGH};
use crate::simd::kernels::Entries;
use crate::simd::x86_64::avx512;
use crate::simd::x86_64::avx512::load;
use crate::simd::x86_64::avx512::vector::{Lookup, Vectors512};
use crate::simd::x86_64::run_on_with;

/// The kernels for UTF-8 with these vectors, and otherwise those of AVX-512.
pub(super) const ENTRIES: Entries = {
    // SAFETY: a table with these entries is selected only if its features are available, which include those
    // of `kernels`.
    let others = unsafe { utf8_entries::<Vectors512<SixBits>>(avx512::table::ENTRIES) };
    // SAFETY: the table's features are those of `kernels`.
    unsafe { utf8_to_utf16_entries::<Vectors512<SixBits>>(others) }
};

/// The features that [`ENTRIES`] need.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi1,bmi2,popcnt"
)]
pub(super) fn kernels() {}

/// Look-ups by six bits.
#[derive(Clone, Copy)]
pub(super) struct SixBits(());

// SAFETY: `assume` requires the features; the tables are made from those of half bytes.
unsafe impl Lookup for SixBits {
    const IS_FOR_SHORT: bool = true;

    #[inline(always)]
    unsafe fn assume() -> Self {
        SixBits(())
    }

    run_on_with!(
        SixBits,
        "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt"
    );

    #[inline(always)]
    fn before(self, four_before: __m512i, bytes: __m512i) -> Option<[__m512i; 3]> {
        // SAFETY: `self` is the proof of VBMI2.
        Some(unsafe { bytes_before(four_before, bytes) })
    }

    #[inline(always)]
    fn classes(self, one_before: __m512i, bytes: __m512i) -> Option<__m512i> {
        // SAFETY: `self` is the proof of VBMI.
        Some(unsafe { classes_by_sixes(one_before, bytes) })
    }
}

/// Returns the bytes one, two and three before those of a vector, given those four before. In each lane of four
/// bytes, the bytes before it are shifted in: that leaves the port that moves bytes between lanes to the look-ups.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi2")]
pub(super) fn bytes_before(four_before: __m512i, bytes: __m512i) -> [__m512i; 3] {
    [
        _mm512_shldi_epi32::<8>(bytes, four_before),
        _mm512_shldi_epi32::<16>(bytes, four_before),
        _mm512_shldi_epi32::<24>(bytes, four_before),
    ]
}

/// Turns a table of half bytes into one of six bits, of which the half byte is the upper four or the lower
/// four.
const fn by_six(table: &[u8; 16], upper: bool) -> [u8; 64] {
    let mut wide = [0; 64];
    let mut six = 0;
    while six < 64 {
        wide[six] = table[if upper { six >> 2 } else { six & 0xF }];
        six += 1;
    }
    wide
}

/// Returns, for each byte, the classes of errors that it and the byte before it belong to.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn classes_by_sixes(one_before: __m512i, bytes: __m512i) -> __m512i {
    const FIRST_UPPER: [u8; 64] = by_six(&FIRST_HIGH, true);
    const FIRST_LOWER: [u8; 64] = by_six(&FIRST_LOW, false);
    const SECOND_UPPER: [u8; 64] = by_six(&SECOND_HIGH, true);
    let upper = |bytes| _mm512_srli_epi16::<2>(bytes);
    let first_upper = _mm512_permutexvar_epi8(upper(one_before), load(&FIRST_UPPER));
    let first_lower = _mm512_permutexvar_epi8(one_before, load(&FIRST_LOWER));
    let second_upper = _mm512_permutexvar_epi8(upper(bytes), load(&SECOND_UPPER));
    _mm512_and_si512(_mm512_and_si512(first_upper, first_lower), second_upper)
}
