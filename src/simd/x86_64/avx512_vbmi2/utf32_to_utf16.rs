//! UTF-32 to UTF-16 for AVX-512 with VBMI2: every character gets a lane with room for two code units, and
//! those in use are compressed.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_castsi512_si256, _mm512_extracti64x4_epi64,
    _mm512_mask_blend_epi32, _mm512_maskz_compress_epi16, _mm512_or_si512, _mm512_set1_epi32,
    _mm512_slli_epi32, _mm512_srli_epi32, _mm512_ternarylogic_epi32, _mm512_test_epi16_mask,
};
use core::mem::MaybeUninit;

use crate::simd::scalar;
use crate::simd::x86_64::avx512::utf32::{
    UNITS, above, any, are_scalars, has_no_surrogates, load, load_front, store_units_front,
    to_units,
};
use crate::simd::x86_64::{as_bytes, avx512};

/// Converts UTF-32 up to the first unit that is not a scalar value. Returns the numbers of code units read
/// and written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf32_to_utf16(src: &[u32], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // Two vectors, and room for the most units that they can become.
    while let Some(from) = src[read..].first_chunk::<{ 2 * UNITS }>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 4 * UNITS }>()
        && let ([low, high], _) = from.as_chunks()
    {
        let (low, high) = (load(low), load(high));
        if !any(_mm512_or_si512(low, high), !0xFFFF) {
            let units = to_units(low, high);
            if !has_no_surrogates(units) {
                break;
            }
            store(to, 0, units);
            written += 2 * UNITS;
        } else {
            if !are_scalars(low, high) {
                break;
            }
            let (low, low_units) = packed(low);
            let (high, high_units) = packed(high);
            store(to, 0, low);
            store(to, low_units, high);
            written += low_units + high_units;
        }
        read += 2 * UNITS;
    }
    while read < src.len() {
        let (from, to) = (&src[read..], &mut dst[written..]);
        let len = from.len().min(UNITS);
        let chars = load_front(from);
        if !are_scalars(chars, chars) {
            break;
        }
        let (units, count) = packed(chars);
        // The text is followed by zeros, which have a unit each.
        let count = count - (UNITS - len);
        let Some(to) = to.get_mut(..count) else {
            break;
        };
        let (front, back) = to.split_at_mut(count.min(UNITS));
        store_units_front(front, _mm512_castsi512_si256(units));
        store_units_front(back, _mm512_extracti64x4_epi64::<1>(units));
        read += len;
        written += count;
    }
    let rest = scalar::utf32::utf32_to_utf16(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Returns the code units of scalar values without gaps, and their number.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn packed(chars: __m512i) -> (__m512i, usize) {
    /// (a & b) | c
    const AND_OR: i32 = 0xEA;
    let all = |bits: u32| _mm512_set1_epi32(bits.cast_signed());
    // D800 + (c - 10000 >> 10) in the low half, DC00 + (c & 3FF) in the high half.
    let lead = _mm512_add_epi32(_mm512_srli_epi32::<10>(chars), all(0xDC00_D7C0));
    let trail = _mm512_slli_epi32::<16>(chars);
    let pair = _mm512_ternarylogic_epi32::<AND_OR>(trail, all(0x03FF_0000), lead);
    let lanes = _mm512_mask_blend_epi32(above(chars, 0xFFFF), chars, pair);
    let counting = _mm512_or_si512(lanes, all(0x0000_FFFF));
    let counting = _mm512_test_epi16_mask(counting, counting);
    let units = _mm512_maskz_compress_epi16(counting, lanes);
    (units, counting.count_ones() as usize)
}

/// Writes 32 units at `at`, which is at most 32.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn store(to: &mut [MaybeUninit<u16>; 4 * UNITS], at: usize, units: __m512i) {
    if let Some(to) = as_bytes(&mut to[at..]).first_chunk_mut() {
        avx512::store(to, units);
    }
}
