//! Two-byte encodings, encoded window by window, as `windows.rs` does the other way.

use core::mem::MaybeUninit;

use super::cells::TwoByteCells;
use super::encode_steps::{Source, encode};
use super::windows::{SAMPLE, WINDOW, run_ends};

/// So many ends of runs of UTF-8 in a sample are too many: blocks go through UTF-16.
pub(in crate::simd) const MANY_OF_UTF8: usize = super::windows::MANY;

/// The same of UTF-16, where blocks cost less.
pub(in crate::simd) const MANY_OF_UTF16: usize = 3;

/// Encodes as [`encode`] does, but leaves text of short runs, more than `many` in a sample, to `blocks`. That encodes from the
/// front, and may stop anywhere between two characters; it returns the units read and the bytes
/// written.
#[inline(always)]
pub(in crate::simd) fn encode_by_windows<S: Source<Unit: From<u8> + PartialOrd>>(
    source: S,
    cells: &TwoByteCells,
    many: usize,
    src: &[S::Unit],
    dst: &mut [MaybeUninit<u8>],
    mut blocks: impl FnMut(&[S::Unit], &mut [MaybeUninit<u8>]) -> (usize, usize),
) -> (usize, usize) {
    // Where something unmappable comes soon it is not worth to look ahead.
    let first = &src[..src.len().min(SAMPLE)];
    let (mut read, mut written) = encode(source, cells, first, dst);
    if read + 3 < first.len() {
        return (read, written);
    }
    loop {
        let ahead = src.get(read..).unwrap_or_default();
        let mut window = &ahead[..ahead.len().min(WINDOW)];
        if window
            .first_chunk()
            .is_some_and(|sample| run_ends(sample) > many)
        {
            let (taken, put) = blocks(window, &mut dst[written..]);
            read += taken;
            written += put;
            window = window.get(taken..).unwrap_or_default();
        }
        let (taken, put) = encode(source, cells, window, &mut dst[written..]);
        read += taken;
        written += put;
        // A character may go on after the window.
        if taken + 3 < window.len() || ahead.len() <= WINDOW {
            return (read, written);
        }
    }
}
