//! UTF-8 to UTF-16 for AVX-512 with VBMI2: converts all of a short input, or nothing.
//!
//! The loop of `utf8_to_utf16.rs` loads its tables and looks for sequences that short text seldom has.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::utf8_to_utf16::fours_before;
use super::utf8_units::{
    Vbmi2Constants, character_starts, halves, is_wrong, is_wrong_without_fours,
};
use super::utf16_out::{fetched, packed_with_surrogates, store_exactly};
use crate::simd::generic::utf8_short::ends_inside_a_character;
use crate::simd::scalar::ascii::HIGH_BITS;
use crate::simd::x86_64::avx2::utf8_short::{MAX_SHORT, ShortUnits, is_ascii, short_units};
use crate::simd::x86_64::avx512::wide::{at_least, shifted, widen, widen_exactly, widen_half};
use crate::simd::x86_64::avx512::{
    LANES, lanes_below, load, load_front, load_front_16, store, store_front, store_front_half,
};

/// Converts all of a well-formed input of at most two blocks, if the output fits.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn short(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if src.len() <= LANES {
        one_block_at_most::<ONLY_BLOCK>(src, dst)
    } else {
        two_blocks(src, dst)
    }
}

/// Converts all of a well-formed input of at most a block, if the output fits.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn one_block_at_most<const PLACE: u8>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    if src.len() <= MAX_SHORT {
        try_short::<PLACE>(src, dst)
    } else {
        one_block::<PLACE>(src, dst)
    }
}

/// Converts all of an ASCII text of one to four blocks, if the output fits.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn up_to_four_ascii_blocks(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    // Most other text has something else among the first bytes already.
    if src.len() > 4 * LANES || u64::from_ne_bytes(*src.first_chunk()?) & HIGH_BITS != 0 {
        return None;
    }
    let to = dst.get_mut(..2 * src.len())?;
    // The blocks at the end may overlap those at the front.
    let (first, last) = (load(src.first_chunk()?), load(src.last_chunk()?));
    if _mm512_movepi8_mask(_mm512_or_si512(first, last)) != 0 {
        return None;
    }
    if src.len() > 2 * LANES {
        let before_last = src.len() - LANES;
        let second = load(src[LANES..].first_chunk()?);
        let third = load(src[..before_last].last_chunk()?);
        if _mm512_movepi8_mask(_mm512_or_si512(second, third)) != 0 {
            return None;
        }
        widen(to[2 * LANES..].first_chunk_mut()?, second);
        widen(to[..2 * before_last].last_chunk_mut()?, third);
    }
    widen(to.first_chunk_mut()?, first);
    widen(to.last_chunk_mut()?, last);
    Some(src.len())
}

/// The maximum length in bytes of a text for which loading a loop's tables does not pay.
pub(super) const MAX_SHORT_BLOCKS: usize = 4 * LANES;

/// Converts all of a well-formed input of at most 16 bytes, if the output fits.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn try_short<const PLACE: u8>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let x = load_front_16(src);
    if is_ascii(x) {
        let to = dst.get_mut(..2 * src.len())?;
        store_front_half(to, _mm256_cvtepu8_epi16(x));
        return Some(src.len());
    }
    let ShortUnits { words, ends } = short_units(x, src.len())?;
    let len = ends.count_ones() as usize;
    let words = _mm256_set_m128i(words[1], words[0]);
    let units = _mm256_maskz_compress_epi16(ends as u16, words);
    store_front_half(dst.get_mut(..2 * len)?, units);
    Some(len)
}

/// Converts all of a well-formed input of at most a block, if the output fits.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn one_block<const PLACE: u8>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let x = load_front(src);
    if _mm512_movepi8_mask(x) == 0 {
        let to = dst.get_mut(..2 * src.len())?;
        if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
            // The halves may overlap.
            widen_half(to.first_chunk_mut()?, first);
            widen_half(to.last_chunk_mut()?, last);
        } else {
            widen_exactly(to, x);
        }
        return Some(src.len());
    }
    if src.len() <= LANES / 2
        && let Some(leads) = leads_of_only_two(x)
    {
        return up_to_two_bytes(dst, x, leads, src.len());
    }
    if src.len() == LANES && ends_inside_a_character(src) {
        // In a shorter block, the zero after it makes this an error anyway.
        return None;
    }
    // A character start is assumed right after the block.
    let ends = (character_starts(x) >> 1 | 1 << 63) & lanes_below(src.len());
    block::<PLACE>(dst, x, _mm512_setzero_si512(), ends, false)
}

