//! Latin-1, UTF-16 and UTF-32 to each other, and UTF-16 validated, for AVX-512 with VBMI2, where that is faster than with
//! AVX2: on an Intel processor (model 207) whole texts take 0.75 to 0.95 times as long. (On Zen 4, validation by vectors of
//! 64 bytes took as long.)

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::utf16::narrow;
use super::utf16_block::surrogates;
use crate::simd::shared::as_bytes;
use crate::simd::x86_64::avx2;
use crate::simd::x86_64::avx512::{
    LANES, halves, load, load_front, load_front_16, load_front_half, store, store_front,
};

/// UTF-16 of fewer units is left to AVX2's kernel.
const MIN_UNITS: usize = 64;

/// Latin-1 of fewer bytes is left to AVX2's kernel, which converts to UTF-32 in blocks that overlap.
const MIN_BYTES_TO_UTF32: usize = 512;

/// Converts Latin-1, as far as there is room. Returns the number of bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn latin1_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    let len = src.len().min(dst.len());
    let (vectors, rest) = src[..len].as_chunks::<{ LANES / 2 }>();
    let (to, to_rest) = as_bytes(&mut dst[..len]).as_chunks_mut::<LANES>();
    for (from, to) in vectors.iter().zip(to) {
        store(to, _mm512_cvtepu8_epi16(avx2::load(from)));
    }
    store_front(to_rest, _mm512_cvtepu8_epi16(load_front_half(rest)));
    len
}

/// Converts Latin-1, as far as there is room. Returns the number of bytes.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn latin1_to_utf32(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> usize {
    if src.len() < MIN_BYTES_TO_UTF32 {
        return (avx2::table::ENTRIES.latin1_to_utf32)(src, dst);
    }
    let len = src.len().min(dst.len());
    let (vectors, rest) = src[..len].as_chunks::<{ LANES / 4 }>();
    let (to, to_rest) = as_bytes(&mut dst[..len]).as_chunks_mut::<LANES>();
    for (from, to) in vectors.iter().zip(to) {
        store(to, _mm512_cvtepu8_epi32(load_front_16(from)));
    }
    store_front(to_rest, _mm512_cvtepu8_epi32(load_front_16(rest)));
    len
}

/// Converts UTF-16 up to the first unit above 00FF, as far as there is room. Returns the number of units.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_latin1(src: &[u16], dst: &mut [MaybeUninit<u8>]) -> usize {
    if src.len() <= LANES / 2
        && let Some(to) = dst.get_mut(..src.len())
    {
        let units = load_front(bytemuck::cast_slice(src));
        if !is_above_ff(units) {
            store_front(to, narrow([units, units]));
            return src.len();
        }
    }
    wide_utf16_to_latin1(src, dst)
}

/// Converts text of any length.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn wide_utf16_to_latin1(src: &[u16], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len().min(dst.len());
    let (mut from, mut to) = (&src[..len], &mut dst[..len]);
    while let (Some(block), Some(room)) = (from.first_chunk::<LANES>(), to.first_chunk_mut()) {
        let (vectors, _) = bytemuck::cast_slice(block).as_chunks::<LANES>();
        let units = [load(&vectors[0]), load(&vectors[1])];
        if is_above_ff(_mm512_or_si512(units[0], units[1])) {
            return others(src, dst, len - from.len());
        }
        store(room, narrow(units));
        from = &from[LANES..];
        to = &mut core::mem::take(&mut to)[LANES..];
    }
    let bytes: &[u8] = bytemuck::cast_slice(from);
    let low = load_front(bytes);
    let units = match bytes.get(LANES..) {
        Some(more) => [low, load_front(more)],
        None => [low, low],
    };
    if is_above_ff(_mm512_or_si512(units[0], units[1])) {
        return others(src, dst, len - from.len());
    }
    store_front(to, narrow(units));
    len
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn is_above_ff(units: __m512i) -> bool {
    _mm512_test_epi16_mask(units, _mm512_set1_epi16(0xFF00_u16.cast_signed())) != 0
}

