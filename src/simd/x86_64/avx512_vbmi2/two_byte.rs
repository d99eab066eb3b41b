//! Two-byte encodings → UTF-8: AVX2's loop over blocks, with vectors that find the characters of a block at
//! once, and pack their UTF-8. Korean prose takes two thirds of AVX2's time; other text, and all text to
//! UTF-16, would take as long.

use core::arch::x86_64::{
    __m512i, __mmask64, _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask, _mm512_cmple_epu8_mask,
    _mm512_cvtepu8_epi16, _mm512_extracti64x4_epi64, _mm512_loadu_si512, _mm512_mask_sub_epi16,
    _mm512_maskz_compress_epi8, _mm512_maskz_mov_epi8, _mm512_movepi8_mask, _mm512_or_si512,
    _mm512_set1_epi8, _mm512_slli_epi16, _mm512_storeu_si512, _mm512_sub_epi8,
    _mm512_test_epi16_mask, _mm512_testn_epi8_mask,
};
use core::mem::MaybeUninit;

use super::utf16_block::ascii;
use super::utf16_bytes::{ROOM, UNITS, all_three, count, last_two, pack_1_2, splat, up_to_three};
use crate::simd::flat::Words;
use crate::simd::two_byte::decode::ToUtf8;
use crate::simd::two_byte::index::{Katakana, TwoByteIndex};
use crate::simd::two_byte::leads::leads_among;
use crate::simd::two_byte::windows::{BLOCK, decode_by_windows};
use crate::simd::x86_64::avx2::two_byte::{
    BlockContent, Characters, Window, blocks_to_utf8, put_units,
};
use crate::simd::x86_64::avx2::{ascii_runs, three_bytes};
use crate::simd::x86_64::avx512::load;

/// Decodes to UTF-8, up to the first byte or pair without a code unit. Returns the bytes read and the
/// bytes written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn two_byte_to_utf8(
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let target = ToUtf8 {
        ascii: |src: &[u8], to: &mut [_]| ascii_runs::to_utf8::<64, false>(src, to),
        three: |unit| three_bytes::three(unit),
    };
    decode_by_windows(target, index, src, dst, |flat, src, dst| {
        blocks_to_utf8(
            src,
            dst,
            |window, carry, to| find(index, window, carry, to),
            |characters, count, to| put_utf8(flat, index.katakana, characters, count, to),
        )
    })
}

/// Which bytes are in a range.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn within((first, last): (u8, u8), bytes: __m512i) -> __mmask64 {
    let all = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, all(first)), all(last - first))
}

/// Brings the characters together that start in a window's block.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn find(index: &TwoByteIndex, window: &Window, carry: u64, to: &mut Characters) -> BlockContent {
    let (Some(now), Some(after)) = (window.first_chunk(), window.last_chunk()) else {
        return BlockContent::Malformed;
    };
    let now = load(now);
    let high = _mm512_movepi8_mask(now);
    if high == 0 && carry == 0 {
        return BlockContent::Ascii;
    }
    let [low_leads, high_leads] = index.leads;
    let mut may_lead = within(low_leads, now) | within(high_leads, now);
    let mut alone = 0;
    match index.katakana {
        Katakana::No => {}
        Katakana::Alone => alone = within((0xA1, 0xDF), now),
        Katakana::Behind8E => {
            may_lead |= _mm512_cmpeq_epi8_mask(now, _mm512_set1_epi8(0x8E_u8.cast_signed()));
        }
    }
    let leads = leads_among(may_lead & !carry);
    let starts = !(leads << 1 | carry);
    // After a lead byte, byte 0 would make a single byte of it.
    let trails = load(after);
    let nul = _mm512_testn_epi8_mask(trails, trails);
    if starts & high & !leads & !alone | leads & nul != 0 {
        return BlockContent::Malformed;
    }
    let trails = _mm512_maskz_mov_epi8(leads, trails);
    let now = _mm512_maskz_compress_epi8(starts, now);
    let trails = _mm512_maskz_compress_epi8(starts, trails);
    let words = |now, trails| {
        let trails = _mm512_slli_epi16::<8>(_mm512_cvtepu8_epi16(trails));
        _mm512_or_si512(_mm512_cvtepu8_epi16(now), trails)
    };
    let low = words(_mm512_castsi512_si256(now), _mm512_castsi512_si256(trails));
    let high = words(
        _mm512_extracti64x4_epi64::<1>(now),
        _mm512_extracti64x4_epi64::<1>(trails),
    );
    for (to, words) in to.vectors().iter_mut().zip([low, high]) {
        store_words(to, words);
    }
    BlockContent::Characters {
        count: starts.count_ones() as usize,
        carry: leads >> (BLOCK - 1),
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_words(to: &mut [u16; UNITS], words: __m512i) {
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), words) };
}

/// What the units of a block take, and what the last store may overrun them by.
const ROOM_OF_BLOCK: usize = 3 * UNITS + ROOM;

/// Writes the UTF-8 of characters, of which there are `count`.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn put_utf8(
    flat: &Words,
    katakana: Katakana,
    characters: &Characters,
    count: usize,
    to: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let to: &mut [_; ROOM_OF_BLOCK] = to.first_chunk_mut()?;
    let mut units = [MaybeUninit::new(0); BLOCK];
    put_units(flat, katakana, characters, count, &mut units)?;
    let (halves, _) = core::hint::black_box(&units).as_chunks();
    let low = to_utf8(load_units(&halves[0]), to);
    if count <= UNITS {
        return Some(low - (UNITS - count));
    }
    let high = to_utf8(load_units(&halves[1]), &mut to[low..]);
    // After the characters there are zeros, each of which became a byte.
    Some(low + high - (BLOCK - count))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_units(from: &[MaybeUninit<u16>; UNITS]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read, all of them written; no alignment needed.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Writes the bytes of units without surrogates; returns their number.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn to_utf8(units: __m512i, to: &mut [MaybeUninit<u8>]) -> usize {
    let ascii = ascii(units);
    let three = _mm512_test_epi16_mask(units, splat(0xF800));
    if three == u32::MAX {
        all_three(units, to);
        return 3 * UNITS;
    }
    let last = last_two(units, ascii, units);
    if three == 0 {
        pack_1_2(last, to);
    } else {
        // What is the first byte of two is the second one of three.
        let last = _mm512_mask_sub_epi16(last, three, last, splat(0x40));
        up_to_three(units, last, [ascii, three], to);
    }
    2 * UNITS - count(ascii, UNITS) + count(three, UNITS)
}
