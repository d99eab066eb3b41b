//! Two-byte encodings → UTF-16.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8,
    _mm256_cmpeq_epi8, _mm256_cmpeq_epi16, _mm256_cmpgt_epi16, _mm256_loadu_si256, _mm256_min_epu8,
    _mm256_min_epu16, _mm256_movemask_epi8, _mm256_mullo_epi16, _mm256_or_si256,
    _mm256_packs_epi16, _mm256_permute4x64_epi64, _mm256_set1_epi8, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_srli_epi16, _mm256_sub_epi8, _mm256_sub_epi16,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _pext_u64,
};
use core::mem::MaybeUninit;

use super::utf_8_blocks::{Words, emit, widen};
use super::{load, store_units};
use crate::simd::two_byte_index::{Katakana, Ranges, TwoByteIndex};
use crate::simd::x86_64::as_bytes;
use crate::simd::x86_64::two_byte_blocks::{
    BLOCK, Decoded, Pointers, Units, Window, below, few, leads_among, look_up, run,
};
use crate::text::write_only;

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

/// What a byte of two ranges adds to a pointer, less what the first one does.
#[derive(Clone, Copy)]
struct Numbers {
    /// The last byte of the lower range.
    last: __m256i,
    /// What the bytes between the ranges would add.
    gap: __m256i,
}

impl Numbers {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new([(_, end), (next, _)]: Ranges, step: u16) -> Self {
        let gap = u16::from(next.saturating_sub(end).saturating_sub(1));
        Numbers {
            last: _mm256_set1_epi16(end.into()),
            gap: _mm256_set1_epi16((gap * step).cast_signed()),
        }
    }

    /// What those of `words` that are in the upper range do not add.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn gap(self, words: __m256i) -> __m256i {
        _mm256_and_si256(_mm256_cmpgt_epi16(words, self.last), self.gap)
    }
}

/// An index in vectors.
struct Vectors<'a> {
    index: &'a TwoByteIndex,
    leads: Class,
    trails: Class,
    rows: Numbers,
    columns: Numbers,
    width: __m256i,
    /// What the first pair of bytes would have for a pointer.
    first: __m256i,
    /// The pointer of byte 0.
    singles: __m256i,
}

impl<'a> Vectors<'a> {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(index: &'a TwoByteIndex) -> Self {
        let all = |word: u16| _mm256_set1_epi16(word.cast_signed());
        let first = u16::from(index.leads[0].0)
            .wrapping_mul(index.width)
            .wrapping_add(index.trails[0].0.into());
        Vectors {
            index,
            leads: Class::new(index.leads),
            trails: Class::new(index.trails),
            rows: Numbers::new(index.leads, index.width),
            columns: Numbers::new(index.trails, 1),
            width: all(index.width),
            first: all(first),
            singles: all(index.pointers),
        }
    }

    /// The pointers of characters. A character is a word, with the trail byte
    /// or 0 in the upper half.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn pointers(&self, characters: __m256i) -> __m256i {
        let lead = _mm256_and_si256(characters, _mm256_set1_epi16(0xFF));
        let trail = _mm256_srli_epi16::<8>(characters);
        let whole = _mm256_add_epi16(_mm256_mullo_epi16(lead, self.width), trail);
        let gaps = _mm256_add_epi16(self.rows.gap(lead), self.columns.gap(trail));
        let pair = _mm256_sub_epi16(_mm256_sub_epi16(whole, self.first), gaps);
        // A pointer behind the index becomes one that finds nothing.
        let pair = _mm256_min_epu16(pair, self.singles);
        let single = _mm256_add_epi16(lead, self.singles);
        let is_single = _mm256_cmpeq_epi16(trail, _mm256_setzero_si256());
        _mm256_blendv_epi8(pair, single, is_single)
    }
}

#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
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
        |units| zeros(units),
    )
}

