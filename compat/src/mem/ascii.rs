//! ASCII, as bytes and as code units. As code units it is called Basic Latin.

use simdtext::unicode::{latin1_to_utf16, utf16_to_latin1, validate_ascii};

use super::check_room;

/// Whether all bytes are ASCII.
#[inline]
pub fn is_ascii(buffer: &[u8]) -> bool {
    validate_ascii(buffer).is_ok()
}

/// Whether all code units are ASCII.
pub fn is_basic_latin(buffer: &[u16]) -> bool {
    all_below::<0x80>(buffer)
}

/// Whether all code units are below `END`, which is a power of two.
pub(super) fn all_below<const END: u16>(buffer: &[u16]) -> bool {
    let (chunks, rest) = buffer.as_chunks::<64>();
    let any = |units: &[u16]| units.iter().fold(0, |all, unit| all | unit);
    chunks.iter().all(|chunk| any(chunk) < END) && any(rest) < END
}

/// Copies the ASCII at the front of `src`, and returns its length.
///
/// # Panics
///
/// Panics if `dst` is shorter than `src`.
pub fn copy_ascii_to_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    check_room(dst.len(), src.len());
    let len = crate::Encoding::ascii_valid_up_to(src);
    dst[..len].copy_from_slice(&src[..len]);
    len
}

/// Copies the ASCII at the front of `src` as code units, and returns its length.
///
/// # Panics
///
/// Panics if `dst` is shorter than `src`.
pub fn copy_ascii_to_basic_latin(src: &[u8], dst: &mut [u16]) -> usize {
    check_room(dst.len(), src.len());
    let len = crate::Encoding::ascii_valid_up_to(src);
    latin1_to_utf16(&src[..len], &mut dst[..len]).written
}

/// Copies the ASCII at the front of `src` as bytes, and returns its length.
///
/// # Panics
///
/// Panics if `dst` is shorter than `src`.
pub fn copy_basic_latin_to_ascii(src: &[u16], dst: &mut [u8]) -> usize {
    check_room(dst.len(), src.len());
    let (chunks, _) = src.as_chunks::<64>();
    let ascii = chunks
        .iter()
        .take_while(|chunk| all_below::<0x80>(&chunk[..]));
    let mut len = 64 * ascii.count();
    len += src[len..].iter().take_while(|unit| **unit < 0x80).count();
    utf16_to_latin1(&src[..len], &mut dst[..len]).written
}
