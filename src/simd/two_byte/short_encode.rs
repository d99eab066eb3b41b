//! Short text, and the front of longer text, encoded in two-byte encodings one character at a time: vectors
//! don't pay for short text, nor for text with many unmappable characters.

use core::mem::MaybeUninit;

use super::cells::TwoByteCells;
use super::unit::{CHUNK, ascii};
use crate::simd::kernels::Kernels;
use crate::simd::scalar::each;

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

/// Encodes from the front of `src` until at least `most` units are read, as far as there are bytes and ample
/// room. Returns the number of units read and of bytes written.
#[inline(always)]
pub(crate) fn encode_short_utf16(
    cells: &TwoByteCells,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
    most: usize,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < most
        && let Some(to) = dst
            .get_mut(written..)
            .and_then(<[_]>::first_chunk_mut::<CHUNK>)
    {
        let ahead = src.get(read..).unwrap_or_default();
        match *ahead {
            [] => break,
            [unit @ 0..0x80, ..] => {
                let chunk = ahead.first_chunk::<CHUNK>();
                match chunk.filter(|units| units.iter().fold(0, |all, unit| all | unit) < 0x80) {
                    Some(units) => {
                        each(units, to, |unit| unit as u8);
                        read += CHUNK;
                        written += CHUNK;
                    }
                    None => {
                        to[0].write(unit as u8);
                        read += 1;
                        written += 1;
                    }
                }
            }
            [unit, ..] => {
                let bytes = cells.get(unit);
                if bytes == 0 {
                    break;
                }
                put_two(to, bytes);
                read += 1;
                written += 2;
            }
        }
    }
    (read, written)
}

/// Encodes well-formed UTF-8 from the front of `src` until at least `most` bytes are read, as far as there
/// are bytes and ample room. Returns the number of bytes read and written.
#[inline(always)]
pub(crate) fn encode_short_utf8(
    cells: &TwoByteCells,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    most: usize,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < most
        && let Some(to) = dst
            .get_mut(written..)
            .and_then(<[_]>::first_chunk_mut::<CHUNK>)
    {
        let ahead = src.get(read..).unwrap_or_default();
        let run = ascii(ahead, to, |byte| byte);
        if run > 0 {
            read += run;
            written += run;
            continue;
        }
        let bits = |byte: u8| u16::from(byte & 0x3F);
        let (unit, len) = match *ahead {
            [a @ 0xE0..=0xEF, b, c, ..] => (u16::from(a) << 12 | bits(b) << 6 | bits(c), 3),
            [a @ 0xC2..=0xDF, b, ..] => (u16::from(a & 0x1F) << 6 | bits(b), 2),
            _ => break,
        };
        let bytes = cells.get(unit);
        if bytes == 0 {
            break;
        }
        put_two(to, bytes);
        read += len;
        written += 2;
    }
    (read, written)
}

#[inline(always)]
fn put_two(to: &mut [MaybeUninit<u8>; CHUNK], bytes: u16) {
    if let Some(to) = to.first_chunk_mut() {
        *to = bytes.to_be_bytes().map(MaybeUninit::new);
    }
}
