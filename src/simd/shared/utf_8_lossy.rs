//! Lossy UTF-8: what the instruction sets share.
//!
//! Well-formed text is validated and copied at full speed. From a malformed sequence on, blocks of
//! 64 bytes are cut into characters and malformed sequences by mask algebra (`utf_8_errors.rs`),
//! until one is clean again.

use core::mem::MaybeUninit;

use super::utf_8_errors::{Block, Malformed};
use crate::simd::kernels::Replaced;

/// Bytes in a block: as many as a mask has bits.
pub(in crate::simd) const BLOCK: usize = 64;

/// Room for a block of which each byte becomes U+FFFD, and for the store of a whole block behind.
const ROOM: usize = 4 * BLOCK;

/// Alternates between `copy`, which copies the longest well-formed prefix, and replacement in the
/// blocks that `classify` looks at. `copy_block` copies up to a block from the front of a slice;
/// what it writes behind the end of that slice does not matter.
#[inline(always)]
pub(in crate::simd) fn utf_8_to_utf_8_lossy(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    copy: impl Fn(&[u8], &mut [MaybeUninit<u8>]) -> usize,
    classify: impl Fn(&[u8]) -> Block,
    copy_block: impl Fn(&[u8], &mut [MaybeUninit<u8>; BLOCK]),
) -> Replaced {
    let mut done = Replaced::default();
    loop {
        let clean = copy(&src[done.read..], &mut dst[done.written..]);
        done.read += clean;
        done.written += clean;
        loop {
            let ahead = &src[done.read..];
            let Some(to) = dst[done.written..].first_chunk_mut::<ROOM>() else {
                return done;
            };
            if ahead.is_empty() {
                return done;
            }
            let malformed = classify(ahead).malformed();
            if malformed.known == 0 {
                return done;
            }
            done.written += replace(&malformed, ahead, to, &copy_block);
            done.read += malformed.known;
            done.errors += malformed.ends.count_ones() as usize;
            if malformed.ends == 0 {
                break;
            }
        }
    }
}

/// Copies the known part of the block at the front of `src`, with U+FFFD in the place of what is
/// malformed. Returns the bytes written.
#[inline(always)]
fn replace(
    malformed: &Malformed,
    src: &[u8],
    to: &mut [MaybeUninit<u8>; ROOM],
    copy_block: impl Fn(&[u8], &mut [MaybeUninit<u8>; BLOCK]),
) -> usize {
    const REPLACEMENT: [u8; 4] = *b"\xEF\xBF\xBD\0";
    let (mut from, mut written) = (0, 0);
    let copy = |from: usize, written: usize, to: &mut [MaybeUninit<u8>; ROOM]| {
        if let (Some(src), Some(to)) = (
            src.get(from..),
            to.get_mut(written..).and_then(|to| to.first_chunk_mut()),
        ) {
            copy_block(src, to);
        }
    };
    let mut ends = malformed.ends;
    while ends != 0 {
        let end = ends.trailing_zeros();
        let start = 63 - (malformed.starts & (2_u64 << end).wrapping_sub(1)).leading_zeros();
        copy(from, written, to);
        written += start as usize - from;
        if let Some(to) = to.get_mut(written..).and_then(|to| to.first_chunk_mut()) {
            *to = REPLACEMENT.map(MaybeUninit::new);
        }
        written += 3;
        from = end as usize + 1;
        ends &= ends - 1;
    }
    copy(from, written, to);
    written + malformed.known - from
}
