//! What stands at every byte of a block of UTF-8 that may be malformed, for the lossy copy
//! (`shared/utf8_lossy.rs`).

use core::mem::MaybeUninit;

use super::utf8_errors::{Block, NO_CHARACTER};
use super::utf8_units::Constants;
use super::wide::{BLOCK, Views, Wide};

/// Classifies the bytes of the block at the front, or of all there are.
#[inline(always)]
pub(super) fn classify<W: Wide>(w: W, src: &[u8]) -> Block {
    let Views { x, before } = w.views_after_zeros(w.load_front(src));
    let faults = Constants::for_block(w).pair_faults(w, x, before[0]);
    let (not_ascii, lead) = (w.not_ascii(x), w.at_least(x, 0xC0));
    let len = src.len().min(BLOCK);
    Block {
        len,
        ascii: !not_ascii & !0 >> (BLOCK - len.clamp(1, BLOCK)),
        continuation: not_ascii & !lead,
        lead,
        lead_of_three: w.at_least(x, 0xE0),
        lead_of_four: w.at_least(x, 0xF0),
        no_character: w.not_zero(w.and(faults, w.splat_u8(NO_CHARACTER))),
    }
}

/// Copies up to a block. What is after it in `to` may be overwritten.
#[inline(always)]
pub(super) fn copy_block<W: Wide>(w: W, src: &[u8], to: &mut [MaybeUninit<u8>; BLOCK]) {
    w.store(to, w.load_front(src));
}

/// Copies a block, and returns which bytes are not ASCII.
#[inline(always)]
pub(super) fn copy_whole<W: Wide>(
    w: W,
    src: &[u8; BLOCK],
    to: &mut [MaybeUninit<u8>; BLOCK],
) -> u64 {
    let block = w.load(src);
    w.store(to, block);
    w.not_ascii(block)
}
