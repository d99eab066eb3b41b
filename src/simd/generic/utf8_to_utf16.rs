//! UTF-8 to UTF-16, 64 bytes at a time. At every position of a block is computed what code unit ends
//! there, as if every character ended there (`utf8_units.rs`); a look-up in a table of shuffles then
//! brings the code units of those that do to the front. Which they are is known from the byte after
//! (`shared/utf8_starts.rs`).
//!
//! Stops before malformed input, before a character that the end of the input cuts, and before one that
//! there is no room for. Blocks with room for 64 units are written whole; of others only what is counted.

use core::mem::MaybeUninit;

use super::ascii::{ascii_to_utf16_bytes, widen};
use super::utf8_errors::NO_CHARACTER;
use super::utf8_starts::{Found, Plan, Run, Seen};
use super::utf8_units::{
    BEFORE, Block, Units, before, blend, block_around, continuations, emit, errors_of_two,
    lanes_of, surrogates, text, texts, units, view,
};
use super::utf8_valid::errors;
use super::utf8_vector::{Text, classes_by_halves};
use super::{BLOCK, LANES, mask_not_0};
use crate::simd::kernels::Transcoded;
use crate::simd::shared::as_bytes;
use crate::simd::vector::Vector;

/// Converts well-formed UTF-8 to UTF-16.
#[inline(always)]
pub(in crate::simd) fn utf8_to_utf16(
    v: impl Vector<LANES>,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let run = convert::<false, false>(v, src, as_bytes(dst));
    (run.at, run.units)
}

/// Converts well-formed UTF-8 to the bytes of UTF-16 in the given order, which are what it counts.
#[inline(always)]
pub(in crate::simd) fn utf8_to_utf16_bytes<const BE: bool>(
    v: impl Vector<LANES>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let run = convert::<BE, false>(v, src, dst);
    (run.at, 2 * run.units)
}