/// Decodes the characters that end among the first `len` bytes of a window.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn decode(
    vectors: &Vectors<'_>,
    window: &Window,
    len: usize,
    carry: u64,
    pointers: &mut Pointers,
    to: &mut Units,
) -> Decoded {
    let (halves, _) = window.as_chunks::<32>();
    let (behind, _) = window[1..].as_chunks::<32>();
    let Some(to) = to.first_chunk_mut::<BLOCK>() else {
        return Decoded::NOTHING;
    };
    let mut now = [load(&halves[0]), load(&halves[1])];
    let high = mask(now);
    if high == 0 && carry == 0 {
        let (quarters, _) = window.as_chunks();
        let (rooms, _) = as_bytes(to).as_chunks_mut();
        for (to, quarter) in rooms.iter_mut().zip(quarters) {
            widen::<false>(to, quarter);
        }
        let end = len.min(BLOCK);
        return Decoded {
            starts: below(end),
            end,
            looked_up: 0,
        };
    }
    let next = [load(&behind[0]), load(&behind[1])];
    let may_lead = now.map(|bytes| vectors.leads.of(bytes));
    let mut trail = mask(next.map(|bytes| vectors.trails.of(bytes)));
    let mut lead = mask(may_lead);
    let mut trails = [0, 1].map(|i| _mm256_and_si256(next[i], may_lead[i]));
    // Bytes that are katakana by themselves.
    let mut alone = 0;
    match vectors.index.katakana {
        Katakana::No => {}
        Katakana::Alone => alone = mask(now.map(|bytes| katakana(bytes))),
        Katakana::Behind8E => {
            let shifts =
                now.map(|bytes| _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(0x8E_u8.cast_signed())));
            let shift = mask(shifts);
            if shift != 0 {
                lead |= shift;
                trail = trail & !shift | shift & mask(next.map(|bytes| katakana(bytes)));
                // The two bytes are looked up as the second of them.
                now = [0, 1].map(|i| _mm256_blendv_epi8(now[i], next[i], shifts[i]));
                trails = [0, 1].map(|i| _mm256_andnot_si256(shifts[i], trails[i]));
            }
        }
    }
    let leads = leads_among(lead & !carry);
    let starts = !(leads << 1 | carry);
    // What is no character: a lead byte without its trail byte, or a byte that stands for nothing.
    let bad = leads & !trail | starts & high & !leads & !alone;
    let all = BLOCK + (leads >> (BLOCK - 1)) as usize;
    let end = match bad {
        0 => len.min(all),
        _ => len.min(bad.trailing_zeros() as usize),
    };
    let starts = starts & below(end);
    let count = starts.count_ones() as usize;
    let looked_up = _pext_u64(high, starts);
    let words = |i: usize| {
        [
            _mm256_unpacklo_epi8(now[i], trails[i]),
            _mm256_unpackhi_epi8(now[i], trails[i]),
        ]
    };
    let [[a, b], [c, d]] = [words(0), words(1)];
    let words = [a, b, c, d];
    emit_words(
        &mut pointers.0,
        starts,
        words.map(|words| vectors.pointers(words)),
    );
    // All of it is read below, and not all of it written before.
    for to in to.as_chunks_mut().0 {
        store_units(to, _mm256_setzero_si256());
    }
    if few(looked_up) {
        let firsts = words.map(|words| _mm256_and_si256(words, _mm256_set1_epi16(0xFF)));
        if let Some(to) = as_bytes(to).first_chunk_mut() {
            emit::<false>(to, starts, firsts);
        }
    }
    // SAFETY: bytes are less than the number of entries behind the index, and pairs are not more than
    // the first of them.
    unsafe { look_up(vectors.index, pointers, looked_up, count, to) };
    Decoded {
        starts,
        end,
        looked_up,
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

/// Which units are 0.
#[inline]
#[target_feature(enable = "avx2")]
fn zeros(units: &[MaybeUninit<u16>; BLOCK]) -> u64 {
    let (units, _) = units.as_chunks();
    let bytes = |i: usize| {
        let [low, high] =
            [i, i + 1].map(|i| _mm256_cmpeq_epi16(load_units(&units[i]), _mm256_setzero_si256()));
        _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(low, high))
    };
    mask([bytes(0), bytes(2)])
}

/// Brings the words at `starts` together.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn emit_words(to: &mut [u64; BLOCK / 4], starts: u64, words: Words) {
    if let Some(to) = write_only(bytemuck::cast_slice_mut(to)).first_chunk_mut() {
        emit::<false>(to, starts, words);
    }
}

/// Loads units, all of which have been written.
#[inline]
#[target_feature(enable = "avx2")]
fn load_units(from: &[MaybeUninit<u16>; 16]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}
