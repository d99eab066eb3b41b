//! Two-byte encodings → UTF-16 and UTF-8: blocks of 64 bytes, for text whose runs are short.
//!
//! Vectors find where characters start and bring these together; the look-ups are one load each.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi16, _mm_and_si128, _mm_andnot_si128, _mm_blendv_epi8,
    _mm_cmpeq_epi16, _mm_cmpgt_epi16, _mm_cvtsi32_si128, _mm_insert_epi16, _mm_loadu_si128,
    _mm_or_si128, _mm_set1_epi16, _mm_setzero_si128, _mm_srli_epi16, _mm_storeu_si128,
    _mm_testz_si128, _mm256_cmpeq_epi8, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_set_m128i, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_storeu_si256, _mm256_sub_epi8,
};
use core::mem::MaybeUninit;

use super::utf8_blocks::widen;
use super::utf16_halves::half_to_utf8;
use super::wide::Avx2;
use super::{load, store};
use crate::simd::flat::Words;
use crate::simd::two_byte::index::{KATAKANA, Katakana, Ranges, TwoByteIndex};
use crate::simd::two_byte::leads::leads_among;
use crate::simd::two_byte::windows::BLOCK;
use crate::simd::uninit::write_only;
use crate::simd::x86_64::as_bytes;
use crate::simd::x86_64::utf8_packed::emit;
use crate::simd::x86_64::wide::Wide;

/// A block and the byte after it.
pub(in crate::simd::x86_64) type Window = [u8; BLOCK + 1];

/// Characters that are looked up at a time.
const GROUP: usize = 8;

/// The characters of a block, and zeros: each a word, with the trail byte, or 0, in the upper half.
/// Aligned, because words that are read from a vector's store across two cache lines wait until it is
/// done.
#[repr(align(64))]
pub(in crate::simd::x86_64) struct Characters([u64; BLOCK / 4]);

/// Eight of them.
type Group = [u64; GROUP / 4];

impl Characters {
    const NOTHING: Characters = Characters([0; BLOCK / 4]);

    /// The characters as words, `N` at a time.
    #[inline(always)]
    pub(in crate::simd::x86_64) fn vectors<const N: usize>(&mut self) -> &mut [[u16; N]] {
        let words: &mut [u16; BLOCK] = bytemuck::cast_mut(&mut self.0);
        words.as_chunks_mut().0
    }

    /// The characters by groups. Where the compiler sees that a vector was stored there, it takes the words out of the
    /// vector one by one instead, which is three times as slow.
    #[inline(always)]
    fn groups(&self) -> &[Group] {
        core::hint::black_box(self).0.as_chunks().0
    }
}

/// What is found in a block.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) enum BlockContent {
    /// ASCII only.
    Ascii,
    /// So many characters, the last of which takes a byte after the block if `carry` is 1.
    Characters { count: usize, carry: u64 },
    /// A byte that is neither a character nor leads one.
    Malformed,
}

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
pub(super) struct Classes {
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
    decode_blocks(
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
        |characters, count, to| put_units(flat, index.katakana, characters, count, to),
    )
}

/// Decodes whole blocks from the front of `src` to UTF-8, as [`decode_blocks`] does with `find` and `put`. Returns the bytes read and the bytes written.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn blocks_to_utf8(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    find: impl FnMut(&Window, u64, &mut Characters) -> BlockContent,
    put: impl Fn(&Characters, usize, &mut [MaybeUninit<u8>]) -> Option<usize>,
) -> (usize, usize) {
    decode_blocks(
        src,
        dst,
        find,
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
        put,
    )
}

/// Decodes whole blocks from the front of `src`. `find` brings together the characters that start in a
/// window's block; its second argument is 1 where the first byte belongs to a character before the block,
/// or else 0. `put_ascii` writes a block of ASCII and `put` the
/// characters of another, of which it gets the number; both return how many units they wrote, or `None`
/// where there is little room, or a character without a unit. Returns the bytes read and the units
/// written.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn decode_blocks<To>(
    src: &[u8],
    dst: &mut [MaybeUninit<To>],
    mut find: impl FnMut(&Window, u64, &mut Characters) -> BlockContent,
    put_ascii: impl Fn(&[u8; BLOCK], &mut [MaybeUninit<To>]) -> Option<usize>,
    put: impl Fn(&Characters, usize, &mut [MaybeUninit<To>]) -> Option<usize>,
) -> (usize, usize) {
    let mut characters = Characters::NOTHING;
    let (mut at, mut written, mut carry) = (0, 0, 0);
    while let Some(window) = src.get(at..).and_then(<[_]>::first_chunk)
        && let Some(room) = dst.get_mut(written..)
    {
        let (units, next) = match find(window, carry, &mut characters) {
            BlockContent::Malformed => break,
            BlockContent::Ascii => {
                let block = window.first_chunk();
                (block.and_then(|block| put_ascii(block, room)), 0)
            }
            BlockContent::Characters { count, carry } => (put(&characters, count, room), carry),
        };
        let Some(units) = units else { break };
        written += units;
        carry = next;
        at += BLOCK;
    }
    (at + carry as usize, written)
}

/// Writes the units of characters, of which there are `count`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn put_units(
    flat: &Words,
    katakana: Katakana,
    characters: &Characters,
    count: usize,
    to: &mut [MaybeUninit<u16>],
) -> Option<usize> {
    let above = above_single(katakana);
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
pub(super) fn put_utf8(
    flat: &Words,
    katakana: Katakana,
    characters: &Characters,
    count: usize,
    to: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let above = above_single(katakana);
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

/// The units of a group of pairs.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up(flat: &Words, group: &Group) -> __m128i {
    let unit = |i: usize| i32::from(flat[usize::from((group[i / 4] >> (16 * (i % 4))) as u16)]);
    let mut units = _mm_cvtsi32_si128(unit(0));
    units = _mm_insert_epi16::<1>(units, unit(1));
    units = _mm_insert_epi16::<2>(units, unit(2));
    units = _mm_insert_epi16::<3>(units, unit(3));
    units = _mm_insert_epi16::<4>(units, unit(4));
    units = _mm_insert_epi16::<5>(units, unit(5));
    units = _mm_insert_epi16::<6>(units, unit(6));
    _mm_insert_epi16::<7>(units, unit(7))
}

/// What the unit of a single byte that is no ASCII has more than the byte.
#[inline]
#[target_feature(enable = "avx2")]
fn above_single(katakana: Katakana) -> __m128i {
    _mm_set1_epi16(match katakana {
        Katakana::Alone => KATAKANA.cast_signed(),
        Katakana::No | Katakana::Behind8E => 0,
    })
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
    pub(super) fn new(index: &TwoByteIndex) -> Self {
        Classes {
            leads: Class::new(index.leads),
            katakana: index.katakana,
        }
    }
}

/// Brings the characters together that start in a window's block.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn find(
    classes: &Classes,
    window: &Window,
    carry: u64,
    to: &mut Characters,
) -> BlockContent {
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
