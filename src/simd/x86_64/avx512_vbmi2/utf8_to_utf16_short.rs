//! UTF-8 to UTF-16 for AVX-512 with VBMI2: converts all of a short input, or nothing.
//!
//! A loop would load its tables and look for sequences that short text seldom has. Here each vector covers
//! one block, and the last one is loaded from the end.

use core::arch::x86_64::{
    __m256i, __m512i, _mm256_cvtepu8_epi16, _mm256_maskz_compress_epi16, _mm256_set_m128i,
    _mm256_shldi_epi16, _mm512_maskz_compress_epi8, _mm512_movepi8_mask,
};
use core::mem::MaybeUninit;

use super::utf8_to_utf16::{fours_before, view, widen_blocks};
use super::utf8_units::{Constants, character_starts, halves, is_wrong, is_wrong_without_fours};
use super::utf16_out::{fetched, packed, packed_with_surrogates, store_both, store_exactly};
use crate::simd::generic::utf8_short::ends_inside_a_character;
use crate::simd::generic::utf8_units::BEFORE;
use crate::simd::x86_64::avx2::utf8_short::{MAX_SHORT, ShortUnits, is_ascii, short_units};
use crate::simd::x86_64::avx512::wide::{at_least, shifted, widen, widen_exactly};
use crate::simd::x86_64::avx512::{
    LANES, lanes_below, load, load_front, load_front_16, store, store_front, store_front_half,
};

/// Converts all of a short well-formed input, if the output fits.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn short<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if src.len() <= MAX_SHORT {
        try_short::<BE>(src, dst)
    } else if src.len() <= LANES {
        one_block::<BE>(src, dst)
    } else if src.len() <= 2 * LANES {
        two_blocks::<BE>(src, dst)
    } else if src.len() <= MAX_SHORT_BLOCKS {
        short_blocks::<BE>(src, dst)
    } else {
        None
    }
}

/// Converts all of a well-formed input of at most 16 bytes, if the output fits.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn try_short<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let x = load_front_16(src);
    if is_ascii(x) {
        let to = dst.get_mut(..2 * src.len())?;
        store_front_half(to, swapped::<BE>(_mm256_cvtepu8_epi16(x)));
        return Some(src.len());
    }
    let ShortUnits { words, ends } = short_units(x, src.len())?;
    let len = ends.count_ones() as usize;
    let words = _mm256_set_m128i(words[1], words[0]);
    let units = _mm256_maskz_compress_epi16(ends as u16, words);
    store_front_half(dst.get_mut(..2 * len)?, swapped::<BE>(units));
    Some(len)
}

/// Puts native words into the byte order of the output.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn swapped<const BE: bool>(words: __m256i) -> __m256i {
    if BE {
        _mm256_shldi_epi16::<8>(words, words)
    } else {
        words
    }
}

/// Converts all of a well-formed input of at most a block, if the output fits.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn one_block<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let x = load_front(src);
    if _mm512_movepi8_mask(x) == 0 {
        widen_exactly::<BE>(dst.get_mut(..2 * src.len())?, x);
        return Some(src.len());
    }
    if src.len() == LANES && ends_inside_a_character(src) {
        // In a shorter block, the zero after it makes this an error anyway.
        return None;
    }
    // A character start is assumed right after the block.
    let ends = (character_starts(x) >> 1 | 1 << 63) & lanes_below(src.len());
    block_exactly::<BE>(dst, x, shifted(x), ends, Preceding::default())
}

/// The maximum length in bytes of a text for which loading a loop's tables does not pay.
const MAX_SHORT_BLOCKS: usize = 4 * LANES;

/// Converts all of a well-formed input of two blocks, if the output fits. Only ASCII and four-byte characters
/// cause branches that depend on the text.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn two_blocks<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let (Some(first), Some(last), Some(to)) =
        (src.first_chunk(), src.last_chunk(), dst.first_chunk_mut())
    else {
        return short_blocks::<BE>(src, dst);
    };
    let last: &[u8; BEFORE + LANES] = last;
    let done = 2 * LANES - src.len();
    let x = load(first);
    let (y, before_y) = (view::<0>(last), views_before(last));
    if _mm512_movepi8_mask(x) | _mm512_movepi8_mask(y) == 0 {
        widen::<BE>(to, x);
        let to = dst.get_mut(2 * (LANES - done)..)?.first_chunk_mut()?;
        widen::<BE>(to, y);
        return Some(src.len());
    }
    let c = &Constants::known_without_fours();
    let before_x = shifted(x);
    if is_wrong_without_fours(c, x, before_x[0], before_x[1])
        || is_wrong_without_fours(c, y, before_y[0], before_y[1])
        || ends_inside_a_character(src)
    {
        return short_blocks::<BE>(src, dst);
    }
    let starts = character_starts(y);
    let ends = [
        character_starts(x) >> 1 | (starts >> done & 1) << 63,
        (starts >> 1 | 1 << 63) & !0 << done,
    ];
    let len = ends[0].count_ones() as usize;
    let halves_of =
        |x, [p1, p2, ..]: [__m512i; BEFORE]| halves::<false>(c, x, p1, p2, _mm512_movepi8_mask(x));
    let words = packed::<BE>(c, ends[0], halves_of(x, before_x));
    store_both(to, words);
    let words = packed::<BE>(c, ends[1], halves_of(y, before_y));
    let all = len + ends[1].count_ones() as usize;
    store_exactly(dst.get_mut(2 * len..2 * all)?, words);
    Some(all)
}

