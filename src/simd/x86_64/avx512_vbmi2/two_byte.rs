//! Two-byte encodings → UTF-16.

use core::arch::x86_64::{
    __m512i, __mmask64, _mm512_add_epi16, _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask,
    _mm512_cmpge_epu16_mask, _mm512_cmple_epu8_mask, _mm512_cvtepu8_epi16,
    _mm512_extracti64x4_epi64, _mm512_loadu_si512, _mm512_mask_add_epi16, _mm512_mask_blend_epi8,
    _mm512_mask_mov_epi16, _mm512_mask_storeu_epi16, _mm512_mask_sub_epi8,
    _mm512_maskz_compress_epi8, _mm512_movepi8_mask, _mm512_mullo_epi16, _mm512_set1_epi8,
    _mm512_set1_epi16, _mm512_storeu_si512, _mm512_sub_epi8, _mm512_testn_epi16_mask, _pext_u64,
};
use core::mem::MaybeUninit;

use crate::simd::two_byte_index::{KATAKANA, Katakana, Ranges, TwoByteIndex};
use crate::simd::x86_64::avx512::load;
use crate::simd::x86_64::two_byte_blocks::{
    BLOCK, Decoded, GROUP, Window, Words, below, from_memory, leads_among, run, unit,
};

/// Bytes of two ranges.
#[derive(Clone, Copy)]
struct Class {
    first: [__m512i; 2],
    span: [__m512i; 2],
    /// The bytes between the ranges.
    gap: __m512i,
}

impl Class {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn new(ranges: Ranges) -> Self {
        let all = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
        let [(_, end), (next, _)] = ranges;
        Class {
            first: ranges.map(|(first, _)| all(first)),
            span: ranges.map(|(first, last)| all(last - first)),
            gap: all(next.saturating_sub(end).saturating_sub(1)),
        }
    }

    /// Which bytes belong to it, and their numbers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn of(self, bytes: __m512i) -> (__mmask64, __m512i) {
        let [low, high] = self.first.map(|first| _mm512_sub_epi8(bytes, first));
        let in_low = _mm512_cmple_epu8_mask(low, self.span[0]);
        let in_high = _mm512_cmple_epu8_mask(high, self.span[1]);
        let number = _mm512_mask_sub_epi8(low, in_high, low, self.gap);
        (in_low | in_high, number)
    }
}

