//! UTF-8 to UTF-16 for AVX-512 with VBMI2, 64 bytes at a time.
//!
//! What the AVX-512 kernel does, but a block's code units are brought to the front at once: the
//! positions where a character ends are packed, and the halves of the units fetched from there.

use core::arch::x86_64::{
    _mm256_loadu_si256, _mm512_cvtepu8_epi16, _mm512_maskz_loadu_epi8, _mm512_movepi8_mask,
};
use core::mem::MaybeUninit;

use super::utf8_to_utf16_short::short;
use super::utf8_units::{
    Constants, character_starts, halves, halves_of_two, is_wrong, is_wrong_without_fours,
    leads_of_two,
};
use super::utf16_out::{emit_exactly, packed, packed_with_surrogates, store_both, widen_exactly};
use crate::simd::kernels::Transcoded;
use crate::simd::x86_64::as_bytes;
use crate::simd::x86_64::avx512::utf8_to_utf16::{
    BEFORE, blocks_of_lone_bytes, partial_block, view, widen, word,
};
use crate::simd::x86_64::avx512::utf8_units::{at_least, continuations, shifted};
use crate::simd::x86_64::avx512::{LANES, lanes_below, load, store};
use crate::simd::x86_64::utf8_starts::Run;

/// Converts well-formed UTF-8 to UTF-16.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn utf8_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    convert_strict::<false>(src, as_bytes(dst))
}

/// The same, to bytes in the given order, which are what it counts.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn utf8_to_utf16_bytes<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (read, units) = convert_strict::<BE>(src, dst);
    (read, 2 * units)
}

/// Converts UTF-8, with U+FFFD for each maximal subpart of malformed input.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn utf8_to_utf16_lossy(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Transcoded {
    let dst = as_bytes(dst);
    let run = match short::<false>(src, dst) {
        Some(units) => Run {
            at: src.len(),
            units,
            ..Run::default()
        },
        None => convert_long::<false, true>(src, dst),
    };
    Transcoded {
        read: run.at,
        written: run.units,
        errors: run.errors,
    }
}

/// Returns the bytes read and the units written.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn convert_strict<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if let Some(units) = short::<BE>(src, dst) {
        return (src.len(), units);
    }
    let run = convert_long::<BE, false>(src, dst);
    (run.at, run.units)
}

#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn convert_long<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Run {
    let mut run = Run::default();
    if !first_block::<BE>(src, dst, &mut run) && !partial_block::<BE, LOSSY>(src, dst, &mut run) {
        return run;
    }
    loop {
        clean_blocks::<BE>(src, dst, &mut run);
        if LOSSY && !BE && blocks_of_lone_bytes(src, dst, &mut run) {
            continue;
        }
        if last_block::<BE>(src, dst, &mut run) || !partial_block::<BE, LOSSY>(src, dst, &mut run) {
            return run;
        }
    }
}

/// The first block, if it is a whole one and well-formed.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn first_block<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) -> bool {
    let (Some(block), Some(to)) = (
        src.first_chunk::<LANES>(),
        dst.first_chunk_mut::<{ 2 * LANES }>(),
    ) else {
        return false;
    };
    let x = load(block);
    let starts = !continuations(x);
    if _mm512_movepi8_mask(x) == 0 {
        widen::<BE>(to, x);
        run.units = LANES - 1;
    } else {
        let [p1, p2, p3] = shifted(x);
        let c = &Constants::known();
        if is_wrong(c, x, p1, p2, p3) {
            return false;
        }
        let fours = at_least(p3, 0xF0);
        let ends = (starts | fours) & !1;
        let halves = halves::<true>(c, p1, p2, p3, _mm512_movepi8_mask(p1));
        let words = packed_with_surrogates::<BE>(c, ends, halves, fours, 0);
        store_both(to, words);
        run.units = ends.count_ones() as usize;
    }
    run.at = LANES;
    run.starts = starts;
    true
}

/// What a run of blocks has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    /// Characters of at most two bytes.
    Two,
    /// Characters of at most three.
    Three,
    /// Any characters.
    Four,
    /// What is wrong, or too short for a block, or for which there is no room.
    Other,
}

