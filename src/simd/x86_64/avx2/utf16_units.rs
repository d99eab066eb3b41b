//! The plain loops over UTF-16 units, compiled for this instruction set.

use core::mem::MaybeUninit;

use crate::simd::kernels::Transcoded;
use crate::simd::scalar::utf16_units as plain;

/// Copies well-formed UTF-16 bytes, as far as there is room. Returns the units.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_utf16<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    plain::utf16_to_utf16::<BE>(src, dst)
}

/// Copies UTF-16 bytes with U+FFFD for every lone surrogate but a leading one at the end, as far as
/// there is room.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_utf16_lossy<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> Transcoded {
    plain::utf16_to_utf16_lossy::<BE>(src, dst)
}

/// Copies units with their bytes swapped, as far as there is room. Returns their number.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn swap(src: &[u16], dst: &mut [MaybeUninit<u16>]) -> usize {
    plain::swap(src, dst)
}
