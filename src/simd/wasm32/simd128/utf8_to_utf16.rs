//! UTF-8 to UTF-16, 64 bytes at a time. At every position of a block is computed what code unit ends
//! there, as if every character ended there; a look-up in a table of shuffles then brings the code
//! units of those that do to the front. Which they are is known from the byte after
//! (`shared/utf8_starts.rs`).

use core::arch::wasm32::{
    u8x16_bitmask, u8x16_ge, u8x16_max, u8x16_splat, u8x16_sub_sat, u16x8_splat, v128_and,
    v128_any_true, v128_or,
};
use core::mem::MaybeUninit;

use super::ascii::{ascii_to_utf16_bytes, widen};
use super::utf8::{classes, errors};
use super::utf8_units::{
    BEFORE, Block, Units, at_least, before, blend, block_around, continuations, emit,
    errors_of_two, lanes_of, set, surrogates, text, texts, view, words,
};
use super::{BLOCK, LANES, mask};
use crate::simd::kernels::Transcoded;
use crate::simd::shared::as_bytes;
use crate::simd::shared::utf8_errors::NO_CHARACTER;
use crate::simd::shared::utf8_starts::{Found, Run, Seen};

/// Converts well-formed UTF-8 to UTF-16.
pub(in crate::simd) fn utf8_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let run = convert::<false, false>(src, as_bytes(dst));
    (run.at, run.units)
}

/// The same, to bytes in the given order, which are what it counts.
pub(in crate::simd) fn utf8_to_utf16_bytes<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let run = convert::<BE, false>(src, dst);
    (run.at, 2 * run.units)
}

/// Converts UTF-8, with U+FFFD for each maximal subpart of malformed input.
pub(in crate::simd) fn utf8_to_utf16_lossy(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Transcoded {
    let run = convert::<false, true>(src, as_bytes(dst));
    Transcoded {
        read: run.at,
        written: run.units,
        errors: run.errors,
    }
}

#[inline(always)]
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
#[inline(always)]
fn clean_blocks<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) {
    if run.at < BEFORE || run.dirty {
        return;
    }
    while let Some(block) = src[run.at - BEFORE..].first_chunk::<{ BEFORE + BLOCK }>()
        && let Some(room) = dst.get_mut(2 * run.units..)
        && let Some(to) = room.first_chunk_mut()
    {
        let [a, b, c, d] = view::<0>(block);
        let [before, ..] = view::<4>(block);
        let most = u8x16_max(u8x16_max(u8x16_max(a, b), u8x16_max(c, d)), before);
        if u8x16_bitmask(most) == 0 {
            let (to, _) = to.as_chunks_mut::<2>();
            for (bytes, to) in view::<1>(block).into_iter().zip(to.as_chunks_mut().0) {
                widen::<BE>(to, bytes);
            }
            run.units += BLOCK;
            run.starts = !0;
        } else {
            let above = |byte: u8| v128_any_true(u8x16_sub_sat(most, u8x16_splat(byte)));
            let converted = if !above(0xDF) {
                clean_block::<BE, 2>(block, to)
            } else if !above(0xEF) {
                clean_block::<BE, 3>(block, to)
            } else {
                clean_block::<BE, 4>(block, to)
            };
            let Some((starts, written)) = converted else {
                break;
            };
            run.starts = starts;
            run.units += written / 2;
        }
        run.at += BLOCK;
    }
}

/// Converts a block whose lead bytes are those of `LONGEST` bytes at most. Returns where characters
/// start and the bytes written, or `None` where something is malformed.
#[inline(always)]
fn clean_block<const BE: bool, const LONGEST: usize>(
    block: &Block,
    to: &mut Units,
) -> Option<(u64, usize)> {
    let (mut starts, mut at, mut wrong) = (0, 0, u8x16_splat(0));
    for i in 0..4 {
        // One by one: what is kept in an array goes to memory.
        let text = text(block, LANES * i);
        wrong = v128_or(
            wrong,
            if LONGEST == 2 {
                errors_of_two(text)
            } else {
                errors(text)
            },
        );
        let starts_here = !u8x16_bitmask(continuations(text.bytes));
        starts |= u64::from(starts_here) << (LANES * i);
        let (mut ends, mut units) = (starts_here, words::<LONGEST>(text));
        if LONGEST == 4 {
            let [third, fourth] = [text.three_before, before(block, LANES * i, 4)]
                .map(|lead| u8x16_ge(lead, u8x16_splat(0xF0)));
            units = surrogates(units, third, fourth);
            ends |= u8x16_bitmask(third);
        }
        at = emit::<BE>(to, at, ends, units);
    }
    (!v128_any_true(wrong)).then_some((starts, at))
}

/// One block anywhere: the first, the last, one with malformed input, one with little room. False
/// when the kernel is at its end.
#[inline(never)]
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
    let continuation = mask(x.map(continuations));
    let three_after_four = at_least(p3, 0xF0);
    let seen = Seen {
        continuation,
        three_after_four,
        wrong: set(texts.map(errors)),
    };
    let found = || {
        let no_character = |text| v128_and(classes(text), u8x16_splat(NO_CHARACTER));
        Found {
            ascii: !mask(x),
            second: continuation & at_least(p1, 0xC0) & !set(texts.map(no_character)),
            continuation,
            after_three: at_least(p1, 0xE0),
            two_after_three: at_least(p2, 0xE0),
            two_after_four: at_least(p2, 0xF0),
            three_after_four,
        }
    };
    let Some(plan) = run.plan::<LOSSY>(src, dst.len() / 2 - units, seen, found) else {
        return false;
    };
    let [after_third, high, low, replaced] =
        [plan.after_third, plan.high, plan.low, plan.replaced].map(lanes_of);
    let to = dst.get_mut(2 * units..).unwrap_or_default();
    let put = |to: &mut Units| {
        let mut at = 0;
        for (i, mut text) in texts.into_iter().enumerate() {
            text.three_before = v128_and(text.three_before, after_third[i]);
            let units = surrogates(words::<4>(text), high[i], low[i]);
            let units = blend(units, [u16x8_splat(0xFFFD); 2], replaced[i]);
            at = emit::<BE>(to, at, (plan.written >> (LANES * i)) as u16, units);
        }
        at
    };
    match to.first_chunk_mut() {
        Some(to) => {
            put(to);
        }
        None => {
            let mut between = [MaybeUninit::uninit(); 2 * BLOCK];
            let len = put(&mut between);
            for (to, from) in to.iter_mut().zip(&between[..len]) {
                *to = *from;
            }
        }
    }
    !plan.ends
}
