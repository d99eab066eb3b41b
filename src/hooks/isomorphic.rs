//! The Infra standard's *isomorphic decode* and *isomorphic encode*: true ISO-8859-1, where each
//! byte is the code point of the same value.
//!
//! That is not what the label "iso-8859-1" means on the web (windows-1252).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// *Isomorphic decode* (Infra standard, *byte sequences*): each byte becomes the code point of the same value,
/// U+0000 to U+00FF. Never fails; borrows where the input is ASCII.
///
/// ```
/// use simdtext::{WINDOWS_1252, hooks::isomorphic_decode};
///
/// assert_eq!(isomorphic_decode(b"caf\xE9 \x80"), "café \u{80}");
/// assert_eq!(WINDOWS_1252.decode(b"caf\xE9 \x80").text, "café €");
/// ```
#[must_use]
pub fn isomorphic_decode(bytes: &[u8]) -> Cow<'_, str> {
    match core::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Cow::Borrowed(text),
        _ => {
            let above_ascii = bytes.iter().filter(|byte| !byte.is_ascii()).count();
            let mut text = String::with_capacity(bytes.len().saturating_add(above_ascii));
            text.extend(bytes.iter().map(|&byte| char::from(byte)));
            Cow::Owned(text)
        }
    }
}

/// *Isomorphic encode* (Infra standard, *strings*): each code point becomes the byte of the same value.
/// Borrows where the text is ASCII.
///
/// # Errors
///
/// The first character above U+00FF, which no byte stands for.
///
/// ```
/// use simdtext::hooks::isomorphic_encode;
///
/// assert_eq!(isomorphic_encode("café").unwrap(), &b"caf\xE9"[..]);
/// let error = isomorphic_encode("é€").unwrap_err();
/// assert_eq!((error.ch, error.offset), ('€', 2));
/// ```
pub fn isomorphic_encode(text: &str) -> Result<Cow<'_, [u8]>, IsomorphicError> {
    if text.is_ascii() {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let mut bytes = Vec::with_capacity(text.len());
    for (offset, ch) in text.char_indices() {
        bytes.push(u8::try_from(ch).map_err(|_| IsomorphicError { ch, offset })?);
    }
    Ok(Cow::Owned(bytes))
}

/// A character above U+00FF, which [`isomorphic_encode`] can't encode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IsomorphicError {
    /// The character.
    pub ch: char,
    /// Where it starts, in bytes of UTF-8.
    pub offset: usize,
}

impl fmt::Display for IsomorphicError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "U+{:04X} at offset {} is above U+00FF",
            u32::from(self.ch),
            self.offset
        )
    }
}

impl core::error::Error for IsomorphicError {}
