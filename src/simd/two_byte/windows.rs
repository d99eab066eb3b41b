//! Two-byte encodings, decoded and encoded window by window: which kernel suits what comes next.
//!
//! Where runs of ASCII and of other characters are long, `decode.rs` and `encode.rs` take them run by run.
//! Where they are short the processor can not guess where they end; then blocks are better, of which an
//! instruction set has its own.

use core::mem::MaybeUninit;

use super::cells::TwoByteCells;
use super::decode::{Target, decode};
use super::encode::{Source, encode};
use super::index::TwoByteIndex;
use crate::simd::flat::Words;

/// Bytes in a block of a two-byte encoding.
pub(in crate::simd) const BLOCK: usize = 64;

/// Units for which a kernel is chosen.
const WINDOW: usize = 4096;

/// Units at the front of a window that are looked at.
const SAMPLE: usize = 256;

/// Ends of runs of a two-byte encoding, or of UTF-8, in a sample: with more of them blocks are better.
pub(in crate::simd) const MAX_RUN_ENDS: usize = 16;

/// Ends of runs of UTF-16 in a sample: with more of them blocks are better. They cost less from UTF-16.
pub(in crate::simd) const MAX_RUN_ENDS_UTF16: usize = 4;

/// Decodes as [`decode`] does, but leaves text of many short runs to `blocks`. That decodes from the
/// front with a flat table, whole blocks, up to one in which there is something without a code unit, or
/// for which there is little room; and returns the bytes read and what was written.
#[inline(always)]
pub(in crate::simd) fn decode_by_windows<T: Target>(
    target: T,
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<T::Unit>],
    mut blocks: impl FnMut(&Words, &[u8], &mut [MaybeUninit<T::Unit>]) -> (usize, usize),
) -> (usize, usize) {
    // A lead byte may be left of a window. The last of the blocks may reach beyond it.
    by_windows::<1, BLOCK, _, _>(
        src,
        dst,
        #[inline(always)]
        |sample| index.flat(0).is_some() && run_ends(sample) > MAX_RUN_ENDS,
        #[inline(always)]
        |src, dst| match index.flat(0) {
            Some(flat) => blocks(flat, src, dst),
            None => (0, 0),
        },
        #[inline(always)]
        |src, dst| decode(target, index, src, dst),
    )
}

/// Encodes as [`encode`] does, but leaves text of short runs, more than `max_run_ends` in a sample, to
/// `blocks`. That encodes from the front with a flat table, and may stop anywhere between two characters; it returns the
/// units read and the bytes written.
#[inline(always)]
pub(in crate::simd) fn encode_by_windows<S: Source<Unit: From<u8> + PartialOrd>>(
    source: S,
    cells: &TwoByteCells,
    max_run_ends: usize,
    src: &[S::Unit],
    dst: &mut [MaybeUninit<u8>],
    mut blocks: impl FnMut(&Words, &[S::Unit], &mut [MaybeUninit<u8>]) -> (usize, usize),
) -> (usize, usize) {
    // Three bytes of a character of UTF-8 may be left of a window.
    by_windows::<3, 0, _, _>(
        src,
        dst,
        #[inline(always)]
        |sample| cells.flat(0).is_some() && run_ends(sample) > max_run_ends,
        #[inline(always)]
        |src, dst| match cells.flat(0) {
            Some(flat) => blocks(flat, src, dst),
            None => (0, 0),
        },
        #[inline(always)]
        |src, dst| encode(source, cells, src, dst),
    )
}

/// Converts window by window with `blocks`, where the sample at the front of a window is `of_short_runs`,
/// and what that leaves, or all of the window, with `runs`. Up to `CUT` units at the end of a window may be
/// left by `runs`, as the front of a character that goes on after it; `blocks` gets `BEYOND` units more than
/// a window. Returns the units read and the units written.
///
/// The closures above are `inline(always)`: what is not a part of the kernel is not compiled for its
/// instruction set.
#[inline(always)]
fn by_windows<const CUT: usize, const BEYOND: usize, From, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    of_short_runs: impl Fn(&[From; SAMPLE]) -> bool,
    mut blocks: impl FnMut(&[From], &mut [MaybeUninit<To>]) -> (usize, usize),
    runs: impl Fn(&[From], &mut [MaybeUninit<To>]) -> (usize, usize),
) -> (usize, usize) {
    // Where something comes soon that is not converted it is not worth to look ahead.
    let first = &src[..src.len().min(SAMPLE)];
    let (mut read, mut written) = runs(first, dst);
    if read + CUT < first.len() {
        return (read, written);
    }
    loop {
        let ahead = src.get(read..).unwrap_or_default();
        let mut window = &ahead[..ahead.len().min(WINDOW)];
        if window.first_chunk().is_some_and(&of_short_runs) {
            let (taken, put) = blocks(
                &ahead[..ahead.len().min(WINDOW + BEYOND)],
                &mut dst[written..],
            );
            read += taken;
            written += put;
            window = window.get(taken..).unwrap_or_default();
        }
        let (taken, put) = runs(window, &mut dst[written..]);
        read += taken;
        written += put;
        if taken + CUT < window.len() || ahead.len() <= WINDOW {
            return (read, written);
        }
    }
}

/// How many times other characters end and ASCII begins, about. Bytes below 40 are ASCII always, and one
/// of the two before an end is a lead byte or a trail byte above 7F.
#[inline(always)]
fn run_ends<Unit: Copy + From<u8> + PartialOrd>(sample: &[Unit; SAMPLE]) -> usize {
    const LANES: usize = 32;
    let mut ends = [0_u8; LANES];
    let (before, between, after) = (sample, &sample[1..], &sample[2..]);
    let before = before.as_chunks::<LANES>().0.iter();
    let between = between.as_chunks::<LANES>().0;
    let after = after.as_chunks::<LANES>().0;
    for ((a, b), c) in before.zip(between).zip(after) {
        for i in 0..LANES {
            let is_other = (a[i] >= 0x80.into()) | (b[i] >= 0x80.into());
            ends[i] += u8::from(is_other & (c[i] < 0x40.into()));
        }
    }
    ends.iter().map(|&ends| usize::from(ends)).sum()
}
