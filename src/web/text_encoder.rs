//! `TextEncoder` (section 7.4).

use alloc::vec::Vec;

use crate::encoder::Encoder;
use crate::encoding::UTF_8;
use crate::progress::{Status, Unmappable};
use crate::unicode::{trim_partial_utf16, utf16_len_from_utf8};

/// The standard's `TextEncoder` (section 7.4): text to UTF-8, the only encoding it knows.
///
/// ```
/// use simdtext::web::TextEncoder;
///
/// let encoder = TextEncoder::new();
/// assert_eq!(encoder.encoding(), "utf-8");
/// assert_eq!(encoder.encode("é"), [0xC3, 0xA9]);
/// assert_eq!(encoder.encode_utf16(&[0x61, 0xD800]), b"a\xEF\xBF\xBD");
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
    #[must_use]
    pub fn encode(&self, input: &str) -> Vec<u8> {
        input.as_bytes().to_vec()
    }

    /// `encode(input)` of a JavaScript string: lone surrogates become U+FFFD.
    #[must_use]
    pub fn encode_utf16(&self, input: &[u16]) -> Vec<u8> {
        let mut output = Vec::with_capacity(input.len());
        append_utf16_as_utf8(input, &mut output);
        output
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
    /// let result = TextEncoder::new().encode_utf16_into(&[0x61, 0xDC00, 0x62], &mut destination);
    /// assert_eq!(result, EncodeIntoResult { read: 2, written: 4 });
    /// assert_eq!(&destination, b"a\xEF\xBF\xBD");
    /// ```
    pub fn encode_utf16_into(&self, source: &[u16], destination: &mut [u8]) -> EncodeIntoResult {
        let mut encoder = utf8_encoder();
        let mut chunk = [0; CHUNK];
        let mut read = 0;
        let mut written = 0;
        // A unit becomes at most three bytes, so a stretch of this many units fits for certain and
        // needs no look at each character. What is left shrinks by a third or more each time.
        loop {
            let certain = (destination.len() - written).min(CHUNK) / 3;
            let stretch = &source[read..][..certain.min(source.len() - read)];
            let stretch = &stretch[..trim_partial_utf16(stretch)];
            if stretch.len() < SHORT_STRETCH {
                break;
            }
            let progress = encoder.encode_from_utf16(stretch, &mut chunk, true, Unmappable::Strict);
            let encoded = &chunk[..progress.written];
            destination[written..][..encoded.len()].copy_from_slice(encoded);
            read += progress.read;
            written += progress.written;
        }
        for item in char::decode_utf16(source[read..].iter().copied()) {
            let (ch, units) = match item {
                Ok(ch) => (ch, ch.len_utf16()),
                Err(_lone_surrogate) => (char::REPLACEMENT_CHARACTER, 1),
            };
            let end = written + ch.len_utf8();
            let Some(room) = destination.get_mut(written..end) else {
                break;
            };
            ch.encode_utf8(room);
            read += units;
            written = end;
        }
        EncodeIntoResult { read, written }
    }
}

/// Bytes that are encoded at a time, on the stack.
const CHUNK: usize = 1024;

/// Below this many code units, characters are taken one by one.
const SHORT_STRETCH: usize = 16;

fn utf8_encoder() -> Encoder {
    match UTF_8.encoder() {
        Some(encoder) => encoder,
        None => unreachable!("UTF-8 has an encoder"),
    }
}

/// Appends UTF-16 as UTF-8, with U+FFFD for each lone surrogate.
pub(super) fn append_utf16_as_utf8(units: &[u16], output: &mut Vec<u8>) {
    let mut encoder = utf8_encoder();
    let mut chunk = [0; CHUNK];
    let mut read = 0;
    loop {
        let progress =
            encoder.encode_from_utf16(&units[read..], &mut chunk, true, Unmappable::Strict);
        output.extend_from_slice(&chunk[..progress.written]);
        read += progress.read;
        if progress.status == Status::InputEmpty {
            break;
        }
    }
}
