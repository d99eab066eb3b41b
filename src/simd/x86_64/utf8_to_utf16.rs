//! UTF-8 to UTF-16, 64 bytes at a time: the order of blocks, which the instruction sets share.
//!
//! There is no loop over characters. Every position of a block gets the code unit that is right if a
//! character ends there (`utf8_units.rs`); eight positions at a time, a shuffle brings the units of
//! those that do to the front. Which they are is known from the byte after (`utf8_starts.rs`), so that
//! all vectors are about the bytes one before those of the block's masks.
//!
//! Stops before what is malformed or incomplete, or for which there is no room. Units past those that are
//! counted may be overwritten.

use core::mem::MaybeUninit;

use super::avx2::utf8_threes;
use super::utf8_packed::{emit, emit_exactly};
use super::utf8_starts::{Found, Plan, Run, Seen};
use super::utf8_tables::WRONG_SECOND;
use super::utf8_units::{Constants, Words, surrogates};
use super::wide::{BEFORE, BLOCK, Units, Views, Wide, unit, view, views_of_block};
use crate::simd::kernels::Transcoded;
use crate::simd::x86_64::as_bytes;

/// How an instruction set converts blocks: what can't be inline, and what it has a better way for.
pub(super) trait Steps: Copy {
    type W: Wide;

    fn wide(self) -> Self::W;

    /// All of a short well-formed input, if it fits.
    fn short<const BE: bool>(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize>;

    /// [`convert_long`], not inline.
    fn long<const BE: bool, const LOSSY: bool>(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Run;

    /// [`partial_block`], not inline.
    fn partial_block<const BE: bool, const LOSSY: bool>(
        self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        run: &mut Run,
    ) -> bool;

    /// Whole blocks of well-formed input, as long as there is room for a block and a unit.
    #[inline(always)]
    fn clean_blocks<const BE: bool>(self, src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) {
        clean_blocks::<Self::W, BE>(self.wide(), src, dst, run);
    }

    /// Whether a byte of a block is wrong.
    #[inline(always)]
    fn is_wrong(self, Views { x, before }: Views<<Self::W as Wide>::V>) -> bool {
        let w = self.wide();
        let c = &Constants::for_block(w);
        let [p1, p2, p3, _] = before;
        !w.is_zero(c.wrong(w, c.pair_faults(w, x, p1), p2, p3))
    }

    /// Writes the code units of the characters that end one before `ends`; the third and the fourth bytes
    /// of characters of four are one before `pairs`. What is after them in `to` may be overwritten.
    #[inline(always)]
    fn write<const BE: bool>(
        self,
        to: &mut Units,
        before: [<Self::W as Wide>::V; BEFORE],
        ends: u64,
        pairs: [u64; 2],
    ) {
        let words = words_with_pairs(self.wide(), before, pairs);
        emit::<Self::W, BE>(self.wide(), to, ends, words);
    }

    /// Writes what [`Steps::write`] does, and nothing past the end of `to`.
    #[inline(always)]
    fn write_exactly<const BE: bool>(
        self,
        to: &mut [MaybeUninit<u8>],
        before: [<Self::W as Wide>::V; BEFORE],
        ends: u64,
        pairs: [u64; 2],
    ) {
        let words = words_with_pairs(self.wide(), before, pairs);
        emit_exactly::<Self::W, BE>(self.wide(), to, ends, words);
    }
}

/// Converts well-formed UTF-8. Returns the bytes read and the units written.
#[inline(always)]
pub(super) fn utf8_to_utf16<S: Steps>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let run = convert::<S, false, false>(s, src, as_bytes(dst));
    (run.at, run.units)
}

/// Converts well-formed UTF-8 to bytes in the given order. Returns the bytes read and written.
#[inline(always)]
pub(super) fn utf8_to_utf16_bytes<S: Steps, const BE: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let run = convert::<S, BE, false>(s, src, dst);
    (run.at, 2 * run.units)
}

/// Converts UTF-8, with U+FFFD for each maximal subpart of malformed input.
#[inline(always)]
pub(super) fn utf8_to_utf16_lossy<S: Steps>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> Transcoded {
    let run = convert::<S, false, true>(s, src, as_bytes(dst));
    Transcoded {
        read: run.at,
        written: run.units,
        errors: run.errors,
    }
}

