//! UTF-8 to UTF-16 for AVX-512 with VBMI2, 64 bytes at a time.
//!
//! Proceeds like `generic/utf8_to_utf16.rs`, but compresses all code units of a block at once: the positions
//! where a character ends are compressed, and the halves of the units are fetched from there.

use core::arch::x86_64::{__m512i, _mm512_movepi8_mask, _mm512_setzero_si512};
use core::mem::MaybeUninit;

use super::utf8::SixBits;
use super::utf8_to_utf16_short::{
    MAX_SHORT_BLOCKS, NATIVE_BLOCK, one_block_at_most, short, short_blocks, up_to_four_ascii_blocks,
};
use super::utf8_units::{
    Vbmi2Constants, character_starts, halves, halves_of_two, is_wrong, is_wrong_without_fours,
    leads_of_two,
};
use super::utf16_out::{packed, packed_with_surrogates, store_both, store_exactly};
use crate::simd::generic::utf8_starts::Progress;
use crate::simd::generic::utf8_steps::Steps;
use crate::simd::generic::utf8_units::{BEFORE, Texts};
use crate::simd::vector::{Text, Vector};
use crate::simd::x86_64::avx512::vector::Vectors512;
use crate::simd::x86_64::avx512::wide::{at_least, continuations, widen_exactly, widen_half};
use crate::simd::x86_64::avx512::{LANES, load};

/// Wraps calls of functions for VBMI2 in methods of [`Vectors512<SixBits>`].
macro_rules! vbmi2 {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX-512 with VBMI and VBMI2.
        unsafe { $calls }
    };
}

impl Steps for Vectors512<SixBits> {
    const HAS_TWOS: bool = false;
    const TRIES_ONE_BLOCK: bool = true;

    #[inline(always)]
    fn try_one_block(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if src.len() <= LANES {
            vbmi2!(one_block_at_most::<NATIVE_BLOCK>(src, dst))
        } else {
            vbmi2!(up_to_four_ascii_blocks(src, dst))
        }
    }

    #[inline(always)]
    fn try_short(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if src.len() > 2 * LANES {
            return None;
        }
        vbmi2!(short(src, dst))
    }

    #[inline(always)]
    fn try_short_blocks(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if src.len() > MAX_SHORT_BLOCKS {
            return None;
        }
        vbmi2!(short_blocks(src, dst))
    }

    #[inline(always)]
    fn widen_ascii(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
        vbmi2!(widen_blocks(src, dst))
    }

    #[inline(always)]
    fn widen_short(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> bool {
        let bytes = self.load_front(src);
        let is_ascii = self.is_ascii(bytes);
        if is_ascii {
            vbmi2!(widen_exactly(to, bytes));
        }
        is_ascii
    }

    #[inline(always)]
    fn clean_blocks(self, src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Progress) {
        vbmi2!(clean_blocks(src, dst, run));
    }

    #[inline(always)]
    fn write_if_right(
        self,
        to: &mut [MaybeUninit<u8>],
        texts: Texts<Self>,
        ends: u64,
        pairs: [u64; 2],
    ) -> bool {
        vbmi2!(write_if_right(to, texts[0], ends, pairs))
    }
}

/// [`Steps::write_if_right`].
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn write_if_right(
    to: &mut [MaybeUninit<u8>],
    text: Text<__m512i>,
    ends: u64,
    [thirds, fourths]: [u64; 2],
) -> bool {
    let c = &Vbmi2Constants::known();
    let (p1, p2, p3) = (text.one_before, text.two_before, text.three_before);
    if is_wrong(c, text.bytes, p1, p2, p3) {
        return false;
    }
    let len = 2 * ends.count_ones() as usize;
    let halves = halves::<true>(c, p1, p2, p3, _mm512_movepi8_mask(p1));
    let words = packed_with_surrogates(c, ends, halves, thirds, fourths & 1);
    store_exactly(&mut to[..len], words);
    true
}

/// The longest sequences in a run of blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MaxSequence {
    /// Characters of at most two bytes.
    Two,
    /// Characters of at most three bytes.
    Three,
    /// Characters of any length.
    Four,
    /// Malformed input, less than a block, or no room.
    Other,
}

/// Converts whole blocks of well-formed input while there is room for a block and a unit. Each
/// [`MaxSequence`] has its own loop.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn clean_blocks(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Progress) {
    if run.at < BEFORE || run.dirty {
        return;
    }
    let mut patience = LEAST_PATIENCE;
    let mut left = patience;
    let mut text = if run.starts == !0 {
        MaxSequence::Three
    } else {
        MaxSequence::Two
    };
    loop {
        let at = run.at;
        let next = match text {
            MaxSequence::Two => blocks_of_two(src, dst, run),
            MaxSequence::Three => blocks_of_three(src, dst, run, &mut left),
            MaxSequence::Four => blocks_of_four(src, dst, run),
            MaxSequence::Other => return,
        };
        if text == MaxSequence::Two && next == MaxSequence::Three {
            patience = if run.at - at > MIN_PAYING_BLOCKS * LANES {
                LEAST_PATIENCE
            } else {
                MOST_PATIENCE.min(2 * patience)
            };
            left = patience;
        }
        text = next;
    }
}

