//! Two-byte encodings, a few characters one by one: vectors do not pay for short text, nor where the
//! text is malformed again and again.

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::cells::TwoByteCells;
use super::index::TwoByteIndex;
use crate::simd::kernels::Kernels;
use crate::simd::scalar::ascii::HIGH_BITS;
use crate::simd::scalar::few_encoded::each;

/// How much of `len` bytes or units is converted one by one: all of short text, or of longer text
/// the front, because where one character is malformed or unmappable, the next ones often are, too.
/// With `to_or_from_utf8`, more of it.
#[inline(always)]
pub(crate) fn few_of(kernels: &Kernels, len: usize, to_or_from_utf8: bool) -> usize {
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

/// ASCII is copied so many at a time, and all that is written has room for so many.
pub(in crate::simd) const CHUNK: usize = 8;
/// Long ASCII is copied so many at a time.
pub(in crate::simd) const WIDE: usize = 16;

/// Converts the ASCII bytes at the front, at most eight; returns how many there are.
#[inline(always)]
pub(in crate::simd) fn ascii<To>(
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
pub(in crate::simd) fn ascii_prefix(bytes: [u8; CHUNK]) -> usize {
    ((u64::from_le_bytes(bytes) & HIGH_BITS).trailing_zeros() / 8) as usize
}

/// Code units of UTF-8 or of UTF-16.
pub(crate) trait Unit: Copy + From<u8> {
    /// Writes ASCII.
    fn put_ascii<const N: usize>(to: &mut [MaybeUninit<Self>; N], bytes: &[u8; N]);

    /// Writes a code unit of UTF-16 that is neither ASCII nor a surrogate, and anything after it.
    /// Returns how many units it is.
    fn put(to: &mut [MaybeUninit<Self>; WIDEST], unit: u16) -> usize;

    /// Writes a character above U+FFFF, and anything after it. Returns how many units it is.
    fn put_astral(to: &mut [MaybeUninit<Self>; WIDEST], ch: char) -> usize;
}

/// A character has so many units at the most.
pub(in crate::simd) const WIDEST: usize = 4;

impl Unit for u8 {
    #[inline(always)]
    fn put_ascii<const N: usize>(to: &mut [MaybeUninit<u8>; N], bytes: &[u8; N]) {
        each(bytes, to, |byte| byte);
    }

    #[inline(always)]
    fn put(to: &mut [MaybeUninit<u8>; WIDEST], unit: u16) -> usize {
        let unit = u32::from(unit);
        let last = 0x80 | unit & 0x3F;
        let three = 0xE0 | unit >> 12 | (0x80 | unit >> 6 & 0x3F) << 8 | last << 16;
        let two = 0xC0 | unit >> 6 | last << 8;
        let is_two = unit < 0x800;
        let utf8 = if is_two { two } else { three }.to_le_bytes();
        *to = utf8.map(MaybeUninit::new);
        3 - usize::from(is_two)
    }

    #[inline(always)]
    fn put_astral(to: &mut [MaybeUninit<u8>; WIDEST], ch: char) -> usize {
        let mut utf8 = [0; WIDEST];
        let len = ch.encode_utf8(&mut utf8).len();
        *to = utf8.map(MaybeUninit::new);
        len
    }
}

impl Unit for u16 {
    #[inline(always)]
    fn put_ascii<const N: usize>(to: &mut [MaybeUninit<u16>; N], bytes: &[u8; N]) {
        // Loaded again: otherwise they are taken one by one out of the word that was looked at.
        each(black_box(bytes), to, u16::from);
    }

    #[inline(always)]
    fn put(to: &mut [MaybeUninit<u16>; WIDEST], unit: u16) -> usize {
        to[0].write(unit);
        1
    }

    #[inline(always)]
    fn put_astral(to: &mut [MaybeUninit<u16>; WIDEST], ch: char) -> usize {
        let mut utf16 = [0; WIDEST];
        let len = ch.encode_utf16(&mut utf16).len();
        *to = utf16.map(MaybeUninit::new);
        len
    }
}

/// Decodes from the front of `src` until `most` bytes are read, or as far as there is a code unit and
/// ample room. Returns the bytes read and the units written.
#[inline(always)]
pub(crate) fn few_to<To: Unit>(
    index: &TwoByteIndex,
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
            // A guess, so that what comes next does not wait for what is counted.
            if run == CHUNK {
                read += CHUNK;
                written += CHUNK;
                continue;
            }
            read += run;
            written += run;
        }
        // Others, and ASCII only where it is less than a chunk.
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
            let (unit, len) = match index.unit(byte, next) {
                // Half-width katakana, if anything.
                0 => index.look_up(byte, next),
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

/// Encodes from the front of `src` until `most` units are read, or as far as there are bytes and
/// ample room. Returns the units read and the bytes written.
#[inline(always)]
pub(crate) fn few_of_utf16(
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
pub(crate) fn few_of_utf8(
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
