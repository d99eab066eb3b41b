//! UTF-16 to UTF-32 for AVX-512, 32 code units at a time, the last ones by masked loads and stores; and the
//! vectors of UTF-32 for other kernels.

use core::arch::x86_64::{
    __m256i, __m512i, __mmask16, _mm256_loadu_si256, _mm256_maskz_loadu_epi16, _mm512_add_epi32,
    _mm512_alignr_epi32, _mm512_and_si512, _mm512_cmpeq_epi16_mask, _mm512_cmpeq_epi32_mask,
    _mm512_cmpgt_epu32_mask, _mm512_cmplt_epu16_mask, _mm512_cmplt_epu32_mask,
    _mm512_cvtepu16_epi32, _mm512_loadu_si512, _mm512_mask_storeu_epi32, _mm512_mask_sub_epi32,
    _mm512_maskz_compress_epi32, _mm512_maskz_loadu_epi32, _mm512_max_epu32, _mm512_min_epu32,
    _mm512_packus_epi16, _mm512_packus_epi32, _mm512_permutexvar_epi32, _mm512_permutexvar_epi64,
    _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setr_epi32, _mm512_setr_epi64,
    _mm512_setzero_si512, _mm512_slli_epi32, _mm512_storeu_si512, _mm512_sub_epi16,
    _mm512_sub_epi32, _mm512_test_epi32_mask,
};
use core::mem::MaybeUninit;

use super::lanes_below;
use super::vector::Vectors512;
use crate::simd::scalar;
use crate::simd::uninit::room_at;
use crate::simd::vector::Vector;
use crate::simd::x86_64::utf16_units::short_to_utf32;

/// The number of UTF-32 code units in a vector.
pub(in crate::simd::x86_64) const UNITS: usize = 16;

#[inline]
#[target_feature(enable = "avx512f")]
pub(in crate::simd::x86_64) fn load(from: &[u32; UNITS]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_units(from: &[u16; UNITS]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(in crate::simd::x86_64) fn store(to: &mut [MaybeUninit<u32>; UNITS], value: __m512i) {
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), value) }
}

/// Loads up to 16 units from the front; the other lanes are 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(in crate::simd::x86_64) fn load_front(from: &[u32]) -> __m512i {
    let inside = lanes_below(from.len()) as __mmask16;
    // SAFETY: lanes outside the slice are masked off, and masked-off lanes are not read.
    unsafe { _mm512_maskz_loadu_epi32(inside, from.as_ptr().cast()) }
}

/// Loads up to 16 code units of UTF-16 from the front; the other lanes are 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn load_units_front(from: &[u16]) -> __m256i {
    let inside = lanes_below(from.len()) as __mmask16;
    // SAFETY: lanes outside the slice are masked off, and masked-off lanes are not read.
    unsafe { _mm256_maskz_loadu_epi16(inside, from.as_ptr().cast()) }
}

/// Stores as many units as `to` has room for.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(in crate::simd::x86_64) fn store_front(to: &mut [MaybeUninit<u32>], value: __m512i) {
    let inside = lanes_below(to.len()) as __mmask16;
    // SAFETY: lanes outside the slice are masked off, and masked-off lanes are not written.
    unsafe { _mm512_mask_storeu_epi32(to.as_mut_ptr().cast(), inside, value) }
}

/// Returns whether a unit has one of these bits.
#[inline]
#[target_feature(enable = "avx512f")]
pub(in crate::simd::x86_64) fn any(units: __m512i, bits: i32) -> bool {
    _mm512_test_epi32_mask(units, _mm512_set1_epi32(bits)) != 0
}

/// Returns whether all units of both vectors are scalar values.
#[inline]
#[target_feature(enable = "avx512f")]
pub(in crate::simd::x86_64) fn are_scalars(a: __m512i, b: __m512i) -> bool {
    let from_d800 = |units| _mm512_sub_epi32(units, _mm512_set1_epi32(0xD800));
    let least = _mm512_min_epu32(from_d800(a), from_d800(b));
    let most = _mm512_max_epu32(a, b);
    let surrogates = _mm512_cmplt_epu32_mask(least, _mm512_set1_epi32(0x800));
    surrogates | above(most, 0x10_FFFF) == 0
}

/// Narrows units of at most FF to bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(in crate::simd::x86_64) fn narrow([a, b, c, d]: [__m512i; 4]) -> __m512i {
    let words = [_mm512_packus_epi32(a, b), _mm512_packus_epi32(c, d)];
    let bytes = _mm512_packus_epi16(words[0], words[1]);
    // The packs work within each 128-bit quarter: put the pieces in order.
    let order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    _mm512_permutexvar_epi32(order, bytes)
}

/// Narrows units of the Basic Multilingual Plane to UTF-16.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(in crate::simd::x86_64) fn to_units(a: __m512i, b: __m512i) -> __m512i {
    let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
    _mm512_permutexvar_epi64(order, _mm512_packus_epi32(a, b))
}

/// Returns a mask of the lanes above `limit`.
#[inline]
#[target_feature(enable = "avx512f")]
pub(in crate::simd::x86_64) fn above(chars: __m512i, limit: i32) -> __mmask16 {
    _mm512_cmpgt_epu32_mask(chars, _mm512_set1_epi32(limit))
}

