//! UTF-8 to UTF-16, 64 bytes at a time.
//!
//! There is no loop over characters. At every position of a block, the code unit is computed that is right if
//! a character ends there (`utf8_units.rs`); then, eight positions at a time, a shuffle moves the units of
//! actual ends to the front. Whether a character ends is known from the byte after it (`utf8_starts.rs`), so
//! all vectors are about the byte before that of the block's masks.
//!
//! Stops before malformed or incomplete sequences, and before characters that don't fit. Units after the
//! counted ones may be overwritten.

use core::mem::MaybeUninit;

use super::BLOCK;
use super::utf8_partial_blocks::{blocks_of_lone_bytes, partial_block};
use super::utf8_starts::Progress;
use super::utf8_steps::Steps;
use super::utf8_units::{
    BEFORE, Block, Constants, Texts, Units, bytes, each, emit, emit_exactly, surrogates, text,
    texts_at, three_before, view, views,
};
use crate::simd::kernels::Transcoded;
use crate::simd::shared::as_bytes;
use crate::simd::vector::Vector;

/// Converts well-formed UTF-8. Returns the number of bytes read and of code units written.
#[inline(always)]
pub(in crate::simd) fn utf8_to_utf16<S: Steps>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let dst = as_bytes(dst);
    if !S::TRIES_ONE_BLOCK {
        let run = convert(s, src, dst, false);
        return (run.at, run.units);
    }
    if let Some(units) = s.try_one_block(src, dst) {
        (src.len(), units)
    } else {
        s.run_apart(
            src,
            dst,
            #[inline(always)]
            |s, src, dst| {
                let run = convert(s, src, dst, false);
                (run.at, run.units)
            },
        )
    }
}

/// Converts UTF-8, with U+FFFD for each maximal subpart of malformed input.
#[inline(always)]
pub(in crate::simd) fn utf8_to_utf16_lossy<S: Steps>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> Transcoded {
    let run = convert(s, src, as_bytes(dst), true);
    Transcoded {
        read: run.at,
        written: run.units,
        errors: run.errors,
    }
}

#[inline(always)]
fn convert<S: Steps>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>], is_lossy: bool) -> Progress {
    let mut run = Progress {
        is_lossy,
        ..Progress::default()
    };
    let all = |units| Progress {
        at: src.len(),
        units,
        ..run
    };
    if let Some(units) = s.try_short(src, dst) {
        return all(units);
    }
    if is_lossy && src.len() <= BLOCK {
        while partial_block(s, src, dst, &mut run) {}
        return run;
    }
    if let Some(units) = s.try_short_blocks(src, dst) {
        return all(units);
    }
    let ascii = ascii_front(s, src, dst);
    if ascii == src.len() {
        return all(ascii);
    }
    let progress = &mut run;
    s.run_apart(
        src,
        dst,
        #[inline(always)]
        move |s, src, dst| convert_blocks(s, src, dst, ascii, progress),
    );
    run
}

/// Converts ASCII at the front, as far as there is room: whole blocks, at most a kilobyte, or all of the text. Returns
/// its length. Inlined in front of the call that converts the rest, because ASCII takes so little time.
#[inline(always)]
fn ascii_front<S: Steps>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    const MAX_LEN: usize = 1024;
    let done = s.widen_ascii(&src[..src.len().min(MAX_LEN)], dst);
    // The last block overlaps the one before it.
    if done < src.len()
        && let Some(last) = src.len().checked_sub(BLOCK)
        && done > last
        && let Some(to) = dst.get_mut(2 * last..2 * src.len())
        && s.widen_ascii(&src[last..], to) == BLOCK
    {
        return src.len();
    }
    done
}

/// Converts input that is not short, or not well-formed, or has little room. The first `ascii` bytes, whole blocks,
/// are converted already.
#[inline(always)]
fn convert_blocks<S: Steps>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    ascii: usize,
    run: &mut Progress,
) {
    if ascii > 0 {
        run.at = ascii;
        run.units = ascii - 1;
        run.starts = !0;
    } else if !first_block(s, src, dst, run) && !partial_block(s, src, dst, run) {
        return;
    }
    loop {
        s.clean_blocks(src, dst, run);
        let has_lone_bytes = run.is_lossy
            && s.run_apart(
                src,
                dst,
                #[inline(always)]
                |s, src, dst| blocks_of_lone_bytes(s, src, dst, run),
            );
        if has_lone_bytes {
            continue;
        }
        let mut is_done = Some(false);
        while is_done == Some(false) {
            is_done = last_block(s, src, dst, run);
        }
        if is_done.unwrap_or_else(|| !partial_block(s, src, dst, run)) {
            return;
        }
    }
}

