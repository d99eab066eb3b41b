//! Two-byte encodings → UTF-16 and UTF-8: blocks of text whose runs are short.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi16, _mm_and_si128, _mm_andnot_si128, _mm_blendv_epi8,
    _mm_cmpeq_epi16, _mm_cmpgt_epi16, _mm_loadu_si128, _mm_or_si128, _mm_set1_epi16,
    _mm_setzero_si128, _mm_srli_epi16, _mm_storeu_si128, _mm_testz_si128, _mm256_cmpeq_epi8,
    _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set_m128i, _mm256_set1_epi8,
    _mm256_setzero_si256, _mm256_storeu_si256, _mm256_sub_epi8,
};
use core::mem::MaybeUninit;

use super::utf8_blocks::widen;
use super::utf16_halves::half_to_utf8;
use super::wide::Avx2;
use super::{load, store};
use crate::simd::flat::Words;
use crate::simd::two_byte::index::{Katakana, Ranges, TwoByteIndex};
use crate::simd::two_byte::leads::leads_among;
use crate::simd::uninit::write_only;
use crate::simd::x86_64::as_bytes;
use crate::simd::x86_64::two_byte_blocks::{
    BLOCK, BlockContent, Characters, GROUP, Group, Window, above_single, look_up, run,
};
use crate::simd::x86_64::utf8_packed::emit;
use crate::simd::x86_64::wide::Wide;

/// Bytes of two ranges.
#[derive(Clone, Copy)]
struct Class {
    first: [__m256i; 2],
    span: [__m256i; 2],
}

impl Class {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(ranges: Ranges) -> Self {
        let all = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
        Class {
            first: ranges.map(|(first, _)| all(first)),
            span: ranges.map(|(first, last)| all(last - first)),
        }
    }

    /// Which bytes belong to it.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of(self, bytes: __m256i) -> __m256i {
        let [low, high] = [0, 1].map(|i| {
            let number = _mm256_sub_epi8(bytes, self.first[i]);
            _mm256_cmpeq_epi8(_mm256_min_epu8(number, self.span[i]), number)
        });
        _mm256_or_si256(low, high)
    }
}

/// What bytes of an encoding may be.
struct Classes {
    leads: Class,
    katakana: Katakana,
}

/// Decodes whole blocks from the front of `src`, up to one that has something without a code unit, or
/// for which there is little room. Returns the bytes read and the units written.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn blocks_to_utf16(
    index: &TwoByteIndex,
    flat: &Words,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let classes = Classes::new(index);
    let above = _mm_set1_epi16(above_single(index.katakana));
    run(
        src,
        dst,
        |window, carry, to| find(&classes, window, carry, to),
        |block, to| {
            let (rooms, _) = as_bytes(to)
                .first_chunk_mut::<{ 2 * BLOCK }>()?
                .as_chunks_mut();
            for (to, quarter) in rooms.iter_mut().zip(block.as_chunks().0) {
                widen::<false>(to, quarter);
            }
            Some(BLOCK)
        },
        |characters, count, to| put_units(flat, above, characters, count, to),
    )
}

/// Decodes whole blocks from the front of `src` to UTF-8, up to one that has something without a code
/// unit, or for which there is little room. Returns the bytes read and the bytes written.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn blocks_to_utf8(
    index: &TwoByteIndex,
    flat: &Words,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let classes = Classes::new(index);
    let above = _mm_set1_epi16(above_single(index.katakana));
    run(
        src,
        dst,
        |window, carry, to| find(&classes, window, carry, to),
        |block, to| {
            for (to, from) in to
                .first_chunk_mut::<BLOCK>()?
                .as_chunks_mut()
                .0
                .iter_mut()
                .zip(block.as_chunks().0)
            {
                store(to, load(from));
            }
            Some(BLOCK)
        },
        |characters, count, to| put_utf8(flat, above, characters, count, to),
    )
}

/// Writes the units of characters, of which there are `count`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn put_units(
    flat: &Words,
    above: __m128i,
    characters: &Characters,
    count: usize,
    to: &mut [MaybeUninit<u16>],
) -> Option<usize> {
    let (rooms, _) = to.first_chunk_mut::<BLOCK>()?.as_chunks_mut();
    let mut missing = _mm_setzero_si128();
    let groups = characters.groups().iter().zip(rooms);
    for (group, to) in groups.take(count.div_ceil(GROUP)) {
        let (units, none) = units(flat, above, group);
        missing = _mm_or_si128(missing, none);
        store_units(to, units);
    }
    (_mm_testz_si128(missing, missing) == 1).then_some(count)
}

