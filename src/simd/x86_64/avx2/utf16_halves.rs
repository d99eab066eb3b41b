//! UTF-16 without surrogates to UTF-8, 16 code units at a time: what texts of a few vectors and the ends
//! of longer ones take.

use core::arch::x86_64::{
    __m128i, __m256i, _bzhi_u32, _mm_packus_epi16, _mm256_and_si256, _mm256_castsi256_si128,
    _mm256_cmpeq_epi16, _mm256_extracti128_si256, _mm256_testz_si256,
};
use core::mem::MaybeUninit;

use super::compact::{self, HALF};
use super::load;
use super::utf16::{is_ascii, native};
use super::utf16_lanes::{first, last, splat};
use crate::simd::scalar::utf16::code_unit;
use crate::simd::x86_64::sse4;

/// Converts half a block, if it has no surrogates and there is room, after which it may write more.
/// Returns the number of bytes.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn half_to_utf8(units: __m256i, to: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if _mm256_testz_si256(units, splat(0xF800)) == 1 {
        let to = to.first_chunk_mut()?;
        return Some(compact::pack_1_2_of_half(units, last(units), to));
    }
    let surrogates = _mm256_cmpeq_epi16(_mm256_and_si256(units, splat(0xF800)), splat(0xD800));
    if _mm256_testz_si256(surrogates, surrogates) == 0 {
        return None;
    }
    let (first, last, to) = (first(units), last(units), to.first_chunk_mut()?);
    Some(compact::up_to_three_of_half(units, first, last, to))
}

/// Converts half a block whose first units, so many, stand at the end of what is `written` already.
/// Returns the number of bytes in all.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn last_half_to_utf8(
    units: __m256i,
    again: usize,
    dst: &mut [MaybeUninit<u8>],
    written: usize,
) -> Option<usize> {
    let lanes = _bzhi_u32(compact::lanes_of_half(units), 2 * again as u32);
    let at = written.checked_sub(again + lanes.count_ones() as usize)?;
    Some(at + half_to_utf8(units, dst.get_mut(at..)?)?)
}

/// Bytes of input that are converted by halves of blocks only.
const MOST: usize = 320;

/// Converts short text of at least 16 units. Returns the bytes written; `None` where it does not fit, or
/// has surrogates.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn short_to_utf8<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    // Text that begins with a pair most often has more.
    let first = code_unit::<BE>(*src.first_chunk()?);
    if src.len() > MOST || (0xD800..0xE000).contains(&first) {
        return None;
    }
    end_to_utf8::<BE>(src, dst, 0, 0)
}

/// Converts what is after the first `read` bytes and the first `written` ones of a text of at least 16
/// units. Returns the bytes written in all; `None` where it does not fit, or has surrogates.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn end_to_utf8<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    mut written: usize,
) -> Option<usize> {
    let end = src.last_chunk().filter(|_| src.len().is_multiple_of(2))?;
    let (vectors, rest) = src.get(read..)?.as_chunks();
    for from in vectors {
        let units = native::<BE>(load(from));
        let to = dst.get_mut(written..)?;
        if is_ascii(units) {
            sse4::store(to.first_chunk_mut()?, narrow(units));
            written += HALF;
        } else {
            written += half_to_utf8(units, to)?;
        }
    }
    if rest.is_empty() {
        return Some(written);
    }
    // The last vector, with units at its front that are written already.
    let units = native::<BE>(load(end));
    let again = HALF - rest.len() / 2;
    if is_ascii(units) {
        let at = written.checked_sub(again)?;
        sse4::store(dst.get_mut(at..)?.first_chunk_mut()?, narrow(units));
        return Some(at + HALF);
    }
    last_half_to_utf8(units, again, dst, written)
}

/// The low bytes of half a block.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn narrow(units: __m256i) -> __m128i {
    let (low, high) = (
        _mm256_castsi256_si128(units),
        _mm256_extracti128_si256::<1>(units),
    );
    _mm_packus_epi16(low, high)
}
