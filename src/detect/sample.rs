//! The part of a text that is weighed: all of a short one, otherwise parts of its head, middle and tail.

use crate::output::ascii_len;
use crate::simd;

/// Pieces of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample<'a> {
    pub(super) pieces: [&'a [u8]; 3],
}

impl<'a> Sample<'a> {
    /// At most about `size` bytes of `bytes`. Pieces begin and end after an ASCII byte that no encoding has
    /// within a character, if there is one within a quarter of a piece: a cut for all encodings but
    /// ISO-2022-JP and UTF-16, which are not guessed from a sample.
    pub(super) fn new(bytes: &'a [u8], size: usize) -> Self {
        let size = size.max(64);
        // Text that is not ASCII may be rare: the sample begins with the first of it. Characters of ASCII can be cut
        // anywhere.
        let plain = if bytes.len() > size {
            ascii_len(simd::active(), bytes).saturating_sub(16)
        } else {
            0
        };
        let bytes = bytes.get(plain..).unwrap_or_default();
        if bytes.len() <= size {
            return Sample {
                pieces: [bytes, &[], &[]],
            };
        }
        let third = size / 3;
        let piece = |start: usize, end: usize| {
            let start = cut(bytes, start, third / 4);
            let end = cut(bytes, end, third / 4).max(start);
            bytes.get(start..end).unwrap_or_default()
        };
        let middle = bytes.len() / 2 - third / 2;
        Sample {
            pieces: [
                piece(0, third),
                piece(middle, middle + third),
                piece(bytes.len() - third, bytes.len()),
            ],
        }
    }
}

/// The first position from `at` on, within `reach` bytes, after a byte that can only end a character;
/// `at` if there is none.
fn cut(bytes: &[u8], at: usize, reach: usize) -> usize {
    if at == 0 || at >= bytes.len() {
        return at.min(bytes.len());
    }
    let window = bytes.get(at - 1..).unwrap_or_default();
    let is_end = |byte: &u8| byte.is_ascii() && !(0x30..=0x7E).contains(byte);
    let found = window.iter().take(reach).position(is_end);
    found.map_or(at, |found| at + found)
}
