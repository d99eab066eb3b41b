//! UTF-16 and UTF-32 to Latin-1 for AVX2. The last vector overlaps the one before it, and less than a vector
//! is converted as two smaller ones that overlap. Over the vectors of `unit_vector.rs`, 4 KiB of UTF-16 took
//! 1.2 times as long, and 16 units of UTF-32 1.4 times.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_or_si128, _mm_packus_epi16,
    _mm_packus_epi32, _mm_set1_epi16, _mm_set1_epi32, _mm_testz_si128, _mm_unpackhi_epi64,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_or_si256,
    _mm256_packus_epi16, _mm256_permute4x64_epi64, _mm256_set1_epi16, _mm256_set1_epi32,
    _mm256_testz_si256,
};
use core::mem::MaybeUninit;

use super::LANES;
use super::utf32::{self, UNITS, narrow};
use crate::simd::scalar;
use crate::simd::x86_64::sse4;

/// Narrows UTF-16 up to the first unit above 00FF.
#[target_feature(enable = "avx2")]
pub(in crate::simd) fn utf16_to_latin1(src: &[u16], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    let mut done = 0;
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        if len <= LANES {
            let (first, last) = (load_units(first), load_units(last));
            if !is_wide(_mm256_or_si256(first, last)) {
                if let Some(to) = dst.first_chunk_mut() {
                    sse4::store(to, narrow_16(first));
                }
                if let Some(to) = dst.last_chunk_mut() {
                    sse4::store(to, narrow_16(last));
                }
                return len;
            }
        }
        while let Some(from) = src[done..].first_chunk()
            && let Some(to) = dst[done..].first_chunk_mut()
            && narrow_64(from, to)
        {
            done += 2 * LANES;
        }
        if done == len {
            return len;
        }
        if done > 0
            && done + 2 * LANES > len
            && let (Some(from), Some(to)) = (src.last_chunk(), dst.last_chunk_mut())
            && narrow_64(from, to)
        {
            return len;
        }
        while let Some(from) = src[done..].first_chunk()
            && let Some(to) = dst[done..].first_chunk_mut()
        {
            let units = load_units(from);
            if is_wide(units) {
                return rest_of_utf16(src, dst, done);
            }
            sse4::store(to, narrow_16(units));
            done += 16;
        }
        let units = load_units(last);
        if !is_wide(units)
            && let Some(to) = dst.last_chunk_mut()
        {
            sse4::store(to, narrow_16(units));
            return len;
        }
    } else if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        let (first, last) = (sse4::load_units(first), sse4::load_units(last));
        let wide = _mm_set1_epi16(0xFF00_u16.cast_signed());
        if _mm_testz_si128(_mm_or_si128(first, last), wide) == 1 {
            let bytes = _mm_packus_epi16(first, last);
            put_8(dst, bytes, _mm_unpackhi_epi64(bytes, bytes));
            return len;
        }
    } else if let (Some(first), Some(last)) = (src.first_chunk::<4>(), src.last_chunk::<4>()) {
        let both: [u16; 8] = core::array::from_fn(|i| if i < 4 { first[i] } else { last[i - 4] });
        let both = sse4::load_units(&both);
        let wide = _mm_set1_epi16(0xFF00_u16.cast_signed());
        if _mm_testz_si128(both, wide) == 1 {
            put_4(dst, _mm_cvtsi128_si64(_mm_packus_epi16(both, both)));
            return len;
        }
    }
    rest_of_utf16(src, dst, done)
}

/// Narrows less than a vector, and the units before one above 00FF.
#[inline(never)]
fn rest_of_utf16(src: &[u16], dst: &mut [MaybeUninit<u8>], mut done: usize) -> usize {
    for (&unit, to) in src[done..].iter().zip(&mut dst[done..]) {
        let Ok(byte) = u8::try_from(unit) else { break };
        to.write(byte);
        done += 1;
    }
    done
}

/// Narrows the first eight units and the last eight.
#[inline]
#[target_feature(enable = "avx2")]
fn put_8(dst: &mut [MaybeUninit<u8>], first: __m128i, last: __m128i) {
    debug_assert!(dst.len() >= 8, "eight bytes fit");
    if let Some(to) = dst.first_chunk_mut::<8>() {
        *to = _mm_cvtsi128_si64(first).to_le_bytes().map(MaybeUninit::new);
    }
    if let Some(to) = dst.last_chunk_mut::<8>() {
        *to = _mm_cvtsi128_si64(last).to_le_bytes().map(MaybeUninit::new);
    }
}

