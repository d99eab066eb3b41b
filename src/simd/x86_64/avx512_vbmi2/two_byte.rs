//! Two-byte encodings → UTF-8: finds and writes the characters of blocks with AVX-512 VBMI2. Korean prose
//! takes three quarters of AVX2's time; other text, and all text to UTF-16, would take as long as with AVX2.

use core::arch::x86_64::{
    __m512i, __mmask64, _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask, _mm512_cmpgt_epu16_mask,
    _mm512_cmple_epu8_mask, _mm512_cvtepu8_epi16, _mm512_extracti64x4_epi64, _mm512_loadu_si512,
    _mm512_mask_add_epi16, _mm512_mask_mov_epi16, _mm512_mask_sub_epi16,
    _mm512_mask_testn_epi16_mask, _mm512_maskz_compress_epi8, _mm512_maskz_mov_epi8,
    _mm512_movepi8_mask, _mm512_or_si512, _mm512_set1_epi8, _mm512_slli_epi16, _mm512_storeu_si512,
    _mm512_sub_epi8, _mm512_test_epi16_mask, _mm512_testn_epi8_mask,
};
use core::mem::MaybeUninit;

use super::utf16_block::ascii;
use super::utf16_bytes::{
    ROOM_OF_BLOCK, UNITS, all_three, count, last_two, pack_1_2, splat, up_to_three,
};
use crate::simd::flat::Words;
use crate::simd::two_byte::blocks::{BLOCK, BlockContent, Blocks, GROUP, Window, decode_blocks};
use crate::simd::two_byte::decode::{PAIRS, ROOM_OF_PAIRS, ToUtf8};
use crate::simd::two_byte::index::{KATAKANA, Katakana, TwoByteIndex};
use crate::simd::two_byte::leads::leads_among;
use crate::simd::two_byte::windows::decode_by_windows;
use crate::simd::x86_64::avx2::{ascii_runs, three_bytes};
use crate::simd::x86_64::avx512::{load, store};

/// Decodes to UTF-8, up to the first byte or pair without a code unit. Returns the number of bytes read and
/// written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn two_byte_to_utf8(
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let target = ToUtf8 {
        ascii: |src: &[u8], to: &mut [_]| ascii_runs::to_utf8::<64, false>(src, to),
        three: |unit| three_bytes::three(unit),
        threes: |units: [_; PAIRS], to: &mut [_; ROOM_OF_PAIRS]| three_bytes::put_threes(units, to),
    };
    decode_by_windows(target, index, src, dst, |flat, src, dst| {
        blocks_to_utf8(index, flat, src, dst)
    })
}

/// Decodes blocks to UTF-8 with a flat table, as [`decode_blocks`] does. Returns the number of bytes read and
/// written.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn blocks_to_utf8(
    index: &TwoByteIndex,
    flat: &Words,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    decode_blocks(&Vbmi2::new(index), flat, src, dst)
}

/// Wraps calls of functions for VBMI2 in methods of [`Vbmi2`].
macro_rules! vbmi2 {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX-512 with VBMI2, POPCNT, BMI1 and BMI2.
        unsafe { $calls }
    };
}

/// Decodes blocks to UTF-8. Also the proof that the processor has AVX-512 with VBMI2, POPCNT, BMI1 and BMI2.
struct Vbmi2<'a>(&'a TwoByteIndex);

impl<'a> Vbmi2<'a> {
    /// Makes the token; the features of the caller are the proof.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
    fn new(index: &'a TwoByteIndex) -> Self {
        Vbmi2(index)
    }
}

impl Blocks for Vbmi2<'_> {
    type To = u8;

    #[inline(always)]
    fn find(&self, window: &Window, carry: u64, to: &mut [u16; BLOCK]) -> BlockContent {
        vbmi2!(find(self.0, window, carry, to))
    }

    #[inline(always)]
    fn put_ascii(&self, block: &[u8; BLOCK], to: &mut [MaybeUninit<u8>]) -> Option<()> {
        let to = to.first_chunk_mut()?;
        vbmi2!(store(to, load(block)));
        Some(())
    }

    #[inline(always)]
    fn put(
        &self,
        characters: &[u16; GROUP],
        units: &[u16; GROUP],
        to: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let to = to.first_chunk_mut()?;
        let units = vbmi2!(all_units(self.0.katakana, characters, units))?;
        Some(vbmi2!(to_utf8(units, to)))
    }
}

/// Returns a mask of the bytes in a range.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn within((first, last): (u8, u8), bytes: __m512i) -> __mmask64 {
    let all = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
    _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, all(first)), all(last - first))
}

/// Collects the characters that start in a window's block.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn find(index: &TwoByteIndex, window: &Window, carry: u64, to: &mut [u16; BLOCK]) -> BlockContent {
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
        Katakana::After8E => {
            may_lead |= _mm512_cmpeq_epi8_mask(now, _mm512_set1_epi8(0x8E_u8.cast_signed()));
        }
    }
    let leads = leads_among(may_lead & !carry);
    let starts = !(leads << 1 | carry);
    // For a lead byte, a trail byte of 0 would make it look like a single byte.
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
    for (to, words) in to.as_chunks_mut().0.iter_mut().zip([low, high]) {
        store_words(to, words);
    }
    BlockContent::Characters { starts, leads }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_words(to: &mut [u16; UNITS], words: __m512i) {
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), words) };
}

/// The bytes that a group of units takes at most, plus what the last store may overrun them by.
const ROOM_OF_GROUP: usize = 2 * UNITS + ROOM_OF_BLOCK;

/// Returns the code units of characters: those that were looked up, and single bytes themselves, except
/// half-width katakana. `None` if a character has no code unit.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn all_units(
    katakana: Katakana,
    characters: &[u16; GROUP],
    units: &[u16; GROUP],
) -> Option<__m512i> {
    let (words, units) = (load_words(characters), load_words(units));
    let is_pair = _mm512_cmpgt_epu16_mask(words, splat(0xFF));
    if _mm512_mask_testn_epi16_mask(is_pair, units, units) != 0 {
        return None;
    }
    let singles = match katakana {
        Katakana::No | Katakana::After8E => words,
        Katakana::Alone => {
            let is_high = _mm512_cmpgt_epu16_mask(words, splat(0x7F));
            _mm512_mask_add_epi16(words, is_high, words, splat(KATAKANA))
        }
    };
    Some(_mm512_mask_mov_epi16(singles, is_pair, units))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_words(from: &[u16; UNITS]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

/// Writes units without surrogates as UTF-8. Returns the number of bytes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn to_utf8(units: __m512i, to: &mut [MaybeUninit<u8>; ROOM_OF_GROUP]) -> usize {
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
        // The first byte of a two-byte character is the second one of a three-byte one.
        let last = _mm512_mask_sub_epi16(last, three, last, splat(0x40));
        up_to_three(units, last, [ascii, three], to);
    }
    2 * UNITS - count(ascii, UNITS) + count(three, UNITS)
}
