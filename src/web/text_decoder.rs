//! `TextDecoder` (section 7.2).

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::common::TextDecoderCommon;
use super::output::{Output, Units};
use super::{TextDecoderOptions, WebError};
use crate::encoding::UTF_8;

/// Options for one call of [`TextDecoder::decode`]: the standard's `TextDecodeOptions`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TextDecodeOptions {
    /// More input follows, so an unfinished sequence at the end of this piece is kept.
    pub stream: bool,
}

impl TextDecodeOptions {
    /// No more input follows.
    #[must_use]
    pub const fn new() -> Self {
        TextDecodeOptions { stream: false }
    }

    /// Sets [`TextDecodeOptions::stream`].
    ///
    /// ```
    /// use simdtext::web::{TextDecodeOptions, TextDecoder};
    ///
    /// let mut decoder = TextDecoder::default();
    /// assert_eq!(decoder.decode(b"\xC3", TextDecodeOptions::new().stream(true))?, "");
    /// assert_eq!(decoder.decode(b"\xA9", TextDecodeOptions::new())?, "é");
    /// # Ok::<(), simdtext::web::WebError>(())
    /// ```
    #[must_use]
    pub const fn stream(self, stream: bool) -> Self {
        TextDecodeOptions { stream }
    }
}

/// The standard's `TextDecoder` (section 7.2): bytes to text, in one piece or several.
///
/// ```
/// use simdtext::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions};
///
/// let mut decoder = TextDecoder::new("Shift-JIS", TextDecoderOptions::default())?;
/// assert_eq!(decoder.encoding(), "shift_jis");
/// let more = TextDecodeOptions::new().stream(true);
/// let mut text = decoder.decode(b"\x93\xFA\x96", more)?;
/// text += &decoder.decode(b"{", more)?;
/// text += &decoder.decode(b"", TextDecodeOptions::default())?;
/// assert_eq!(text, "日本");
/// # Ok::<(), simdtext::web::WebError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextDecoder {
    common: TextDecoderCommon,
    do_not_flush: bool,
}

impl TextDecoder {
    /// `new TextDecoder(label, options)`.
    ///
    /// # Errors
    ///
    /// [`WebError::Range`] if no encoding has the label, or it belongs to the replacement encoding.
    pub fn new(label: &str, options: TextDecoderOptions) -> Result<Self, WebError> {
        Ok(Self {
            common: TextDecoderCommon::new(label, options)?,
            do_not_flush: false,
        })
    }

    // The three attributes of the standard's mixin TextDecoderCommon. Each of its classes has them as methods
    // of its own, so that callers need no trait.

    /// The name of the encoding, in ASCII lower case.
    ///
    /// ```
    /// use simdtext::web::{TextDecoder, TextDecoderOptions};
    ///
    /// let decoder = TextDecoder::new("Latin1", TextDecoderOptions::new())?;
    /// assert_eq!(decoder.encoding(), "windows-1252");
    /// # Ok::<(), simdtext::web::WebError>(())
    /// ```
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

    /// `decode(input, options)`: decodes `input` and, without `stream`, ends the stream; the next
    /// call then begins a new one. If JavaScript would omit `input`, pass an empty one.
    ///
    /// # Errors
    ///
    /// [`WebError::Type`] at the first malformed sequence, if the decoder is fatal. Both the text that this
    /// call had decoded before it and the bytes after it are lost. With `stream`, the stream continues in the
    /// state that the decoder is in, and offsets still count from its start. Without `stream` the next call
    /// begins a new stream.
    ///
    /// ```
    /// use simdtext::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions};
    ///
    /// let options = TextDecoderOptions::new().fatal(true);
    /// let mut decoder = TextDecoder::new("utf-8", options)?;
    /// let more = TextDecodeOptions::new().stream(true);
    /// let error = decoder.decode(b"lost\xFFlost as well", more).unwrap_err();
    /// assert_eq!(error.to_string(), "TypeError: the input is not valid UTF-8: malformed byte FF at offset 4");
    /// assert_eq!(decoder.decode(b"what follows", more)?, "what follows");
    /// # Ok::<(), simdtext::web::WebError>(())
    /// ```
    pub fn decode(&mut self, input: &[u8], options: TextDecodeOptions) -> Result<String, WebError> {
        self.decode_to(input, options, String::new())
    }

    /// [`decode`](Self::decode), to code units of UTF-16, as in JavaScript strings. Returns their range in
    /// `buffer`: at its front, or after a byte order mark. The buffer's old content is lost; its capacity
    /// never shrinks, so one buffer can serve many calls. `limit` is the maximum number of code units,
    /// including a byte order mark.
    ///
    /// # Errors
    ///
    /// As for [`decode`](Self::decode), and [`WebError::Range`] if the text is longer than `limit` or does
    /// not fit into memory; the rest of the input is then lost, and a stream continues after it.
    ///
    /// ```
    /// use simdtext::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions};
    ///
    /// let mut decoder = TextDecoder::new("gb18030", TextDecoderOptions::default())?;
    /// let (whole, mut buffer) = (TextDecodeOptions::default(), Vec::new());
    /// let units = decoder.decode_to_utf16(b"\x94\x39\xDA\x33!", whole, &mut buffer, 1000)?;
    /// assert_eq!(buffer[units], [0xD83D, 0xDCA9, 0x21]);
    /// assert!(decoder.decode_to_utf16(b"four", whole, &mut buffer, 3).is_err());
    /// # Ok::<(), simdtext::web::WebError>(())
    /// ```
    pub fn decode_to_utf16(
        &mut self,
        input: &[u8],
        options: TextDecodeOptions,
        buffer: &mut Vec<u16>,
        limit: usize,
    ) -> Result<Range<usize>, WebError> {
        self.decode_to(input, options, Units::new(buffer, limit))
    }

    fn decode_to<O: Output>(
        &mut self,
        input: &[u8],
        options: TextDecodeOptions,
        output: O,
    ) -> Result<O::Text, WebError> {
        // Steps 1 and 2. The flag is set before anything can throw.
        if !self.do_not_flush {
            self.common.start_anew();
        }
        self.do_not_flush = options.stream;
        // Steps 3 to 5.
        self.common.process(input, !options.stream, output)
    }
}

impl Default for TextDecoder {
    /// `new TextDecoder()`: UTF-8.
    fn default() -> Self {
        Self {
            common: TextDecoderCommon::with_encoding(UTF_8, TextDecoderOptions::default()),
            do_not_flush: false,
        }
    }
}
