//! The loop over blocks of two-byte text, whatever finds the characters in one.

use core::mem::MaybeUninit;

/// Bytes in a block.
pub(in crate::simd) const BLOCK: usize = 64;

/// A block and the byte after it.
pub(in crate::simd) type Window = [u8; BLOCK + 1];

/// Decodes whole blocks from the front of `src`. `block` writes the characters that start in the block of a
/// window; its second argument is 1 where the first byte belongs to the character before, or else 0. It
/// returns how many units it wrote, and that argument for the next block; or `None` where something has no
/// code unit, or there is little room. Returns the bytes read and the units written.
#[inline(always)]
pub(in crate::simd) fn decode_blocks<To>(
    src: &[u8],
    dst: &mut [MaybeUninit<To>],
    mut block: impl FnMut(&Window, u64, &mut [MaybeUninit<To>]) -> Option<(usize, u64)>,
) -> (usize, usize) {
    let (mut at, mut written, mut carry) = (0, 0, 0);
    while let Some(window) = src.get(at..).and_then(<[_]>::first_chunk)
        && let Some(room) = dst.get_mut(written..)
        && let Some((put, next)) = block(window, carry, room)
    {
        written += put;
        carry = next;
        at += BLOCK;
    }
    (at + carry as usize, written)
}
