//! UTF-8 to UTF-16 for AVX-512 with VBMI2, 64 bytes at a time.
//!
//! What the AVX-512 kernel does, but a block's code units are brought to the front at once: the
//! positions where a character ends are packed, and the halves of the units fetched from there.

use core::arch::x86_64::{
    __m256i, __m512i, _mm256_cvtepu8_epi16, _mm256_loadu_si256, _mm256_maskz_compress_epi16,
    _mm256_set_m128i, _mm256_shldi_epi16, _mm512_cvtepu8_epi16, _mm512_maskz_compress_epi8,
    _mm512_maskz_loadu_epi8, _mm512_movepi8_mask,
};
use core::mem::MaybeUninit;

use super::utf_8_units::{
    Constants, character_starts, halves, halves_of_two, is_wrong, is_wrong_without_fours,
    leads_of_two,
};
use super::utf_16_out::{
    emit_exactly, fetched, packed, packed_with_surrogates, store_both, store_exactly, widen_exactly,
};
use crate::simd::kernels::Replaced;
use crate::simd::x86_64::as_bytes;
use crate::simd::x86_64::avx2::utf_8_few::{FEW, FewUnits, few_units, is_ascii};
use crate::simd::x86_64::avx512::utf_8_to_utf_16::{
    BEFORE, blocks_of_lone_bytes, edge, view, widen, word,
};
use crate::simd::x86_64::avx512::utf_8_units::{at_least, continuations, shifted};
use crate::simd::x86_64::avx512::{
    LANES, lanes_below, load, load_front, load_front_16, store, store_front, store_front_half,
};
use crate::simd::x86_64::utf_8_starts::Run;

/// Converts well-formed UTF-8 to UTF-16.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn utf_8_to_utf_16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    convert_strict::<false>(src, as_bytes(dst))
}

/// The same, to bytes in the given order, which are what it counts.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn utf_8_to_utf_16_bytes<const BE: bool>(
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
pub(in crate::simd) fn utf_8_to_utf_16_lossy(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Replaced {
    let dst = as_bytes(dst);
    let run = match short::<false>(src, dst) {
        Some(units) => Run {
            at: src.len(),
            units,
            ..Run::default()
        },
        None => convert_long::<false, true>(src, dst),
    };
    Replaced {
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

/// All of a short well-formed input, if it fits.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn short<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if src.len() <= FEW {
        few::<BE>(src, dst)
    } else if src.len() <= LANES {
        one_block::<BE>(src, dst)
    } else if src.len() <= 2 * LANES {
        two_blocks::<BE>(src, dst)
    } else if src.len() <= FEW_BLOCKS {
        few_blocks::<BE>(src, dst)
    } else {
        None
    }
}

/// All of a well-formed input of at most sixteen bytes, if it fits.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn few<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let x = load_front_16(src);
    if is_ascii(x) {
        let to = dst.get_mut(..2 * src.len())?;
        store_front_half(to, swapped::<BE>(_mm256_cvtepu8_epi16(x)));
        return Some(src.len());
    }
    let FewUnits { words, ends } = few_units(x, src.len())?;
    let len = ends.count_ones() as usize;
    let words = _mm256_set_m128i(words[1], words[0]);
    let units = _mm256_maskz_compress_epi16(ends as u16, words);
    store_front_half(dst.get_mut(..2 * len)?, swapped::<BE>(units));
    Some(len)
}

/// Native words in the order that is asked for.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn swapped<const BE: bool>(words: __m256i) -> __m256i {
    if BE {
        _mm256_shldi_epi16::<8>(words, words)
    } else {
        words
    }
}

#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn convert_long<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Run {
    let mut run = Run::default();
    if !first_block::<BE>(src, dst, &mut run) && !edge::<BE, LOSSY>(src, dst, &mut run) {
        return run;
    }
    loop {
        clean_blocks::<BE>(src, dst, &mut run);
        if LOSSY && !BE && blocks_of_lone_bytes(src, dst, &mut run) {
            continue;
        }
        if last_block::<BE>(src, dst, &mut run) || !edge::<BE, LOSSY>(src, dst, &mut run) {
            return run;
        }
    }
}

/// All of a well-formed input of at most a block, if it fits. Here and in [`few_blocks`] every vector
/// is about the bytes of the block itself.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn one_block<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let x = load_front(src);
    if _mm512_movepi8_mask(x) == 0 {
        widen_exactly::<BE>(dst.get_mut(..2 * src.len())?, x);
        return Some(src.len());
    }
    if src.len() == LANES && ends_inside_a_character(src) {
        // In a shorter block there is a zero behind it, so that it is found wrong.
        return None;
    }
    // Behind the block stands one more start.
    let ends = (character_starts(x) >> 1 | 1 << 63) & lanes_below(src.len());
    block_exactly::<BE>(dst, x, shifted(x), ends, Around::default())
}

/// Inputs of up to so many bytes do not pay for the tables of a loop.
const FEW_BLOCKS: usize = 4 * LANES;

