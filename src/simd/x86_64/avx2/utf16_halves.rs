//! UTF-16 to UTF-8 for AVX2, a vector of 16 code units at a time.
//!
//! Every code unit becomes two lanes (`utf16_lanes.rs`), of which the bytes that count are brought together
//! (`compact.rs`). Of a surrogate pair, each half is a lane of two bytes (`generic/utf16_to_utf8.rs`).

use core::arch::x86_64::{
    __m128i, __m256i, _bzhi_u32, _mm_packus_epi16, _mm256_add_epi16, _mm256_alignr_epi8,
    _mm256_and_si256, _mm256_blendv_epi8, _mm256_castsi256_si128, _mm256_cmpeq_epi16,
    _mm256_extracti128_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_packus_epi16,
    _mm256_permute2x128_si256, _mm256_permute4x64_epi64, _mm256_slli_epi16, _mm256_srli_epi16,
    _mm256_sub_epi16, _mm256_testz_si256, _mm256_xor_si256,
};
use core::mem::MaybeUninit;

use super::compact::{self, HALF_ROOM};
use super::utf16::native;
use super::utf16_lanes::{first, last, splat, tail};
use super::{LANES, load, store};
use crate::simd::generic::utf16_to_utf8::{Converted, Utf16Vector};
use crate::simd::uninit::room_at;
use crate::simd::x86_64::sse4;

/// The vectors of AVX2, and the proof that the processor has AVX2, POPCNT, BMI1 and BMI2.
#[derive(Clone, Copy)]
pub(super) struct Avx2Units(());

impl Avx2Units {
    /// The features of the caller are the proof.
    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    pub(super) fn here() -> Self {
        Avx2Units(())
    }
}

/// Calls of functions for AVX2, in methods of [`Avx2Units`].
macro_rules! avx2 {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX2, POPCNT, BMI1 and BMI2.
        unsafe { $calls }
    };
}

// SAFETY: a value is made where the features are enabled; the tests of the kernels check what is written.
unsafe impl Utf16Vector for Avx2Units {
    type Units = __m256i;

    const BYTES: usize = LANES;

    const ROOM: usize = HALF_ROOM;

    #[inline(always)]
    fn load_units<const BE: bool>(self, from: &[u8]) -> __m256i {
        let from = from.first_chunk().unwrap_or(&[0; LANES]);
        avx2!(native::<BE>(load(from)))
    }

    #[inline(always)]
    fn are_ascii(self, a: __m256i, b: __m256i) -> bool {
        avx2!(_mm256_testz_si256(_mm256_or_si256(a, b), splat(0xFF80)) == 1)
    }

    #[inline(always)]
    fn narrow_two(self, a: __m256i, b: __m256i, to: &mut [MaybeUninit<u8>]) {
        // The pack works on each half by itself: put the quarters in order.
        let bytes = avx2!(_mm256_permute4x64_epi64::<0b11_01_10_00>(
            _mm256_packus_epi16(a, b)
        ));
        if let Some(to) = room_at(to, 0) {
            avx2!(store(to, bytes));
        }
    }

    #[inline(always)]
    fn narrow_one(self, units: __m256i, to: &mut [MaybeUninit<u8>]) -> Option<()> {
        let to = to.first_chunk_mut()?;
        avx2!(sse4::store(to, narrow(units)));
        Some(())
    }

    #[inline(always)]
    fn bmp_to_utf8(self, units: __m256i, to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        avx2!(half_to_utf8(units, to))
    }

    #[inline(always)]
    fn front_len(self, units: __m256i, count: usize) -> usize {
        avx2!(front_len(units, count))
    }

    #[inline(always)]
    fn pairs_to_utf8<const LOSSY: bool>(
        self,
        units: __m256i,
        before: u16,
        after: u16,
        to: &mut [MaybeUninit<u8>],
    ) -> Option<Converted> {
        avx2!(pairs_to_utf8::<LOSSY>(units, before, after, to))
    }
}

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
    let lanes = compact::lanes_of_half(units);
    Some(compact::up_to_three_of_half(first, last, lanes, to))
}

/// Converts a vector that has surrogates: see [`Utf16Vector::pairs_to_utf8`].
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn pairs_to_utf8<const LOSSY: bool>(
    units: __m256i,
    before: u16,
    after: u16,
    to: &mut [MaybeUninit<u8>],
) -> Option<Converted> {
    let to = to.first_chunk_mut::<HALF_ROOM>()?;
    let next = _mm256_permute2x128_si256::<0x21>(units, splat(after));
    let next = _mm256_alignr_epi8::<2>(next, units);
    let before = _mm256_permute2x128_si256::<0x20>(splat(before), units);
    let before = _mm256_alignr_epi8::<14>(units, before);
    let are = |units: __m256i, kind: u16| {
        _mm256_cmpeq_epi16(_mm256_and_si256(units, splat(0xFC00)), splat(kind))
    };
    let (leading, trailing) = (are(units, 0xD800), are(units, 0xDC00));
    let paired_leading = _mm256_and_si256(leading, are(next, 0xDC00));
    let paired_trailing = _mm256_and_si256(trailing, are(before, 0xD800));
    let paired = _mm256_or_si256(paired_leading, paired_trailing);
    let lone = _mm256_xor_si256(_mm256_or_si256(leading, trailing), paired);
    let errors = _mm256_movemask_epi8(lone).count_ones() as usize / 2;
    if !LOSSY && errors != 0 {
        return None;
    }
    let units = _mm256_blendv_epi8(units, splat(0xFFFD), lone);
    // The leading surrogate has the upper bits of the code point, after 0x10000 is added.
    let upper = _mm256_sub_epi16(units, splat(0xD7C0));
    let lead = _mm256_and_si256(upper, splat(0xFF00));
    let lead = _mm256_or_si256(lead, splat(0xF000));
    let front = _mm256_or_si256(lead, tail(_mm256_srli_epi16::<2>(upper)));
    // Its two lowest bits are the trailing one's.
    let upper = _mm256_and_si256(_mm256_slli_epi16::<12>(before), splat(0x3000));
    let lower = _mm256_and_si256(_mm256_slli_epi16::<2>(units), splat(0x0F00));
    let third = _mm256_add_epi16(_mm256_or_si256(upper, lower), splat(0x8000));
    let back = _mm256_or_si256(third, tail(units));
    let last = _mm256_blendv_epi8(last(units), front, paired_leading);
    let last = _mm256_blendv_epi8(last, back, paired_trailing);
    // Each half of a pair is two bytes.
    let paired = _mm256_movemask_epi8(paired).cast_unsigned();
    let lanes = compact::lanes_of_half(units) & !(paired & compact::THREE);
    Some(Converted {
        bytes: compact::up_to_three_of_half(first(units), last, lanes, to),
        errors,
        is_open: _mm256_movemask_epi8(paired_leading) < 0,
    })
}

/// The length in UTF-8 of the first units, none of which is a surrogate.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn front_len(units: __m256i, count: usize) -> usize {
    let lanes = _bzhi_u32(compact::lanes_of_half(units), 2 * count as u32);
    count + lanes.count_ones() as usize
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
    let at = written.checked_sub(front_len(units, again))?;
    Some(at + half_to_utf8(units, dst.get_mut(at..)?)?)
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
