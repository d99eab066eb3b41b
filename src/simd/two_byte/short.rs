//! Short text of two-byte encodings, and the front of longer text, converted one character at a time: vectors
//! don't pay for short text, nor for text that is malformed or unmappable again and again. To encode it, [`fill`] is
//! the loop.
//!
//! [`fill`]: crate::simd::fill::fill

use core::mem::MaybeUninit;

use super::index::Pairs;
use super::unit::{CHUNK, TextUnit, WIDE, ascii_prefix};
use crate::simd::kernels::Kernels;

/// Returns how many bytes of `src` are decoded one character at a time: all of short text, and the front of longer
/// text, because a malformed or unmappable character is often followed by more of them.
#[inline(always)]
pub(crate) fn short_len_to_decode(kernels: &Kernels, src: &[u8], to_utf8: bool) -> usize {
    // Measured. The first length is for text that is all pairs, and the second for other text, such as pages, and
    // Korean with its spaces. Both are shorter to UTF-8, in which a character of three bytes costs more than one of two
    // bytes in UTF-16.
    let [pairs, mixed, front] = if to_utf8 {
        [96, 256, 24]
    } else {
        [160, 512, 8]
    };
    if !kernels.inline_short {
        0
    } else if src.len() <= pairs || src.len() <= mixed && has_low_ascii(src) {
        src.len()
    } else {
        front
    }
}

/// Returns whether one of the first 32 bytes is a space or another character that is never the second byte of a pair.
#[inline(always)]
fn has_low_ascii(src: &[u8]) -> bool {
    let lowest = |bytes: &[u8; 32]| bytes.iter().fold(u8::MAX, |least, &byte| least.min(byte));
    src.first_chunk().is_some_and(|bytes| lowest(bytes) < 0x40)
}

/// Returns how many of `len` units, or bytes of UTF-8, are encoded one character at a time: all of short text, and the
/// front of longer text, because an unmappable character is often followed by more of them.
#[inline(always)]
pub(crate) fn short_len_to_encode(kernels: &Kernels, len: usize, from_utf8: bool) -> usize {
    if !kernels.inline_short {
        0
    } else if len <= 64 {
        len
    } else if from_utf8 {
        24
    } else {
        8
    }
}

/// Decodes from the front of `src` until at least `most` bytes are read, as far as there are code units and
/// ample room. Returns the number of bytes read and of units written.
#[inline(always)]
pub(crate) fn decode_short<To: TextUnit>(
    pairs: Pairs<'_>,
    src: &[u8],
    dst: &mut [MaybeUninit<To>],
    most: usize,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < most {
        let ahead = src.get(read..).unwrap_or_default();
        let room = dst.get_mut(written..).unwrap_or_default();
        if let (Some(bytes), Some(to)) = (ahead.first_chunk::<WIDE>(), room.first_chunk_mut())
            && bytes.is_ascii()
        {
            To::put_ascii(to, bytes);
            read += WIDE;
            written += WIDE;
            continue;
        }
        if let Some(bytes) = ahead.first_chunk::<CHUNK>()
            && bytes[0].is_ascii()
        {
            let Some(to) = room.first_chunk_mut() else {
                break;
            };
            let run = ascii_prefix(*bytes);
            To::put_ascii(to, bytes);
            // A branch, which is predicted, so that the next character does not wait for the count.
            if run == CHUNK {
                read += CHUNK;
                written += CHUNK;
                continue;
            }
            read += run;
            written += run;
        }
        // Other characters, and ASCII only if it is a single one between them, as spaces often are.
        let characters = ((src.len() - read) / 2)
            .min(most.saturating_sub(read).div_ceil(2))
            .min(To::characters_in(dst.len() - written));
        for _ in 0..characters {
            // SAFETY: each character has at most two bytes, and `src` has two more for each from `read` on.
            let pair = unsafe { src.as_ptr().add(read) };
            // SAFETY: so the two bytes from `read` on are in `src`; bytes need no alignment.
            let [byte, next] = unsafe { pair.cast::<[u8; 2]>().read() };
            // SAFETY: `characters_in` has left room for each of the characters, so `written` is inside `dst`.
            let to = unsafe { dst.as_mut_ptr().add(written) };
            if byte.is_ascii() {
                if next.is_ascii() && src.len() - read >= CHUNK {
                    break;
                }
                // SAFETY: the room for this character has at least a unit.
                unsafe { to.write(MaybeUninit::new(To::from(byte))) };
                read += 1;
                written += 1;
                continue;
            }
            let unit = pairs.unit(byte, next);
            if unit == 0 {
                break;
            }
            read += 2;
            // SAFETY: `to` is within the room for this character.
            written += unsafe { To::put_at(to, unit) };
        }
        let Some(&byte) = src.get(read) else {
            break;
        };
        if To::characters_in(dst.len() - written) == 0 {
            break;
        }
        // SAFETY: there is room for a character from `written` on, by the test above.
        let to = unsafe { dst.as_mut_ptr().add(written) };
        if byte.is_ascii() {
            if src.len() - read < CHUNK {
                // SAFETY: the room for a character has at least a unit.
                unsafe { to.write(MaybeUninit::new(To::from(byte))) };
                read += 1;
                written += 1;
            }
            continue;
        }
        let next = src.get(read + 1).copied().unwrap_or_default();
        // Half-width katakana, if anything, or the last character.
        let (unit, len) = pairs.look_up(byte, next);
        if unit == 0 {
            break;
        }
        read += len;
        // SAFETY: `to` is within room for a character.
        written += unsafe { To::put_at(to, unit) };
    }
    (read, written)
}