/// Converts UTF-16 up to the first lone surrogate. Returns the numbers of code units read and written.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf16_to_utf32(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    match short_to_utf32::<256, _>(Vectors512::here().short(), src, dst) {
        Some(len) => (len, len),
        None => long_to_utf32(src, dst),
    }
}

/// Does what [`utf16_to_utf32`] does, for text that is not short. A separate function, so that short text does not pay
/// for saving registers.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")]
fn long_to_utf32(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // The units of the previous vector, and whether its last one is a leading surrogate: 0 or 1.
    let mut before = _mm512_setzero_si512();
    let mut carry = 0;
    while let Some(from) = src[read..].first_chunk::<{ 2 * UNITS }>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 2 * UNITS }>()
        && let ([low, high], _) = from.as_chunks()
    {
        let units = load_32(from);
        if has_no_surrogates(units) && carry == 0 {
            let len = without_surrogates(&src[read..], &mut dst[written..]);
            read += len;
            written += len;
            continue;
        }
        let low = _mm512_cvtepu16_epi32(load_units(low));
        let high = _mm512_cvtepu16_epi32(load_units(high));
        let kind = _mm512_and_si512(units, splat(0xFC00));
        let trails = _mm512_cmpeq_epi16_mask(kind, splat(0xDC00));
        let leads = _mm512_cmpeq_epi16_mask(kind, splat(0xD800));
        if leads << 1 | carry != trails {
            break;
        }
        let (first, second) = (trails as __mmask16, (trails >> UNITS) as __mmask16);
        let chars = [pairs(before, low, first), pairs(low, high, second)];
        let kept = [!leads as __mmask16, (!leads >> UNITS) as __mmask16];
        let count = kept.map(|kept| kept.count_ones() as usize);
        for (at, i) in [(0, 0), (count[0], 1)] {
            if let Some(to) = room_at(to, at) {
                store(to, _mm512_maskz_compress_epi32(kept[i], chars[i]));
            }
        }
        before = high;
        carry = leads >> 31;
        read += 2 * UNITS;
        written += count[0] + count[1];
    }
    while read < src.len() {
        let (from, to) = (&src[read..], &mut dst[written..]);
        let len = from.len().min(UNITS);
        let units = _mm512_cvtepu16_epi32(load_units_front(from));
        let kind = _mm512_and_si512(units, _mm512_set1_epi32(0xFC00));
        let trails = _mm512_cmpeq_epi32_mask(kind, _mm512_set1_epi32(0xDC00));
        let leads = _mm512_cmpeq_epi32_mask(kind, _mm512_set1_epi32(0xD800));
        let count = len - leads.count_ones() as usize;
        if leads << 1 | carry as __mmask16 != trails || count > to.len() {
            break;
        }
        let chars = pairs(before, units, trails);
        let chars = _mm512_maskz_compress_epi32(!leads, chars);
        match to.first_chunk_mut() {
            Some(to) => store(to, chars),
            None => store_front(to, chars),
        }
        before = units;
        carry = u32::from(leads >> 15);
        read += len;
        written += count;
    }
    // A leading surrogate at the end of the last vector was not written.
    read -= carry as usize;
    let rest = scalar::utf32::utf16_to_utf32(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_32(from: &[u16; 2 * UNITS]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(in crate::simd::x86_64) fn has_no_surrogates(units: __m512i) -> bool {
    let from_d800 = _mm512_sub_epi16(units, splat(0xD800));
    _mm512_cmplt_epu16_mask(from_d800, splat(0x800)) == 0
}

/// Widens units up to the first surrogate, 32 at a time. Returns their number.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn without_surrogates(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> usize {
    /// The number of units for which aligned stores pay.
    const MIN_ALIGNED: usize = 16 * UNITS;
    let len = unaligned_without_surrogates(&src[..src.len().min(MIN_ALIGNED)], dst);
    if len < MIN_ALIGNED {
        return len;
    }
    // Goes back to an aligned address, writing a few units again.
    let len = len - dst[len..].as_ptr().addr() % 64 / 4;
    len + long_without_surrogates(&src[len..], &mut dst[len..])
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn long_without_surrogates(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> usize {
    unaligned_without_surrogates(src, dst)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn unaligned_without_surrogates(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> usize {
    let (blocks, _) = src.as_chunks::<{ 2 * UNITS }>();
    let (rooms, _) = dst.as_chunks_mut::<{ 2 * UNITS }>();
    let mut len = 0;
    for (from, to) in blocks.iter().zip(rooms) {
        if !has_no_surrogates(load_32(from)) {
            break;
        }
        let (halves, _) = from.as_chunks();
        let (to, _) = to.as_chunks_mut();
        for (half, to) in halves.iter().zip(to) {
            store(to, _mm512_cvtepu16_epi32(load_units(half)));
        }
        len += 2 * UNITS;
    }
    len
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(unit: u16) -> __m512i {
    _mm512_set1_epi16(unit.cast_signed())
}

/// Returns the units, with each trailing surrogate replaced by the scalar value of the pair that ends there.
#[inline]
#[target_feature(enable = "avx512f")]
fn pairs(before: __m512i, units: __m512i, trails: __mmask16) -> __m512i {
    let lead = _mm512_alignr_epi32::<15>(units, before);
    let pair = _mm512_add_epi32(_mm512_slli_epi32::<10>(lead), units);
    _mm512_mask_sub_epi32(units, trails, pair, _mm512_set1_epi32(0x35F_DC00))
}
