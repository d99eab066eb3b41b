//! Two-byte encodings → UTF-16 and UTF-8: finds and writes the characters of blocks with AVX2.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::utf8_blocks::widen;
use super::vector::Vectors256;
use super::{load, store, store_units};
use crate::simd::flat::Words;
use crate::simd::generic::utf8_units::emit;
use crate::simd::generic::utf16_lanes::bmp_to_utf8;
use crate::simd::two_byte::blocks::{BLOCK, BlockContent, Blocks, GROUP, Window, decode_blocks};
use crate::simd::two_byte::index::{KATAKANA, Katakana, Ranges, TwoByteIndex};
use crate::simd::two_byte::leads::leads_among;
use crate::simd::uninit::write_only;
use crate::simd::vector::Vector;
use crate::simd::x86_64::as_bytes;

/// The number of code units in a vector.
const UNITS: usize = 16;

/// The bytes of two ranges.
#[derive(Clone, Copy)]
struct ByteRanges {
    first: [__m256i; 2],
    span: [__m256i; 2],
}

impl ByteRanges {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(ranges: Ranges) -> Self {
        let all = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
        let [(first, last), (other_first, other_last)] = ranges;
        ByteRanges {
            first: [all(first), all(other_first)],
            span: [all(last - first), all(other_last - other_first)],
        }
    }

    /// Returns a mask of the bytes that belong to the ranges.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of(self, bytes: __m256i) -> __m256i {
        let mut belong = _mm256_setzero_si256();
        for i in 0..2 {
            let number = _mm256_sub_epi8(bytes, self.first[i]);
            let in_range = _mm256_cmpeq_epi8(_mm256_min_epu8(number, self.span[i]), number);
            belong = _mm256_or_si256(belong, in_range);
        }
        belong
    }
}

/// The kinds of bytes of an encoding. Also the proof that the processor has AVX2, POPCNT, BMI1 and BMI2.
struct Classes {
    leads: ByteRanges,
    katakana: Katakana,
}

impl Classes {
    /// Makes the token; the features of the caller are the proof.
    #[inline]
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
    fn new(index: &TwoByteIndex) -> Self {
        Classes {
            leads: ByteRanges::new(index.leads),
            katakana: index.katakana,
        }
    }
}

/// Wraps calls of functions for AVX2, in methods of types that hold [`Classes`].
macro_rules! avx2 {
    ($calls:expr) => {
        // SAFETY: `Classes` are the proof that the processor has AVX2, POPCNT, BMI1 and BMI2.
        unsafe { $calls }
    };
}

/// Decodes blocks to UTF-16 with a flat table, as [`decode_blocks`] does. Returns the number of bytes read
/// and of code units written.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn blocks_to_utf16(
    index: &TwoByteIndex,
    flat: &Words,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    decode_blocks(&BlocksToUtf16(Classes::new(index)), flat, src, dst)
}

/// Decodes blocks to UTF-8 with a flat table, as [`decode_blocks`] does. Returns the number of bytes read and
/// written.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn blocks_to_utf8(
    index: &TwoByteIndex,
    flat: &Words,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    decode_blocks(&BlocksToUtf8(Classes::new(index)), flat, src, dst)
}

/// Decodes blocks to UTF-16.
struct BlocksToUtf16(Classes);

impl Blocks for BlocksToUtf16 {
    type To = u16;

    #[inline(always)]
    fn find(&self, window: &Window, carry: u64, to: &mut [u16; BLOCK]) -> BlockContent {
        avx2!(find(&self.0, window, carry, to))
    }

    #[inline(always)]
    fn put_ascii(&self, block: &[u8; BLOCK], to: &mut [MaybeUninit<u16>]) -> Option<()> {
        let (rooms, _) = as_bytes(to)
            .first_chunk_mut::<{ 2 * BLOCK }>()?
            .as_chunks_mut();
        for (to, quarter) in rooms.iter_mut().zip(block.as_chunks().0) {
            avx2!(widen(to, quarter));
        }
        Some(())
    }

    #[inline(always)]
    fn put(
        &self,
        characters: &[u16; GROUP],
        units: &[u16; GROUP],
        to: &mut [MaybeUninit<u16>],
    ) -> Option<usize> {
        let (rooms, _) = to.first_chunk_mut::<GROUP>()?.as_chunks_mut();
        let [low, high] = avx2!(all_units(self.0.katakana, characters, units))?;
        if let [to_low, to_high] = rooms {
            avx2!(store_units(to_low, low));
            avx2!(store_units(to_high, high));
        }
        Some(GROUP)
    }
}

/// Decodes blocks to UTF-8.
struct BlocksToUtf8(Classes);

impl Blocks for BlocksToUtf8 {
    type To = u8;

    #[inline(always)]
    fn find(&self, window: &Window, carry: u64, to: &mut [u16; BLOCK]) -> BlockContent {
        avx2!(find(&self.0, window, carry, to))
    }

    #[inline(always)]
    fn put_ascii(&self, block: &[u8; BLOCK], to: &mut [MaybeUninit<u8>]) -> Option<()> {
        let (rooms, _) = to.first_chunk_mut::<BLOCK>()?.as_chunks_mut();
        for (to, from) in rooms.iter_mut().zip(block.as_chunks().0) {
            avx2!(store(to, load(from)));
        }
        Some(())
    }

