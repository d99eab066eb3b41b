//! `TextEncoderStream` (section 7.6).

use alloc::vec::Vec;

use super::text_encoder::append_utf16_as_utf8;
use super::{TypeError, WebError};

/// The standard's `TextEncoderStream` (section 7.6), as a push object: writing a chunk of text returns
/// its UTF-8. A surrogate pair may be cut by the end of a chunk.
///
/// ```
/// use simdtext::web::TextEncoderStream;
///
/// let mut stream = TextEncoderStream::new();
/// assert_eq!(stream.write_utf16(&[0x61, 0xD83D])?, b"a");
/// assert_eq!(stream.write_utf16(&[0xDCA9])?, "💩".as_bytes());
/// assert_eq!(stream.write_utf16(&[0xD83D])?, b"");
/// assert_eq!(stream.close()?, b"\xEF\xBF\xBD");
/// # Ok::<(), simdtext::web::WebError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TextEncoderStream {
    leading_surrogate: Option<u16>,
    closed: bool,
}

impl TextEncoderStream {
    /// `new TextEncoderStream()`.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// `"utf-8"`.
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        "utf-8"
    }

    /// *Encode and enqueue a chunk*: the UTF-8 of `chunk`, except a leading surrogate at its end, which
    /// waits for the next chunk. Lone surrogates become U+FFFD. The standard enqueues the result if it is
    /// not empty.
    ///
    /// # Errors
    ///
    /// [`TypeError::Closed`] after [`close`](Self::close).
    pub fn write_utf16(&mut self, chunk: &[u16]) -> Result<Vec<u8>, WebError> {
        self.check_open()?;
        let mut output = Vec::with_capacity(chunk.len());
        let mut rest = chunk;
        if let (Some(leading), [first, ..]) = (self.leading_surrogate, chunk) {
            self.leading_surrogate = None;
            if let Some(Ok(ch)) = char::decode_utf16([leading, *first])
                .next()
                .filter(|_| matches!(first, 0xDC00..=0xDFFF))
            {
                push_utf8(ch, &mut output);
                rest = &chunk[1..];
            } else {
                push_utf8(char::REPLACEMENT_CHARACTER, &mut output);
            }
        }
        if let [start @ .., leading @ 0xD800..=0xDBFF] = rest {
            self.leading_surrogate = Some(*leading);
            rest = start;
        }
        append_utf16_as_utf8(rest, &mut output);
        Ok(output)
    }

    /// Encodes a chunk that is a `&str`, and so has no surrogates: a waiting surrogate becomes U+FFFD,
    /// unless the chunk is empty.
    ///
    /// # Errors
    ///
    /// [`TypeError::Closed`] after [`close`](Self::close).
    pub fn write(&mut self, chunk: &str) -> Result<Vec<u8>, WebError> {
        self.check_open()?;
        let mut output = Vec::with_capacity(chunk.len());
        if !chunk.is_empty() && self.leading_surrogate.take().is_some() {
            push_utf8(char::REPLACEMENT_CHARACTER, &mut output);
        }
        output.extend_from_slice(chunk.as_bytes());
        Ok(output)
    }

    /// *Encode and flush*: ends the text; a leading surrogate that waits becomes U+FFFD.
    ///
    /// # Errors
    ///
    /// [`TypeError::Closed`] if the stream was closed before.
    pub fn close(&mut self) -> Result<Vec<u8>, WebError> {
        self.check_open()?;
        self.closed = true;
        let mut output = Vec::new();
        if self.leading_surrogate.take().is_some() {
            push_utf8(char::REPLACEMENT_CHARACTER, &mut output);
        }
        Ok(output)
    }

    fn check_open(&self) -> Result<(), WebError> {
        if self.closed {
            return Err(WebError::Type(TypeError::Closed));
        }
        Ok(())
    }
}

fn push_utf8(ch: char, output: &mut Vec<u8>) {
    output.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes());
}
