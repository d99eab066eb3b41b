//! Two-byte encodings, a few characters one by one: vectors do not pay for short text, nor where the
//! text is malformed again and again.

use core::mem::MaybeUninit;

use super::kernels::Kernels;
use super::scalar::ascii::HIGH_BITS;
use super::scalar::few_encoded::each;
use super::two_byte_cells::TwoByteCells;
use super::two_byte_index::TwoByteIndex;

/// What kernels want to have converted one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Few {
    /// Nothing.
    No,
    /// Short text, and the front of longer text.
    Some,
}

/// How much of `len` bytes or units is converted one by one: all of short text, or of longer text
/// the front, because where one character is malformed or unmappable, the next ones often are, too.
/// Kernels take longer to start where `to_or_from_utf_8` goes through UTF-16.
#[inline(always)]
pub(crate) fn few_of(kernels: &Kernels, len: usize, to_or_from_utf_8: bool) -> usize {
    const SHORT: usize = 64;
    match kernels.few {
        Few::No => 0,
        Few::Some if len <= SHORT => len,
        Few::Some if to_or_from_utf_8 => 24,
        Few::Some => 8,
    }
}

/// ASCII is copied so many at a time, and all that is written has room for so many.
const CHUNK: usize = 8;

/// Converts the ASCII bytes at the front, at most eight; returns how many there are.
#[inline(always)]
fn ascii<To>(
    src: &[u8],
    to: &mut [MaybeUninit<To>; CHUNK],
    convert: impl Fn(u8) -> To + Copy,
) -> usize {
    if let Some(bytes) = src.first_chunk::<CHUNK>() {
        let len = ascii_prefix(*bytes);
        if len > 0 {
            each(bytes, to, convert);
        }
        return len;
    }
    let mut len = 0;
    for (&byte, to) in src.iter().zip(to) {
        if !byte.is_ascii() {
            break;
        }
        to.write(convert(byte));
        len += 1;
    }
    len
}

/// How many of the bytes at the front are ASCII.
#[inline(always)]
fn ascii_prefix(bytes: [u8; CHUNK]) -> usize {
    ((u64::from_le_bytes(bytes) & HIGH_BITS).trailing_zeros() / 8) as usize
}

/// The code unit at the front, and its bytes; `None` where there is no such, or no whole one.
#[inline(always)]
fn unit(index: &TwoByteIndex, src: &[u8]) -> Option<(u16, usize)> {
    let (unit, len) = match *src {
        [] | [0..0x80, ..] => return None,
        [byte] => index.look_up(byte, 0),
        [byte, next, ..] => index.look_up(byte, next),
    };
    (unit != 0).then_some((unit, len))
}

/// Decodes from the front of `src` until `most` bytes are read, or as far as there is a code unit and
/// ample room. Returns the bytes read and the units written.
#[inline(always)]
pub(crate) fn few_to_utf_16(
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
    most: usize,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < most
        && let Some(to) = dst.get_mut(written..).and_then(<[_]>::first_chunk_mut)
    {
        let ahead = src.get(read..).unwrap_or_default();
        let to: &mut [MaybeUninit<u16>; CHUNK] = to;
        let run = ascii(ahead, to, u16::from);
        if run > 0 {
            read += run;
            written += run;
            continue;
        }
        // As many others as there are, and as there is room for.
        let before = read;
        for to in to {
            let Some((unit, len)) = unit(index, src.get(read..).unwrap_or_default()) else {
                break;
            };
            to.write(unit);
            read += len;
            written += 1;
            if read >= most {
                break;
            }
        }
        if read == before {
            break;
        }
    }
    (read, written)
}

/// The same, to UTF-8. Returns the bytes read and the bytes written. With `BEFORE_ASCII`, it stops
/// before a long run of that.
#[inline(always)]
pub(crate) fn few_to_utf_8<const BEFORE_ASCII: bool>(
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    most: usize,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < most
        && let Some(to) = dst.get_mut(written..).and_then(<[_]>::first_chunk_mut)
    {
        let ahead = src.get(read..).unwrap_or_default();
        let to: &mut [MaybeUninit<u8>; CHUNK] = to;
        let run = ascii(ahead, to, |byte| byte);
        if BEFORE_ASCII && run == CHUNK {
            break;
        }
        if run > 0 {
            read += run;
            written += run;
            continue;
        }
        // As many others as there is room for: two or three bytes each, and four are written.
        let before = read;
        let mut at = 0;
        while let Some(to) = to.get_mut(at..).and_then(<[_]>::first_chunk_mut::<4>)
            && read < most
            && let Some((unit, len)) = unit(index, src.get(read..).unwrap_or_default())
        {
            // An index has neither ASCII nor surrogates.
            let unit = u32::from(unit);
            let last = 0x80 | unit & 0x3F;
            let three = 0xE0 | unit >> 12 | (0x80 | unit >> 6 & 0x3F) << 8 | last << 16;
            let two = 0xC0 | unit >> 6 | last << 8;
            let is_two = unit < 0x800;
            let utf_8 = if is_two { two } else { three }.to_le_bytes();
            *to = utf_8.map(MaybeUninit::new);
            read += len;
            at += 3 - usize::from(is_two);
        }
        written += at;
        if read == before {
            break;
        }
    }
    (read, written)
}

/// Encodes from the front of `src` until `most` units are read, or as far as there are bytes and
/// ample room. Returns the units read and the bytes written.
#[inline(always)]
pub(crate) fn few_of_utf_16(
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

/// The same from UTF-8, which is well-formed. Returns the bytes read and written.
#[inline(always)]
pub(crate) fn few_of_utf_8(
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
