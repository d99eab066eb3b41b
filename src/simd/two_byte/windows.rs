//! Two-byte encodings, decoded window by window: which kernel suits what comes next.

use core::mem::MaybeUninit;

use super::index::TwoByteIndex;
use super::steps::{Target, decode};
use crate::simd::flat::Words;

/// Bytes for which a kernel is chosen.
pub(super) const WINDOW: usize = 4096;

/// Bytes at the front of a window that are looked at.
pub(super) const SAMPLE: usize = 256;

/// So many ends of runs in a sample are too many for the processor to guess where they are.
pub(super) const MANY: usize = 16;

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
    // Where something malformed comes soon it is not worth to look ahead.
    let first = &src[..src.len().min(SAMPLE)];
    let (mut read, mut written) = decode(target, index, first, dst);
    if read + 1 < first.len() {
        return (read, written);
    }
    loop {
        let ahead = src.get(read..).unwrap_or_default();
        let mut window = &ahead[..ahead.len().min(WINDOW)];
        if let Some(sample) = window.first_chunk()
            && let Some(flat) = index.flat(0)
            && run_ends(sample) > MANY
        {
            // The last of the blocks may reach beyond the window.
            let block = &ahead[..ahead.len().min(WINDOW + 64)];
            let (taken, put) = blocks(flat, block, &mut dst[written..]);
            read += taken;
            written += put;
            window = window.get(taken..).unwrap_or_default();
        }
        let (taken, put) = decode(target, index, window, &mut dst[written..]);
        read += taken;
        written += put;
        // A character may go on after the window.
        if taken + 1 < window.len() || ahead.len() <= WINDOW {
            return (read, written);
        }
    }
}

/// How many times other characters end and ASCII begins, about. Bytes below 40 are ASCII always, and one
/// of the two before an end is a lead byte or a trail byte above 7F.
#[inline(always)]
pub(super) fn run_ends<Unit: Copy + From<u8> + PartialOrd>(sample: &[Unit; SAMPLE]) -> usize {
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