/// Returns where the two-byte characters of half a block start, if all others are ASCII, and zeros follow.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn leads_of_only_two(x: __m512i) -> Option<u32> {
    let x = _mm512_castsi512_si256(x);
    let from_c2 = _mm256_sub_epi8(x, _mm256_set1_epi8(0xC2_u8.cast_signed()));
    let leads = _mm256_cmplt_epu8_mask(
        from_c2,
        _mm256_set1_epi8(0xE0_u8.wrapping_sub(0xC2).cast_signed()),
    );
    let continuations = _mm256_cmplt_epi8_mask(x, _mm256_set1_epi8(0xC0_u8.cast_signed()));
    let others = _mm256_movepi8_mask(x) ^ leads ^ continuations;
    // A lead byte at the end of the half would be followed by a continuation byte in the other half.
    let whole = continuations == leads << 1 && leads >> 31 == 0;
    (whole && others == 0).then_some(leads)
}

/// Converts the `len` bytes of half a block of characters of one and two bytes, if the output fits. `leads` says where
/// those of two bytes start. Two-byte text of 32 bytes takes 0.85 times as long as with [`block`].
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn up_to_two_bytes(
    to: &mut [MaybeUninit<u8>],
    x: __m512i,
    leads: u32,
    len: usize,
) -> Option<usize> {
    /// For each unit, the positions of the byte after the one in its place, and of that one.
    static PAIRS: [u8; LANES] = {
        let mut pairs = [0; LANES];
        let mut i = 0;
        while i < LANES {
            pairs[i] = ((i + 2) / 2 - i % 2) as u8;
            i += 1;
        }
        pairs
    };
    let starts = lanes_below(len) as u32 & !(leads << 1);
    let units = starts.count_ones() as usize;
    let pairs = _mm512_permutexvar_epi8(load(&PAIRS), x);
    // 64 times the first byte and the second, without the bits that mark them.
    let two = _mm512_maddubs_epi16(pairs, _mm512_set1_epi16(64 << 8 | 1));
    let marks = _mm512_set1_epi16(0xC0 * 64 + 0x80);
    let one = _mm512_srli_epi16::<8>(pairs);
    let words = _mm512_mask_sub_epi16(one, leads, two, marks);
    let packed = _mm512_maskz_compress_epi16(starts, words);
    store_front(to.get_mut(..2 * units)?, packed);
    Some(units)
}

/// Converts all of a well-formed input of one to two blocks, if the output fits. Tests only whether all of it is ASCII,
/// and not whether each block is: in most languages, that changes so often that it would be mispredicted.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn two_blocks(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let (first, second) = src.split_first_chunk::<LANES>()?;
    let blocks = [load(first), load_front(second)];
    if _mm512_movepi8_mask(_mm512_or_si512(blocks[0], blocks[1])) == 0 {
        let to = dst.get_mut(..2 * src.len())?;
        widen(to.first_chunk_mut()?, blocks[0]);
        widen(to.last_chunk_mut()?, load(src.last_chunk()?));
        return Some(src.len());
    }
    if ends_inside_a_character(src) {
        return None;
    }
    let starts = [character_starts(blocks[0]), character_starts(blocks[1])];
    let units = if _mm512_movepi8_mask(blocks[0]) == 0 {
        widen(dst.first_chunk_mut()?, blocks[0]);
        LANES
    } else {
        let ends = starts[0] >> 1 | starts[1] << (LANES - 1);
        block::<FIRST_BLOCK>(dst, blocks[0], _mm512_setzero_si512(), ends, false)?
    };
    // After the end, a character start is assumed.
    let ends = (starts[1] >> 1 | 1 << (LANES - 1)) & lanes_below(second.len());
    let fours = fours_before(src, LANES + 1) != 0;
    let to = dst.get_mut(2 * units..)?;
    Some(units + block::<SECOND_BLOCK>(to, blocks[1], blocks[0], ends, fours)?)
}

