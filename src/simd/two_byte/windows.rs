//! Two-byte encodings, decoded and encoded window by window, with the kernel that suits each window.
//!
//! If runs of ASCII and of other characters are long, `decode.rs` and `encode.rs` convert them run by run. If
//! they are short, the processor can't predict where they end; then blocks are better, for which instruction
//! sets have their own code.

use core::mem::MaybeUninit;

use super::cells::TwoByteCells;
use super::decode::{Target, decode};
use super::encode::{Source, encode};
use super::index::TwoByteIndex;
use crate::simd::flat::Words;

/// The number of units for which a kernel is chosen.
const WINDOW: usize = 4096;

/// The number of ASCII runs in the first [`SAMPLE`] units after which a sample is examined. If there are
/// fewer, or a character that can't be converted comes soon, looking ahead is not worth it.
const RUNS_BEFORE_SAMPLE: usize = 6;

/// The number of units at the front of a window that are examined.
const SAMPLE: usize = 256;

/// The number of run ends in a sample of a two-byte encoding, or of UTF-8; with more of them, blocks are
/// better.
pub(in crate::simd) const MAX_RUN_ENDS: usize = 16;

/// The number of run ends in a sample of UTF-16; with more of them, blocks are better. They cost less from
/// UTF-16.
pub(in crate::simd) const MAX_RUN_ENDS_UTF16: usize = 4;

/// Decodes as [`decode`] does, but leaves text of many short runs to `blocks`. `blocks` decodes as
/// [`decode_blocks`](super::blocks::decode_blocks) does, and should be a separate function, so that it takes no
/// registers from the loop over runs.
#[inline(always)]
pub(in crate::simd) fn decode_by_windows<T: Target>(
    target: T,
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<T::Unit>],
    mut blocks: impl FnMut(&Words, &[u8], &mut [MaybeUninit<T::Unit>]) -> (usize, usize),
) -> (usize, usize) {
    // A lead byte may be left at the end of a window.
    by_windows::<1, _, _>(
        false,
        src,
        dst,
        #[inline(always)]
        |window| index.flat(0).is_some() && has_short_runs(window, MAX_RUN_ENDS),
        #[inline(always)]
        |src, dst| match index.flat(0) {
            Some(flat) => blocks(flat, src, dst),
            None => (0, 0),
        },
        #[inline(always)]
        |src, dst, most_runs| decode(target, index, most_runs, src, dst),
    )
}

/// Encodes as [`encode`] does, but leaves text of short runs, with more than `max_run_ends` in a sample, to `blocks`.
/// `blocks` encodes from the front with a flat table, and may stop between any two characters; it returns the number of
/// units read and of bytes written. If not `samples_first`, it waits for some runs before it looks ahead.
#[inline(always)]
pub(in crate::simd) fn encode_by_windows<S: Source<Unit: From<u8> + PartialOrd>>(
    source: S,
    cells: &TwoByteCells,
    max_run_ends: usize,
    samples_first: bool,
    src: &[S::Unit],
    dst: &mut [MaybeUninit<u8>],
    mut blocks: impl FnMut(&Words, &[S::Unit], &mut [MaybeUninit<u8>]) -> (usize, usize),
) -> (usize, usize) {
    // Three bytes of a character of UTF-8 may be left at the end of a window.
    by_windows::<3, _, _>(
        samples_first,
        src,
        dst,
        #[inline(always)]
        |window| cells.flat(0).is_some() && has_short_runs(window, max_run_ends),
        #[inline(always)]
        |src, dst| match cells.flat(0) {
            Some(flat) => blocks(flat, src, dst),
            None => (0, 0),
        },
        #[inline(always)]
        |src, dst, most_runs| encode(source, cells, most_runs, src, dst),
    )
}

/// Converts window by window: with `blocks` if a window is `of_short_runs`, and the rest, or else the whole
/// window, with `runs`, which counts down the ASCII runs that it is given, and stops at 0. Either may leave
/// up to `CUT` units at the end of a window, as the front of a character that continues after it. Returns the
/// number of units read and written.
///
/// The closures above are `inline(always)`: code that is not part of the kernel is not compiled for its
/// instruction set.
#[inline(always)]
fn by_windows<const CUT: usize, From, To>(
    samples_first: bool,
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    of_short_runs: impl Fn(&[From]) -> bool,
    mut blocks: impl FnMut(&[From], &mut [MaybeUninit<To>]) -> (usize, usize),
    runs: impl Fn(&[From], &mut [MaybeUninit<To>], &mut usize) -> (usize, usize),
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let (mut size, mut most_runs) = if samples_first {
        (WINDOW, usize::MAX)
    } else {
        (SAMPLE, RUNS_BEFORE_SAMPLE)
    };
    loop {
        let ahead = src.get(read..).unwrap_or_default();
        let mut window = &ahead[..ahead.len().min(size)];
        // In a small buffer, what the sample is for has to be worth the time to examine it.
        let sample = &window[..window.len().min((dst.len() - written) / 2)];
        if size == WINDOW && of_short_runs(sample) {
            let (taken, put) = blocks(window, &mut dst[written..]);
            read += taken;
            written += put;
            window = window.get(taken..).unwrap_or_default();
        }
        let (taken, put) = runs(window, &mut dst[written..], &mut most_runs);
        read += taken;
        written += put;
        if most_runs > 0 && (taken + CUT < window.len() || ahead.len() <= size) {
            return (read, written);
        }
        (size, most_runs) = (WINDOW, usize::MAX);
    }
}

/// Returns whether UTF-16 most likely is a page: whether it begins with ASCII, and is worth a sample at once. Without
/// that, pages in buffers of 500 and 1,024 bytes take 1.1 times as long; if all text were examined at once, dense text
/// in such buffers would take 1.2 times as long.
#[inline(always)]
pub(in crate::simd) fn begins_as_page(src: &[u16]) -> bool {
    src.len() >= SAMPLE && src[0] < 0x80
}

/// Returns whether text has short runs: whether there are more than `max_run_ends` in the [`SAMPLE`] units at
/// the front; in shorter text, proportionally fewer.
#[inline(always)]
fn has_short_runs<Unit: Copy + From<u8> + PartialOrd>(text: &[Unit], max_run_ends: usize) -> bool {
    const PART: usize = 4;
    if let Some(sample) = text.first_chunk::<SAMPLE>() {
        run_ends(sample) > max_run_ends
    } else if let Some(sample) = text.first_chunk::<{ SAMPLE / PART }>() {
        run_ends(sample) > max_run_ends / PART
    } else {
        false
    }
}

/// Counts about how many times other characters end and ASCII begins. Bytes below 40 are always ASCII, and
/// one of the two bytes before an end is a lead byte or a trail byte above 7F.
#[inline(always)]
fn run_ends<Unit: Copy + From<u8> + PartialOrd, const N: usize>(sample: &[Unit; N]) -> usize {
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
