//! UTF-16 to UTF-8 for AVX2, 16 code units at a time (`generic/utf16_to_utf8.rs`), and blocks of code units
//! for what counts them.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_and_si256, _mm256_cmpeq_epi16, _mm256_movemask_epi8,
    _mm256_or_si256, _mm256_packs_epi16, _mm256_permute4x64_epi64, _mm256_setr_epi8,
    _mm256_setr_epi16, _mm256_setzero_si256, _mm256_shuffle_epi8,
};
use core::mem::MaybeUninit;

use super::utf16_halves::Avx2Units;
use super::utf16_lanes::splat;
use super::{LANES, load, load_fours};
use crate::simd::generic::utf16_to_utf8::{long_to_utf8, short_to_utf8};
use crate::simd::kernels::Transcoded;

/// Code units in a block, which is two vectors.
pub(super) const UNITS: usize = 32;
/// Bytes in a block.
pub(super) const BLOCK: usize = 2 * LANES;

/// Native code units.
pub(super) type Block = [__m256i; 2];

#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn block<const BE: bool>(bytes: &[u8; BLOCK]) -> Block {
    let (vectors, _) = bytes.as_chunks::<LANES>();
    [load(&vectors[0]), load(&vectors[1])].map(|units| native::<BE>(units))
}

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

/// A bit for each unit of a block from a vector of all ones or all zeros for each.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn bits([low, high]: [__m256i; 2]) -> u32 {
    let bytes = _mm256_packs_epi16(low, high);
    // The pack works on each half by itself: put the quarters in order.
    _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(bytes)).cast_unsigned()
}

/// All ones where a unit has none of these bits.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn without(units: Block, bits: u16) -> [__m256i; 2] {
    units.map(|units| {
        _mm256_cmpeq_epi16(_mm256_and_si256(units, splat(bits)), _mm256_setzero_si256())
    })
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

/// The units of input that is shorter than a block, and zeros after them.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn short_block<const BE: bool>(src: &[u8]) -> Block {
    let fours = load_fours(src);
    let Some(&odd) = src.last_chunk::<2>().filter(|_| src.len() % 4 == 2) else {
        return fours.map(|units| native::<BE>(units));
    };
    // The last unit, where the loads of four bytes have left it out.
    let last = splat(u16::from_le_bytes(odd));
    let lane = splat((src.len() / 2) as u16 - 1);
    let lanes = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let after = _mm256_add_epi16(lanes, splat(16));
    let with_last = |units: __m256i, lanes: __m256i| {
        let here = _mm256_cmpeq_epi16(lanes, lane);
        _mm256_or_si256(units, _mm256_and_si256(last, here))
    };
    let [low, high] = fours;
    [with_last(low, lanes), with_last(high, after)].map(|units| native::<BE>(units))
}
