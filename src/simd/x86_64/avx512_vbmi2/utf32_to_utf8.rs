//! UTF-32 to UTF-8 for AVX-512 with VBMI2: 64 characters of ASCII, 32 below U+0800 or 16 of any kind at a
//! time. The bytes of each are put into its lane, and those of all lanes compressed. AVX2's kernel, with which texts of
//! 4 KiB and more took 1.2 to 2 times as long, is faster for less than 48 characters.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::simd::generic::{any_bits, load_4};
use crate::simd::scalar;
use crate::simd::vector::Vector;
use crate::simd::x86_64::avx2;
use crate::simd::x86_64::avx512::utf8_to_utf32::UNITS;
use crate::simd::x86_64::avx512::vector::Vectors512;
use crate::simd::x86_64::avx512::{LANES, lanes_below, store};

/// (a & b) | c
const AND_OR: i32 = 0xEA;
/// a | (b & c)
const OR_AND: i32 = 0xF8;

/// Characters as UTF-8; the bits of `bytes` mark the bytes in use.
struct Spread {
    lanes: __m512i,
    bytes: u64,
}

/// Converts UTF-32 up to the first unit that is not a scalar value. Returns the number of code units read and
/// of bytes written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf32_to_utf8(src: &[u32], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if src.len() < 3 * UNITS {
        return (avx2::table::ENTRIES.utf32_to_utf8)(src, dst);
    }
    let v = Vectors512::here();
    let (mut read, mut written) = (0, 0);
    while let Some(from) = src[read..].first_chunk::<{ 4 * UNITS }>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 2 * LANES }>()
        && let ([to, ..], _) = to.as_chunks_mut::<LANES>()
    {
        let chars = load_4(v, bytemuck::cast_slice(from));
        let [a, b, c, d] = chars;
        let all = any_bits(v, chars);
        if !any(all, !0x7F) {
            store(to, v.narrow_u16(v.narrow_u32(a, b), v.narrow_u32(c, d)));
            read += 4 * UNITS;
            written += 4 * UNITS;
            continue;
        }
        if !any(v.or(a, b), !0x7FF) {
            written += pack(up_to_two(a, b), to);
            read += 2 * UNITS;
            if !any(all, !0x7FF)
                && let Some(to) = dst[written..].first_chunk_mut()
            {
                written += pack(up_to_two(c, d), to);
                read += 2 * UNITS;
            }
            continue;
        }
        if !are_scalars(a, b) {
            break;
        }
        written += pack(up_to_four(a), to);
        if let Some(to) = dst[written..].first_chunk_mut() {
            written += pack(up_to_four(b), to);
            read += UNITS;
        }
        read += UNITS;
    }
    while let Some(from) = src[read..].first_chunk::<{ 2 * UNITS }>()
        && let Some(to) = dst[written..].first_chunk_mut::<LANES>()
    {
        let from: &[u8] = bytemuck::cast_slice(from);
        let (a, b) = (v.load(from), v.load(&from[LANES..]));
        if any(v.or(a, b), !0x7FF) {
            break;
        }
        written += pack(up_to_two(a, b), to);
        read += 2 * UNITS;
    }
    while read < src.len() {
        let from = &src[read..];
        let len = from.len().min(UNITS);
        let chars = v.load_front(bytemuck::cast_slice(from));
        if !are_scalars(chars, chars) {
            break;
        }
        let mut spread = up_to_four(chars);
        // The text is followed by zeros.
        spread.bytes &= lanes_below(4 * len);
        let to = &mut dst[written..];
        let bytes = spread.bytes.count_ones() as usize;
        if bytes > to.len() {
            break;
        }
        let packed = _mm512_maskz_compress_epi8(spread.bytes, spread.lanes);
        let inside = lanes_below(bytes);
        // SAFETY: the mask has no more lanes than `to` has bytes, and masked-off lanes are not written.
        unsafe { _mm512_mask_storeu_epi8(to.as_mut_ptr().cast(), inside, packed) };
        read += len;
        written += bytes;
    }
    let rest = scalar::utf32::utf32_to_utf8(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Returns whether a unit has one of these bits.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn any(units: __m512i, bits: i32) -> bool {
    _mm512_test_epi32_mask(units, _mm512_set1_epi32(bits)) != 0
}

/// Returns whether all units of both vectors are scalar values. Without masks, text took up to 1.16 times as long.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn are_scalars(a: __m512i, b: __m512i) -> bool {
    let all = |unit| _mm512_set1_epi32(unit);
    let from_d800 = |units| _mm512_sub_epi32(units, all(0xD800));
    let least = _mm512_min_epu32(from_d800(a), from_d800(b));
    let beyond = _mm512_cmpgt_epu32_mask(_mm512_max_epu32(a, b), all(0x10_FFFF));
    _mm512_cmplt_epu32_mask(least, all(0x800)) | beyond == 0
}

/// Spreads characters below U+0800: two bytes in each 16-bit lane.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn up_to_two(a: __m512i, b: __m512i) -> Spread {
    let all = |bits: u16| _mm512_set1_epi16(bits.cast_signed());
    let units = Vectors512::here().narrow_u32(a, b);
    let two = _mm512_test_epi16_mask(units, all(0xFF80));
    let lead = _mm512_srli_epi16::<6>(units);
    let both =
        _mm512_ternarylogic_epi32::<OR_AND>(lead, _mm512_slli_epi16::<8>(units), all(0x3F00));
    let both = _mm512_or_si512(both, all(0x80C0));
    let lanes = _mm512_mask_mov_epi16(units, two, both);
    Spread {
        lanes,
        bytes: counting(lanes, all(0x00FF)),
    }
}

/// Spreads any scalar values, the last byte of each in the last byte of its lane.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn up_to_four(chars: __m512i) -> Spread {
    let all = |bits: u32| _mm512_set1_epi32(bits.cast_signed());
    // Six bits per byte: from bits 18, 12, 6 and 0, and from 32 more in the upper half.
    let shifts = _mm512_set1_epi64(0x2026_2C32_0006_0C12);
    let bits = _mm512_multishift_epi64_epi8(shifts, chars);
    let least = |limit| _mm512_cmpge_epu32_mask(chars, all(limit));
    let (two, three, four) = (least(0x80), least(0x800), least(0x1_0000));
    let marks = _mm512_mask_mov_epi32(_mm512_setzero_si512(), two, all(0x80C0_0000));
    let marks = _mm512_mask_mov_epi32(marks, three, all(0x8080_E000));
    let marks = _mm512_mask_mov_epi32(marks, four, all(0x8080_80F0));
    let lanes = _mm512_ternarylogic_epi32::<AND_OR>(bits, all(0x3F3F_3F3F), marks);
    // All seven bits of ASCII.
    let lanes = _mm512_mask_slli_epi32::<24>(lanes, !two, chars);
    Spread {
        lanes,
        bytes: counting(lanes, all(0xFF00_0000)),
    }
}

/// Returns a mask of the bytes that are not 0, and those of `always`.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn counting(lanes: __m512i, always: __m512i) -> u64 {
    let counting = _mm512_or_si512(lanes, always);
    _mm512_test_epi8_mask(counting, counting)
}

/// Writes the bytes without gaps, and returns their number.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn pack(spread: Spread, to: &mut [MaybeUninit<u8>; LANES]) -> usize {
    store(to, _mm512_maskz_compress_epi8(spread.bytes, spread.lanes));
    spread.bytes.count_ones() as usize
}
