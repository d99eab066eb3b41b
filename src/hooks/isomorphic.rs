//! The Infra standard's *isomorphic decode* and *isomorphic encode*: true ISO-8859-1, where each
//! byte is the code point of the same value.
//!
//! That is not what the label "iso-8859-1" means on the web (windows-1252).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec;
use core::fmt;

use crate::output::{append_text, ascii_prefix};
use crate::simd;
use crate::unicode::{Stop, count_scalars_utf8, push_latin1, utf8_len_from_latin1, utf8_to_latin1};

/// *Isomorphic decode* (Infra standard, *byte sequences*): each byte becomes the code point of the same value,
/// U+0000 to U+00FF. Never fails; borrows where the input is ASCII.
///
/// ```
/// use simdtext::{WINDOWS_1252, hooks::isomorphic_decode};
///
/// assert_eq!(isomorphic_decode(b"caf\xE9 \x80"), "café \u{80}");
/// assert_eq!(WINDOWS_1252.decode(b"caf\xE9 \x80").text, "café €");
/// ```
#[doc(alias("decode_latin1", "iso-8859-1"))]
#[must_use]
pub fn isomorphic_decode(bytes: &[u8]) -> Cow<'_, str> {
    let kernels = simd::active();
    let prefix = ascii_prefix(kernels, bytes);
    let rest = &bytes[prefix.len()..];
    if rest.is_empty() {
        return Cow::Borrowed(prefix);
    }
    let rest_len = utf8_len_from_latin1(rest);
    let mut text = String::with_capacity(prefix.len().saturating_add(rest_len));
    text.push_str(prefix);
    // All of it fits, and Latin-1 is never malformed.
    let _ = append_text(&mut text, |out| push_latin1(rest, out));
    Cow::Owned(text)
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
#[doc(alias = "encode_latin1_lossy")]
pub fn isomorphic_encode(text: &str) -> Result<Cow<'_, [u8]>, IsomorphicError> {
    if text.is_ascii() {
        return Ok(Cow::Borrowed(text.as_bytes()));
    }
    let mut bytes = vec![0; count_scalars_utf8(text.as_bytes())];
    let done = utf8_to_latin1(text.as_bytes(), &mut bytes);
    match done.stop {
        Stop::Unmappable { ch } => Err(IsomorphicError {
            ch,
            offset: done.read,
        }),
        // All of it fits, and text is never malformed.
        _ => Ok(Cow::Owned(bytes)),
    }
}

/// A character above U+00FF, which [`isomorphic_encode`] can't encode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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

/// An error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) around this one.
#[cfg(feature = "std")]
impl From<IsomorphicError> for std::io::Error {
    fn from(error: IsomorphicError) -> Self {
        std::io::Error::new(std::io::ErrorKind::InvalidData, error)
    }
}
