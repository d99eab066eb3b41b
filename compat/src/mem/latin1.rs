//! Latin-1.

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
#[cfg(feature = "alloc")]
use alloc::string::String;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use simdtext::unicode::{
    Stop, latin1_to_utf8, latin1_to_utf16, utf8_len_from_latin1, utf8_to_latin1,
    utf8_to_latin1_lossy, utf16_to_latin1_lossy,
};

use super::ascii::all_below;
use super::{check_room, overwrite};
use crate::Encoding;

/// Whether the bytes are well-formed UTF-8 of code points up to U+00FF.
pub fn is_utf8_latin1(buffer: &[u8]) -> bool {
    utf8_latin1_up_to(buffer) == buffer.len()
}

/// Whether all code points are up to U+00FF.
pub fn is_str_latin1(buffer: &str) -> bool {
    // The lead bytes of higher ones are above C3; continuation bytes are below.
    let (chunks, rest) = buffer.as_bytes().as_chunks::<64>();
    let is_low = |bytes: &[u8]| bytes.iter().fold(0, |max, &byte| byte.max(max)) < 0xC4;
    chunks.iter().all(|chunk| is_low(chunk)) && is_low(rest)
}

/// Whether all code units are up to U+00FF.
pub fn is_utf16_latin1(buffer: &[u16]) -> bool {
    all_below::<0x100>(buffer)
}

/// The offset of the first byte that is not part of well-formed UTF-8 of code points up to U+00FF, or the
/// length.
pub fn utf8_latin1_up_to(buffer: &[u8]) -> usize {
    let mut read = 0;
    let mut bytes = [0; 256];
    loop {
        read += Encoding::ascii_valid_up_to(&buffer[read..]);
        let done = utf8_to_latin1(&buffer[read..], &mut bytes);
        read += done.read;
        if done.stop != Stop::OutputFull {
            return read;
        }
    }
}

/// The offset of the first code point above U+00FF, or the length.
pub fn str_latin1_up_to(buffer: &str) -> usize {
    let (chunks, _) = buffer.as_bytes().as_chunks::<64>();
    let is_low = |chunk: &[u8; 64]| chunk.iter().fold(0, |max, &byte| byte.max(max)) < 0xC4;
    let start = 64 * chunks.iter().take_while(|chunk| is_low(chunk)).count();
    let high = buffer.as_bytes()[start..]
        .iter()
        .position(|byte| *byte >= 0xC4);
    high.map_or(buffer.len(), |at| start + at)
}

/// Converts Latin-1 to UTF-16: every byte is a code unit.
///
/// # Panics
///
/// Panics if `dst` is shorter than `src`.
pub fn convert_latin1_to_utf16(src: &[u8], dst: &mut [u16]) {
    check_room(dst.len(), src.len());
    let _ = latin1_to_utf16(src, &mut dst[..src.len()]);
}

/// Converts as much Latin-1 to UTF-8 as there is room for, and returns the numbers of bytes read and written.
/// Nothing is written after those.
pub fn convert_latin1_to_utf8_partial(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    // A conversion may write beyond its end, where there may be text of the caller's. If the room is exactly
    // as long as the output there is nothing beyond it; if the output does not fit, at most one byte is left,
    // before a character of two.
    let fits = src.len() <= dst.len() / 2 || utf8_len_from_latin1(src) <= dst.len();
    if fits {
        let len = utf8_len_from_latin1(src);
        let done = latin1_to_utf8(src, &mut dst[..len]);
        return (done.read, done.written);
    }
    let last = dst.last().copied();
    let done = latin1_to_utf8(src, dst);
    if let (Some(last), Some(to)) = (last, dst.get_mut(done.written..).and_then(<[u8]>::last_mut)) {
        *to = last;
    }
    (done.read, done.written)
}

/// Converts Latin-1 to UTF-8, and returns the bytes written.
///
/// # Panics
///
/// Panics if `dst` is shorter than twice the length of `src`.
#[inline]
pub fn convert_latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    check_room(dst.len(), 2 * src.len());
    latin1_to_utf8(src, dst).written
}

/// Converts as much Latin-1 to the front of `dst` as there is room for, and returns the numbers of bytes read
/// and written. What follows in `dst` becomes U+0000.
pub fn convert_latin1_to_str_partial(src: &[u8], dst: &mut str) -> (usize, usize) {
    overwrite(dst, |bytes| {
        let done = latin1_to_utf8(src, bytes);
        (done.read, done.written)
    })
}

/// Converts Latin-1 to the front of `dst`, and returns the bytes written. What follows in `dst` becomes U+0000.
///
/// # Panics
///
/// Panics if `dst` is shorter than twice the length of `src`.
#[inline]
pub fn convert_latin1_to_str(src: &[u8], dst: &mut str) -> usize {
    check_room(dst.len(), 2 * src.len());
    convert_latin1_to_str_partial(src, dst).1
}

/// Converts UTF-8 of code points up to U+00FF to Latin-1, and returns the bytes written. For any other input
/// the output is unspecified.
///
/// # Panics
///
/// Panics if `dst` is shorter than `src`, and with debug assertions if there is any other input.
pub fn convert_utf8_to_latin1_lossy(src: &[u8], dst: &mut [u8]) -> usize {
    check_room(dst.len(), src.len());
    debug_assert!(
        is_utf8_latin1(src),
        "a code point above U+00FF, or no UTF-8"
    );
    utf8_to_latin1_lossy(src, dst).written
}

/// Converts code units up to U+00FF to Latin-1: each becomes a byte. For any other input the output is
/// unspecified.
///
/// # Panics
///
/// Panics if `dst` is shorter than `src`.
pub fn convert_utf16_to_latin1_lossy(src: &[u16], dst: &mut [u8]) {
    check_room(dst.len(), src.len());
    let _ = utf16_to_latin1_lossy(src, &mut dst[..src.len()]);
}

/// Decodes Latin-1. The text is borrowed if it is ASCII.
#[cfg(feature = "alloc")]
pub fn decode_latin1<'a>(bytes: &'a [u8]) -> Cow<'a, str> {
    let ascii = Encoding::ascii_valid_up_to(bytes);
    // Neither of the two conversions below can fail: ASCII is UTF-8, and so is what Latin-1 becomes.
    if ascii == bytes.len()
        && let Ok(text) = simdtext::unicode::from_utf8(bytes)
    {
        return Cow::Borrowed(text);
    }
    let mut text = alloc::vec![0; utf8_len_from_latin1(bytes)];
    let written = latin1_to_utf8(bytes, &mut text).written;
    text.truncate(written);
    Cow::Owned(String::from_utf8(text).unwrap_or_default())
}

/// Encodes text of code points up to U+00FF as Latin-1. The bytes are borrowed if they are ASCII. For any
/// other text the output is unspecified.
///
/// # Panics
///
/// Panics with debug assertions if there is any other code point.
#[cfg(feature = "alloc")]
pub fn encode_latin1_lossy<'a>(string: &'a str) -> Cow<'a, [u8]> {
    let bytes = string.as_bytes();
    if Encoding::ascii_valid_up_to(bytes) == bytes.len() {
        return Cow::Borrowed(bytes);
    }
    let mut latin1: Vec<u8> = alloc::vec![0; bytes.len()];
    let written = convert_utf8_to_latin1_lossy(bytes, &mut latin1);
    latin1.truncate(written);
    Cow::Owned(latin1)
}
