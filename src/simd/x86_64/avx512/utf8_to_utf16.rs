//! UTF-8 to UTF-16 for AVX-512: the steps of `x86_64/utf8_to_utf16.rs`.

use core::arch::x86_64::_mm512_movepi8_mask;
use core::mem::MaybeUninit;

use super::wide::{Avx512, widen_exactly};
use super::{load_front, load_front_16};
use crate::simd::kernels::Transcoded;
use crate::simd::x86_64::avx2::utf8_short::{self, MAX_SHORT};
use crate::simd::x86_64::utf8_packed::emit_exactly;
use crate::simd::x86_64::utf8_starts::Run;
use crate::simd::x86_64::utf8_to_utf16::{
    self as blocks, Steps, ends_inside_a_character, whole_text,
};
use crate::simd::x86_64::wide::{BLOCK, Wide};

/// Converts well-formed UTF-8. Returns the bytes read and the units written.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    blocks::utf8_to_utf16(Avx512::here(), src, dst)
}

/// Converts well-formed UTF-8 to bytes in the given order. Returns the bytes read and written.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf16_bytes<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    blocks::utf8_to_utf16_bytes::<_, BE>(Avx512::here(), src, dst)
}

/// Converts UTF-8, with U+FFFD for each maximal subpart of malformed input.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf16_lossy(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Transcoded {
    blocks::utf8_to_utf16_lossy(Avx512::here(), src, dst)
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn long<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Run {
    blocks::convert_long::<_, BE, LOSSY>(Avx512::here(), src, dst)
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn partial_block<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
) -> bool {
    blocks::partial_block::<_, BE, LOSSY>(Avx512::here(), src, dst, run)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn short<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if src.len() <= MAX_SHORT {
        return try_short::<BE>(src, dst);
    }
    if src.len() > BLOCK || dst.len() / 2 < src.len() {
        return None;
    }
    let x = load_front(src);
    if _mm512_movepi8_mask(x) == 0 {
        widen_exactly::<BE>(&mut dst[..2 * src.len()], x);
        return Some(src.len());
    }
    if ends_inside_a_character(src) {
        return None;
    }
    let w = Avx512::here();
    let (ends, words) = whole_text(w, w.views_after_zeros(x), src.len())?;
    emit_exactly::<_, BE>(w, dst, ends, words);
    Some(ends.count_ones() as usize)
}

/// All of a well-formed input of at most sixteen bytes, if it fits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn try_short<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let x = load_front_16(src);
    if utf8_short::is_ascii(x) {
        return utf8_short::widen_short::<BE>(src, x, dst);
    }
    utf8_short::write_short::<BE>(dst, utf8_short::short_units(x, src.len())?)
}

impl Steps for Avx512 {
    type W = Self;

    #[inline(always)]
    fn wide(self) -> Self {
        self
    }

    #[inline(always)]
    fn short<const BE: bool>(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        // SAFETY: `self` is the proof of AVX-512.
        unsafe { short::<BE>(src, dst) }
    }

    #[inline(always)]
    fn long<const BE: bool, const LOSSY: bool>(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Run {
        // SAFETY: as above.
        unsafe { long::<BE, LOSSY>(src, dst) }
    }

    #[inline(always)]
    fn partial_block<const BE: bool, const LOSSY: bool>(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        run: &mut Run,
    ) -> bool {
        // SAFETY: as above.
        unsafe { partial_block::<BE, LOSSY>(src, dst, run) }
    }
}
