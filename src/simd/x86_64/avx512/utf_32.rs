//! UTF-32 to and from UTF-16 for AVX-512: 32 characters of the Basic Multilingual Plane or 16 of
//! any, the last ones by masked loads and stores.

use core::arch::x86_64::{
    __m256i, __m512i, __mmask16, _mm_shuffle_epi8, _mm256_loadu_si256, _mm256_mask_storeu_epi16,
    _mm256_maskz_loadu_epi16, _mm512_add_epi32, _mm512_alignr_epi32, _mm512_and_si512,
    _mm512_castsi256_si512, _mm512_castsi512_si256, _mm512_cmpeq_epi16_mask,
    _mm512_cmpeq_epi32_mask, _mm512_cmpgt_epu32_mask, _mm512_cvtepi32_epi16, _mm512_cvtepu16_epi32,
    _mm512_extracti32x4_epi32, _mm512_extracti64x4_epi64, _mm512_inserti64x4, _mm512_loadu_si512,
    _mm512_mask_blend_epi32, _mm512_mask_storeu_epi32, _mm512_maskz_compress_epi32,
    _mm512_maskz_loadu_epi32, _mm512_or_si512, _mm512_set1_epi16, _mm512_set1_epi32,
    _mm512_setzero_si512, _mm512_slli_epi32, _mm512_srli_epi32, _mm512_storeu_si512,
    _mm512_sub_epi32,
};
use core::mem::MaybeUninit;

use super::lanes_below;
use crate::simd::scalar;
use crate::simd::x86_64::avx2::utf_32::UNIT_OR_PAIR;
use crate::simd::x86_64::{avx2, sse4};

/// Code units of UTF-32 in a vector.
pub(super) const UNITS: usize = 16;

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load(from: &[u32; UNITS]) -> __m512i {
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
fn store(to: &mut [MaybeUninit<u32>; UNITS], value: __m512i) {
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), value) }
}

/// Up to 16 units from the front; the other lanes are 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(super) fn load_front(from: &[u32]) -> __m512i {
    let inside = lanes_below(from.len()) as __mmask16;
    // SAFETY: lanes outside the slice are masked off, and what is masked off is not read.
    unsafe { _mm512_maskz_loadu_epi32(inside, from.as_ptr().cast()) }
}

/// The same, of UTF-16.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn load_units_front(from: &[u16]) -> __m256i {
    let inside = lanes_below(from.len()) as __mmask16;
    // SAFETY: lanes outside the slice are masked off, and what is masked off is not read.
    unsafe { _mm256_maskz_loadu_epi16(inside, from.as_ptr().cast()) }
}

/// Stores as many lanes as `to` has room for.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn store_front(to: &mut [MaybeUninit<u32>], value: __m512i) {
    let inside = lanes_below(to.len()) as __mmask16;
    // SAFETY: lanes outside the slice are masked off, and what is masked off is not written.
    unsafe { _mm512_mask_storeu_epi32(to.as_mut_ptr().cast(), inside, value) }
}

/// The same, of UTF-16.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn store_units_front(to: &mut [MaybeUninit<u16>], value: __m256i) {
    let inside = lanes_below(to.len()) as __mmask16;
    // SAFETY: lanes outside the slice are masked off, and what is masked off is not written.
    unsafe { _mm256_mask_storeu_epi16(to.as_mut_ptr().cast(), inside, value) }
}

/// The lanes that are no characters of the Basic Multilingual Plane.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn surrogates(chars: __m512i) -> __mmask16 {
    let top = _mm512_and_si512(chars, _mm512_set1_epi32(!0x7FF));
    _mm512_cmpeq_epi32_mask(top, _mm512_set1_epi32(0xD800))
}

/// The lanes above `limit`.
#[inline]
#[target_feature(enable = "avx512f")]
fn above(chars: __m512i, limit: i32) -> __mmask16 {
    _mm512_cmpgt_epu32_mask(chars, _mm512_set1_epi32(limit))
}

