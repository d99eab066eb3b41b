//! Two-byte encodings: one look-up a character.

use core::mem::MaybeUninit;

use super::ascii::HIGH_BITS;
use crate::simd::kernels::Kernels;
use crate::simd::two_byte_index::TwoByteIndex;

/// Characters in a batch.
const BATCH: usize = 32;
/// The most bytes that these have.
const WINDOW: usize = 2 * BATCH;

/// Decodes up to the first byte or pair without a code unit, with the ASCII kernel of `kernels`.
/// Returns the bytes read and the units written.
pub(in crate::simd) fn two_byte_to_utf_16(
    kernels: &Kernels,
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(window) = src[read..].first_chunk::<WINDOW>()
        && let Some(to) = dst[written..].first_chunk_mut::<BATCH>()
    {
        if is_ascii(window.first_chunk()) {
            let run = (kernels.ascii_to_utf_16)(&src[read..], &mut dst[written..]);
            read += run;
            written += run;
            continue;
        }
        // Characters have at most two bytes: the masks change nothing.
        let mut at = 0;
        for to in to {
            let byte = window[at % WINDOW];
            let (unit, len) = match byte {
                0..0x80 => (u16::from(byte), 1),
                _ => index.look_up(byte, window[(at + 1) % WINDOW]),
            };
            if unit == 0 && byte != 0 {
                return (read + at, written);
            }
            to.write(unit);
            at += len;
            written += 1;
        }
        read += at;
    }
    while let Some(&byte) = src.get(read)
        && let Some(to) = dst.get_mut(written)
    {
        let (unit, len) = match (byte, src.get(read + 1)) {
            (0..0x80, _) => (u16::from(byte), 1),
            (_, next) => index.look_up(byte, next.copied().unwrap_or_default()),
        };
        if unit == 0 && byte != 0 {
            break;
        }
        to.write(unit);
        read += len;
        written += 1;
    }
    (read, written)
}

#[inline(always)]
fn is_ascii(front: Option<&[u8; 8]>) -> bool {
    front.is_some_and(|bytes| u64::from_ne_bytes(*bytes) & HIGH_BITS == 0)
}