/// Converts the first block, if it is a whole one that is well-formed and not ASCII.
#[inline(always)]
fn first_block<S: Steps>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Progress,
) -> bool {
    let (Some(block), Some(to)) = (
        src.first_chunk::<BLOCK>(),
        dst.first_chunk_mut::<{ 2 * BLOCK }>(),
    ) else {
        return false;
    };
    let texts = texts_at(s, block, 0);
    let fours = s.block_at_least(each(s, &texts, three_before), 0xF0);
    run.starts = !s.block_continuations(each(s, &texts, bytes));
    // Nothing ends before the first byte.
    let ends = (run.starts | fours) & !1;
    if !s.write_if_right(to, texts, ends, [fours, fours << 1]) {
        return false;
    }
    run.units = ends.count_ones() as usize;
    run.at = BLOCK;
    true
}

/// The default of [`Steps::clean_blocks`].
#[inline(always)]
pub(super) fn clean_blocks<S: Steps>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Progress,
) {
    let Progress {
        mut at,
        mut units,
        mut starts,
        dirty,
        ..
    } = *run;
    if at < BEFORE || dirty {
        return;
    }
    let c = &Constants::for_loop(s);
    let mut threes_in_a_row = 0;
    while let (Some(block), Some(to)) = (
        src[at - BEFORE..].first_chunk::<{ BEFORE + BLOCK }>(),
        dst.get_mut(2 * units..)
            .and_then(|room| room.first_chunk_mut::<{ 2 + 2 * BLOCK }>()),
    ) {
        let highest = highest(s, block);
        if s.is_ascii(highest) {
            if let Some(last) = to.first_chunk_mut() {
                *last = unit(block[BEFORE - 1]);
            }
            let len = s.widen_ascii(&src[at..], &mut dst[2 * units + 2..]);
            at += len;
            units += len;
            starts = !0;
            continue;
        }
        let Some(to) = to.first_chunk_mut::<{ 2 * BLOCK }>() else {
            break;
        };
        let starts_here = !s.block_continuations(views(s, block, 0));
        let written = if any_at_least(s, highest, 0xF0) {
            clean_block::<S, 4>(s, c, block, to, starts_here)
        } else if S::HAS_TWOS && !any_at_least(s, highest, 0xE0) {
            clean_block::<S, 2>(s, c, block, to, starts_here)
        } else {
            clean_block::<S, 3>(s, c, block, to, starts_here)
        };
        let Some(written) = written else {
            break;
        };
        units += written;
        starts = starts_here;
        if written <= MAX_STARTS_OF_THREES {
            threes_in_a_row += 1;
            if threes_in_a_row >= S::BLOCKS_BEFORE_THREES {
                // From the last start on, before which everything is written.
                let from = at + BLOCK - 1 - starts.leading_zeros() as usize;
                let more = s.convert_threes(&src[from..], &mut dst[2 * units..]);
                if more > 0 {
                    at = from + 3 * more;
                    // The last character is left, and written again.
                    units += more - 1;
                    starts = STARTS_OF_THREES;
                    continue;
                }
            }
        } else {
            threes_in_a_row = 0;
        }
        at += BLOCK;
    }
    run.at = at;
    run.units = units;
    run.starts = starts;
}

/// The starts of a block of three-byte characters that ends with the last byte of one.
const STARTS_OF_THREES: u64 = 0x2492_4924_9249_2492;

/// The maximum number of starts in a block of at most three bytes per character that has hardly any shorter
/// ones.
pub(in crate::simd) const MAX_STARTS_OF_THREES: usize = 22;

/// Returns, in each lane, the highest byte of the block's vectors and of the bytes before the block.
#[inline(always)]
pub(in crate::simd) fn highest<V: Vector>(v: V, block: &Block) -> V::V {
    let mut highest = view(v, block, 0, BEFORE);
    for i in 0..BLOCK / V::LANES {
        highest = v.max_u8(highest, view(v, block, i, 0));
    }
    highest
}

/// Returns whether any byte is at least `least`, which must be at least 80.
#[inline(always)]
pub(in crate::simd) fn any_at_least<V: Vector>(v: V, bytes: V::V, least: u8) -> bool {
    !v.is_ascii(v.saturating_sub_u8(bytes, v.splat_u8(least - 0x80)))
}