    #[inline(always)]
    fn put(
        &self,
        characters: &[u16; GROUP],
        units: &[u16; GROUP],
        to: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        let [low, high] = avx2!(all_units(self.0.katakana, characters, units))?;
        let v = avx2!(Vectors256::here());
        let len = bmp_to_utf8(v, low, to)?;
        Some(len + bmp_to_utf8(v, high, to.get_mut(len..)?)?)
    }
}

/// Returns the code units of characters: those that were looked up, and single bytes themselves, except
/// half-width katakana. `None` if a character has no code unit.
#[inline]
#[target_feature(enable = "avx2")]
fn all_units(
    katakana: Katakana,
    characters: &[u16; GROUP],
    units: &[u16; GROUP],
) -> Option<[__m256i; GROUP / UNITS]> {
    let above = _mm256_set1_epi16(match katakana {
        Katakana::Alone => KATAKANA.cast_signed(),
        Katakana::No | Katakana::After8E => 0,
    });
    let zero = _mm256_setzero_si256();
    let mut missing = zero;
    let mut all = [zero; GROUP / UNITS];
    for (i, all) in all.iter_mut().enumerate() {
        let (words, units) = (load_words(characters, i), load_words(units, i));
        let is_single = _mm256_cmpeq_epi16(_mm256_srli_epi16::<8>(words), zero);
        let none = _mm256_andnot_si256(is_single, _mm256_cmpeq_epi16(units, zero));
        missing = _mm256_or_si256(missing, none);
        let is_high = _mm256_cmpgt_epi16(words, _mm256_set1_epi16(0x7F));
        let singles = _mm256_add_epi16(words, _mm256_and_si256(is_high, above));
        *all = _mm256_blendv_epi8(units, singles, is_single);
    }
    (_mm256_testz_si256(missing, missing) == 1).then_some(all)
}

/// Loads one of the vectors of a group.
#[inline]
#[target_feature(enable = "avx2")]
fn load_words(from: &[u16; GROUP], vector: usize) -> __m256i {
    let from = &from.as_chunks::<UNITS>().0[vector];
    // SAFETY: the array has the 32 bytes that are read; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// Collects the characters that start in a window's block.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn find(classes: &Classes, window: &Window, carry: u64, to: &mut [u16; BLOCK]) -> BlockContent {
    let (halves, _) = window.as_chunks::<32>();
    let (after, _) = window[1..].as_chunks::<32>();
    let now = [load(&halves[0]), load(&halves[1])];
    let high = mask(now);
    if high == 0 && carry == 0 {
        return BlockContent::Ascii;
    }
    let next = [load(&after[0]), load(&after[1])];
    let mut leading = [classes.leads.of(now[0]), classes.leads.of(now[1])];
    let mut alone = 0;
    match classes.katakana {
        Katakana::No => {}
        Katakana::Alone => alone = mask([katakana(now[0]), katakana(now[1])]),
        Katakana::After8E => {
            for i in 0..2 {
                let shift = _mm256_set1_epi8(0x8E_u8.cast_signed());
                leading[i] = _mm256_or_si256(leading[i], _mm256_cmpeq_epi8(now[i], shift));
            }
        }
    }
    let leads = leads_among(mask(leading) & !carry);
    let starts = !(leads << 1 | carry);
    // For a lead byte, a trail byte of 0 would make it look like a single byte.
    let zero = _mm256_setzero_si256();
    let nul = mask([
        _mm256_cmpeq_epi8(next[0], zero),
        _mm256_cmpeq_epi8(next[1], zero),
    ]);
    if starts & high & !leads & !alone | leads & nul != 0 {
        return BlockContent::Malformed;
    }
    let v = Vectors256::here();
    let words = [
        v.interleave_u8(now[0], v.and(next[0], leading[0])),
        v.interleave_u8(now[1], v.and(next[1], leading[1])),
    ];
    emit_words(to, starts, words);
    BlockContent::Characters { starts, leads }
}

/// Returns a mask of the bytes that are half-width katakana.
#[inline]
#[target_feature(enable = "avx2")]
fn katakana(bytes: __m256i) -> __m256i {
    let number = _mm256_sub_epi8(bytes, _mm256_set1_epi8(0xA1_u8.cast_signed()));
    _mm256_cmpeq_epi8(_mm256_min_epu8(number, _mm256_set1_epi8(0x3E)), number)
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask([low, high]: [__m256i; 2]) -> u64 {
    let low = _mm256_movemask_epi8(low).cast_unsigned();
    let high = _mm256_movemask_epi8(high).cast_unsigned();
    u64::from(low) | u64::from(high) << 32
}

/// Moves the words at `starts` together.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn emit_words(to: &mut [u16; BLOCK], starts: u64, words: [[__m256i; 2]; 2]) {
    let to = bytemuck::cast_slice_mut(to);
    if let Some(to) = write_only(to).first_chunk_mut() {
        emit(
            Vectors256::here(),
            to,
            starts,
            words.len(),
            #[inline(always)]
            |i| words[i],
        );
    }
}
