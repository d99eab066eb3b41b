//! `TextEncoderStream` (section 7.6).

use alloc::vec::Vec;

use super::text_encoder::{encode_utf16, utf8_encoder};
use super::{TypeError, WebError};
use crate::encoder::Encoder;

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
#[derive(Clone, Debug)]
pub struct TextEncoderStream {
    /// Holds the standard's *leading surrogate*, too.
    encoder: Encoder,
    closed: bool,
}

impl Default for TextEncoderStream {
    fn default() -> Self {
        Self::new()
    }
}

impl TextEncoderStream {
    /// `new TextEncoderStream()`.
    #[must_use]
    pub fn new() -> Self {
        Self {
            encoder: utf8_encoder(),
            closed: false,
        }
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
    ///
    /// ```
    /// use simdtext::web::TextEncoderStream;
    ///
    /// let mut stream = TextEncoderStream::new();
    /// assert_eq!(stream.write_utf16(&[0x61, 0xD83D])?, b"a");
    /// assert_eq!(stream.write_utf16(&[0xDCA9])?, "💩".as_bytes());
    /// # Ok::<(), simdtext::web::WebError>(())
    /// ```
    pub fn write_utf16(&mut self, chunk: &[u16]) -> Result<Vec<u8>, WebError> {
        self.check_open()?;
        Ok(encode_utf16(&mut self.encoder, chunk, false))
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
        if !chunk.is_empty() {
            output.append(&mut encode_utf16(&mut self.encoder, &[], true));
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
        Ok(encode_utf16(&mut self.encoder, &[], true))
    }

    fn check_open(&self) -> Result<(), WebError> {
        if self.closed {
            return Err(WebError::Type(TypeError::Closed));
        }
        Ok(())
    }
}
