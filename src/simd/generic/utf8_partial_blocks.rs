//! Blocks of UTF-8 that may be malformed, or have little room, on the way to UTF-16.

use core::mem::MaybeUninit;

use super::BLOCK;
use super::utf8_errors::NO_CHARACTER;
use super::utf8_starts::{ByteClasses, ByteMasks, Progress, UnitsToWrite};
use super::utf8_steps::Steps;
use super::utf8_units::{
    BEFORE, Constants, Texts, bytes, each, emit_exactly, one_before, surrogates, texts_at,
    three_before, two_before, view, views,
};
use crate::simd::vector::{Text, Vector};

/// Converts blocks of ASCII and isolated non-ASCII bytes, each of which becomes U+FFFD. Returns whether there
/// was one.
#[inline(always)]
pub(super) fn blocks_of_lone_bytes<S: Steps>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Progress,
) -> bool {
    if !run.is_after_start(src) {
        return false;
    }
    let start = run.at;
    while let Some(block) = src[run.at - BEFORE..].first_chunk::<{ BEFORE + BLOCK }>()
        && let Some(to) = dst.get_mut(2 * run.units..)
        && let Some(to) = to.first_chunk_mut::<{ 2 * BLOCK }>()
    {
        let one_before = views(s, block, 1);
        // Of any two neighbours, one must be ASCII.
        let mut both = s.splat_u8(0);
        for (i, one_before) in one_before.iter().take(BLOCK / S::LANES).enumerate() {
            both = s.or(both, s.and(*one_before, view(s, block, i, 0)));
        }
        if !s.is_ascii(both) {
            break;
        }
        run.errors += s.block_at_least(one_before, 0x80).count_ones() as usize;
        for (i, one_before) in one_before.into_iter().take(BLOCK / S::LANES).enumerate() {
            // As a signed byte, FD widens to U+FFFD.
            let bytes = s.select_where_not_ascii(one_before, s.splat_u8(0xFD), one_before);
            s.widen_signed(&mut to[2 * S::LANES * i..], bytes);
        }
        run.units += BLOCK;
        run.at += BLOCK;
    }
    run.has_passed_lone_bytes(src, start)
}

/// Converts one block of any kind: the first, the last, one with malformed input, one with little room.
/// Returns false when the kernel has to stop.
#[inline(never)]
pub(super) fn partial_block<S: Steps>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Progress,
) -> bool {
    s.run_on(
        src,
        dst,
        #[inline(always)]
        |s, src, dst| plan_and_write(s, src, dst, run),
    )
}

#[inline(always)]
fn plan_and_write<S: Steps>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Progress,
) -> bool {
    let units = run.units;
    let c = &Constants::for_block(s);
    let texts = texts_at(s, src, run.at);
    let continuation = s.block_continuations(each(s, &texts, bytes));
    let three_after_four = s.block_at_least(each(s, &texts, three_before), 0xF0);
    let mut wrong = [s.splat_u8(0); 4];
    for (wrong, text) in wrong.iter_mut().zip(texts).take(BLOCK / S::LANES) {
        *wrong = c.errors::<4>(s, text);
    }
    let seen = ByteMasks {
        continuation,
        three_after_four,
        wrong: s.block_not_zero(wrong),
    };
    let plan = run.plan(
        src,
        dst.len() / 2 - units,
        seen,
        #[inline(always)]
        || found(s, c, texts, continuation, three_after_four),
    );
    let Some(plan) = plan else {
        return false;
    };
    let to = dst.get_mut(2 * units..).unwrap_or_default();
    emit_exactly(
        s,
        to,
        plan.written,
        BLOCK / S::LANES,
        #[inline(always)]
        |i| planned_units(s, c, texts[i], &plan, S::LANES * i),
    );
    !plan.ends
}

/// Classifies the bytes of a block with malformed input.
#[inline(always)]
fn found<V: Vector>(
    v: V,
    c: &Constants<V>,
    texts: Texts<V>,
    continuation: u64,
    three_after_four: u64,
) -> ByteClasses {
    let mut no_character = [v.splat_u8(0); 4];
    for (to, text) in no_character.iter_mut().zip(texts).take(BLOCK / V::LANES) {
        *to = v.and(c.classes(v, text), v.splat_u8(NO_CHARACTER));
    }
    let (one_before, two_before) = (each(v, &texts, one_before), each(v, &texts, two_before));
    ByteClasses {
        ascii: !v.block_at_least(each(v, &texts, bytes), 0x80),
        second: continuation & v.block_at_least(one_before, 0xC0) & !v.block_not_zero(no_character),
        continuation,
        after_three: v.block_at_least(one_before, 0xE0),
        two_after_three: v.block_at_least(two_before, 0xE0),
        two_after_four: v.block_at_least(two_before, 0xF0),
        three_after_four,
    }
}

/// Returns the code units of a vector, whose bits start at `at`, in a block that may have malformed bytes.
#[inline(always)]
fn planned_units<V: Vector>(
    v: V,
    c: &Constants<V>,
    mut text: Text<V::V>,
    plan: &UnitsToWrite,
    at: usize,
) -> [V::V; 2] {
    if plan.after_third != !0 {
        text.three_before = v.keep(text.three_before, plan.after_third >> at);
    }
    let mut units = c.units::<4>(v, text);
    if plan.high | plan.low != 0 {
        units = surrogates(v, units, plan.high >> at, plan.low >> at);
    }
    if plan.replaced != 0 {
        units = v.blend_units(units, [v.splat_u16(0xFFFD); 2], plan.replaced >> at);
    }
    units
}