/// Narrows the first four units and the last four.
#[inline(always)]
fn put_4(dst: &mut [MaybeUninit<u8>], both: i64) {
    debug_assert!(dst.len() >= 4, "four bytes fit");
    if let Some(to) = dst.first_chunk_mut::<4>() {
        *to = (both as u32).to_le_bytes().map(MaybeUninit::new);
    }
    if let Some(to) = dst.last_chunk_mut::<4>() {
        *to = ((both >> 32) as u32).to_le_bytes().map(MaybeUninit::new);
    }
}

/// Narrows 64 units, if they are at most FF.
#[inline]
#[target_feature(enable = "avx2")]
fn narrow_64(from: &[u16; 2 * LANES], to: &mut [MaybeUninit<u8>; 2 * LANES]) -> bool {
    let ([a, b, c, d], _) = from.as_chunks() else {
        return false;
    };
    let (a, b, c, d) = (load_units(a), load_units(b), load_units(c), load_units(d));
    let any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    if is_wide(any) {
        return false;
    }
    // The pack works within each 128-bit half: put the quarters in order.
    let packed = [_mm256_packus_epi16(a, b), _mm256_packus_epi16(c, d)];
    for (to, packed) in to.as_chunks_mut().0.iter_mut().zip(packed) {
        super::store(to, _mm256_permute4x64_epi64::<0b11_01_10_00>(packed));
    }
    true
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_wide(units: __m256i) -> bool {
    _mm256_testz_si256(units, _mm256_set1_epi16(0xFF00_u16.cast_signed())) == 0
}

/// Narrows 16 units of at most FF to bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn narrow_16(units: __m256i) -> __m128i {
    let upper = _mm256_extracti128_si256::<1>(units);
    _mm_packus_epi16(_mm256_castsi256_si128(units), upper)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_units(from: &[u16; LANES / 2]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// Narrows UTF-32 up to the first unit above 00FF.
#[target_feature(enable = "avx2")]
pub(in crate::simd) fn utf32_to_latin1(src: &[u32], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    let mut done = 0;
    if let Some(last) = src.last_chunk() {
        let fits = |any| _mm256_testz_si256(any, _mm256_set1_epi32(!0xFF)) == 1;
        while let Some(from) = src[done..].first_chunk::<{ 4 * UNITS }>()
            && let Some(to) = dst[done..].first_chunk_mut()
            && let ([a, b, c, d], _) = from.as_chunks()
        {
            let [a, b, c, d] = [
                utf32::load(a),
                utf32::load(b),
                utf32::load(c),
                utf32::load(d),
            ];
            let any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
            if !fits(any) {
                break;
            }
            super::store(to, narrow([a, b, c, d]));
            done += 4 * UNITS;
        }
        while let Some(from) = src[done..].first_chunk()
            && let Some(to) = dst[done..].first_chunk_mut::<UNITS>()
        {
            let units = utf32::load(from);
            if !fits(units) {
                return done + scalar::latin1::utf32_to_latin1(&src[done..], &mut dst[done..]);
            }
            *to = narrow_8(units);
            done += UNITS;
        }
        let units = utf32::load(last);
        if fits(units)
            && let Some(to) = dst.last_chunk_mut()
        {
            *to = narrow_8(units);
            return len;
        }
    } else if let (Some(first), Some(last)) = (src.first_chunk::<4>(), src.last_chunk::<4>()) {
        let [first, last] = [first, last].map(|from| load_4(from));
        if _mm_testz_si128(_mm_or_si128(first, last), _mm_set1_epi32(!0xFF)) == 1 {
            let units = _mm_packus_epi32(first, last);
            put_4(dst, _mm_cvtsi128_si64(_mm_packus_epi16(units, units)));
            return len;
        }
    }
    done + scalar::latin1::utf32_to_latin1(&src[done..], &mut dst[done..])
}

/// Narrows eight units of at most FF to bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn narrow_8(units: __m256i) -> [MaybeUninit<u8>; UNITS] {
    let lower = _mm256_castsi256_si128(units);
    let units = _mm_packus_epi32(lower, _mm256_extracti128_si256::<1>(units));
    let bytes = _mm_cvtsi128_si64(_mm_packus_epi16(units, units));
    bytes.to_le_bytes().map(MaybeUninit::new)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_4(from: &[u32; 4]) -> __m128i {
    // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}
