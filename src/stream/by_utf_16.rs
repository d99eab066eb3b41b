//! UTF-8 to the encodings whose kernels read UTF-16: by a buffer of code units.

use crate::simd::{Kernels, UNITS, UnitBuffer};
use crate::stream::sink::ByteOut;

/// The first piece: what is converted in vain where the encoder stops soon, because it lacks a
/// character or there is no room.
const FIRST: usize = 64;

/// Encodes the front of `text` with `encode`, which gets code units, writes the bytes of whole
/// characters of theirs as far as it goes, and returns the number of units that these have. Returns
/// the bytes of text read.
#[inline(always)]
pub(super) fn encode(
    kernels: &Kernels,
    text: &str,
    out: &mut ByteOut<'_>,
    encode: impl Fn(&[u16], &mut ByteOut<'_>) -> usize,
) -> usize {
    let src = text.as_bytes();
    let mut buffer = UnitBuffer::new();
    let mut read = 0;
    let mut longest = FIRST;
    loop {
        let ahead = &src[read..];
        if ahead.first_chunk().is_some_and(is_ascii) {
            let run = out.put_ascii_run(kernels, ahead);
            read += run;
            if run > 0 {
                longest = FIRST;
                continue;
            }
        }
        // A piece may end within a character, before which the kernel stops. It becomes no more
        // units than it has bytes.
        let piece = &ahead[..ahead.len().min(longest)];
        let (taken, units) = buffer.fill_from_utf_8(kernels, piece);
        let encoded = encode(units, out);
        if encoded < units.len() || taken == 0 {
            return read + (kernels.utf_8_len_of_utf_16)(&units[..encoded]);
        }
        read += taken;
        longest = (2 * longest).min(UNITS);
    }
}

/// Whether ASCII is worth its own kernel.
#[inline(always)]
fn is_ascii(front: &[u8; 32]) -> bool {
    front[0].is_ascii() && front.iter().fold(0, |all, byte| all | byte) < 0x80
}