/// An index in vectors.
struct Vectors<'a> {
    index: &'a TwoByteIndex,
    leads: Class,
    trails: Class,
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn two_byte_to_utf_16(
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let vectors = Vectors {
        index,
        leads: Class::new(index.leads),
        trails: Class::new(index.trails),
    };
    run(
        src,
        dst,
        |window, len, to| decode(&vectors, window, len, to),
        |from, to| {
            let bytes = load(from);
            let (to, _) = to.as_chunks_mut();
            let halves = [
                _mm512_castsi512_si256(bytes),
                _mm512_extracti64x4_epi64::<1>(bytes),
            ];
            for (to, half) in to.iter_mut().zip(halves) {
                store_units(to, _mm512_cvtepu8_epi16(half));
            }
        },
        |units| {
            let (units, _) = units.as_chunks();
            let zero = |i: usize| {
                let words = load_words(&units[i]);
                u64::from(_mm512_testn_epi16_mask(words, words))
            };
            zero(0) | zero(1) << 32
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
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn decode(vectors: &Vectors<'_>, window: &Window, len: usize, to: &mut Decoded) -> bool {
    to.count = 0;
    to.len = 0;
    let (Some(now), Some(behind)) = (window.first_chunk(), window.last_chunk()) else {
        return false;
    };
    let now = load(now);
    let high = _mm512_movepi8_mask(now);
    if high == 0 && len == BLOCK {
        return true;
    }
    let behind = load(behind);
    let (lead, rows) = vectors.leads.of(now);
    let (mut trail, columns) = vectors.trails.of(behind);
    // Bytes that are katakana by themselves, or pairs.
    let (mut alone, mut kana) = (0, 0);
    let mut values = now;
    let mut may_lead = lead;
    let katakana = |bytes| {
        let number = _mm512_sub_epi8(bytes, _mm512_set1_epi8(0xA1_u8.cast_signed()));
        _mm512_cmple_epu8_mask(number, _mm512_set1_epi8(0x3E))
    };
    match vectors.index.katakana {
        Katakana::No => {}
        Katakana::Alone => alone = katakana(now),
        Katakana::Behind8E => {
            let shift = _mm512_cmpeq_epi8_mask(now, _mm512_set1_epi8(0x8E_u8.cast_signed()));
            if shift != 0 {
                may_lead |= shift;
                kana = shift & katakana(behind);
                trail = trail & !shift | kana;
                values = _mm512_mask_blend_epi8(shift, now, behind);
            }
        }
    }
    let leads = leads_among(may_lead);
    let starts = !(leads << 1);
    // What is no character: a lead byte without its trail byte, or a byte that stands for nothing.
    let bad = leads & !trail | starts & high & !leads & !alone;
    // Not a pair that the block cuts.
    let cut = BLOCK - (leads >> (BLOCK - 1)) as usize;
    let end = (bad.trailing_zeros() as usize).min(len).min(cut);
    let starts = starts & below(end);
    if end == 0 {
        return false;
    }
    to.len = end;
    to.starts = starts;
    to.count = starts.count_ones() as usize;
    to.pairs = _pext_u64(starts & leads & !kana, starts);
    let rows = _mm512_maskz_compress_epi8(starts, rows);
    let columns = _mm512_maskz_compress_epi8(starts, columns);
    let values = _mm512_maskz_compress_epi8(starts, values);
    let kana = _pext_u64((alone | kana) & starts, starts);
    let mut pointers = Words::NOTHING;
    half::<0>(
        vectors.index,
        [rows, columns, values],
        kana,
        &mut pointers,
        to,
    );
    if to.count > BLOCK / 2 {
        half::<1>(
            vectors.index,
            [rows, columns, values],
            kana,
            &mut pointers,
            to,
        );
    }
    false
}

/// Decodes half of the characters of a block.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn half<const HALF: usize>(
    index: &TwoByteIndex,
    bytes: [__m512i; 3],
    kana: u64,
    pointers: &mut Words,
    to: &mut Decoded,
) {
    let [rows, columns, values] = bytes.map(|bytes| {
        _mm512_cvtepu8_epi16(match HALF {
            0 => _mm512_castsi512_si256(bytes),
            _ => _mm512_extracti64x4_epi64::<1>(bytes),
        })
    });
    let [pairs, kana] = [to.pairs, kana].map(|mask| (mask >> (32 * HALF)) as u32);
    let add = _mm512_set1_epi16(KATAKANA.cast_signed());
    let values = _mm512_mask_add_epi16(values, kana, values, add);
    let units = to.units.0.as_chunks_mut::<32>().0;
    if pairs == 0 {
        store_words(&mut units[HALF], values);
        return;
    }
    let width = _mm512_set1_epi16(index.width.cast_signed());
    let limit = _mm512_set1_epi16((index.units.len() as u16).cast_signed());
    let nothing = _mm512_set1_epi16(index.nothing.cast_signed());
    let pointer = _mm512_add_epi16(_mm512_mullo_epi16(rows, width), columns);
    let outside = _mm512_cmpge_epu16_mask(pointer, limit);
    let pointer = _mm512_mask_mov_epi16(pointer, outside, nothing);
    let slots = pointers.0.as_chunks_mut::<32>().0;
    store_words(&mut slots[HALF], pointer);
    let pointers = from_memory(pointers);
    // SAFETY (of the look-ups): all pointers were made less than the number of units.
    const FEW: u32 = 12;
    if pairs.count_ones() <= FEW {
        store_words(&mut units[HALF], values);
        let mut rest = pairs;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize + 32 * HALF;
            // SAFETY: as above.
            to.units.0[at] = unsafe { unit(index, pointers[at]) };
            rest &= rest.wrapping_sub(1);
        }
    } else {
        let count = (to.count - 32 * HALF).min(32);
        for (slots, units) in pointers.as_chunks::<32>().0[HALF]
            .chunks_exact(GROUP)
            .zip(units[HALF].chunks_exact_mut(GROUP))
            .take(count.div_ceil(GROUP))
        {
            for (to, &pointer) in units.iter_mut().zip(slots) {
                // SAFETY: as above.
                *to = unsafe { unit(index, pointer) };
            }
        }
        mask_store_words(&mut units[HALF], !pairs, values);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_words(from: &[u16; 32]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read; the load needs no alignment.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_words(to: &mut [u16; 32], words: __m512i) {
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), words) };
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn mask_store_words(to: &mut [u16; 32], mask: u32, words: __m512i) {
    // SAFETY: the array has the 64 bytes of which some are written; the store needs no alignment.
    unsafe { _mm512_mask_storeu_epi16(to.as_mut_ptr().cast(), mask, words) };
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_units(to: &mut [MaybeUninit<u16>; 32], words: __m512i) {
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), words) };
}
