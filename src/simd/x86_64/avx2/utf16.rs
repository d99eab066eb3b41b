//! UTF-16 to UTF-8 for AVX2, 16 code units at a time (`generic/utf16_to_utf8.rs`).

use core::arch::x86_64::{__m256i, _mm256_setr_epi8, _mm256_shuffle_epi8};
use core::mem::MaybeUninit;

use super::utf16_halves::Avx2Units;
use crate::simd::generic::utf16_to_utf8::{long_to_utf8, short_to_utf8};
use crate::simd::kernels::Transcoded;

/// Code units in native order.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn native<const BE: bool>(units: __m256i) -> __m256i {
    let swap = _mm256_setr_epi8(
        1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10,
        13, 12, 15, 14,
    );
    if BE {
        _mm256_shuffle_epi8(units, swap)
    } else {
        units
    }
}

/// Converts UTF-16, at any alignment, up to the first lone surrogate or a leading one at the end;
/// or, with `LOSSY`, writes U+FFFD for every lone surrogate but a leading one at the end.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_utf8<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    match short_to_utf8::<BE>(Avx2Units::here(), src, dst) {
        Some(written) => (src.len(), written).into(),
        None => long::<BE, LOSSY>(src, dst),
    }
}

/// By itself, so that short text does not wait for the registers that this saves.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn long<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Transcoded {
    long_to_utf8::<BE, LOSSY>(Avx2Units::here(), src, dst)
}
