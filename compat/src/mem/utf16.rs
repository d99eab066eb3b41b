//! Conversions between UTF-8 and UTF-16.

use simdtext::unicode::{
    Stop, utf8_len_from_utf16, utf8_to_utf16, utf8_to_utf16_lossy, utf16_to_utf8_lossy,
    validate_utf16,
};

use super::{check_room, overwrite};

/// Converts UTF-8 to UTF-16, with U+FFFD for each malformed sequence, and returns the code units written.
///
/// # Panics
///
/// Panics if `dst` is not longer than `src`.
pub fn convert_utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    check_room(dst.len(), src.len() + 1);
    utf8_to_utf16_lossy(src, dst).written
}

/// Converts text to UTF-16, and returns the code units written.
///
/// # Panics
///
/// Panics if `dst` is shorter than `src`.
pub fn convert_str_to_utf16(src: &str, dst: &mut [u16]) -> usize {
    check_room(dst.len(), src.len());
    utf8_to_utf16(src.as_bytes(), dst).written
}

/// Converts UTF-8 to UTF-16, and returns the code units written, or `None` if anything is malformed.
///
/// # Panics
///
/// Panics if `dst` is shorter than `src`.
pub fn convert_utf8_to_utf16_without_replacement(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    check_room(dst.len(), src.len());
    let done = utf8_to_utf16(src, dst);
    (done.stop == Stop::InputEmpty).then_some(done.written)
}

/// Converts as much UTF-16 to UTF-8 as there is room for, with U+FFFD for lone surrogates, and returns the
/// code units read and the bytes written. Nothing is written after those.
///
/// A leading surrogate at the end of `src` counts as lone, whatever comes next.
pub fn convert_utf16_to_utf8_partial(src: &[u16], dst: &mut [u8]) -> (usize, usize) {
    // A conversion may write beyond its end, where there may be text of the caller's. If the room is exactly
    // as long as the output there is nothing beyond it; if the output does not fit, at most three bytes are
    // left, before a character of four.
    let len = utf8_len_from_utf16(src);
    if len <= dst.len() {
        let done = utf16_to_utf8_lossy(src, &mut dst[..len]);
        return (done.read, done.written);
    }
    let end = dst.len().saturating_sub(3);
    let mut last = [0; 3];
    last[..dst.len() - end].copy_from_slice(&dst[end..]);
    let done = utf16_to_utf8_lossy(src, dst);
    let first = done.written.max(end);
    let kept = &last[first - end..dst.len() - end];
    dst[first..].copy_from_slice(kept);
    (done.read, done.written)
}

/// Converts UTF-16 to UTF-8, with U+FFFD for lone surrogates, and returns the bytes written. Nothing is written after
/// those.
///
/// # Panics
///
/// Panics if `dst` is shorter than three times the length of `src`.
#[inline]
pub fn convert_utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    check_room(dst.len(), 3 * src.len());
    convert_utf16_to_utf8_partial(src, dst).1
}

/// Converts as much UTF-16 to the front of `dst` as there is room for, with U+FFFD for lone surrogates, and returns the
/// code units read and the bytes written. What follows in `dst` becomes U+0000.
///
/// A leading surrogate at the end of `src` counts as lone, whatever comes next.
pub fn convert_utf16_to_str_partial(src: &[u16], dst: &mut str) -> (usize, usize) {
    overwrite(dst, |bytes| {
        let done = utf16_to_utf8_lossy(src, bytes);
        (done.read, done.written)
    })
}

/// Converts UTF-16 to the front of `dst`, with U+FFFD for lone surrogates, and returns the bytes written. What follows
/// in `dst` becomes U+0000.
///
/// # Panics
///
/// Panics if `dst` is shorter than three times the length of `src`.
#[inline]
pub fn convert_utf16_to_str(src: &[u16], dst: &mut str) -> usize {
    check_room(dst.len(), 3 * src.len());
    convert_utf16_to_str_partial(src, dst).1
}

/// The offset of the first lone surrogate, or the length.
pub fn utf16_valid_up_to(buffer: &[u16]) -> usize {
    validate_utf16(buffer).map_or_else(|error| error.offset, |()| buffer.len())
}

/// Replaces lone surrogates by U+FFFD.
#[inline]
pub fn ensure_utf16_validity(buffer: &mut [u16]) {
    let mut at = 0;
    loop {
        at += utf16_valid_up_to(&buffer[at..]);
        let Some(lone) = buffer.get_mut(at) else {
            return;
        };
        *lone = 0xFFFD;
        at += 1;
    }
}
