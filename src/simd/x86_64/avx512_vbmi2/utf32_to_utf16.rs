//! UTF-32 to UTF-16 for AVX-512 with VBMI2: every character gets a lane with room for two code units, and
//! those in use are compressed.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_mask_blend_epi32, _mm512_maskz_compress_epi16,
    _mm512_or_si512, _mm512_set1_epi32, _mm512_slli_epi32, _mm512_srli_epi32,
    _mm512_ternarylogic_epi32, _mm512_test_epi16_mask,
};
use core::mem::MaybeUninit;

use crate::simd::generic::narrow::bmp_to_utf16;
use crate::simd::generic::utf32::utf32_to_utf16_by;
use crate::simd::scalar;
use crate::simd::vector::Vector;
use crate::simd::x86_64::avx512::utf32::{UNITS, above, are_scalars, load, load_front};
use crate::simd::x86_64::avx512::vector::Vectors512;
use crate::simd::x86_64::{as_bytes, avx512};

/// Converts UTF-32 up to the first unit that is not a scalar value. Returns the numbers of code units read
/// and written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf32_to_utf16(src: &[u32], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    /// The number of units for which vectors of 64 bytes pay: 64 KiB then take a tenth less time.
    const MIN_WIDE_UNITS: usize = 512;
    let v = Vectors512::here();
    let len = if src.len() < MIN_WIDE_UNITS {
        bmp_to_utf16(v.short(), src, dst)
    } else {
        bmp_to_utf16(v, src, dst)
    };
    if len == src.len() {
        return (len, len);
    }
    let rest = any_plane_to_utf16(&src[len..], &mut dst[len..]);
    (len + rest.0, len + rest.1)
}

/// Does what [`utf32_to_utf16`] does, for text that needs more registers.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn any_plane_to_utf16(src: &[u32], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let any_plane = |from: &[u32; 2 * UNITS], to: &mut [_]| {
        let ([low, high], _) = from.as_chunks() else {
            return None;
        };
        let (low, high) = (load(low), load(high));
        if !are_scalars(low, high) {
            return None;
        }
        let [(low, first), (high, second)] = [packed(low), packed(high)];
        for (at, units) in [(0, low), (first, high)] {
            avx512::store(as_bytes(&mut to[at..]).first_chunk_mut()?, units);
        }
        Some(first + second)
    };
    let rest = |src: &[_], dst: &mut [_]| rest_to_utf16(src, dst);
    utf32_to_utf16_by(Vectors512::here().short(), src, dst, any_plane, rest)
}

/// Converts 16 units at a time, the last ones by masked loads and stores.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn rest_to_utf16(src: &[u32], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < src.len() {
        let from = &src[read..];
        let len = from.len().min(UNITS);
        let chars = load_front(from);
        let (units, count) = packed(chars);
        // The text is followed by zeros, which have a unit each.
        let count = count - (UNITS - len);
        let to = dst[written..].get_mut(..count);
        let Some(to) = to.filter(|_| are_scalars(chars, chars)) else {
            break;
        };
        avx512::store_front(as_bytes(to), units);
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
