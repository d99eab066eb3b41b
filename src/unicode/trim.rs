//! Pieces of text that may be cut anywhere: where the last whole character ends.
//!
//! Tested in `tests/unicode/trim.rs`.

use crate::simd::is_leading_surrogate;

/// The length of UTF-8 (bytes) without the incomplete character at its end, if there is one. Use it for a
/// piece of text that may be cut anywhere: the rest belongs to the next piece.
///
/// Only the beginning of a well-formed character is taken away, one to three bytes. What is malformed
/// stays, for a conversion to report or to replace.
///
/// ```
/// use simdtext::unicode::{from_utf8, trim_partial_utf8};
///
/// let piece = &"naïve 💩".as_bytes()[..9];
/// let (whole, rest) = piece.split_at(trim_partial_utf8(piece));
/// assert_eq!(from_utf8(whole), Ok("naïve "));
/// assert_eq!(rest, b"\xF0\x9F");
///
/// // No character begins with E0 80.
/// assert_eq!(trim_partial_utf8(b"a\xE0\x80"), 3);
/// ```
#[must_use]
pub fn trim_partial_utf8(src: &[u8]) -> usize {
    let from = src.len().saturating_sub(3);
    let tail = src.get(from..).unwrap_or_default();
    let is_continuation = |byte: &u8| matches!(byte, 0x80..=0xBF);
    let Some(lead) = tail.iter().rposition(|byte| !is_continuation(byte)) else {
        return src.len();
    };
    match core::str::from_utf8(&tail[lead..]) {
        Err(error) if error.error_len().is_none() => from + lead,
        _ => src.len(),
    }
}

/// The length of UTF-16 (native code units) without the leading surrogate at its end, if there is one,
/// whose trailing surrogate the next piece has.
///
/// ```
/// use simdtext::unicode::trim_partial_utf16;
///
/// assert_eq!(trim_partial_utf16(&[0x61, 0xD83D]), 1);
/// assert_eq!(trim_partial_utf16(&[0x61, 0xD83D, 0xDCA9]), 3);
/// ```
#[must_use]
pub fn trim_partial_utf16(src: &[u16]) -> usize {
    src.len() - usize::from(src.last().is_some_and(|unit| is_leading_surrogate(*unit)))
}

/// The length, in bytes, of UTF-16LE (bytes) without an odd byte at its end, and without the leading
/// surrogate that is the last unit before, if there is one.
///
/// ```
/// use simdtext::unicode::trim_partial_utf16le;
///
/// assert_eq!(trim_partial_utf16le(b"a\0\x3D\xD8\xA9"), 2);
/// assert_eq!(trim_partial_utf16le(b"a\0\x3D\xD8\xA9\xDC"), 6);
/// ```
#[must_use]
pub fn trim_partial_utf16le(src: &[u8]) -> usize {
    trim_bytes(src, u16::from_le_bytes)
}

/// The length, in bytes, of UTF-16BE (bytes) without an odd byte at its end, and without the leading
/// surrogate that is the last unit before, if there is one.
///
/// ```
/// use simdtext::unicode::trim_partial_utf16be;
///
/// assert_eq!(trim_partial_utf16be(b"\0a\xD8\x3D\xDC"), 2);
/// assert_eq!(trim_partial_utf16be(b"\0a\xD8\x3D\xDC\xA9"), 6);
/// ```
#[must_use]
pub fn trim_partial_utf16be(src: &[u8]) -> usize {
    trim_bytes(src, u16::from_be_bytes)
}

fn trim_bytes(src: &[u8], unit: fn([u8; 2]) -> u16) -> usize {
    let (units, _) = src.as_chunks::<2>();
    let ends_cut = units
        .last()
        .is_some_and(|last| is_leading_surrogate(unit(*last)));
    2 * (units.len() - usize::from(ends_cut))
}