/// After this many blocks with longer characters, the loop for two-byte characters is tried again.
const LEAST_PATIENCE: usize = 8;
const MOST_PATIENCE: usize = 64;

/// After this many blocks in the loop for two-byte characters, trying it was worth it.
const MIN_PAYING_BLOCKS: usize = 16;

/// Writes the ASCII blocks at the front, of which there is at least one, with room for it. Returns their
/// length in bytes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn ascii(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    /// The number of bytes for which aligned stores pay.
    const MIN_ALIGNED: usize = 8 * LANES;
    let len = widen_blocks(&src[..MIN_ALIGNED.min(src.len())], dst);
    if len < MIN_ALIGNED {
        return len;
    }
    let past = dst[2 * MIN_ALIGNED..].as_ptr().addr() % LANES;
    let mut from = MIN_ALIGNED - if past.is_multiple_of(2) { past / 2 } else { 0 };
    if src[from..].as_ptr().addr() % LANES >= LANES / 2 {
        // The loads may be aligned as well.
        from -= LANES / 2;
    }
    MIN_ALIGNED.max(from + widen_blocks(&src[from..], &mut dst[2 * from..]))
}

/// Writes the ASCII blocks at the front. Returns their length in bytes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn widen_blocks(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let (blocks, _) = src.as_chunks::<LANES>();
    let (rooms, _) = dst.as_chunks_mut::<{ 2 * LANES }>();
    let mut len = 0;
    for (block, to) in blocks.iter().zip(rooms) {
        if _mm512_movepi8_mask(load(block)) != 0 {
            break;
        }
        let (halves, _) = block.as_chunks();
        let (to, _) = to.as_chunks_mut();
        for (to, half) in to.iter_mut().zip(halves) {
            widen_half(to, half);
        }
        len += LANES;
    }
    len
}

/// Converts blocks of characters of one and two bytes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn blocks_of_two(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Progress) -> MaxSequence {
    if src[run.at - 2] >= 0xE0 || src[run.at - 3] >= 0xE0 || src[run.at - 4] >= 0xF0 {
        // A longer character ends right before the block or in it.
        return MaxSequence::Three;
    }
    let Progress {
        mut at,
        mut units,
        mut starts,
        ..
    } = *run;
    let c = &Vbmi2Constants::kept_without_fours();
    let mut next = MaxSequence::Other;
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
            next = MaxSequence::Three;
            break;
        }
        if starts_here & before == !0 {
            next = MaxSequence::Three;
            break;
        }
        starts = starts_here;
        let halves = halves_of_two(c, p1, p2, continuation);
        store_both(to, packed(c, starts, halves));
        units += starts.count_ones() as usize;
        at += LANES;
    }
    run.at = at;
    run.units = units;
    run.starts = starts;
    next
}

/// Converts blocks of characters of up to three bytes, at most `left` of them.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn blocks_of_three(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Progress,
    left: &mut usize,
) -> MaxSequence {
    if fours_before(src, run.at) != 0 {
        return MaxSequence::Four;
    }
    let Progress {
        mut at,
        mut units,
        mut starts,
        ..
    } = *run;
    let c = &Vbmi2Constants::kept_without_fours();
    let mut next = MaxSequence::Other;
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
            let len = ascii(&src[at - 1..], &mut dst[2 * units..]);
            // The last byte is left, and written again.
            at += len - 1;
            units += len - 1;
            continue;
        }
        if is_wrong_without_fours(c, x, p1, p2) {
            next = MaxSequence::Four;
            break;
        }
        starts = starts_here;
        let halves = halves::<false>(c, p1, p2, p3, continuation);
        store_both(to, packed(c, starts, halves));
        units += starts.count_ones() as usize;
        at += LANES;
        *left -= 1;
        if *left == 0 {
            next = MaxSequence::Two;
            break;
        }
    }
    run.at = at;
    run.units = units;
    run.starts = starts;
    next
}

/// Converts blocks of any characters, as long as they include four-byte ones.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn blocks_of_four(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Progress) -> MaxSequence {
    let Progress {
        mut at,
        mut units,
        mut starts,
        ..
    } = *run;
    let mut fours = fours_before(src, run.at);
    let c = &Vbmi2Constants::kept();
    let mut next = MaxSequence::Other;
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
            packed_with_surrogates(c, ends, halves, thirds, fourth_first),
        );
        units += ends.count_ones() as usize;
        at += LANES;
        if fours == 0 {
            next = MaxSequence::Three;
            break;
        }
    }
    run.at = at;
    run.units = units;
    run.starts = starts;
    next
}

/// Returns, in the highest bits, whether the bytes 4, 3 and 2 before `at` are lead bytes of four-byte
/// characters.
#[inline]
pub(super) fn fours_before(src: &[u8], at: usize) -> u64 {
    src[at - BEFORE..at - 1]
        .iter()
        .fold(0, |fours, &byte| fours >> 1 | u64::from(byte >= 0xF0) << 63)
}

/// Loads the bytes `BACK` before those of the block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn view<const BACK: usize>(block: &[u8; BEFORE + LANES]) -> __m512i {
    const { assert!(BACK <= BEFORE) };
    match block[BEFORE - BACK..].first_chunk() {
        Some(bytes) => load(bytes),
        None => _mm512_setzero_si512(),
    }
}