/// Converts the rest of a text with units above 00FF, of which `done` are converted.
#[cold]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn others(src: &[u16], dst: &mut [MaybeUninit<u8>], done: usize) -> usize {
    done + (avx2::table::ENTRIES.utf16_to_latin1)(&src[done..], &mut dst[done..])
}

/// Returns the length of the longest well-formed prefix, in units.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_valid_prefix(src: &[u16]) -> usize {
    let mut at = 0;
    for group in src.as_chunks::<128>().0 {
        let (vectors, _) = bytemuck::cast_slice(group).as_chunks::<LANES>();
        // Surrogates are the units that are less than 800 from D800.
        let from_d800 = |i: usize| _mm512_sub_epi16(load(&vectors[i]), units(0xD800));
        let nearest = _mm512_min_epu16(
            _mm512_min_epu16(from_d800(0), from_d800(1)),
            _mm512_min_epu16(from_d800(2), from_d800(3)),
        );
        if _mm512_cmplt_epu16_mask(nearest, units(0x800)) != 0 {
            break;
        }
        at += group.len();
    }
    at + (avx2::table::ENTRIES.utf16_valid_prefix)(&src[at..])
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn units(unit: u16) -> __m512i {
    _mm512_set1_epi16(unit.cast_signed())
}

/// Converts UTF-16 up to the first lone surrogate. Returns the numbers of code units read and written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_utf32(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if src.len() >= MIN_UNITS {
        // Whether the unit before is a leading surrogate, whose pair is written: 0 or 1.
        let mut open = 0;
        while let Some(from) = src[read..].first_chunk::<32>()
            && let Some(from) = bytemuck::cast_slice(from).first_chunk()
            && let Some(to) = dst[written..].first_chunk_mut::<32>()
        {
            let block = load(from);
            let [low, high] = halves(block);
            let (low, high) = (_mm512_cvtepu16_epi32(low), _mm512_cvtepu16_epi32(high));
            let to = as_bytes(to);
            if u32::from(surrogates(block) != 0) | open == 0 {
                let (vectors, _) = to.as_chunks_mut();
                store(&mut vectors[0], low);
                store(&mut vectors[1], high);
                read += 32;
                written += 32;
            } else {
                let next = _mm512_alignr_epi32::<1>(high, low);
                let Some(len) = pairs_to_utf32(low, next, to, &mut open) else {
                    break;
                };
                read += 16;
                written += len;
            }
        }
        read += open as usize;
    }
    let rest = (avx2::table::ENTRIES.utf16_to_utf32)(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Converts 16 units with surrogates, each in 32 bits, unless one is lone. `next` has in each lane the unit after it.
/// Returns the number of units written. `open` says whether the unit before the first is a leading surrogate, whose pair is
/// written: 0 or 1.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn pairs_to_utf32(
    here: __m512i,
    next: __m512i,
    to: &mut [MaybeUninit<u8>],
    open: &mut u32,
) -> Option<usize> {
    /// What is too much in 400 times the leading surrogate and the trailing one.
    const TOO_MUCH: u32 = (0xD800 << 10) + 0xDC00 - 0x10000;

    let is_like = |units, kind: u32| {
        let masked = _mm512_and_si512(units, _mm512_set1_epi32(0xFC00));
        u32::from(_mm512_cmpeq_epi32_mask(
            masked,
            _mm512_set1_epi32(kind.cast_signed()),
        ))
    };
    let (leading, trailing) = (is_like(here, 0xD800), is_like(here, 0xDC00));
    let before_trailing = is_like(next, 0xDC00);
    if leading & !before_trailing != 0 || trailing != (leading << 1 | *open) & 0xFFFF {
        return None;
    }
    *open = leading >> 15;
    let upper = _mm512_add_epi32(
        _mm512_slli_epi32::<10>(here),
        _mm512_set1_epi32(TOO_MUCH.wrapping_neg().cast_signed()),
    );
    let chars = _mm512_mask_add_epi32(here, leading as u16, upper, next);
    let kept = !trailing as u16;
    store(
        to.first_chunk_mut()?,
        _mm512_maskz_compress_epi32(kept, chars),
    );
    Some(kept.count_ones() as usize)
}