#[inline(always)]
fn convert<S: Steps, const BE: bool, const LOSSY: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Run {
    match s.short::<BE>(src, dst) {
        Some(units) => Run {
            at: src.len(),
            units,
            ..Run::default()
        },
        None => s.long::<BE, LOSSY>(src, dst),
    }
}

/// Converts what is not short, or not well-formed, or has little room.
#[inline(always)]
pub(super) fn convert_long<S: Steps, const BE: bool, const LOSSY: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Run {
    let mut run = Run::default();
    if !first_block::<S, BE>(s, src, dst, &mut run)
        && !s.partial_block::<BE, LOSSY>(src, dst, &mut run)
    {
        return run;
    }
    loop {
        s.clean_blocks::<BE>(src, dst, &mut run);
        if LOSSY && !BE && blocks_of_lone_bytes(s.wide(), src, dst, &mut run) {
            continue;
        }
        if last_block::<S, BE>(s, src, dst, &mut run)
            || !s.partial_block::<BE, LOSSY>(src, dst, &mut run)
        {
            return run;
        }
    }
}

/// The first block, if it is a whole one and well-formed.
#[inline(always)]
fn first_block<S: Steps, const BE: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
) -> bool {
    let w = s.wide();
    let (Some(block), Some(to)) = (
        src.first_chunk::<BLOCK>(),
        dst.first_chunk_mut::<{ 2 * BLOCK }>(),
    ) else {
        return false;
    };
    if w.widen_ascii::<BE>(block, to) == BLOCK {
        run.units = BLOCK - 1;
        run.starts = !0;
    } else {
        let views = w.views_after_zeros(w.load(block));
        if s.is_wrong(views) {
            return false;
        }
        let fours = w.at_least(views.before[2], 0xF0);
        run.starts = !w.continuations(views.x);
        // Nothing ends before the first byte.
        let ends = (run.starts | fours) & !1;
        s.write::<BE>(to, views.before, ends, [fours, fours << 1]);
        run.units = ends.count_ones() as usize;
    }
    run.at = BLOCK;
    true
}

/// Whole blocks of well-formed input, as long as there is room for a block and a unit.
#[inline(always)]
fn clean_blocks<W: Wide, const BE: bool>(
    w: W,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
) {
    let Run {
        mut at,
        mut units,
        mut starts,
        dirty,
        ..
    } = *run;
    if at < BEFORE || dirty {
        return;
    }
    let c = &Constants::for_loop(w);
    let mut starts_ahead = starts_at(w, src, at);
    while let (Some(block), Some(to)) = (
        src[at - BEFORE..].first_chunk::<{ BEFORE + BLOCK }>(),
        dst.get_mut(2 * units..)
            .and_then(|room| room.first_chunk_mut::<{ 2 + 2 * BLOCK }>()),
    ) {
        let Views { x, before } = views_of_block(w, block);
        if w.is_ascii(x) && block[BEFORE - 1] < 0x80 {
            if let Some(last) = to.first_chunk_mut() {
                *last = unit::<BE>(block[BEFORE - 1]);
            }
            let len = w.widen_ascii::<BE>(&src[at..], &mut dst[2 * units + 2..]);
            at += len;
            units += len;
            starts = !0;
            starts_ahead = starts_at(w, src, at);
            continue;
        }
        let Some(to) = to.first_chunk_mut::<{ 2 * BLOCK }>() else {
            break;
        };
        let [p1, p2, p3, _] = before;
        let faults = c.pair_faults(w, x, p1);
        if !w.any_at_least(p3, 0xF0) && block[0] < 0xF0 {
            if !w.is_zero(c.wrong_thirds(w, faults, p2)) {
                break;
            }
            let starts_before = starts;
            starts = if W::LOOKS_AHEAD {
                core::mem::replace(&mut starts_ahead, starts_at(w, src, at + BLOCK))
            } else {
                !w.continuations(x)
            };
            emit::<W, BE>(w, to, starts, c.words(w, [p1, p2, p3]));
            units += starts.count_ones() as usize;
            let likely = utf8_threes::is_likely(starts)
                && (W::TAKES_THREES_AT_ONCE || utf8_threes::is_likely(starts_before));
            if likely {
                // From the last start on, before which all is written.
                let from = at + BLOCK - 1 - starts.leading_zeros() as usize;
                let (threes, room) = (&src[from..], &mut dst[2 * units..]);
                // SAFETY: there is a `Wide`, so that the processor has AVX2.
                let more = unsafe { utf8_threes::to_utf16::<BE>(threes, room) };
                if more > 0 {
                    at = from + 3 * more;
                    // The last one is left, and written again.
                    units += more - 1;
                    starts = utf8_threes::STARTS;
                    starts_ahead = starts_at(w, src, at);
                    continue;
                }
            }
        } else {
            if !w.is_zero(c.wrong(w, faults, p2, p3)) {
                break;
            }
            starts = if W::LOOKS_AHEAD {
                core::mem::replace(&mut starts_ahead, starts_at(w, src, at + BLOCK))
            } else {
                !w.continuations(x)
            };
            let fours = w.at_least(p3, 0xF0);
            let fourths = fours << 1 | u64::from(block[0] >= 0xF0);
            let words = surrogates(w, c.words(w, [p1, p2, p3]), fours, fourths);
            emit::<W, BE>(w, to, starts | fours, words);
            units += (starts | fours).count_ones() as usize;
        }
        at += BLOCK;
    }
    run.at = at;
    run.units = units;
    run.starts = starts;
}