/// Converts UTF-8, with U+FFFD for each maximal subpart of malformed input.
#[inline(always)]
pub(in crate::simd) fn utf8_to_utf16_lossy(
    v: impl Vector<LANES>,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> Transcoded {
    let run = convert::<false, true>(v, src, as_bytes(dst));
    Transcoded {
        read: run.at,
        written: run.units,
        errors: run.errors,
    }
}

#[inline(always)]
fn convert<const BE: bool, const LOSSY: bool>(
    v: impl Vector<LANES>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Run {
    let ascii = ascii_to_utf16_bytes::<BE>(v, src, dst);
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
        clean_blocks::<BE, _>(v, src, dst, &mut run);
        if !partial_block::<BE, LOSSY, _>(v, src, dst, &mut run) {
            return run;
        }
    }
}

/// Whole blocks of well-formed input, as long as there is room for a block.
#[inline(always)]
fn clean_blocks<const BE: bool, V: Vector<LANES>>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
) {
    if run.at < BEFORE || run.dirty {
        return;
    }
    while let Some(block) = src[run.at - BEFORE..].first_chunk::<{ BEFORE + BLOCK }>()
        && let Some(room) = dst.get_mut(2 * run.units..)
        && let Some(to) = room.first_chunk_mut()
    {
        let [a, b, c, d] = view(v, block, 0);
        let most = v.max_u8(v.max_u8(a, b), v.max_u8(c, d));
        let most = v.max_u8(most, before(v, block, 0, BEFORE));
        if v.is_ascii(most) {
            let (to, _) = to.as_chunks_mut::<2>();
            for (bytes, to) in view(v, block, 1).into_iter().zip(to.as_chunks_mut().0) {
                widen::<BE, _>(v, to, bytes);
            }
            run.units += BLOCK;
            run.starts = !0;
        } else {
            let converted = if !v.any_above(most, 0xDF) {
                clean_block::<BE, 2, _>(v, block, to)
            } else if !v.any_above(most, 0xEF) {
                clean_block::<BE, 3, _>(v, block, to)
            } else {
                clean_block::<BE, 4, _>(v, block, to)
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
fn clean_block<const BE: bool, const LONGEST: usize, V: Vector<LANES>>(
    v: V,
    block: &Block,
    to: &mut Units,
) -> Option<(u64, usize)> {
    let [a, b, c, d] = view(v, block, 0);
    let starts = !v.mask_of_4([
        continuations(v, a),
        continuations(v, b),
        continuations(v, c),
        continuations(v, d),
    ]);
    let mut ends = starts;
    if LONGEST == 4 {
        ends |= v.mask_at_least(view(v, block, 3), 0xF0);
    }
    let (mut at, mut wrong) = (0, v.splat_u8(0));
    for i in 0..4 {
        // One by one: what is kept in an array goes to memory.
        let text = text(v, block, LANES * i);
        let wrong_here = if LONGEST == 2 {
            errors_of_two(v, text)
        } else {
            errors(v, text)
        };
        wrong = v.or(wrong, wrong_here);
        let mut units = units::<LONGEST, _>(v, text);
        if LONGEST == 4 {
            let third = v.at_least_u8(text.three_before, 0xF0);
            let fourth = v.at_least_u8(before(v, block, LANES * i, 4), 0xF0);
            units = surrogates(v, units, third, fourth);
        }
        at = emit::<BE, _>(v, to, at, (ends >> (LANES * i)) as u16, units);
    }
    (!v.any(wrong)).then_some((starts, at))
}

/// One block anywhere: the first, the last, one with malformed input, one with little room. False
/// when the kernel is at its end.
#[inline(always)]
fn partial_block<const BE: bool, const LOSSY: bool, V: Vector<LANES>>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
) -> bool {
    let written = run.units;
    let padded;
    let inside = run.at.checked_sub(BEFORE).map(|start| &src[start..]);
    let block = match inside.and_then(<[_]>::first_chunk) {
        Some(block) => block,
        None => {
            padded = block_around(src, run.at);
            &padded
        }
    };
    let texts @ [a, b, c, d] = texts(v, block);
    let continuation = v.mask_of_4([
        continuations(v, a.bytes),
        continuations(v, b.bytes),
        continuations(v, c.bytes),
        continuations(v, d.bytes),
    ]);
    let three_after_four = v.mask_at_least(view(v, block, 3), 0xF0);
    let seen = Seen {
        continuation,
        three_after_four,
        wrong: mask_not_0(v, [errors(v, a), errors(v, b), errors(v, c), errors(v, d)]),
    };
    let room = dst.len() / 2 - written;
    let plan = run.plan::<LOSSY>(
        src,
        room,
        seen,
        #[inline(always)]
        || {
            let no_character = |text: Text<V::V>| {
                v.and(
                    classes_by_halves(v, text.one_before, text.bytes),
                    v.splat_u8(NO_CHARACTER),
                )
            };
            let no_character = [
                no_character(a),
                no_character(b),
                no_character(c),
                no_character(d),
            ];
            let [one_before, two_before] = [view(v, block, 1), view(v, block, 2)];
            Found {
                ascii: !v.mask_at_least(view(v, block, 0), 0x80),
                second: continuation
                    & v.mask_at_least(one_before, 0xC0)
                    & !mask_not_0(v, no_character),
                continuation,
                after_three: v.mask_at_least(one_before, 0xE0),
                two_after_three: v.mask_at_least(two_before, 0xE0),
                two_after_four: v.mask_at_least(two_before, 0xF0),
                three_after_four,
            }
        },
    );
    let Some(plan) = plan else {
        return false;
    };
    let to = dst.get_mut(2 * written..).unwrap_or_default();
    match to.first_chunk_mut() {
        Some(to) => {
            emit_planned::<BE, LOSSY, _>(v, to, texts, &plan);
        }
        None => {
            let mut between = [MaybeUninit::uninit(); 2 * BLOCK];
            let len = emit_planned::<BE, LOSSY, _>(v, &mut between, texts, &plan);
            for (to, from) in to.iter_mut().zip(&between[..len]) {
                *to = *from;
            }
        }
    }
    !plan.ends
}

/// Writes what is planned of a block. Returns its length in bytes.
#[inline(always)]
fn emit_planned<const BE: bool, const LOSSY: bool, V: Vector<LANES>>(
    v: V,
    to: &mut Units,
    texts: [Text<V::V>; 4],
    plan: &Plan,
) -> usize {
    let mut at = 0;
    for (i, mut text) in texts.into_iter().enumerate() {
        let lanes = |mask: u64| lanes_of(v, mask >> (LANES * i));
        if plan.after_third != !0 {
            text.three_before = v.and(text.three_before, lanes(plan.after_third));
        }
        let mut units = units::<4, _>(v, text);
        if plan.high | plan.low != 0 {
            units = surrogates(v, units, lanes(plan.high), lanes(plan.low));
        }
        if LOSSY {
            units = blend(v, units, [v.splat_u16(0xFFFD); 2], lanes(plan.replaced));
        }
        at = emit::<BE, _>(v, to, at, (plan.written >> (LANES * i)) as u16, units);
    }
    at
}
