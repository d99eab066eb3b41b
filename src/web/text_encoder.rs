//! `TextEncoder` (section 7.4).

use alloc::vec::Vec;

use crate::encoder::Encoder;
use crate::encoding::UTF_8;
use crate::progress::{Status, Unmappable};
use crate::unicode::{Stop, utf16_len_from_utf8, utf16_to_utf8_lossy};

/// The standard's `TextEncoder` (section 7.4): text to UTF-8, the only encoding it knows.
///
/// ```
/// use simdtext::web::TextEncoder;
///
/// let encoder = TextEncoder::new();
/// assert_eq!(encoder.encoding(), "utf-8");
/// assert_eq!(encoder.encode("é"), [0xC3, 0xA9]);
/// assert_eq!(encoder.encode_from_utf16(&[0x61, 0xD800]), b"a\xEF\xBF\xBD");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TextEncoder;

/// What `encode_into` read and wrote.
#[must_use = "the source may not have fitted"]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EncodeIntoResult {
    /// The length of what was converted of the source, in code units of UTF-16 even if it is a `&str`.
    pub read: usize,
    /// The number of bytes written to the destination.
    pub written: usize,
}

impl TextEncoder {
    /// `new TextEncoder()`.
    #[must_use]
    pub fn new() -> Self {
        Self
    }

    /// `"utf-8"`.
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        "utf-8"
    }

    /// `encode(input)`.
    ///
    /// ```
    /// assert_eq!(simdtext::web::TextEncoder::new().encode("é"), b"\xC3\xA9");
    /// ```
    #[must_use]
    pub fn encode(&self, input: &str) -> Vec<u8> {
        input.as_bytes().to_vec()
    }

    /// `encode(input)` of a JavaScript string: lone surrogates become U+FFFD.
    ///
    /// ```
    /// assert_eq!(simdtext::web::TextEncoder::new().encode_from_utf16(&[0xE9]), b"\xC3\xA9");
    /// ```
    #[must_use]
    pub fn encode_from_utf16(&self, input: &[u16]) -> Vec<u8> {
        encode_utf16(&mut utf8_encoder(), input, true)
    }

    /// `encodeInto(source, destination)`: converts as many whole characters as fit. Bytes of
    /// `destination` past `written` stay as they are.
    ///
    /// ```
    /// use simdtext::web::{EncodeIntoResult, TextEncoder};
    ///
    /// let mut destination = [0; 7];
    /// let result = TextEncoder::new().encode_into("a💩é!", &mut destination);
    /// assert_eq!(result, EncodeIntoResult { read: 4, written: 7 });
    /// assert_eq!(destination, "a💩é".as_bytes());
    /// ```
    pub fn encode_into(&self, source: &str, destination: &mut [u8]) -> EncodeIntoResult {
        let mut written = source.len().min(destination.len());
        while !source.is_char_boundary(written) {
            written -= 1;
        }
        let fitting = &source.as_bytes()[..written];
        destination[..written].copy_from_slice(fitting);
        EncodeIntoResult {
            read: utf16_len_from_utf8(fitting),
            written,
        }
    }

    /// `encodeInto(source, destination)` of a JavaScript string: lone surrogates become U+FFFD.
    ///
    /// ```
    /// use simdtext::web::{EncodeIntoResult, TextEncoder};
    ///
    /// let mut destination = [0; 4];
    /// let result = TextEncoder::new().encode_from_utf16_into(&[0x61, 0xDC00, 0x62], &mut destination);
    /// assert_eq!(result, EncodeIntoResult { read: 2, written: 4 });
    /// assert_eq!(&destination, b"a\xEF\xBF\xBD");
    /// ```
    pub fn encode_from_utf16_into(
        &self,
        source: &[u16],
        destination: &mut [u8],
    ) -> EncodeIntoResult {
        // By way of a buffer, because a conversion may overwrite bytes after those that it has written.
        let mut chunk = [0; CHUNK];
        let (mut read, mut written) = (0, 0);
        loop {
            let room = (destination.len() - written).min(CHUNK);
            let done = utf16_to_utf8_lossy(&source[read..], &mut chunk[..room]);
            destination[written..][..done.written].copy_from_slice(&chunk[..done.written]);
            read += done.read;
            written += done.written;
            if done.stop != Stop::OutputFull || done.written == 0 {
                return EncodeIntoResult { read, written };
            }
        }
    }
}

/// Bytes that are encoded at a time, on the stack.
const CHUNK: usize = 1024;

pub(super) fn utf8_encoder() -> Encoder {
    match UTF_8.encoder() {
        Some(encoder) => encoder,
        None => unreachable!("UTF-8 has an encoder"),
    }
}

/// Encodes UTF-16, with U+FFFD for each lone surrogate. Unless this is the `last` of the text, a leading surrogate at the
/// end waits in the encoder.
pub(super) fn encode_utf16(encoder: &mut Encoder, units: &[u16], last: bool) -> Vec<u8> {
    let mut output = Vec::with_capacity(units.len());
    let mut chunk = [0; CHUNK];
    let mut rest = units;
    loop {
        let progress = encoder.encode_from_utf16(rest, &mut chunk, last, Unmappable::Strict);
        output.extend_from_slice(&chunk[..progress.written]);
        rest = &rest[progress.read..];
        if progress.status == Status::InputEmpty {
            return output;
        }
    }
}