/// Whole blocks of well-formed input, as long as there is room for a block and a unit. Each sort of
/// text has its own loop.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn clean_blocks<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) {
    if run.at < BEFORE || run.dirty {
        return;
    }
    let mut patience = LEAST_PATIENCE;
    let mut left = patience;
    let mut text = if run.starts == !0 {
        Text::Three
    } else {
        Text::Two
    };
    loop {
        let at = run.at;
        let next = match text {
            Text::Two => blocks_of_two::<BE>(src, dst, run),
            Text::Three => blocks_of_three::<BE>(src, dst, run, &mut left),
            Text::Four => blocks_of_four::<BE>(src, dst, run),
            Text::Other => return,
        };
        if text == Text::Two && next == Text::Three {
            patience = if run.at - at > WORTH_IT * LANES {
                LEAST_PATIENCE
            } else {
                MOST_PATIENCE.min(2 * patience)
            };
            left = patience;
        }
        text = next;
    }
}

/// So many blocks with longer characters go by before it is tried again whether there are none.
const LEAST_PATIENCE: usize = 8;
const MOST_PATIENCE: usize = 64;

/// So many blocks without them were worth the try.
const WORTH_IT: usize = 16;

/// Writes the blocks in front that are ASCII: at least one, for which there is room. Returns how
/// many bytes they have.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn ascii<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    /// So much is worth writing at aligned places.
    const MANY: usize = 8 * LANES;
    let len = widen_blocks::<BE>(&src[..MANY.min(src.len())], dst);
    if len < MANY {
        return len;
    }
    let past = dst[2 * MANY..].as_ptr().addr() % LANES;
    let mut from = MANY - if past.is_multiple_of(2) { past / 2 } else { 0 };
    if src[from..].as_ptr().addr() % LANES >= LANES / 2 {
        // This may be aligned too.
        from -= LANES / 2;
    }
    MANY.max(from + widen_blocks::<BE>(&src[from..], &mut dst[2 * from..]))
}

/// Writes the blocks in front that are ASCII. Returns how many bytes they have.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(super) fn widen_blocks<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let (blocks, _) = src.as_chunks::<LANES>();
    let (rooms, _) = dst.as_chunks_mut::<{ 2 * LANES }>();
    let mut len = 0;
    for (block, to) in blocks.iter().zip(rooms) {
        if _mm512_movepi8_mask(load(block)) != 0 {
            break;
        }
        let (halves, _) = block.as_chunks::<{ LANES / 2 }>();
        let (to, _) = to.as_chunks_mut::<LANES>();
        for (to, half) in to.iter_mut().zip(halves) {
            // SAFETY: the array has the 32 bytes that are read; the load needs no alignment.
            let half = unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
            store(to, word::<BE>(_mm512_cvtepu8_epi16(half)));
        }
        len += LANES;
    }
    len
}

/// Blocks of characters of one and two bytes.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn blocks_of_two<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) -> Text {
    if src[run.at - 2] >= 0xE0 || src[run.at - 3] >= 0xE0 || src[run.at - 4] >= 0xF0 {
        // A longer character ends right before the block or in it.
        return Text::Three;
    }
    let Run {
        mut at,
        mut units,
        mut starts,
        ..
    } = *run;
    let c = &Constants::kept_without_fours();
    let mut next = Text::Other;
    while let (Some(block), Some(to)) = (
        src[at - BEFORE..].first_chunk::<{ BEFORE + LANES }>(),
        dst.get_mut(2 * units..)
            .and_then(|room| room.first_chunk_mut::<{ 2 * LANES }>()),
    ) {
        let [x, p1, p2] = [view::<0>(block), view::<1>(block), view::<2>(block)];
        let continuation = _mm512_movepi8_mask(p1);
        let before = starts;
        let starts_here = character_starts(x);
        let leads = leads_of_two(p1);
        let continued = !starts_here << 1 | !before >> 63;
        if (!starts_here ^ leads) | (continuation ^ (continued | leads)) != 0 {
            next = Text::Three;
            break;
        }
        if starts_here & before == !0 {
            next = Text::Three;
            break;
        }
        starts = starts_here;
        let halves = halves_of_two(c, p1, p2, continuation);
        store_both(to, packed::<BE>(c, starts, halves));
        units += starts.count_ones() as usize;
        at += LANES;
    }
    run.at = at;
    run.units = units;
    run.starts = starts;
    next
}