/// Converts UTF-32 up to the first unit that is no scalar value. Returns the units read and the
/// units written.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")]
pub(in crate::simd) fn utf_32_to_utf_16(
    src: &[u32],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < src.len() && written < dst.len() {
        let (from, to) = (&src[read..], &mut dst[written..]);
        if let ([low, high, ..], _) = from.as_chunks()
            && let ([to_low, to_high, ..], _) = to.as_chunks_mut()
        {
            let (low, high) = (load(low), load(high));
            let beyond = above(_mm512_or_si512(low, high), 0xFFFF);
            if beyond | surrogates(low) | surrogates(high) == 0 {
                avx2::store_units(to_low, _mm512_cvtepi32_epi16(low));
                avx2::store_units(to_high, _mm512_cvtepi32_epi16(high));
                read += 2 * UNITS;
                written += 2 * UNITS;
                continue;
            }
        }
        let len = from.len().min(to.len()).min(UNITS);
        let chars = load_front(&from[..len]);
        let pairs = above(chars, 0xFFFF);
        if surrogates(chars) | above(chars, 0x10_FFFF) != 0 {
            break;
        }
        if pairs == 0 {
            store_units_front(to, _mm512_cvtepi32_epi16(chars));
        } else if let Some(to) = to.first_chunk_mut() {
            pairs_to_utf_16(chars, pairs, to);
        } else {
            break;
        }
        read += len;
        written += len + pairs.count_ones() as usize;
    }
    let rest = scalar::utf_32::utf_32_to_utf_16(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Writes 16 scalar values; those in `pairs` are above U+FFFF.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")]
fn pairs_to_utf_16(chars: __m512i, pairs: __mmask16, to: &mut [MaybeUninit<u16>; 2 * UNITS]) {
    // D800 + (c - 10000 >> 10) in the low half, DC00 + (c & 3FF) in the high half.
    let lead = _mm512_add_epi32(_mm512_srli_epi32::<10>(chars), _mm512_set1_epi32(0xD7C0));
    let trail = _mm512_and_si512(chars, _mm512_set1_epi32(0x3FF));
    let trail = _mm512_slli_epi32::<16>(_mm512_or_si512(trail, _mm512_set1_epi32(0xDC00)));
    let units = _mm512_mask_blend_epi32(pairs, chars, _mm512_or_si512(lead, trail));
    if pairs == __mmask16::MAX {
        if let ([low, high], _) = to.as_chunks_mut() {
            avx2::store_units(low, _mm512_castsi512_si256(units));
            avx2::store_units(high, _mm512_extracti64x4_epi64::<1>(units));
        }
        return;
    }
    let quarters = [
        _mm512_extracti32x4_epi32::<0>(units),
        _mm512_extracti32x4_epi32::<1>(units),
        _mm512_extracti32x4_epi32::<2>(units),
        _mm512_extracti32x4_epi32::<3>(units),
    ];
    for (i, quarter) in quarters.into_iter().enumerate() {
        let below = pairs & !(u16::MAX << (4 * i));
        let at = 4 * i + below.count_ones() as usize;
        let row = sse4::load(&UNIT_OR_PAIR[usize::from(pairs >> (4 * i) & 0xF)]);
        if let Some(to) = to[at..].first_chunk_mut() {
            sse4::store_units(to, _mm_shuffle_epi8(quarter, row));
        }
    }
}

/// Converts UTF-16 up to the first lone surrogate. Returns the units read and the units written.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")]
pub(in crate::simd) fn utf_16_to_utf_32(
    src: &[u16],
    dst: &mut [MaybeUninit<u32>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // The units before, and whether the last of them is a leading surrogate: 0 or 1.
    let mut before = _mm512_setzero_si512();
    let mut carry: __mmask16 = 0;
    while read < src.len() {
        let (from, to) = (&src[read..], &mut dst[written..]);
        if carry == 0
            && let ([low, high, ..], _) = from.as_chunks()
            && let ([to_low, to_high, ..], _) = to.as_chunks_mut()
        {
            let (low, high) = (load_units(low), load_units(high));
            let units = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
            let top = _mm512_and_si512(units, _mm512_set1_epi16(0xF800_u16.cast_signed()));
            if _mm512_cmpeq_epi16_mask(top, _mm512_set1_epi16(0xD800_u16.cast_signed())) == 0 {
                store(to_low, _mm512_cvtepu16_epi32(low));
                store(to_high, _mm512_cvtepu16_epi32(high));
                read += 2 * UNITS;
                written += 2 * UNITS;
                continue;
            }
        }
        let len = from.len().min(UNITS);
        let units = _mm512_cvtepu16_epi32(load_units_front(from));
        let top = _mm512_and_si512(units, _mm512_set1_epi32(0xFC00));
        let trails = _mm512_cmpeq_epi32_mask(top, _mm512_set1_epi32(0xDC00));
        let leads = _mm512_cmpeq_epi32_mask(top, _mm512_set1_epi32(0xD800));
        let count = len - leads.count_ones() as usize;
        if leads << 1 | carry != trails || count > to.len() {
            break;
        }
        // Where a trailing surrogate stands: the pair that ends there.
        let lead = _mm512_alignr_epi32::<15>(units, before);
        let pair = _mm512_add_epi32(_mm512_slli_epi32::<10>(lead), units);
        let pair = _mm512_sub_epi32(pair, _mm512_set1_epi32(0x35F_DC00));
        let chars = _mm512_mask_blend_epi32(trails, units, pair);
        let chars = _mm512_maskz_compress_epi32(!leads, chars);
        match to.first_chunk_mut() {
            Some(to) => store(to, chars),
            None => store_front(to, chars),
        }
        before = units;
        carry = leads >> 15;
        read += len;
        written += count;
    }
    // A leading surrogate at the end of the last vector has written nothing.
    read -= usize::from(carry);
    let rest = scalar::utf_32::utf_16_to_utf_32(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// The length of the prefix of scalar values: the plain kernel, which the compiler makes vectors
/// of.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd) fn utf_32_valid_prefix(src: &[u32]) -> usize {
    scalar::utf_32::utf_32_valid_prefix(src)
}