/// The starts in the block at `at`, or the last one.
#[inline(always)]
fn starts_at<W: Wide>(w: W, src: &[u8], at: usize) -> u64 {
    let at = at.min(src.len().saturating_sub(BLOCK));
    match src[at..].first_chunk() {
        Some(block) if W::LOOKS_AHEAD => !w.continuations(w.load(block)),
        _ => !0,
    }
}

/// Blocks of ASCII and of bytes that stand alone in it, each of which becomes U+FFFD. Returns whether
/// there was one.
#[inline(always)]
fn blocks_of_lone_bytes<W: Wide>(
    w: W,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
) -> bool {
    if !run.is_after_start(src) {
        return false;
    }
    let start = run.at;
    while let Some(block) = src[run.at - BEFORE..].first_chunk::<{ BEFORE + BLOCK }>()
        && let Some(to) = dst.get_mut(2 * run.units..)
        && let Some(to) = to.first_chunk_mut::<{ 2 * BLOCK }>()
    {
        let (x, p1) = (view::<0, W>(w, block), view::<1, W>(w, block));
        if !w.is_ascii(w.and(x, p1)) {
            break;
        }
        run.errors += w.not_ascii(p1).count_ones() as usize;
        // As a number with a sign, FD is U+FFFD.
        w.widen_signed(to, w.select_where_not_ascii(p1, w.splat_u8(0xFD), p1));
        run.units += BLOCK;
        run.at += BLOCK;
    }
    run.has_passed_lone_bytes(src, start)
}

/// What is left, if it is less than a block and well-formed and fits.
#[inline(always)]
fn last_block<S: Steps, const BE: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
) -> bool {
    let w = s.wide();
    let Run { at, units, .. } = *run;
    let len = src.len() - at;
    let to = dst.get_mut(2 * units..).unwrap_or_default();
    if at < BEFORE || len >= BLOCK || to.len() < 2 * (len + 1) || run.dirty {
        return false;
    }
    let (last, rest) = to.split_at_mut(2);
    if src[at - 1] < 0x80 && w.widen_short::<BE>(&src[at..], &mut rest[..2 * len]) {
        last.copy_from_slice(&unit::<BE>(src[at - 1]));
        run.units += len + 1;
    } else {
        let views = w.views(src, at);
        if s.is_wrong(views) {
            return false;
        }
        // Behind the last byte stands one more start.
        let fours = w.at_least(views.before[2], 0xF0);
        let ends = (!w.continuations(views.x) | fours) & (!0 >> (BLOCK - 1 - len));
        let fourths = fours << 1 | u64::from(src[at - BEFORE] >= 0xF0);
        s.write_exactly::<BE>(to, views.before, ends, [fours, fourths]);
        run.units += ends.count_ones() as usize;
    }
    run.at = src.len();
    true
}

