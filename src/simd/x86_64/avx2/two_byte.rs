//! Two-byte encodings → UTF-16.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_and_si256, _mm256_blendv_epi8, _mm256_cmpeq_epi8,
    _mm256_cmpeq_epi16, _mm256_cmpgt_epi16, _mm256_loadu_si256, _mm256_max_epu16, _mm256_min_epu8,
    _mm256_movemask_epi8, _mm256_mullo_epi16, _mm256_or_si256, _mm256_packs_epi16,
    _mm256_permute4x64_epi64, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_setzero_si256,
    _mm256_storeu_si256, _mm256_sub_epi8, _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _pext_u64,
};
use core::mem::MaybeUninit;

use super::utf_8_blocks::{Words as Windows, emit, widen};
use super::{load, store_units};
use crate::simd::two_byte_index::{KATAKANA, Katakana, Ranges, TwoByteIndex};
use crate::simd::x86_64::as_bytes;
use crate::simd::x86_64::two_byte_blocks::{
    BLOCK, Decoded, EVEN, GROUP, Window, Words, below, from_memory, leads_among, run, unit,
};
use crate::text::write_only;

/// Bytes of two ranges.
#[derive(Clone, Copy)]
struct Class {
    first: [__m256i; 2],
    span: [__m256i; 2],
    /// The bytes between the ranges.
    gap: __m256i,
}

impl Class {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(ranges: Ranges) -> Self {
        let all = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
        let [(_, end), (next, _)] = ranges;
        Class {
            first: ranges.map(|(first, _)| all(first)),
            span: ranges.map(|(first, last)| all(last - first)),
            gap: all(next.saturating_sub(end).saturating_sub(1)),
        }
    }

    /// Which bytes belong to it, and their numbers.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of(self, bytes: __m256i) -> (__m256i, __m256i) {
        let [low, high] = self.first.map(|first| _mm256_sub_epi8(bytes, first));
        let in_low = _mm256_cmpeq_epi8(_mm256_min_epu8(low, self.span[0]), low);
        let in_high = _mm256_cmpeq_epi8(_mm256_min_epu8(high, self.span[1]), high);
        let number = _mm256_sub_epi8(low, _mm256_and_si256(in_high, self.gap));
        (_mm256_or_si256(in_low, in_high), number)
    }
}

/// An index in vectors.
struct Vectors<'a> {
    index: &'a TwoByteIndex,
    leads: Class,
    trails: Class,
    katakana: Class,
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn two_byte_to_utf_16(
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let vectors = Vectors {
        index,
        leads: Class::new(index.leads),
        trails: Class::new(index.trails),
        katakana: Class::new([(0xA1, 0xDF); 2]),
    };
    run(
        src,
        dst,
        |window, len, to| decode(&vectors, window, len, to),
        |from, to| {
            let (from, _) = from.as_chunks();
            let (to, _) = as_bytes(to).as_chunks_mut();
            for (to, from) in to.iter_mut().zip(from) {
                widen::<false>(to, from);
            }
        },
        |units| {
            let (units, _) = units.as_chunks::<16>();
            let zero = |i: usize| _mm256_cmpeq_epi16(load_words(&units[i]), _mm256_setzero_si256());
            mask_of_words([zero(0), zero(1), zero(2), zero(3)])
        },
        |units, to| {
            let (units, _) = units.as_chunks();
            let (to, _) = to.as_chunks_mut();
            for (to, from) in to.iter_mut().zip(units) {
                store_units(to, load_words(from));
            }
        },
    )
}

