//! `TextDecoderStream` (section 7.5).

use alloc::string::String;

use super::common::TextDecoderCommon;
use super::{TextDecoderOptions, TypeError, WebError};

/// The standard's `TextDecoderStream` (section 7.5), as a push object: writing a chunk of bytes returns
/// the text that it completes.
///
/// ```
/// use simdtext::web::{TextDecoderOptions, TextDecoderStream};
///
/// let mut stream = TextDecoderStream::new("utf-8", TextDecoderOptions::default())?;
/// assert_eq!(stream.write(b"na\xC3")?, "na");
/// assert_eq!(stream.write(b"\xAFve\xE2")?, "ïve");
/// assert_eq!(stream.close()?, "\u{FFFD}");
/// assert!(stream.write(b"more").is_err());
/// # Ok::<(), simdtext::web::WebError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextDecoderStream {
    common: TextDecoderCommon,
    /// Why the stream accepts no more input.
    stopped: Option<TypeError>,
}

impl TextDecoderStream {
    /// `new TextDecoderStream(label, options)`.
    ///
    /// # Errors
    ///
    /// [`WebError::Range`] if no encoding has the label, or it belongs to the replacement encoding.
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, WebError> {
        Ok(Self {
            common: TextDecoderCommon::new(label, options)?,
            stopped: None,
        })
    }

    // The three attributes of the standard's mixin TextDecoderCommon. Each of its classes has them as methods
    // of its own, so that callers need no trait.

    /// The name of the encoding, in ASCII lower case.
    #[must_use]
    pub fn encoding(&self) -> &'static str {
        self.common.encoding()
    }

    /// Whether malformed input is an error.
    #[must_use]
    pub fn fatal(&self) -> bool {
        self.common.options().fatal
    }

    /// Whether a byte order mark is text.
    #[must_use]
    pub fn ignore_bom(&self) -> bool {
        self.common.options().ignore_bom
    }

    /// *Decode and enqueue a chunk*: the text that `chunk` completes. The standard enqueues it
    /// if it is not empty.
    ///
    /// # Errors
    ///
    /// [`WebError::Type`] at a malformed sequence, if the stream is fatal. The stream is then
    /// errored, and each later call returns the same error. [`TypeError::Closed`] after
    /// [`close`](Self::close).
    ///
    /// ```
    /// use simdtext::web::{TextDecoderOptions, TextDecoderStream};
    ///
    /// let mut stream = TextDecoderStream::new("gbk", TextDecoderOptions::new())?;
    /// assert_eq!(stream.write(b"a\xC4")?, "a");
    /// assert_eq!(stream.write(b"\xE3")?, "你");
    /// assert_eq!(stream.close()?, "");
    /// # Ok::<(), simdtext::web::WebError>(())
    /// ```
    pub fn write(&mut self, chunk: &[u8]) -> Result<String, WebError> {
        self.process(chunk, false)
    }

    /// *Flush and enqueue*: ends the input and returns the text that was still pending.
    ///
    /// # Errors
    ///
    /// As for [`write`](Self::write); input that ends inside a sequence is malformed.
    pub fn close(&mut self) -> Result<String, WebError> {
        let output = self.process(&[], true)?;
        self.stopped = Some(TypeError::Closed);
        Ok(output)
    }

    fn process(&mut self, chunk: &[u8], last: bool) -> Result<String, WebError> {
        if let Some(stopped) = self.stopped {
            return Err(WebError::Type(stopped));
        }
        let result = self.common.process(chunk, last, String::new());
        if let Err(WebError::Type(error)) = result {
            self.stopped = Some(error);
        }
        result
    }
}
