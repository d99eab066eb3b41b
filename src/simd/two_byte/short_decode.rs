//! Short text of two-byte encodings, and the front of longer text, decoded one character at a time: vectors
//! don't pay for short text, nor for text that is malformed again and again.
//!
//! There are two functions to UTF-16. [`decode_short`] counts what it has read and written, up to a limit.
//! [`decode_short_to_utf16`] advances both slices instead, which takes fewer instructions; to UTF-8, where
//! the length of a character is not known, that would take more.

use core::mem::MaybeUninit;

use super::index::Pairs;
use super::unit::{CHUNK, TextUnit, WIDE, ascii_prefix};
use crate::simd::kernels::Kernels;

/// Returns how much of `len` bytes or units is converted one by one: all of short text, and the front of
/// longer text, because a malformed or unmappable character is often followed by more of them. More of it
/// with `to_or_from_utf8`.
#[inline(always)]
pub(crate) fn short_len(kernels: &Kernels, len: usize, to_or_from_utf8: bool) -> usize {
    const SHORT: usize = 64;
    if !kernels.inline_short {
        0
    } else if len <= SHORT {
        len
    } else if to_or_from_utf8 {
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
            // A prediction, so that the next character does not wait for the count.
            if run == CHUNK {
                read += CHUNK;
                written += CHUNK;
                continue;
            }
            read += run;
            written += run;
        }
        // Other characters, and ASCII only if there is less than a chunk of it.
        while read < most {
            let Some(&byte) = src.get(read) else {
                return (read, written);
            };
            let Some(to) = dst.get_mut(written..).and_then(<[_]>::first_chunk_mut) else {
                return (read, written);
            };
            if byte.is_ascii() {
                if src.len() - read >= CHUNK {
                    break;
                }
                to[0].write(To::from(byte));
                read += 1;
                written += 1;
                continue;
            }
            let next = src.get(read + 1).copied().unwrap_or_default();
            let (unit, len) = match pairs.unit(byte, next) {
                // Half-width katakana, if anything.
                0 => pairs.look_up(byte, next),
                unit => (unit, 2),
            };
            if unit == 0 {
                return (read, written);
            }
            read += len;
            written += To::put(to, unit);
        }
    }
    (read, written)
}

/// Decodes from the front of `src`, as far as there are code units and ample room. Returns the number of
/// bytes read and of units written.
#[inline(always)]
pub(crate) fn decode_short_to_utf16(
    pairs: Pairs<'_>,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let size = dst.len();
    let (mut ahead, mut room) = (src, dst);
    'stop: while !ahead.is_empty() {
        if let Some((bytes, after)) = ahead.split_first_chunk::<WIDE>()
            && bytes.is_ascii()
            && let Some(to) = room.first_chunk_mut()
        {
            u16::put_ascii(to, bytes);
            ahead = after;
            room = skip(room, WIDE);
            continue;
        }
        if let Some((bytes, after)) = ahead.split_first_chunk::<CHUNK>()
            && bytes[0].is_ascii()
        {
            let Some(to) = room.first_chunk_mut() else {
                break;
            };
            u16::put_ascii(to, bytes);
            let run = ascii_prefix(*bytes);
            // A prediction, so that the next character does not wait for the count.
            if run == CHUNK {
                ahead = after;
                room = skip(room, CHUNK);
                continue;
            }
            ahead = ahead.get(run..).unwrap_or_default();
            room = skip(room, run);
        }
        loop {
            // ASCII is copied in chunks, and less than a chunk of it here.
            let (unit, after) = match *ahead {
                [byte @ 0x80..=0xFF, next, ref after @ ..] => match pairs.unit(byte, next) {
                    // Half-width katakana, if anything.
                    0 => match pairs.look_up(byte, next) {
                        (0, _) => break 'stop,
                        (unit, 1) => (unit, &ahead[1..]),
                        (unit, _) => (unit, after),
                    },
                    unit => (unit, after),
                },
                [byte @ 0x80..=0xFF] => match pairs.look_up(byte, 0) {
                    (0, _) => break 'stop,
                    (unit, _) => (unit, &[][..]),
                },
                [byte, ref after @ ..] if after.len() < CHUNK - 1 => {
                    let Some(to) = room.first_mut() else {
                        break 'stop;
                    };
                    to.write(u16::from(byte));
                    room = skip(room, 1);
                    ahead = after;
                    continue;
                }
                _ => break,
            };
            let Some(to) = room.first_mut() else {
                break 'stop;
            };
            to.write(unit);
            room = skip(room, 1);
            ahead = after;
        }
    }
    (src.len() - ahead.len(), size - room.len())
}

/// Returns what follows the first `len` units.
#[inline(always)]
fn skip(room: &mut [MaybeUninit<u16>], len: usize) -> &mut [MaybeUninit<u16>] {
    room.get_mut(len..).unwrap_or_default()
}