/// Decodes the characters of the first `len` bytes of a block that end there, up to the first byte
/// or pair that is in none of the ranges. Returns true, and decodes nothing, if all is ASCII.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn decode(vectors: &Vectors<'_>, window: &Window, len: usize, to: &mut Decoded) -> bool {
    let (now, _) = window.as_chunks::<32>();
    let (behind, _) = window[1..].as_chunks::<32>();
    let now = [0, 1].map(|i| load(&now[i]));
    let high = mask(now);
    to.count = 0;
    to.len = 0;
    if high == 0 && len == BLOCK {
        return true;
    }
    let behind = [0, 1].map(|i| load(&behind[i]));
    let [(lead_0, row_0), (lead_1, row_1)] = now.map(|x| vectors.leads.of(x));
    let [(trail_0, column_0), (trail_1, column_1)] = behind.map(|x| vectors.trails.of(x));
    let lead = mask([lead_0, lead_1]);
    let mut trail = mask([trail_0, trail_1]);
    // Bytes that are katakana by themselves, or pairs.
    let (mut alone, mut kana) = (0, 0);
    let mut values = now;
    let mut leads_in = lead;
    match vectors.index.katakana {
        Katakana::No => {}
        Katakana::Alone => {
            let found = now.map(|x| vectors.katakana.of(x).0);
            alone = mask(found);
        }
        Katakana::Behind8E => {
            let found = behind.map(|x| vectors.katakana.of(x).0);
            let single_shift =
                now.map(|x| _mm256_cmpeq_epi8(x, _mm256_set1_epi8(0x8E_u8.cast_signed())));
            let shift = mask(single_shift);
            if shift != 0 {
                leads_in |= shift;
                kana = shift & mask(found);
                trail = trail & !shift | kana;
                values = [0, 1].map(|i| _mm256_blendv_epi8(now[i], behind[i], single_shift[i]));
            }
        }
    }
    let leads = leads_among(leads_in);
    let mut starts = !(leads << 1);
    // What is no character: a lead byte without its trail byte, or a byte that stands for nothing.
    let bad = leads & !trail | starts & high & !leads & !alone;
    // Not a pair that the block cuts.
    let cut = if leads >> (BLOCK - 1) != 0 {
        BLOCK - 1
    } else {
        BLOCK
    };
    let end = (bad.trailing_zeros() as usize).min(len).min(cut);
    starts &= below(end);
    if end == 0 {
        return false;
    }
    to.len = end;
    let index = vectors.index;
    let width = _mm256_set1_epi16(index.width.cast_signed());
    let limit = _mm256_set1_epi16((index.units.len() as u16).cast_signed());
    let nothing = _mm256_set1_epi16(index.nothing.cast_signed());
    // Words to pointers: all of them, whatever the bytes are, are inside of the index.
    let pointer = |row, column| {
        let pointer = _mm256_add_epi16(_mm256_mullo_epi16(row, width), column);
        let outside = _mm256_cmpeq_epi16(_mm256_max_epu16(pointer, limit), pointer);
        _mm256_blendv_epi8(pointer, nothing, outside)
    };
    to.starts = starts;
    let pairs = starts & leads & !kana;
    let mut pointers = Words::NOTHING;
    if end == BLOCK && pairs == EVEN && starts == EVEN {
        let low = |x| _mm256_and_si256(x, _mm256_set1_epi16(0xFF));
        let (slots, _) = pointers.0.as_chunks_mut();
        store_words(&mut slots[0], pointer(low(row_0), low(column_0)));
        store_words(&mut slots[1], pointer(low(row_1), low(column_1)));
        let pointers = from_memory(&pointers);
        for (to, &pointer) in to.units.0.iter_mut().zip(&pointers[..BLOCK / 2]) {
            // SAFETY: `pointer` made all of them less than the number of units.
            *to = unsafe { unit(index, pointer) };
        }
        to.count = BLOCK / 2;
        to.pairs = below(BLOCK / 2);
        return false;
    }
    let zero = _mm256_setzero_si256();
    let widen = |x| [_mm256_unpacklo_epi8(x, zero), _mm256_unpackhi_epi8(x, zero)];
    let both = |[a, b]: [__m256i; 2], [c, d]: [__m256i; 2]| [pointer(a, c), pointer(b, d)];
    let [a, b] = both(widen(row_0), widen(column_0));
    let [c, d] = both(widen(row_1), widen(column_1));
    emit_words(&mut pointers.0, starts, [a, b, c, d]);
    let [a, b] = widen(values[0]);
    let [c, d] = widen(values[1]);
    let mut words = [a, b, c, d];
    if (alone | kana) & starts != 0 {
        words = words.map(|word| katakana(word));
    }
    emit_words(&mut to.units.0, starts, words);
    to.count = starts.count_ones() as usize;
    to.pairs = _pext_u64(pairs, starts);
    let pointers = from_memory(&pointers);
    let mut rest = to.pairs;
    while rest != 0 {
        for _ in 0..GROUP {
            // 64 where none is left, which is no character's place.
            let at = rest.trailing_zeros() as usize;
            // SAFETY: as above; those behind them are 0.
            to.units.0[at] = unsafe { unit(index, pointers[at]) };
            rest &= rest.wrapping_sub(1);
        }
    }
    false
}

/// Bytes of half-width katakana, widened, as code units; ASCII stays as it is.
#[inline]
#[target_feature(enable = "avx2")]
fn katakana(words: __m256i) -> __m256i {
    let high = _mm256_cmpgt_epi16(words, _mm256_set1_epi16(0x7F));
    let add = _mm256_and_si256(high, _mm256_set1_epi16(KATAKANA.cast_signed()));
    _mm256_add_epi16(words, add)
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask([low, high]: [__m256i; 2]) -> u64 {
    let [low, high] = [low, high].map(|half| _mm256_movemask_epi8(half).cast_unsigned());
    u64::from(low) | u64::from(high) << 32
}

/// A bit for each word.
#[inline]
#[target_feature(enable = "avx2")]
fn mask_of_words([a, b, c, d]: [__m256i; 4]) -> u64 {
    let bytes = |a, b| _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(a, b));
    mask([bytes(a, b), bytes(c, d)])
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_words(to: &mut [u16; 16], words: __m256i) {
    // SAFETY: the array has the 32 bytes that are written; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), words) };
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_words(from: &[u16; 16]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

/// Brings the words at `starts` together.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn emit_words(to: &mut [u16; BLOCK + GROUP], starts: u64, words: Windows) {
    if let Some(to) = as_bytes(write_only(to)).first_chunk_mut() {
        emit::<false>(to, starts, words);
    }
}
