//! Two-byte encodings → UTF-16 and UTF-8: blocks of text whose runs are short.

use core::arch::x86_64::{
    __m128i, __m512i, __mmask64, _mm_set1_epi16, _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask,
    _mm512_cmple_epu8_mask, _mm512_cvtepu8_epi16, _mm512_extracti64x4_epi64, _mm512_loadu_si512,
    _mm512_mask_sub_epi16, _mm512_maskz_compress_epi8, _mm512_maskz_mov_epi8, _mm512_movepi8_mask,
    _mm512_or_si512, _mm512_set1_epi8, _mm512_slli_epi16, _mm512_storeu_si512, _mm512_sub_epi8,
    _mm512_test_epi16_mask, _mm512_testn_epi8_mask,
};
use core::mem::MaybeUninit;

use super::utf16_block::ascii;
use super::utf16_bytes::{ROOM, UNITS, all_three, count, last_two, pack_1_2, splat, up_to_three};
use crate::simd::flat::Words;
use crate::simd::two_byte::index::{Katakana, Ranges, TwoByteIndex};
use crate::simd::two_byte::leads::leads_among;
use crate::simd::x86_64::avx2::two_byte::put_units;
use crate::simd::x86_64::avx512::{load, store};
use crate::simd::x86_64::two_byte_blocks::{
    BLOCK, BlockContent, Characters, Window, above_single, run,
};

/// Bytes of two ranges.
#[derive(Clone, Copy)]
struct Class {
    first: [__m512i; 2],
    span: [__m512i; 2],
}

impl Class {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn new(ranges: Ranges) -> Self {
        let all = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
        Class {
            first: ranges.map(|(first, _)| all(first)),
            span: ranges.map(|(first, last)| all(last - first)),
        }
    }

    /// Which bytes belong to it.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn of(self, bytes: __m512i) -> __mmask64 {
        let [low, high] = self.first.map(|first| _mm512_sub_epi8(bytes, first));
        _mm512_cmple_epu8_mask(low, self.span[0]) | _mm512_cmple_epu8_mask(high, self.span[1])
    }
}

/// Decodes whole blocks from the front of `src`, up to one that has something without a code unit, or
/// for which there is little room. Returns the bytes read and the units written.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn blocks_to_utf16(
    index: &TwoByteIndex,
    flat: &Words,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let leads = Class::new(index.leads);
    let above = _mm_set1_epi16(above_single(index.katakana));
    run(
        src,
        dst,
        |window, carry, to| find(leads, index.katakana, window, carry, to),
        |block, to| {
            let (to, _) = to.first_chunk_mut::<BLOCK>()?.as_chunks_mut::<32>();
            let bytes = load(block);
            let low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
            let high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(bytes));
            store_units(&mut to[0], low);
            store_units(&mut to[1], high);
            Some(BLOCK)
        },
        |characters, count, to| put_units(flat, above, characters, count, to),
    )
}

/// Decodes whole blocks from the front of `src` to UTF-8, up to one that has something without a code
/// unit, or for which there is little room. Returns the bytes read and the bytes written.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn blocks_to_utf8(
    index: &TwoByteIndex,
    flat: &Words,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let leads = Class::new(index.leads);
    let above = _mm_set1_epi16(above_single(index.katakana));
    run(
        src,
        dst,
        |window, carry, to| find(leads, index.katakana, window, carry, to),
        |block, to| {
            store(to.first_chunk_mut()?, load(block));
            Some(BLOCK)
        },
        |characters, count, to| put_utf8(flat, above, characters, count, to),
    )
}

/// Brings the characters together that start in a window's block.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn find(
    leads: Class,
    katakana: Katakana,
    window: &Window,
    carry: u64,
    to: &mut Characters,
) -> BlockContent {
    let (Some(now), Some(after)) = (window.first_chunk(), window.last_chunk()) else {
        return BlockContent::Malformed;
    };
    let now = load(now);
    let high = _mm512_movepi8_mask(now);
    if high == 0 && carry == 0 {
        return BlockContent::Ascii;
    }
    let mut may_lead = leads.of(now);
    let mut alone = 0;
    match katakana {
        Katakana::No => {}
        Katakana::Alone => {
            let number = _mm512_sub_epi8(now, _mm512_set1_epi8(0xA1_u8.cast_signed()));
            alone = _mm512_cmple_epu8_mask(number, _mm512_set1_epi8(0x3E));
        }
        Katakana::Behind8E => {
            may_lead |= _mm512_cmpeq_epi8_mask(now, _mm512_set1_epi8(0x8E_u8.cast_signed()));
        }
    }
    let leads = leads_among(may_lead & !carry);
    let starts = !(leads << 1 | carry);
    // Behind a lead byte, byte 0 would make a single byte of it.
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
    let to = to.vectors();
    store_words(&mut to[0], low);
    store_words(&mut to[1], high);
    BlockContent::Characters {
        count: starts.count_ones() as usize,
        carry: leads >> (BLOCK - 1),
    }
}

/// What the units of a block take, and what the last store may overrun them by.
const ROOM_OF_BLOCK: usize = 3 * UNITS + ROOM;

/// Writes the UTF-8 of characters, of which there are `count`.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn put_utf8(
    flat: &Words,
    above: __m128i,
    characters: &Characters,
    count: usize,
    to: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let to: &mut [_; ROOM_OF_BLOCK] = to.first_chunk_mut()?;
    let mut units = [MaybeUninit::new(0); BLOCK];
    put_units(flat, above, characters, count, &mut units)?;
    let (halves, _) = core::hint::black_box(&units).as_chunks();
    let low = to_utf8(load_units(&halves[0]), to);
    if count <= UNITS {
        return Some(low - (UNITS - count));
    }
    let high = to_utf8(load_units(&halves[1]), &mut to[low..]);
    // Behind the characters stand zeros, each of which became a byte.
    Some(low + high - (BLOCK - count))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_units(from: &[MaybeUninit<u16>; 32]) -> __m512i {
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

#[inline]
#[target_feature(enable = "avx512f")]
fn store_words(to: &mut [u16; 32], words: __m512i) {
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), words) };
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_units(to: &mut [MaybeUninit<u16>; 32], words: __m512i) {
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), words) };
}