/// Returns an ASCII byte as a code unit.
#[inline(always)]
fn unit(byte: u8) -> [MaybeUninit<u8>; 2] {
    [byte, 0].map(MaybeUninit::new)
}

/// Converts a block of characters of at most `LONGEST` bytes. Returns the number of units written, or `None`
/// if there is a malformed byte.
#[inline(always)]
fn clean_block<S: Steps, const LONGEST: usize>(
    s: S,
    c: &Constants<S>,
    block: &Block,
    to: &mut Units,
    starts: u64,
) -> Option<usize> {
    let (mut ends, mut thirds, mut fourths) = (starts, 0, 0);
    if LONGEST == 4 {
        thirds = s.block_at_least(views(s, block, 3), 0xF0);
        fourths = thirds << 1 | u64::from(block[0] >= 0xF0);
        ends |= thirds;
    }
    let mut wrong = s.splat_u8(0);
    if S::VALIDATES_FIRST {
        for i in 0..BLOCK / S::LANES {
            wrong = s.or(wrong, c.errors::<LONGEST>(s, text(s, block, i)));
        }
        if s.any(wrong) {
            return None;
        }
    }
    emit(
        s,
        to,
        ends,
        BLOCK / S::LANES,
        #[inline(always)]
        |i| {
            let text = text(s, block, i);
            if !S::VALIDATES_FIRST {
                wrong = s.or(wrong, c.errors::<LONGEST>(s, text));
            }
            let units = c.units::<LONGEST>(s, text);
            if LONGEST == 4 {
                surrogates(
                    s,
                    units,
                    thirds >> (S::LANES * i),
                    fourths >> (S::LANES * i),
                )
            } else {
                units
            }
        },
    );
    (!s.any(wrong)).then_some(ends.count_ones() as usize)
}

/// The default of [`Steps::write_if_right`].
#[inline(always)]
pub(super) fn write_if_right<S: Steps>(
    s: S,
    to: &mut [MaybeUninit<u8>],
    texts: Texts<S>,
    ends: u64,
    [third, fourth]: [u64; 2],
) -> bool {
    let c = &Constants::for_block(s);
    let mut wrong = s.splat_u8(0);
    for text in texts.iter().take(BLOCK / S::LANES) {
        wrong = s.or(wrong, c.errors::<4>(s, *text));
    }
    if s.any(wrong) {
        return false;
    }
    emit_exactly(
        s,
        to,
        ends,
        BLOCK / S::LANES,
        #[inline(always)]
        |i| {
            let units = c.units::<4>(s, texts[i]);
            if third | fourth == 0 {
                units
            } else {
                surrogates(s, units, third >> (S::LANES * i), fourth >> (S::LANES * i))
            }
        },
    );
    true
}

/// Converts the rest, if it is less than a block, well-formed, and fits; or as much ASCII as fits, if that is at most
/// a block. Returns whether the kernel is done. If there is a block or more, but not the room for a block of ASCII, one
/// block is converted, and false returned. `None` if nothing is converted.
#[inline(always)]
fn last_block<S: Steps>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Progress,
) -> Option<bool> {
    let Progress { at, units, .. } = *run;
    let to = dst.get_mut(2 * units..).unwrap_or_default();
    if at < BEFORE || run.dirty {
        return None;
    }
    let from = &src[at - 1..];
    let count = from.len().min(to.len() / 2);
    let is_all = count == from.len();
    // Not measured with AVX-512, whose vectors are blocks.
    if from[0] < 0x80
        && (1..=BLOCK).contains(&count)
        && (is_all || S::LANES < BLOCK)
        && s.widen_short(&from[..count], &mut to[..2 * count])
    {
        run.at = at - 1 + count;
        run.units += count;
        return Some(true);
    }
    let len = src.len() - at;
    if len >= BLOCK && to.len() >= 2 + 2 * BLOCK {
        return None;
    }
    let texts = texts_at(s, src, at);
    let fours = s.block_at_least(each(s, &texts, three_before), 0xF0);
    let starts = !s.block_continuations(each(s, &texts, bytes));
    // One more start is assumed after the last byte.
    let ends = (starts | fours) & (!0 >> (BLOCK - 1).saturating_sub(len));
    let written = ends.count_ones() as usize;
    let fourths = fours << 1 | u64::from(src[at - BEFORE] >= 0xF0);
    if written > to.len() / 2 || !s.write_if_right(to, texts, ends, [fours, fourths]) {
        return None;
    }
    run.units += written;
    run.at += len.min(BLOCK);
    run.starts = starts;
    Some(len < BLOCK)
}
