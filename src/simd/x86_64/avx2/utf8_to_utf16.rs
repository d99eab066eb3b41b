//! UTF-8 to UTF-16 for AVX2: the steps of `x86_64/utf8_to_utf16.rs`.

use core::arch::x86_64::_mm256_setzero_si256;
use core::mem::MaybeUninit;

use super::utf8_blocks::{emit_half, front_half, views_of_half, widen_ends};
use super::utf8_short::{MAX_SHORT, try_short};
use super::wide::Avx2;
use crate::simd::kernels::Transcoded;
use crate::simd::x86_64::utf8_packed::{emit, emit_exactly};
use crate::simd::x86_64::utf8_starts::Run;
use crate::simd::x86_64::utf8_to_utf16::{
    self as blocks, Steps, ends_inside_a_character, whole_text,
};
use crate::simd::x86_64::wide::{BLOCK, Views, Wide};

/// Converts well-formed UTF-8. Returns the bytes read and the units written.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    blocks::utf8_to_utf16(Avx2::here(), src, dst)
}

/// Converts well-formed UTF-8 to bytes in the given order. Returns the bytes read and written.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf16_bytes<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    blocks::utf8_to_utf16_bytes::<_, BE>(Avx2::here(), src, dst)
}

/// Converts UTF-8, with U+FFFD for each maximal subpart of malformed input.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf16_lossy(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Transcoded {
    blocks::utf8_to_utf16_lossy(Avx2::here(), src, dst)
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn long<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Run {
    blocks::convert_long::<_, BE, LOSSY>(Avx2::here(), src, dst)
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn partial_block<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
) -> bool {
    blocks::partial_block::<_, BE, LOSSY>(Avx2::here(), src, dst, run)
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn short<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if src.len() <= MAX_SHORT {
        return try_short::<BE>(src, dst);
    }
    if src.len() > BLOCK || dst.len() / 2 < src.len() {
        return None;
    }
    if widen_ends::<BE>(&mut dst[..2 * src.len()], src) {
        return Some(src.len());
    }
    short_text::<BE>(src, dst)
}

/// Converts a text of at most a block that is not ASCII, for which there is room.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn short_text<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if ends_inside_a_character(src) {
        return None;
    }
    let w = Avx2::here();
    if src.len() <= BLOCK / 2
        && let Some(to) = dst.first_chunk_mut()
    {
        // The compiler leaves out what is done with zeros.
        let zero = _mm256_setzero_si256();
        let x = front_half(src);
        let views = Views {
            x: [x, zero],
            before: views_of_half(zero, x).map(|view| [view, zero]),
        };
        let (ends, [low, high]) = whole_text(w, views, src.len())?;
        emit_half::<BE>(to, ends as u32, [low[0], high[0]]);
        return Some(ends.count_ones() as usize);
    }
    let (ends, words) = whole_text(w, w.views_after_zeros(w.load_front(src)), src.len())?;
    match dst.first_chunk_mut() {
        Some(to) => emit::<_, BE>(w, to, ends, words),
        None => emit_exactly::<_, BE>(w, dst, ends, words),
    }
    Some(ends.count_ones() as usize)
}

impl Steps for Avx2 {
    type W = Self;

    #[inline(always)]
    fn wide(self) -> Self {
        self
    }

    #[inline(always)]
    fn short<const BE: bool>(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        // SAFETY: `self` is the proof of AVX2.
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