/// Writes the UTF-8 of characters, of which there are `count`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn put_utf8(
    flat: &Words,
    above: __m128i,
    characters: &Characters,
    count: usize,
    to: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let vectors = count.div_ceil(2 * GROUP);
    let (groups, _) = characters.groups().as_chunks::<2>();
    let mut missing = _mm_setzero_si128();
    let mut written = 0;
    for [low, high] in groups.iter().take(vectors) {
        let (low, none_low) = units(flat, above, low);
        let (high, none_high) = units(flat, above, high);
        missing = _mm_or_si128(missing, _mm_or_si128(none_low, none_high));
        let to = to.get_mut(written..)?;
        written += half_to_utf8(_mm256_set_m128i(high, low), to)?;
    }
    // Behind the characters stand zeros, each of which became a byte.
    (_mm_testz_si128(missing, missing) == 1).then_some(written - (2 * GROUP * vectors - count))
}

/// The units of a group, and which are missing. Single bytes are their own units, but for half-width
/// katakana, whose units are `above`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn units(flat: &Words, above: __m128i, group: &Group) -> (__m128i, __m128i) {
    let units = look_up(flat, group);
    // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
    let words = unsafe { _mm_loadu_si128(group.as_ptr().cast()) };
    let zero = _mm_setzero_si128();
    let is_single = _mm_cmpeq_epi16(_mm_srli_epi16::<8>(words), zero);
    let missing = _mm_andnot_si128(is_single, _mm_cmpeq_epi16(units, zero));
    let is_high = _mm_cmpgt_epi16(words, _mm_set1_epi16(0x7F));
    let singles = _mm_add_epi16(words, _mm_and_si128(is_high, above));
    (_mm_blendv_epi8(units, singles, is_single), missing)
}

impl Classes {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(index: &TwoByteIndex) -> Self {
        Classes {
            leads: Class::new(index.leads),
            katakana: index.katakana,
        }
    }
}

/// Brings the characters together that start in a window's block.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn find(classes: &Classes, window: &Window, carry: u64, to: &mut Characters) -> BlockContent {
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
        Katakana::Behind8E => {
            for i in 0..2 {
                let shift = _mm256_set1_epi8(0x8E_u8.cast_signed());
                leading[i] = _mm256_or_si256(leading[i], _mm256_cmpeq_epi8(now[i], shift));
            }
        }
    }
    let leads = leads_among(mask(leading) & !carry);
    let starts = !(leads << 1 | carry);
    // Behind a lead byte, byte 0 would make a single byte of it.
    let zero = _mm256_setzero_si256();
    let nul = mask([
        _mm256_cmpeq_epi8(next[0], zero),
        _mm256_cmpeq_epi8(next[1], zero),
    ]);
    if starts & high & !leads & !alone | leads & nul != 0 {
        return BlockContent::Malformed;
    }
    let w = Avx2::here();
    let words = w.interleave_u8(now, w.and(next, leading));
    for to in to.vectors::<16>() {
        store_words(to, _mm256_setzero_si256());
    }
    emit_words(to.vectors::<BLOCK>(), starts, words);
    BlockContent::Characters {
        count: starts.count_ones() as usize,
        carry: leads >> (BLOCK - 1),
    }
}

/// Which bytes are half-width katakana.
#[inline]
#[target_feature(enable = "avx2")]
fn katakana(bytes: __m256i) -> __m256i {
    let number = _mm256_sub_epi8(bytes, _mm256_set1_epi8(0xA1_u8.cast_signed()));
    _mm256_cmpeq_epi8(_mm256_min_epu8(number, _mm256_set1_epi8(0x3E)), number)
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask([low, high]: [__m256i; 2]) -> u64 {
    let [low, high] = [low, high].map(|half| _mm256_movemask_epi8(half).cast_unsigned());
    u64::from(low) | u64::from(high) << 32
}

/// Brings the words at `starts` together.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn emit_words(to: &mut [[u16; BLOCK]], starts: u64, words: [[__m256i; 2]; 2]) {
    let to = bytemuck::cast_slice_mut(to.as_flattened_mut());
    if let Some(to) = write_only(to).first_chunk_mut() {
        emit::<_, false>(Avx2::here(), to, starts, words);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_words(to: &mut [u16; 16], words: __m256i) {
    // SAFETY: the array has the 32 bytes that are written; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), words) };
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_units(to: &mut [MaybeUninit<u16>; GROUP], units: __m128i) {
    // SAFETY: the array has the 16 bytes that are written; the store needs no alignment.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), units) };
}
