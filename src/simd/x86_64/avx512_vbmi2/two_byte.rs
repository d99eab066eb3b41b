//! Two-byte encodings → UTF-16.

use core::arch::x86_64::{
    __m512i, __mmask64, _mm512_add_epi16, _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask,
    _mm512_cmple_epu8_mask, _mm512_cvtepu8_epi16, _mm512_extracti64x4_epi64, _mm512_loadu_si512,
    _mm512_mask_blend_epi8, _mm512_mask_blend_epi16, _mm512_mask_sub_epi8,
    _mm512_maskz_compress_epi8, _mm512_min_epu16, _mm512_movepi8_mask, _mm512_mullo_epi16,
    _mm512_set1_epi8, _mm512_set1_epi16, _mm512_storeu_si512, _mm512_sub_epi8,
    _mm512_testn_epi16_mask, _pext_u64,
};
use core::mem::MaybeUninit;

use crate::simd::two_byte_index::{Katakana, Ranges, TwoByteIndex};
use crate::simd::x86_64::avx512::load;
use crate::simd::x86_64::two_byte_blocks::{
    BLOCK, Decoded, Pointers, Units, Window, below, leads_among, look_up, run,
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
pub(super) struct Vectors<'a> {
    index: &'a TwoByteIndex,
    leads: Class,
    trails: Class,
}

impl<'a> Vectors<'a> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn new(index: &'a TwoByteIndex) -> Self {
        Vectors {
            index,
            leads: Class::new(index.leads),
            trails: Class::new(index.trails),
        }
    }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn two_byte_to_utf_16(
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let vectors = Vectors::new(index);
    let mut pointers = Pointers::NOTHING;
    run(
        src,
        dst,
        |window, len, carry, to| decode(&vectors, window, len, carry, &mut pointers, to),
        |units| {
            let (halves, _) = units.as_chunks();
            zeros([load_units(&halves[0]), load_units(&halves[1])])
        },
    )
}

/// Which units are 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn zeros([low, high]: [__m512i; 2]) -> u64 {
    let [low, high] = [low, high].map(|units| u64::from(_mm512_testn_epi16_mask(units, units)));
    low | high << 32
}

/// Decodes the characters that end among the first `len` bytes of a window.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(super) fn decode(
    vectors: &Vectors<'_>,
    window: &Window,
    len: usize,
    carry: u64,
    pointers: &mut Pointers,
    to: &mut Units,
) -> Decoded {
    let (now, behind) = split(window);
    let now = load(now);
    let high = _mm512_movepi8_mask(now);
    let (to, _) = to.split_at_mut(BLOCK);
    let (to, _) = to.as_chunks_mut::<32>();
    if high == 0 && carry == 0 {
        let end = len.min(BLOCK);
        let [low, high] = [
            _mm512_castsi512_si256(now),
            _mm512_extracti64x4_epi64::<1>(now),
        ];
        store_units(&mut to[0], _mm512_cvtepu8_epi16(low));
        store_units(&mut to[1], _mm512_cvtepu8_epi16(high));
        return Decoded {
            starts: below(end),
            end,
            looked_up: 0,
        };
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
    let leads = leads_among(may_lead & !carry);
    let starts = !(leads << 1 | carry);
    // What is no character: a lead byte without its trail byte, or a byte that stands for nothing.
    let bad = leads & !trail | starts & high & !leads & !alone;
    let all = BLOCK + (leads >> (BLOCK - 1)) as usize;
    let end = match bad {
        0 => len.min(all),
        _ => len.min(bad.trailing_zeros() as usize),
    };
    let starts = starts & below(end);
    let count = starts.count_ones();
    let pairs = _pext_u64(leads & !kana, starts);
    let looked_up = _pext_u64(high, starts);
    let [rows, columns, values] = [rows, columns, values].map(|bytes| {
        let bytes = _mm512_maskz_compress_epi8(starts, bytes);
        [
            _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes)),
            _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(bytes)),
        ]
    });
    let index = vectors.index;
    let width = _mm512_set1_epi16(index.width.cast_signed());
    let singles = _mm512_set1_epi16(index.pointers.cast_signed());
    let places = pointers.vectors();
    for half in 0..2 {
        store_units(&mut to[half], values[half]);
        let pair = _mm512_add_epi16(_mm512_mullo_epi16(rows[half], width), columns[half]);
        // A pointer behind the index becomes one that finds nothing.
        let pair = _mm512_min_epu16(pair, singles);
        let single = _mm512_add_epi16(values[half], singles);
        let pairs = (pairs >> (32 * half)) as u32;
        store_words(
            &mut places[half],
            _mm512_mask_blend_epi16(pairs, single, pair),
        );
    }
    let Some(to) = to.as_flattened_mut().first_chunk_mut() else {
        return Decoded::NOTHING;
    };
    // SAFETY: bytes are less than the number of entries behind the index, and pairs are not more than
    // the first of them.
    unsafe { look_up(index, pointers, looked_up, count as usize, to) };
    Decoded {
        starts,
        end,
        looked_up,
    }
}

/// A block, and what is behind each of its bytes.
#[inline(always)]
pub(super) fn split(window: &Window) -> (&[u8; BLOCK], &[u8; BLOCK]) {
    match (window.first_chunk(), window.last_chunk()) {
        (Some(now), Some(behind)) => (now, behind),
        // A window is longer than a block.
        _ => (&[0; BLOCK], &[0; BLOCK]),
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn load_units(from: &[MaybeUninit<u16>; 32]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read, all of them written; no alignment needed.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
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
