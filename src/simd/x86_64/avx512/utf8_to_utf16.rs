//! UTF-8 to UTF-16 for AVX-512: the steps that are faster than those in `generic/utf8_to_utf16.rs`.

use core::mem::MaybeUninit;

use super::load_front_16;
use super::vector::{FourBits, Lookup, Vectors512};
use super::wide::{ascii_blocks, widen_exactly};
use crate::simd::generic::BLOCK;
use crate::simd::generic::utf8_short::convert_whole;
use crate::simd::generic::utf8_steps::Steps;
use crate::simd::vector::Vector;
use crate::simd::x86_64::avx2::utf8_short::{self, MAX_SHORT};
use crate::simd::x86_64::avx2::utf8_threes;

impl Steps for Vectors512<FourBits> {
    const HAS_TWOS: bool = false;
    const BLOCKS_BEFORE_THREES: u32 = 2;
    const VALIDATES_FIRST: bool = true;

    #[inline(always)]
    fn try_short(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if src.len() <= MAX_SHORT {
            // SAFETY: `self` is the proof of AVX-512.
            return unsafe { try_short(src, dst) };
        }
        if src.len() > BLOCK || dst.len() / 2 < src.len() {
            return None;
        }
        if self.widen_short(src, &mut dst[..2 * src.len()]) {
            return Some(src.len());
        }
        convert_whole(self, src, dst, 1)
    }

    #[inline(always)]
    fn widen_ascii(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        // SAFETY: `self` is the proof of AVX-512.
        unsafe { ascii_blocks(src, dst) }
    }

    #[inline(always)]
    fn widen_short(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> bool {
        widen_short(self, src, to)
    }

    #[inline(always)]
    fn convert_threes(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        // SAFETY: a processor with AVX-512 has AVX2.
        unsafe { utf8_threes::to_utf16(src, dst) }
    }
}

/// Writes at most a block of bytes as code units if they are ASCII; `to` has exactly the room that they need.
#[inline(always)]
pub(in crate::simd::x86_64) fn widen_short<L: Lookup>(
    v: Vectors512<L>,
    src: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> bool {
    let x = v.load_front(src);
    let is_ascii = v.is_ascii(x);
    if is_ascii {
        // SAFETY: `v` is the proof of AVX-512.
        unsafe { widen_exactly(to, x) };
    }
    is_ascii
}

/// Converts all of a well-formed input of at most 16 bytes, if the output fits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd::x86_64) fn try_short(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let x = load_front_16(src);
    if utf8_short::is_ascii(x) {
        return utf8_short::widen_short(src, x, dst);
    }
    utf8_short::write_short(dst, utf8_short::short_units(x, src.len())?)
}
