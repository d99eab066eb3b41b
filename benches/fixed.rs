//! Texts that are the same on every machine: the files of `samples/`, repeated.

pub(crate) const TEXTS: [(&str, &str); 5] = [
    ("en", include_str!("../samples/utf-8/en.txt")),
    ("fr", include_str!("../samples/utf-8/fr.txt")),
    ("ru", include_str!("../samples/utf-8/ru.txt")),
    ("zh", include_str!("../samples/utf-8/zh-hans.txt")),
    ("rare", include_str!("../samples/utf-8/zh-hans-rare.txt")),
];

/// About `len` bytes of a text, whole characters.
pub(crate) fn of_length(text: &str, len: usize) -> String {
    let mut repeated = text.repeat(len.div_ceil(text.len()));
    let end = (0..=len).rev().find(|&at| repeated.is_char_boundary(at));
    repeated.truncate(end.unwrap_or(0));
    repeated
}

pub(crate) fn bytes(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// A byte in 100 is FF.
pub(crate) fn damaged(text: &str) -> Vec<u8> {
    let mut bytes = bytes(text);
    for byte in bytes.iter_mut().skip(50).step_by(100) {
        *byte = 0xFF;
    }
    bytes
}

pub(crate) fn utf16(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// A code unit in 100 is a lone surrogate.
pub(crate) fn damaged_utf16(text: &str) -> Vec<u16> {
    let mut units = utf16(text);
    for unit in units.iter_mut().skip(50).step_by(100) {
        *unit = 0xDC00;
    }
    units
}

/// UTF-16LE bytes.
pub(crate) fn utf16le(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

pub(crate) fn utf32(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

/// Latin-1, with other characters as their last seven bits.
pub(crate) fn latin1(text: &str) -> Vec<u8> {
    let byte = |ch: char| u8::try_from(ch).unwrap_or(u32::from(ch).to_le_bytes()[0] & 0x7F);
    text.chars().map(byte).collect()
}

/// The characters of [`latin1`] as UTF-8.
pub(crate) fn latin1_as_utf8(text: &str) -> Vec<u8> {
    let text: String = latin1(text).into_iter().map(char::from).collect();
    text.into_bytes()
}

/// The characters of [`latin1`] as UTF-16.
pub(crate) fn latin1_as_utf16(text: &str) -> Vec<u16> {
    latin1(text).into_iter().map(u16::from).collect()
}
