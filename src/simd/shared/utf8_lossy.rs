//! Lossy UTF-8: what the instruction sets share.
//!
//! Well-formed text is validated and copied at full speed. From a malformed sequence on, ASCII and
//! what stands alone in it is copied with nothing but a test for ASCII. Other text is cut, in blocks
//! of 64 bytes, into characters and malformed sequences by mask algebra (`utf8_errors.rs`), until a
//! block is clean again.

use core::mem::MaybeUninit;

use super::utf8_errors::{Block, Malformed};
use crate::simd::kernels::Transcoded;

/// Bytes in a block: as many as a mask has bits.
pub(in crate::simd) const BLOCK: usize = 64;

/// Errors so far apart are rare: what comes after them is most likely well-formed.
const RARE: usize = 512;

/// U+FFFD, and a byte that makes it a word.
const REPLACEMENT: [MaybeUninit<u8>; 4] = [
    MaybeUninit::new(0xEF),
    MaybeUninit::new(0xBF),
    MaybeUninit::new(0xBD),
    MaybeUninit::new(0),
];

/// What an instruction set does with a block.
pub(in crate::simd) struct BlockOps<Classify, CopyBlock, CopyWhole> {
    /// Looks at the block at the front of a slice, or all of it.
    pub(in crate::simd) classify: Classify,
    /// Copies up to a block from the front of a slice. What it writes after the end of that slice
    /// does not matter.
    pub(in crate::simd) copy_block: CopyBlock,
    /// Copies a block, and returns which bytes are not ASCII.
    pub(in crate::simd) copy_whole: CopyWhole,
}

/// Alternates between replacement and `copy`, which copies the longest well-formed prefix. Begins
/// with the former, after what is `done`.
#[inline(always)]
pub(in crate::simd) fn utf8_to_utf8_lossy(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    done: Transcoded,
    copy: impl Fn(&[u8], &mut [MaybeUninit<u8>]) -> usize,
    ops: BlockOps<
        impl Fn(&[u8]) -> Block,
        impl Fn(&[u8], &mut [MaybeUninit<u8>; BLOCK]),
        impl Fn(&[u8; BLOCK], &mut [MaybeUninit<u8>; BLOCK]) -> u64,
    >,
) -> Transcoded {
    let mut done = done;
    // Whether the copy is to be tried again right after an error.
    let mut errors_are_rare = done.read >= RARE;
    loop {
        loop {
            let errors = done.errors;
            copy_ascii(src, dst, &mut done, &ops.copy_whole);
            if errors_are_rare && done.errors > errors {
                break;
            }
            let ahead = src.get(done.read..).unwrap_or_default();
            if ahead.is_empty() {
                return done;
            }
            let malformed = (ops.classify)(ahead).malformed();
            let to = dst.get_mut(done.written..).unwrap_or_default();
            let errors = malformed.ends.count_ones() as usize;
            if malformed.known == 0 {
                return done;
            }
            // The last copy is of a whole block.
            if to.len() < malformed.known + 2 * errors + BLOCK {
                let clean = copy(ahead, to);
                done.read += clean;
                done.written += clean;
                return done;
            }
            done.written += replace(&malformed, ahead, to, &ops.copy_block);
            done.read += malformed.known;
            done.errors += errors;
            if errors == 0 {
                break;
            }
        }
        let ahead = src.get(done.read..).unwrap_or_default();
        let clean = copy(ahead, dst.get_mut(done.written..).unwrap_or_default());
        done.read += clean;
        done.written += clean;
        errors_are_rare = clean >= RARE;
    }
}

/// Copies ASCII, with U+FFFD for each other byte that no continuation byte follows. Goes on after
/// what is `done`, up to a continuation byte or nearly to the end of either slice.
#[inline(always)]
fn copy_ascii(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    done: &mut Transcoded,
    copy_whole: impl Fn(&[u8; BLOCK], &mut [MaybeUninit<u8>; BLOCK]) -> u64,
) {
    /// The last byte above which is a continuation byte.
    const LAST_CONTINUATION: i8 = 0xBF_u8.cast_signed();
    let Transcoded {
        mut read,
        mut written,
        mut errors,
    } = *done;
    while let Some(block) = window::<{ BLOCK + 1 }, _>(src, read)
        && let Some(to) = window_mut::<{ BLOCK + 4 }, _>(dst, written)
        && let (Some(front), Some(to_front)) = (block.first_chunk(), to.first_chunk_mut())
    {
        let others = copy_whole(front, to_front);
        // A jump, so that the next load need not wait for this one.
        if others == 0 {
            read += BLOCK;
            written += BLOCK;
            continue;
        }
        let ascii = others.trailing_zeros() as usize;
        read += ascii;
        written += ascii;
        // Whatever starts here ends here, unless a continuation byte follows.
        if block[ascii + 1].cast_signed() <= LAST_CONTINUATION {
            break;
        }
        if let Some(to) = window_mut(to, ascii) {
            *to = REPLACEMENT;
        }
        read += 1;
        written += 3;
        errors += 1;
    }
    *done = Transcoded {
        read,
        written,
        errors,
    };
}

/// The `N` items from `at` on, if there are so many.
#[inline(always)]
fn window<const N: usize, T>(items: &[T], at: usize) -> Option<&[T; N]> {
    items.get(at..)?.first_chunk()
}

/// The same, to be written.
#[inline(always)]
fn window_mut<const N: usize, T>(items: &mut [T], at: usize) -> Option<&mut [T; N]> {
    items.get_mut(at..)?.first_chunk_mut()
}

/// Copies the known part of the block at the front of `src`, with U+FFFD in the place of what is
/// malformed. Returns the bytes written.
#[inline(always)]
fn replace(
    malformed: &Malformed,
    src: &[u8],
    to: &mut [MaybeUninit<u8>],
    copy_block: impl Fn(&[u8], &mut [MaybeUninit<u8>; BLOCK]),
) -> usize {
    let (mut from, mut written) = (0, 0);
    let copy = |from: usize, written: usize, to: &mut [MaybeUninit<u8>]| {
        if let (Some(src), Some(to)) = (src.get(from..), window_mut(to, written)) {
            copy_block(src, to);
        }
    };
    let mut ends = malformed.ends;
    while ends != 0 {
        let end = ends.trailing_zeros();
        let start = 63 - (malformed.starts & (2_u64 << end).wrapping_sub(1)).leading_zeros();
        copy(from, written, to);
        written += start as usize - from;
        if let Some(to) = window_mut(to, written) {
            *to = REPLACEMENT;
        }
        written += 3;
        from = end as usize + 1;
        ends &= ends - 1;
    }
    copy(from, written, to);
    written + malformed.known - from
}
