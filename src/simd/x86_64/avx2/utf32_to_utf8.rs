//! UTF-32 to UTF-8 for AVX2: 32 characters of ASCII at a time, or 16 of any kind. Those of the Basic
//! Multilingual Plane are packed to UTF-16; for others, the bytes are put at the end of each lane, and four
//! lanes at a time are moved together.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_packus_epi32, _mm_shuffle_epi8, _mm256_and_si256, _mm256_blendv_epi8,
    _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_cmpgt_epi32, _mm256_extracti128_si256,
    _mm256_movemask_ps, _mm256_or_si256, _mm256_packus_epi32, _mm256_permute4x64_epi64,
    _mm256_set1_epi32, _mm256_slli_epi32, _mm256_srli_epi32, _mm256_testz_si256,
};
use core::mem::MaybeUninit;

use super::store;
use super::utf32::{UNITS, are_scalars, load, narrow};
use super::vector::Vectors256;
use crate::simd::generic::utf16_lanes::{bmp_to_utf8, bmp_to_utf8_exactly, front_len, room_for};
use crate::simd::scalar;
use crate::simd::vector::Vector;
use crate::simd::x86_64::sse4;
use crate::simd::x86_64::utf8_tables::ENDS;

/// The number of characters whose UTF-16 code units a vector holds.
const HALF_BLOCK: usize = 2 * UNITS;

/// The number of characters in a block.
const BLOCK: usize = 4 * UNITS;

/// Converts UTF-32 up to the first unit that is not a scalar value. Returns the number of code units read and
/// of bytes written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf32_to_utf8(src: &[u32], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if let Some(written) = try_short(src, dst) {
        (src.len(), written)
    } else {
        not_short(src, dst)
    }
}

/// Converts 8 to 31 characters of the Basic Multilingual Plane, if there is ample room. Returns the number of bytes.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn try_short(src: &[u32], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let v = Vectors256::here();
    if src.len() >= BLOCK {
        None
    } else if src.len() >= HALF_BLOCK {
        short(v, src, dst, |from| units_of(from))
    } else {
        short(v.part(), src, dst, |from| units_of_8(from))
    }
}

/// Converts `N` to `2 * N` characters of the Basic Multilingual Plane into ample room: the first `N`, and the last `N`.
#[inline(always)]
fn short<const N: usize, V: Vector>(
    v: V,
    src: &[u32],
    dst: &mut [MaybeUninit<u8>],
    units_of: impl Fn(&[u32; N]) -> Option<V::V>,
) -> Option<usize> {
    let written = bmp_to_utf8(v, units_of(src.first_chunk()?)?, dst)?;
    if src.len() == N {
        return Some(written);
    }
    let last = units_of(src.last_chunk()?)?;
    let at = written - front_len(v, last, 2 * N - src.len());
    Some(at + bmp_to_utf8(v, last, dst.get_mut(at..)?)?)
}

/// Converts any text. A separate function, so that the path for short text needs no stack frame.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn not_short(src: &[u32], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let v = Vectors256::here();
    let (mut read, mut written) = (0, 0);
    while let Some(from) = src[read..].first_chunk::<BLOCK>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 4 * BLOCK }>()
        && let ([a, b, c, d], _) = from.as_chunks()
    {
        let chars = [load(a), load(b), load(c), load(d)];
        let [a, b, c, d] = chars;
        let (front, back) = (_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        if none(_mm256_or_si256(front, back), !0x7F) {
            if let Some(to) = to.first_chunk_mut() {
                store(to, narrow(chars));
            }
            read += BLOCK;
            written += BLOCK;
            continue;
        }
        if let Some(units) = units(a, b)
            && let Some(bytes) = bmp_to_utf8(v, units, to)
        {
            written += bytes;
        } else if are_scalars([a, b, a, b]) {
            let first = up_to_four(a, to);
            written += first + up_to_four(b, &mut to[first..]);
        } else {
            break;
        }
        read += HALF_BLOCK;
    }
    while let Some(from) = src[read..].first_chunk::<HALF_BLOCK>()
        && let Some(units) = units_of(from)
        && let Some(bytes) = bmp_to_any_room(units, from, &mut dst[written..])
    {
        read += HALF_BLOCK;
        written += bytes;
    }
    if let Some(written) = end(src, dst, read, written) {
        return (src.len(), written);
    }
    while let Some(from) = src[read..].first_chunk::<UNITS>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 4 * UNITS }>()
    {
        let chars = load(from);
        if !are_scalars([chars; 4]) {
            break;
        }
        written += up_to_four(chars, to);
        read += UNITS;
    }
    let rest = scalar::utf32::utf32_to_utf8(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Converts the last 16 characters of a text, fewer than 16 of which are left. Returns the number of bytes
/// written in all; `None` if it does not fit, or not all 16 are in the Basic Multilingual Plane.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn end(src: &[u32], dst: &mut [MaybeUninit<u8>], read: usize, written: usize) -> Option<usize> {
    let again = HALF_BLOCK.checked_sub(src.len() - read)?;
    if again == HALF_BLOCK {
        return Some(written);
    }
    let from = src.last_chunk()?;
    let units = units_of(from)?;
    let at = written.checked_sub(front_len(Vectors256::here(), units, again))?;
    Some(at + bmp_to_any_room(units, from, dst.get_mut(at..)?)?)
}