/// Converts all of a well-formed input of several blocks, if the output fits. The last block is loaded from
/// the end, so that no vector needs a mask.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn short_blocks<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if ends_inside_a_character(src) {
        return None;
    }
    let mut units = widen_blocks::<BE>(src, dst);
    let mut at = units;
    while at < src.len() {
        let from = at.min(src.len().checked_sub(LANES)?);
        units += block_of_short::<BE>(src, from, at - from, dst.get_mut(2 * units..)?)?;
        at = from + LANES;
    }
    Some(units)
}

/// Converts the block at `from`, except the characters that end in its first `done` bytes. A separate
/// function, so that constants are not loaded before they are needed.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn block_of_short<const BE: bool>(
    src: &[u8],
    from: usize,
    done: usize,
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let (block, after) = src.get(from..)?.split_first_chunk()?;
    let x = load(block);
    let next_is_start = after
        .first()
        .is_none_or(|&byte| !(0x80..0xC0).contains(&byte));
    let ends = character_starts(x) >> 1 | u64::from(next_is_start) << 63;
    if from == 0 {
        return block_exactly::<BE>(dst, x, shifted(x), ends, Preceding::default());
    }
    let block = src.get(from.checked_sub(BEFORE)?..)?.first_chunk()?;
    let views = views_before(block);
    let around = Preceding {
        fours: fours_before(src, from + 1),
        done,
    };
    block_exactly::<BE>(dst, x, views, ends & !0 << done, around)
}

/// Loads the bytes 1, 2, 3 and 4 before those of the block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn views_before(block: &[u8; BEFORE + LANES]) -> [__m512i; BEFORE] {
    [
        view::<1>(block),
        view::<2>(block),
        view::<3>(block),
        view::<4>(block),
    ]
}

/// What precedes the characters of a block that are to be written.
#[derive(Clone, Copy, Default)]
struct Preceding {
    /// The lead bytes of four-byte characters before the block, as [`fours_before`] returns them.
    fours: u64,
    /// The number of bytes of the block that are converted already, less than a block.
    done: usize,
}

/// Converts the characters of a well-formed block that end at `ends`, if the output fits. `p1`, `p2` and `p3`
/// are the bytes one, two and three before those of `x`.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn block_exactly<const BE: bool>(
    dst: &mut [MaybeUninit<u8>],
    x: __m512i,
    [p1, p2, p3, _]: [__m512i; BEFORE],
    ends: u64,
    Preceding { fours, done }: Preceding,
) -> Option<usize> {
    let continuation = _mm512_movepi8_mask(x);
    let c = &Constants::known_without_fours();
    if fours != 0 || is_wrong_without_fours(c, x, p1, p2) {
        let c = &Constants::known();
        if is_wrong(c, x, p1, p2, p3) {
            return None;
        }
        let thirds = at_least(p2, 0xF0);
        // A mask of fourth bytes. The first byte to be converted may be one, whose leading surrogate is
        // written already.
        let before = thirds << 1 | fours >> 61;
        let ends = ends | thirds & !0 << done;
        let len = ends.count_ones() as usize;
        let halves = halves::<true>(c, x, p1, p2, continuation);
        let words = packed_with_surrogates::<BE>(c, ends, halves, thirds, before >> done & 1);
        store_exactly(dst.get_mut(..2 * len)?, words);
        return Some(len);
    }
    let len = ends.count_ones() as usize;
    let halves = halves::<false>(c, x, p1, p2, continuation);
    let index = _mm512_maskz_compress_epi8(ends, c.positions);
    if let Some(to) = dst.first_chunk_mut::<{ 2 * LANES }>() {
        let (vectors, _) = to.as_chunks_mut();
        store(&mut vectors[0], fetched::<BE>(c, c.twice[0], index, halves));
        if len > LANES / 2 {
            store(&mut vectors[1], fetched::<BE>(c, c.twice[1], index, halves));
        }
        return Some(len);
    }
    let (to, rest) = dst.get_mut(..2 * len)?.split_at_mut(LANES.min(2 * len));
    store_front(to, fetched::<BE>(c, c.twice[0], index, halves));
    if !rest.is_empty() {
        store_front(rest, fetched::<BE>(c, c.twice[1], index, halves));
    }
    Some(len)
}
