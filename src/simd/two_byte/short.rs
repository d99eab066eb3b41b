//! Short text of two-byte encodings to UTF-16, one by one. What is left of both is slices, which take
//! fewer instructions than places do; to UTF-8, where the lengths are not known, they take more.

use core::mem::MaybeUninit;

use super::few::{CHUNK, Unit, WIDE, ascii_prefix};
use super::index::TwoByteIndex;

/// Decodes from the front of `src` as far as there is a code unit and ample room. Returns the bytes
/// read and the units written.
#[inline(always)]
pub(crate) fn short_to_utf16(
    index: &TwoByteIndex,
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
            // A guess, so that what comes next does not wait for what is counted.
            if run == CHUNK {
                ahead = after;
                room = skip(room, CHUNK);
                continue;
            }
            ahead = ahead.get(run..).unwrap_or_default();
            room = skip(room, run);
        }
        loop {
            // ASCII by the chunk, and here what is less than one.
            let (unit, after) = match *ahead {
                [byte @ 0x80..=0xFF, next, ref after @ ..] => match index.unit(byte, next) {
                    // Half-width katakana, if anything.
                    0 => match index.look_up(byte, next) {
                        (0, _) => break 'stop,
                        (unit, 1) => (unit, &ahead[1..]),
                        (unit, _) => (unit, after),
                    },
                    unit => (unit, after),
                },
                [byte @ 0x80..=0xFF] => match index.look_up(byte, 0) {
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

/// What is after the first `len` units.
#[inline(always)]
fn skip(room: &mut [MaybeUninit<u16>], len: usize) -> &mut [MaybeUninit<u16>] {
    room.get_mut(len..).unwrap_or_default()
}