/// Does what [`bmp_to_utf8`] does with the units of `from`, also in little room, as long as the characters fit.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn bmp_to_any_room(
    units: __m256i,
    from: &[u32; HALF_BLOCK],
    to: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    match bmp_to_utf8(Vectors256::here(), units, to) {
        None if to.len() < room_for(super::LANES) => bmp_to_little_room(from, to),
        written => written,
    }
}

/// Converts 16 characters into as much room as they take. Loads them again: as an argument, the vector would be kept
/// in memory for this call.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn bmp_to_little_room(from: &[u32; HALF_BLOCK], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
    bmp_to_utf8_exactly(Vectors256::here(), units_of(from)?, HALF_BLOCK, to)
}

/// Returns the code units of 16 characters, if each has a single one.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn units_of(from: &[u32; HALF_BLOCK]) -> Option<__m256i> {
    let ([low, high], _) = from.as_chunks() else {
        return None;
    };
    units(load(low), load(high))
}

/// Returns the code units of 8 characters, if each has a single one.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn units_of_8(from: &[u32; UNITS]) -> Option<__m128i> {
    let chars = load(from);
    if !none(chars, !0xFFFF) {
        return None;
    }
    let high = _mm256_extracti128_si256::<1>(chars);
    Some(_mm_packus_epi32(_mm256_castsi256_si128(chars), high))
}

/// Returns whether a vector has none of these bits.
#[inline]
#[target_feature(enable = "avx2")]
fn none(chars: __m256i, bits: u32) -> bool {
    _mm256_testz_si256(chars, _mm256_set1_epi32(bits.cast_signed())) != 0
}

/// Returns the code units of these 16 characters, if each has a single one.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn units(low: __m256i, high: __m256i) -> Option<__m256i> {
    if !none(_mm256_or_si256(low, high), !0xFFFF) {
        return None;
    }
    // The pack works within each 128-bit half: put the quarters in order.
    let units = _mm256_packus_epi32(low, high);
    Some(_mm256_permute4x64_epi64::<0b11_01_10_00>(units))
}

/// Writes eight scalar values and returns the number of bytes.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn up_to_four(chars: __m256i, to: &mut [MaybeUninit<u8>]) -> usize {
    let all = |bits: u32| _mm256_set1_epi32(bits.cast_signed());
    let and = |a, bits| _mm256_and_si256(a, all(bits));
    let above = |limit| _mm256_cmpgt_epi32(chars, all(limit));
    let (two, three, four) = (above(0x7F), above(0x7FF), above(0xFFFF));
    // Six bits per byte, the last six in the last byte; for ASCII all seven.
    let last = and(_mm256_slli_epi32::<24>(chars), 0x3F00_0000);
    let third = and(_mm256_slli_epi32::<10>(chars), 0x3F_0000);
    let second = and(_mm256_srli_epi32::<4>(chars), 0x3F00);
    let leading = _mm256_srli_epi32::<18>(chars);
    let bits = _mm256_or_si256(
        _mm256_or_si256(last, third),
        _mm256_or_si256(second, leading),
    );
    let marks = _mm256_blendv_epi8(all(0x80C0_0000), all(0x8080_E000), three);
    let marks = _mm256_blendv_epi8(marks, all(0x8080_80F0), four);
    let longer = _mm256_or_si256(bits, marks);
    let lanes = _mm256_blendv_epi8(_mm256_slli_epi32::<24>(chars), longer, two);
    let mask = |lanes| _mm256_movemask_ps(_mm256_castsi256_ps(lanes)).cast_unsigned();
    let (two, three, four) = (mask(two), mask(three), mask(four));
    // Minus one, the lengths are 0 to 3: odd if one or three of the masks are set.
    let (low, high) = (two ^ three ^ four, three);
    let bytes = |lanes: u32| {
        4 + [two, three, four]
            .map(|mask| (mask & lanes).count_ones())
            .iter()
            .sum::<u32>()
    };
    let first = bytes(0x0F) as usize;
    let halves = [
        (0, 0, _mm256_castsi256_si128(lanes)),
        (first, 4, _mm256_extracti128_si256::<1>(lanes)),
    ];
    for (at, lane, half) in halves {
        let row = (low >> lane & 0xF | (high >> lane & 0xF) << 4) as usize;
        let room = to.get_mut(at..).and_then(|to| to.first_chunk_mut());
        debug_assert!(room.is_some(), "a block fits");
        if let Some(to) = room {
            sse4::store(to, _mm_shuffle_epi8(half, sse4::load(&ENDS.0[row])));
        }
    }
    first + bytes(0xF0) as usize
}