/// One block anywhere: the first, the last, one with malformed input, one with little room. False
/// when the kernel is at its end.
#[inline(always)]
pub(super) fn partial_block<W: Wide, const BE: bool, const LOSSY: bool>(
    w: W,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
) -> bool {
    let units = run.units;
    let c = &Constants::for_block(w);
    let Views { x, before } = w.views(src, run.at);
    let [p1, p2, p3, _] = before;
    let faults = c.pair_faults(w, x, p1);
    let continuation = w.continuations(x);
    let seen = Seen {
        continuation,
        three_after_four: w.at_least(p3, 0xF0),
        wrong: w.not_zero(c.wrong(w, faults, p2, p3)),
    };
    let found = || Found {
        ascii: !w.not_ascii(x),
        second: continuation
            & w.at_least(p1, 0xC0)
            & !w.not_zero(w.and(faults, w.splat_u8(WRONG_SECOND))),
        continuation,
        after_three: w.at_least(p1, 0xE0),
        two_after_three: w.at_least(p2, 0xE0),
        two_after_four: w.at_least(p2, 0xF0),
        three_after_four: w.at_least(p3, 0xF0),
    };
    let Some(plan) = run.plan::<LOSSY>(src, dst.len() / 2 - units, seen, found) else {
        return false;
    };
    let words = planned_words(w, c, before, plan);
    let to = dst.get_mut(2 * units..).unwrap_or_default();
    match to.first_chunk_mut() {
        Some(to) => emit::<W, BE>(w, to, plan.written, words),
        None => emit_exactly::<W, BE>(w, to, plan.written, words),
    }
    !plan.ends
}

/// The words of a block that may have malformed bytes.
#[inline(always)]
fn planned_words<W: Wide>(w: W, c: &Constants<W>, before: [W::V; BEFORE], plan: Plan) -> Words<W> {
    let [p1, p2, p3, _] = before;
    let mut words = if plan.after_third == !0 {
        c.words(w, [p1, p2, p3])
    } else {
        c.words(w, [p1, p2, w.keep(p3, plan.after_third)])
    };
    if plan.high | plan.low != 0 {
        words = surrogates(w, words, plan.high, plan.low);
    }
    if plan.replaced != 0 {
        words = w.blend_words(words, [w.splat_u16(0xFFFD); 2], plan.replaced);
    }
    words
}

/// The words of a well-formed block.
#[inline(always)]
fn words_with_pairs<W: Wide>(
    w: W,
    [p1, p2, p3, _]: [W::V; BEFORE],
    [third, fourth]: [u64; 2],
) -> Words<W> {
    let words = Constants::for_block(w).words(w, [p1, p2, p3]);
    if third | fourth == 0 {
        words
    } else {
        surrogates(w, words, third, fourth)
    }
}

/// A text of `len` bytes that a block holds: at which bytes a code unit is, and the words; `None` where
/// it is malformed. Here, and only here, every vector is about the bytes of the block itself.
#[inline(always)]
pub(super) fn whole_text<W: Wide>(w: W, views: Views<W::V>, len: usize) -> Option<(u64, Words<W>)> {
    let c = &Constants::for_block(w);
    let Views {
        x,
        before: [p1, p2, p3, _],
    } = views;
    if !w.is_zero(c.wrong(w, c.pair_faults(w, x, p1), p2, p3)) {
        return None;
    }
    let mut ends = !(w.continuations(x) >> 1) & !(!0 << (len - 1) << 1);
    let mut words = c.words(w, [x, p1, p2]);
    let thirds = w.at_least(p2, 0xF0);
    if thirds != 0 {
        ends |= thirds;
        words = surrogates(w, words, thirds, thirds << 1);
    }
    Some((ends, words))
}

/// Whether the last bytes are the front of a character, which shows only where there is a byte after it
/// in the vector.
#[inline(always)]
pub(super) fn ends_inside_a_character(src: &[u8]) -> bool {
    matches!(*src, [.., a, b, c] if (a >= 0xF0) | (b >= 0xE0) | (c >= 0xC0))
}
