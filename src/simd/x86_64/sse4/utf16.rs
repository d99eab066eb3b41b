//! Code units to UTF-8 for SSE4.2, eight at a time.

use core::arch::x86_64::{
    _mm_adds_epu16, _mm_and_si128, _mm_cmpeq_epi16, _mm_min_epu16, _mm_movemask_epi8, _mm_or_si128,
    _mm_packs_epi16, _mm_set1_epi16, _mm_setzero_si128, _mm_shuffle_epi8, _mm_slli_epi16,
    _mm_srli_epi16, _mm_unpackhi_epi16, _mm_unpacklo_epi16,
};
use core::mem::MaybeUninit;

use super::{load, load_units, store};
use crate::simd::kernels::{Kernels, Transcoded};
use crate::simd::scalar;
pub(in crate::simd::x86_64) use crate::simd::shared::shuffles::{ONE_OR_TWO, UP_TO_THREE};

/// Writes eight characters of the Basic Multilingual Plane and returns their length in bytes. None
/// of the units is a surrogate.
#[inline]
#[target_feature(enable = "sse4.2,popcnt")]
pub(in crate::simd) fn block_to_utf8(units: [u16; 8], to: &mut [MaybeUninit<u8>; 32]) -> usize {
    let v = load_units(&units);
    // The highest bit of each byte: from U+0080 on in the low one, from U+0800 on in the high one.
    let longer = _mm_min_epu16(v, _mm_set1_epi16(0x80));
    let three = _mm_adds_epu16(v, _mm_set1_epi16(0x7800));
    // The last byte of each character in the low half of each lane (below 80 the first as well), the
    // first of two in the high one.
    let tail = _mm_or_si128(_mm_and_si128(v, _mm_set1_epi16(0x3F)), _mm_set1_epi16(0x80));
    let tail = _mm_min_epu16(v, tail);
    let middle = _mm_and_si128(_mm_slli_epi16::<2>(v), _mm_set1_epi16(0x3F00));
    let lead = _mm_or_si128(middle, _mm_set1_epi16(0xC000_u16.cast_signed()));
    let last = _mm_or_si128(lead, tail);
    if _mm_movemask_epi8(three) & 0xAAAA == 0 {
        let longer = _mm_cmpeq_epi16(longer, _mm_set1_epi16(0x80));
        let longer = _mm_movemask_epi8(_mm_packs_epi16(longer, _mm_setzero_si128())) as usize;
        if let Some(to) = to.first_chunk_mut::<16>() {
            store(to, _mm_shuffle_epi8(last, load(&ONE_OR_TWO[longer])));
        }
        return 8 + longer.count_ones() as usize;
    }
    // The first two bytes of three.
    let marks = _mm_set1_epi16(0x80E0_u16.cast_signed());
    let first = _mm_or_si128(_mm_or_si128(_mm_srli_epi16::<12>(v), middle), marks);
    let lanes = _mm_movemask_epi8(_mm_or_si128(longer, three)) as usize;
    let (low, high) = (lanes & 0xFF, lanes >> 8);
    let low_len = 4 + low.count_ones() as usize;
    let halves = [
        (0, _mm_unpacklo_epi16(first, last), low),
        (low_len, _mm_unpackhi_epi16(first, last), high),
    ];
    for (at, half, lanes) in halves {
        if let Some(to) = to[at..].first_chunk_mut::<16>() {
            store(to, _mm_shuffle_epi8(half, load(&UP_TO_THREE[lanes])));
        }
    }
    low_len + 4 + high.count_ones() as usize
}

/// Converts UTF-16 up to the first lone surrogate or a leading one at the end; or, with `LOSSY`,
/// writes U+FFFD for every lone surrogate but a leading one at the end.
#[target_feature(enable = "sse4.2,popcnt")]
pub(in crate::simd) fn utf16_to_utf8<const BE: bool, const LOSSY: bool>(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    scalar::utf16::utf16_to_utf8_by::<BE, LOSSY>(kernels, src, dst, |units, to| {
        block_to_utf8(units, to)
    })
}
