//! UTF-8 to UTF-16 for NEON, 64 bytes at a time. At every position of a block is computed what code
//! unit ends there, as if every character ended there; a look-up in a table of shuffles then brings
//! the code units of those that do to the front. Which they are is known from the byte after
//! (`shared/utf8_starts.rs`).

use core::arch::aarch64::{vandq_u8, vdupq_n_u8, vdupq_n_u16, vtstq_u8};
use core::mem::MaybeUninit;

use super::ascii::{ascii_to_utf16_bytes, widened};
use super::utf8::mask_of_set;
use super::utf8_units::{
    BEFORE, Block, Units, at_least, blend, block_around, continuations, emit, lanes_of, surrogates,
    texts, view, words,
};
use super::{BLOCK, LANES, is_ascii, is_zero, mask, store};
use crate::simd::kernels::Transcoded;
use crate::simd::shared::as_bytes;
use crate::simd::shared::utf8_errors::NO_CHARACTER;
use crate::simd::shared::utf8_starts::{Found, Run, Seen};

/// Converts well-formed UTF-8 to UTF-16.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf8_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let run = convert::<false, false>(src, as_bytes(dst));
    (run.at, run.units)
}

/// The same, to bytes in the given order, which are what it counts.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf8_to_utf16_bytes<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let run = convert::<BE, false>(src, dst);
    (run.at, 2 * run.units)
}

/// Converts UTF-8, with U+FFFD for each maximal subpart of malformed input.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf8_to_utf16_lossy(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Transcoded {
    let run = convert::<false, true>(src, as_bytes(dst));
    Transcoded {
        read: run.at,
        written: run.units,
        errors: run.errors,
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn convert<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Run {
    let ascii = ascii_to_utf16_bytes::<BE>(src, dst);
    let mut run = Run::default();
    if ascii == src.len() {
        run.at = ascii;
        run.units = ascii;
        return run;
    }
    if ascii >= BEFORE {
        // The last byte of a block belongs to the next one.
        run.at = ascii;
        run.units = ascii - 1;
        run.starts = !0;
    }
    loop {
        clean_blocks::<BE>(src, dst, &mut run);
        if !partial_block::<BE, LOSSY>(src, dst, &mut run) {
            return run;
        }
    }
}

/// Whole blocks of well-formed input, as long as there is room for a block.
#[inline]
#[target_feature(enable = "neon")]
fn clean_blocks<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) {
    if run.at < BEFORE || run.dirty {
        return;
    }
    while let Some(block) = src[run.at - BEFORE..].first_chunk::<{ BEFORE + BLOCK }>()
        && let Some(room) = dst.get_mut(2 * run.units..)
        && let Some(to) = room.first_chunk_mut()
    {
        if is_ascii(view::<0>(block)) && block[BEFORE - 1] < 0x80 {
            widen::<BE>(to, block);
            run.units += BLOCK;
            run.starts = !0;
        } else {
            let texts = texts(block);
            if !is_zero(texts.map(|text| text.errors())) {
                break;
            }
            run.starts = !continuations(texts.map(|text| text.bytes));
            let words = texts.map(|text| words(text));
            let thirds = at_least(view::<3>(block), 0xF0);
            let fourths = at_least(view::<4>(block), 0xF0);
            let ends = if is_zero(thirds) && is_zero(fourths) {
                emit::<BE>(to, run.starts, words);
                run.starts
            } else {
                let ends = run.starts | mask(thirds);
                emit::<BE>(to, ends, surrogates(words, thirds, fourths));
                ends
            };
            run.units += ends.count_ones() as usize;
        }
        run.at += BLOCK;
    }
}

/// Widens the bytes one before those of a block.
#[inline]
#[target_feature(enable = "neon")]
fn widen<const BE: bool>(to: &mut Units, block: &Block) {
    let (to, _) = to.as_chunks_mut::<LANES>();
    let halves = view::<1>(block).map(|bytes| widened::<BE>(bytes));
    for (to, half) in to.iter_mut().zip(halves.into_iter().flatten()) {
        store(to, half);
    }
}

/// One block anywhere: the first, the last, one with malformed input, one with little room. False
/// when the kernel is at its end.
#[inline(never)]
#[target_feature(enable = "neon")]
fn partial_block<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
) -> bool {
    let units = run.units;
    let block = &block_around(src, run.at);
    let texts = texts(block);
    let [x, p1] = [view::<0>(block), view::<1>(block)];
    let [p2, p3] = [view::<2>(block), view::<3>(block)];
    let continuation = continuations(x);
    let seen = Seen {
        continuation,
        three_after_four: mask(at_least(p3, 0xF0)),
        wrong: mask_of_set(texts.map(|text| text.errors())),
    };
    let found = || {
        let bad = vdupq_n_u8(NO_CHARACTER);
        Found {
            ascii: !mask(at_least(x, 0x80)),
            second: continuation
                & mask(at_least(p1, 0xC0))
                & !mask(texts.map(|text| vtstq_u8(text.classes(), bad))),
            continuation,
            after_three: mask(at_least(p1, 0xE0)),
            two_after_three: mask(at_least(p2, 0xE0)),
            two_after_four: mask(at_least(p2, 0xF0)),
            three_after_four: mask(at_least(p3, 0xF0)),
        }
    };
    let Some(plan) = run.plan::<LOSSY>(src, dst.len() / 2 - units, seen, found) else {
        return false;
    };
    let after_third = lanes_of(plan.after_third);
    let mut units_of_block = core::array::from_fn(|i| {
        let mut text = texts[i];
        text.three_before = vandq_u8(text.three_before, after_third[i]);
        words(text)
    });
    if plan.high | plan.low != 0 {
        units_of_block = surrogates(units_of_block, lanes_of(plan.high), lanes_of(plan.low));
    }
    if plan.replaced != 0 {
        let replacement = [[vdupq_n_u16(0xFFFD); 2]; 4];
        units_of_block = blend(units_of_block, replacement, lanes_of(plan.replaced));
    }
    let to = dst.get_mut(2 * units..).unwrap_or_default();
    match to.first_chunk_mut() {
        Some(to) => emit::<BE>(to, plan.written, units_of_block),
        None => {
            let mut between = [MaybeUninit::uninit(); 2 * BLOCK];
            emit::<BE>(&mut between, plan.written, units_of_block);
            let len = 2 * plan.written.count_ones() as usize;
            for (to, from) in to.iter_mut().zip(&between[..len]) {
                *to = *from;
            }
        }
    }
    !plan.ends
}