/// Converts all of a well-formed input of several blocks, if the output fits. For each block, only ASCII and
/// four-byte characters cause branches that depend on the text.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn short_blocks(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if ends_inside_a_character(src) {
        return None;
    }
    let mut units = 0;
    let mut before = _mm512_setzero_si512();
    for at in (0..src.len()).step_by(LANES) {
        let from = &src[at..];
        let to = dst.get_mut(2 * units..)?;
        let x = load_front(from);
        if _mm512_movepi8_mask(x) == 0 {
            if ends_inside_a_character(&src[..at]) {
                return None;
            }
            let len = from.len().min(LANES);
            match to.first_chunk_mut() {
                Some(to) if len == LANES => widen(to, x),
                _ => widen_exactly(to.get_mut(..2 * len)?, x),
            }
            units += len;
        } else {
            // After the end, a character start is assumed.
            let next = from.get(LANES).copied().unwrap_or_default();
            let next_is_start = u64::from(!(0x80..0xC0).contains(&next));
            let ends = character_starts(x) >> 1 | next_is_start << (LANES - 1);
            let ends = ends & lanes_below(from.len());
            let fours = at > 0 && fours_before(src, at + 1) != 0;
            units += block::<BLOCK_IN_LOOP>(to, x, before, ends, fours)?;
        }
        before = x;
    }
    Some(units)
}

/// Where a call of [`block`] is. Each place has its own copy of the function, which is inlined: with one function for
/// all, which would get its vectors in memory, 64 bytes take 1.2 times as long.
const ONLY_BLOCK: u8 = 0;
const FIRST_BLOCK: u8 = 1;
const SECOND_BLOCK: u8 = 2;
const BLOCK_IN_LOOP: u8 = 3;
pub(super) const NATIVE_BLOCK: u8 = 4;

/// Converts the characters of a block that end at `ends`, if they are well-formed and the output fits. `before` is
/// the block before it, and `fours` says whether there is a lead byte of four in the last three bytes of that.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn block<const PLACE: u8>(
    to: &mut [MaybeUninit<u8>],
    x: __m512i,
    before: __m512i,
    ends: u64,
    fours: bool,
) -> Option<usize> {
    let [p1, p2, p3] = shifted(before, x);
    let continuation = _mm512_movepi8_mask(x);
    // In a loop these are hidden from the compiler, which would load them before the loop, even if all text is ASCII.
    let c = &if PLACE != BLOCK_IN_LOOP {
        Vbmi2Constants::known_without_fours()
    } else {
        Vbmi2Constants::kept_without_fours()
    };
    if fours || is_wrong_without_fours(c, x, p1, p2) {
        let c = &if PLACE != BLOCK_IN_LOOP {
            Vbmi2Constants::known()
        } else {
            Vbmi2Constants::kept()
        };
        if is_wrong(c, x, p1, p2, p3) {
            return None;
        }
        let thirds = at_least(p2, 0xF0);
        let ends = ends | thirds;
        let len = ends.count_ones() as usize;
        let fourth_first = at_least(p3, 0xF0) & 1;
        let halves = halves::<true>(c, x, p1, p2, continuation);
        let words = packed_with_surrogates(c, ends, halves, thirds, fourth_first);
        store_exactly(to.get_mut(..2 * len)?, words);
        return Some(len);
    }
    let len = ends.count_ones() as usize;
    let halves = halves::<false>(c, x, p1, p2, continuation);
    let index = _mm512_maskz_compress_epi8(ends, c.positions);
    if let Some(to) = to.first_chunk_mut::<{ 2 * LANES }>() {
        let (vectors, _) = to.as_chunks_mut();
        store(&mut vectors[0], fetched(c, c.twice[0], index, halves));
        if len > LANES / 2 {
            store(&mut vectors[1], fetched(c, c.twice[1], index, halves));
        }
        return Some(len);
    }
    let (to, rest) = to.get_mut(..2 * len)?.split_at_mut(LANES.min(2 * len));
    store_front(to, fetched(c, c.twice[0], index, halves));
    if !rest.is_empty() {
        store_front(rest, fetched(c, c.twice[1], index, halves));
    }
    Some(len)
}
