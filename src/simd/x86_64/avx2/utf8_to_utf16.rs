//! UTF-8 to UTF-16 for AVX2: the steps that are faster than those in `generic/utf8_to_utf16.rs`.

use core::mem::MaybeUninit;

use super::partial::Dwords;
use super::utf8_blocks::{ascii_blocks, widen_ends};
use super::utf8_short::{MAX_SHORT, try_short};
use super::vector::Vectors256;
use super::{LANES, utf8_threes};
use crate::simd::generic::BLOCK;
use crate::simd::generic::utf8_short::convert_whole;
use crate::simd::generic::utf8_steps::Steps;
use crate::simd::vector::Vector as _;

impl Steps for Vectors256<Dwords> {
    const HAS_TWOS: bool = false;
    #[inline(always)]
    fn try_short(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if src.len() <= MAX_SHORT {
            // SAFETY: `self` is the proof of AVX2, BMI1, BMI2 and POPCNT.
            return unsafe { try_short(src, dst) };
        }
        if src.len() > BLOCK {
            return None;
        }
        if let Some(to) = dst.get_mut(..2 * src.len())
            && self.widen_short(src, to)
        {
            return Some(src.len());
        }
        self.run_apart(
            src,
            dst,
            #[inline(always)]
            |v, src, dst| match src.len() {
                0..=LANES => convert_whole(v, src, dst, 1),
                _ => convert_whole(v, src, dst, 2),
            },
        )
    }

    #[inline(always)]
    fn widen_ascii(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { ascii_blocks(src, dst) }
    }

    #[inline(always)]
    fn widen_short(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> bool {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { widen_ends(to, src) }
    }

    #[inline(always)]
    fn convert_threes(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        // SAFETY: `self` is the proof of AVX2.
        unsafe { utf8_threes::to_utf16(src, dst) }
    }
}
