//! UTF-8 validation where ASCII and other text alternate, as in the pages of most languages.
//!
//! Tests for ASCII one after the other, each of which decides what is examined, would be mispredicted at every
//! second change. Here up to 64 blocks are tested before any is examined, and each gets a bit:
//!
//! ```text
//! blocks   <a href="  ">Привет,  мир!</a>   <p class="  ...
//! marks        0          1         1           0
//! ```
//!
//! Then the marked blocks are examined, and the ends of those that are followed by ASCII. Each of the two loops
//! is mispredicted once, when it ends.
//!
//! Tested with the kernels.

use super::BLOCK;
use super::utf8_valid::{BACK, any_of, cut_at_end, errors, is_cut};
use crate::simd::vector::Vector;

/// With fewer blocks, the ends of the loops cost more than other tests.
const MIN_BLOCKS: usize = 16;

/// Returns as many of the blocks at the front of `src` as can be marked, if that is faster than other tests.
#[inline(always)]
pub(super) fn blocks_to_mark<V: Vector>(_: V, src: &[u8]) -> Option<&[[u8; BLOCK]]> {
    let (blocks, _) = src.as_chunks();
    let blocks = &blocks[..blocks.len().min(u64::BITS as usize)];
    (V::MARKS_BLOCKS && blocks.len() >= MIN_BLOCKS).then_some(blocks)
}

/// Returns how many blocks are not ASCII, if there is no error in them, except perhaps a cut character at their
/// end. They start `BACK` bytes into `text`.
#[inline(always)]
pub(super) fn valid_blocks<V: Vector>(v: V, text: &[u8], blocks: &[[u8; BLOCK]]) -> Option<usize> {
    // The last block has the lowest bit.
    let mut marks = 0_u64;
    for block in blocks {
        let any = any_of(v, v.load(block), &block[V::LANES..]);
        marks = marks << 1 | u64::from(!v.is_ascii(any));
    }
    let last = blocks.len() - 1;
    if marks >> last == 0 && is_cut(text, BACK) {
        return None;
    }
    let mut any = v.splat_u8(0);
    let mut rest = marks;
    while rest != 0 {
        let start = BLOCK * (last - rest.trailing_zeros() as usize);
        let window = text.get(start..start + BACK + BLOCK)?;
        for at in (0..BLOCK).step_by(V::LANES) {
            any = v.or(any, errors(v, v.text_inside(&window[at..])));
        }
        rest &= rest - 1;
    }
    let mut ends = marks & !(marks << 1) & !1;
    while ends != 0 {
        let end = BACK + BLOCK * (last + 1 - ends.trailing_zeros() as usize);
        any = v.or(any, cut_at_end(v, v.load(text.get(end - V::LANES..)?)));
        ends &= ends - 1;
    }
    (!v.any(any)).then_some(marks.count_ones() as usize)
}