/// All of a well-formed input of two blocks, if it fits. It has no branch that depends on the text, but
/// for ASCII and for characters of four bytes.
#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn two_blocks<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let (Some(first), Some(last), Some(to)) =
        (src.first_chunk(), src.last_chunk(), dst.first_chunk_mut())
    else {
        return few_blocks::<BE>(src, dst);
    };
    let last: &[u8; BEFORE + LANES] = last;
    let done = 2 * LANES - src.len();
    let (x, y) = (load(first), view::<0>(last));
    if _mm512_movepi8_mask(x) | _mm512_movepi8_mask(y) == 0 {
        widen::<BE>(to, x);
        let to = dst.get_mut(2 * (LANES - done)..)?.first_chunk_mut()?;
        widen::<BE>(to, y);
        return Some(src.len());
    }
    let c = &Constants::known_without_fours();
    let before_x = shifted(x);
    let before_y = [view::<1>(last), view::<2>(last), view::<3>(last)];
    if is_wrong_without_fours(c, x, before_x[0], before_x[1])
        || is_wrong_without_fours(c, y, before_y[0], before_y[1])
        || ends_inside_a_character(src)
    {
        return few_blocks::<BE>(src, dst);
    }
    let starts = character_starts(y);
    let ends = [
        character_starts(x) >> 1 | (starts >> done & 1) << 63,
        (starts >> 1 | 1 << 63) & !0 << done,
    ];
    let len = ends[0].count_ones() as usize;
    let halves_of =
        |x, [p1, p2, _]: [__m512i; 3]| halves::<false>(c, x, p1, p2, _mm512_movepi8_mask(x));
    let words = packed::<BE>(c, ends[0], halves_of(x, before_x));
    store_both(to, words);
    let words = packed::<BE>(c, ends[1], halves_of(y, before_y));
    let all = len + ends[1].count_ones() as usize;
    store_exactly(dst.get_mut(2 * len..2 * all)?, words);
    Some(all)
}

/// All of a well-formed input of some blocks, if it fits. The last one is loaded from the end, so that
/// no vector needs a mask.
#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn few_blocks<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if ends_inside_a_character(src) {
        return None;
    }
    let mut units = widen_blocks::<BE>(src, dst);
    let mut at = units;
    while at < src.len() {
        let from = at.min(src.len().checked_sub(LANES)?);
        units += block_of_few::<BE>(src, from, at - from, dst.get_mut(2 * units..)?)?;
        at = from + LANES;
    }
    Some(units)
}

/// The block at `from`, but for the characters that end in its first `done` bytes. On its own, so that
/// constants are not fetched before they are needed.
#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn block_of_few<const BE: bool>(
    src: &[u8],
    from: usize,
    done: usize,
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let (block, behind) = src.get(from..)?.split_first_chunk()?;
    let x = load(block);
    let next_is_start = behind
        .first()
        .is_none_or(|&byte| !(0x80..0xC0).contains(&byte));
    let ends = character_starts(x) >> 1 | u64::from(next_is_start) << 63;
    if from == 0 {
        return block_exactly::<BE>(dst, x, shifted(x), ends, Around::default());
    }
    let block = src.get(from.checked_sub(BEFORE)?..)?.first_chunk()?;
    let views = [view::<1>(block), view::<2>(block), view::<3>(block)];
    let around = Around {
        fours: fours_before(src, from + 1),
        done,
    };
    block_exactly::<BE>(dst, x, views, ends & !0 << done, around)
}

/// What is before the characters of a block that are to be written.
#[derive(Clone, Copy, Default)]
struct Around {
    /// The lead bytes of four among the bytes before the block, as [`fours_before`] has them.
    fours: u64,
    /// The bytes of the block that are converted already, fewer than it has.
    done: usize,
}

/// Whether the last bytes are the front of a character.
#[inline]
fn ends_inside_a_character(src: &[u8]) -> bool {
    match *src {
        [.., a, b, c] => (a >= 0xF0) | (b >= 0xE0) | (c >= 0xC0),
        _ => true,
    }
}

/// A well-formed block, if it fits: the characters that end at `ends`. `p1`, `p2` and `p3` are the bytes
/// one, two and three before those of `x`.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn block_exactly<const BE: bool>(
    dst: &mut [MaybeUninit<u8>],
    x: __m512i,
    [p1, p2, p3]: [__m512i; 3],
    ends: u64,
    Around { fours, done }: Around,
) -> Option<usize> {
    let continuation = _mm512_movepi8_mask(x);
    let c = &Constants::known_without_fours();
    if fours != 0 || is_wrong_without_fours(c, x, p1, p2) {
        let c = &Constants::known();
        if is_wrong(c, x, p1, p2, p3) {
            return None;
        }
        let thirds = at_least(p2, 0xF0);
        // What the first character that is to be written may be the end of.
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
fn widen_blocks<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
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
fn fours_before(src: &[u8], at: usize) -> u64 {
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
        // SAFETY: the mask of the block has as many lanes as there are bytes behind `at`, that of
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