/// Blocks of characters of up to three bytes, at most as many as `left` says.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn blocks_of_three<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
    left: &mut usize,
) -> Text {
    if fours_before(src, run.at) != 0 {
        return Text::Four;
    }
    let Run {
        mut at,
        mut units,
        mut starts,
        ..
    } = *run;
    let c = &Constants::kept_without_fours();
    let mut next = Text::Other;
    while let (Some(block), Some(to)) = (
        src[at - BEFORE..].first_chunk::<{ BEFORE + LANES }>(),
        dst.get_mut(2 * units..)
            .and_then(|room| room.first_chunk_mut::<{ 2 * LANES }>()),
    ) {
        let [x, p1] = [view::<0>(block), view::<1>(block)];
        let [p2, p3] = [view::<2>(block), view::<3>(block)];
        let continuation = _mm512_movepi8_mask(p1);
        let starts_here = character_starts(x);
        if starts_here & starts == !0 && continuation == 0 {
            let len = ascii::<BE>(&src[at - 1..], &mut dst[2 * units..]);
            // The last one is left, and written again.
            at += len - 1;
            units += len - 1;
            continue;
        }
        if is_wrong_without_fours(c, x, p1, p2) {
            next = Text::Four;
            break;
        }
        starts = starts_here;
        let halves = halves::<false>(c, p1, p2, p3, continuation);
        store_both(to, packed::<BE>(c, starts, halves));
        units += starts.count_ones() as usize;
        at += LANES;
        *left -= 1;
        if *left == 0 {
            next = Text::Two;
            break;
        }
    }
    run.at = at;
    run.units = units;
    run.starts = starts;
    next
}

/// Blocks of any characters, as long as there are some of four bytes.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn blocks_of_four<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) -> Text {
    let Run {
        mut at,
        mut units,
        mut starts,
        ..
    } = *run;
    let mut fours = fours_before(src, run.at);
    let c = &Constants::kept();
    let mut next = Text::Other;
    while let (Some(block), Some(to)) = (
        src[at - BEFORE..].first_chunk::<{ BEFORE + LANES }>(),
        dst.get_mut(2 * units..)
            .and_then(|room| room.first_chunk_mut::<{ 2 * LANES }>()),
    ) {
        let [x, p1] = [view::<0>(block), view::<1>(block)];
        let [p2, p3] = [view::<2>(block), view::<3>(block)];
        if is_wrong(c, x, p1, p2, p3) {
            break;
        }
        let before = fours;
        fours = at_least(p1, 0xF0);
        let thirds = fours << 2 | before >> 62;
        let fourth_first = before >> 61 & 1;
        starts = !continuations(x);
        let ends = starts | thirds;
        let halves = halves::<true>(c, p1, p2, p3, _mm512_movepi8_mask(p1));
        store_both(
            to,
            packed_with_surrogates::<BE>(c, ends, halves, thirds, fourth_first),
        );
        units += ends.count_ones() as usize;
        at += LANES;
        if fours == 0 {
            next = Text::Three;
            break;
        }
    }
    run.at = at;
    run.units = units;
    run.starts = starts;
    next
}

/// The lead bytes of four among those 4, 3 and 2 before `at`, as the highest bits.
#[inline]
pub(super) fn fours_before(src: &[u8], at: usize) -> u64 {
    src[at - BEFORE..at - 1]
        .iter()
        .fold(0, |fours, &byte| fours >> 1 | u64::from(byte >= 0xF0) << 63)
}

/// What is left, if it is less than a block and well-formed and fits.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn last_block<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) -> bool {
    let Run { at, units, .. } = *run;
    let Some(block) = src.get(at.wrapping_sub(BEFORE)..) else {
        return false;
    };
    let len = src.len() - at;
    let to = dst.get_mut(2 * units..).unwrap_or_default();
    if len >= LANES || to.len() < 2 * (len + 1) || run.dirty {
        return false;
    }
    let lanes = lanes_below(len);
    let [x, p1, p2, p3] = [0, 1, 2, 3].map(|back| {
        let from = block.as_ptr().wrapping_add(BEFORE - back);
        // SAFETY: the mask of the block has as many lanes as there are bytes after `at`, that of
        // each view as many more as it begins before it.
        unsafe { _mm512_maskz_loadu_epi8(!(!lanes << back), from.cast()) }
    });
    let continuation = _mm512_movepi8_mask(p1);
    if continuation == 0 {
        widen_exactly::<BE>(&mut to[..2 * (len + 1)], p1);
        run.units += len + 1;
    } else {
        let c = &Constants::known();
        if is_wrong(c, x, p1, p2, p3) {
            return false;
        }
        let fours = at_least(p3, 0xF0);
        // Behind the last byte stands one more start.
        let ends = (!continuations(x) | fours) & (lanes << 1 | 1);
        let halves = halves::<true>(c, p1, p2, p3, continuation);
        run.units += emit_exactly::<BE>(c, to, ends, halves, fours, u64::from(block[0] >= 0xF0));
    }
    run.at = src.len();
    true
}
