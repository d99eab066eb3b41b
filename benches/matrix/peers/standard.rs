//! Conversions with only the standard library, as they would be written without a crate.

use std::char;

const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// Writes units to the front of a buffer.
pub(crate) fn write<T>(units: impl Iterator<Item = T>, dst: &mut [T]) -> usize {
    let mut written = 0;
    for (place, unit) in dst.iter_mut().zip(units) {
        *place = unit;
        written += 1;
    }
    written
}

/// Copies units to the front of a buffer.
pub(crate) fn copy<T: Copy>(src: &[T], dst: &mut [T]) -> usize {
    dst[..src.len()].copy_from_slice(src);
    src.len()
}

/// Writes characters as UTF-8.
pub(crate) fn write_utf8(chars: impl Iterator<Item = char>, dst: &mut [u8]) -> usize {
    let mut written = 0;
    for ch in chars {
        written += ch.encode_utf8(&mut dst[written..]).len();
    }
    written
}

/// Writes characters as UTF-16.
pub(crate) fn write_utf16(chars: impl Iterator<Item = char>, dst: &mut [u16]) -> usize {
    let mut written = 0;
    for ch in chars {
        written += ch.encode_utf16(&mut dst[written..]).len();
    }
    written
}

pub(crate) fn utf8_copy(src: &[u8], dst: &mut [u8]) -> usize {
    copy(str::from_utf8(src).unwrap_or("").as_bytes(), dst)
}

pub(crate) fn utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    write(str::from_utf8(src).unwrap_or("").encode_utf16(), dst)
}

pub(crate) fn utf8_to_utf32(src: &[u8], dst: &mut [u32]) -> usize {
    let chars = str::from_utf8(src).unwrap_or("").chars();
    write(chars.map(u32::from), dst)
}

pub(crate) fn utf8_to_utf8_lossy(src: &[u8], dst: &mut [u8]) -> usize {
    let mut written = 0;
    for chunk in src.utf8_chunks() {
        written += copy(chunk.valid().as_bytes(), &mut dst[written..]);
        if !chunk.invalid().is_empty() {
            written += REPLACEMENT.encode_utf8(&mut dst[written..]).len();
        }
    }
    written
}

pub(crate) fn utf8_to_utf16_lossy(src: &[u8], dst: &mut [u16]) -> usize {
    let mut written = 0;
    for chunk in src.utf8_chunks() {
        written += write(chunk.valid().encode_utf16(), &mut dst[written..]);
        if !chunk.invalid().is_empty() {
            written += REPLACEMENT.encode_utf16(&mut dst[written..]).len();
        }
    }
    written
}

/// Decodes native code units, with lone surrogates replaced.
pub(crate) fn utf16_chars(units: impl Iterator<Item = u16>) -> impl Iterator<Item = char> {
    char::decode_utf16(units).map(|ch| ch.unwrap_or(REPLACEMENT))
}

/// Converts code units of either byte order, which `native` turns into native ones.
pub(crate) fn utf16_to_utf8(src: &[u16], dst: &mut [u8], native: impl Fn(u16) -> u16) -> usize {
    write_utf8(utf16_chars(src.iter().copied().map(native)), dst)
}

pub(crate) fn utf32_chars(src: &[u32]) -> impl Iterator<Item = char> {
    let chars = src.iter().map(|&unit| char::from_u32(unit));
    chars.map(|ch| ch.unwrap_or(REPLACEMENT))
}

/// Counts the bytes that begin a character.
pub(crate) fn count_scalars_utf8(src: &[u8]) -> usize {
    src.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}

pub(crate) fn utf16_len_from_utf8(src: &[u8]) -> usize {
    let units = |byte: &u8| usize::from(byte & 0xC0 != 0x80) + usize::from(*byte >= 0xF0);
    src.iter().map(units).sum()
}

/// Counts a surrogate as two bytes: there are no lone ones.
pub(crate) fn utf8_len_from_utf16(src: &[u16]) -> usize {
    let bytes = |&unit: &u16| {
        let surrogate = unit & 0xF800 == 0xD800;
        1 + usize::from(unit >= 0x80) + usize::from(unit >= 0x800 && !surrogate)
    };
    src.iter().map(bytes).sum()
}

pub(crate) fn count_scalars_utf16(src: &[u16]) -> usize {
    src.iter().filter(|&&unit| unit & 0xFC00 != 0xDC00).count()
}

pub(crate) fn utf8_len_from_latin1(src: &[u8]) -> usize {
    src.iter().map(|&byte| 1 + usize::from(byte >> 7)).sum()
}
