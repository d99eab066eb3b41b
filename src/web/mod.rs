//! Section 7 of the standard, the API of browsers, step by step, as Rust types.
//!
//! [`TextDecoder`] and [`TextEncoder`] are the objects of that name. [`TextDecoderStream`] and
//! [`TextEncoderStream`] are the streams, as objects that you push to: write a chunk, get the result,
//! and close. Exceptions in JavaScript are [`WebError`]s here, and a JavaScript string is `&[u16]`
//! (which may have lone surrogates) or `&str`.
//!
//! Unless you need the behaviour of that API, use [`Encoding`](crate::Encoding) and its
//! [`decoder`](crate::Encoding::decoder), which give more details of errors and copy less. Tested in
//! `tests/api/web.rs`.

mod common;
mod output;
mod text_decoder;
mod text_decoder_stream;
mod text_encoder;
mod text_encoder_stream;

use alloc::string::String;
use core::fmt;

pub use text_decoder::{TextDecodeOptions, TextDecoder};
pub use text_decoder_stream::TextDecoderStream;
pub use text_encoder::{EncodeIntoResult, TextEncoder};
pub use text_encoder_stream::TextEncoderStream;

use crate::convert::DecodeError;

/// How a [`TextDecoder`] or [`TextDecoderStream`] is set up: the standard's `TextDecoderOptions`.
/// Both are off by default.
///
/// ```
/// use simdtext::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions};
///
/// let options = TextDecoderOptions::new().fatal(true).ignore_bom(true);
/// let mut decoder = TextDecoder::new("utf-8", options)?;
/// assert!(decoder.decode(b"\xFF", TextDecodeOptions::new()).is_err());
/// # Ok::<(), simdtext::web::WebError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct TextDecoderOptions {
    /// Malformed input is an error; otherwise it becomes U+FFFD.
    pub fatal: bool,
    /// A byte order mark is decoded as text, U+FEFF; otherwise the one at the start is dropped.
    pub ignore_bom: bool,
}

impl TextDecoderOptions {
    /// Both off.
    #[must_use]
    pub const fn new() -> Self {
        TextDecoderOptions {
            fatal: false,
            ignore_bom: false,
        }
    }

    /// Sets [`TextDecoderOptions::fatal`].
    ///
    /// ```
    /// use simdtext::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions};
    ///
    /// let mut decoder = TextDecoder::new("utf-8", TextDecoderOptions::new().fatal(true))?;
    /// assert!(decoder.decode(b"a\xFF", TextDecodeOptions::new()).is_err());
    /// # Ok::<(), simdtext::web::WebError>(())
    /// ```
    #[must_use]
    pub const fn fatal(self, fatal: bool) -> Self {
        TextDecoderOptions { fatal, ..self }
    }

    /// Sets [`TextDecoderOptions::ignore_bom`].
    ///
    /// ```
    /// use simdtext::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions};
    ///
    /// let mut decoder = TextDecoder::new("utf-8", TextDecoderOptions::new().ignore_bom(true))?;
    /// let text = decoder.decode(b"\xEF\xBB\xBFa", TextDecodeOptions::new())?;
    /// assert_eq!(text, "\u{FEFF}a", "the byte order mark is kept");
    /// # Ok::<(), simdtext::web::WebError>(())
    /// ```
    #[must_use]
    pub const fn ignore_bom(self, ignore_bom: bool) -> Self {
        TextDecoderOptions { ignore_bom, ..self }
    }
}

/// What the API of section 7 throws.
///
/// ```
/// use simdtext::web::{TextDecoder, TextDecoderOptions, WebError};
///
/// let error = TextDecoder::new("replacement", TextDecoderOptions::new()).unwrap_err();
/// assert!(matches!(error, WebError::Range(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WebError {
    /// A `RangeError`: the label is unknown or belongs to the replacement encoding, or the text is too long
    /// for its limit or for memory.
    Range(RangeError),
    /// A `TypeError`: malformed input in fatal mode, or a chunk for a stream that is closed.
    Type(TypeError),
}

/// Why a [`WebError`] is a `RangeError`.
///
/// ```
/// use simdtext::web::{RangeError, TextDecoder, TextDecoderOptions, WebError};
///
/// let error = TextDecoder::new("klingon", TextDecoderOptions::new()).unwrap_err();
/// assert_eq!(error, WebError::Range(RangeError::Label("klingon".into())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RangeError {
    /// The label, as it was given: no [`TextDecoder`] can be made for it.
    Label(String),
    /// The text is longer than this limit of the caller (code units of UTF-16).
    Length(usize),
    /// There is not enough memory for the text.
    Memory,
}

/// Why a [`WebError`] is a `TypeError`.
///
/// ```
/// use simdtext::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions, TypeError, WebError};
///
/// let mut decoder = TextDecoder::new("utf-8", TextDecoderOptions::new().fatal(true))?;
/// let error = decoder.decode(b"a\xFF", TextDecodeOptions::new()).unwrap_err();
/// assert!(matches!(error, WebError::Type(TypeError::Malformed(error)) if error.malformed.offset == 1));
/// # Ok::<(), WebError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TypeError {
    /// The input is malformed, and the decoder is fatal. The offset is in bytes, from the start of
    /// the stream, a byte order mark included.
    Malformed(DecodeError),
    /// The stream has been closed.
    Closed,
}

impl fmt::Display for WebError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WebError::Range(error) => write!(f, "RangeError: {error}"),
            WebError::Type(error) => write!(f, "TypeError: {error}"),
        }
    }
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RangeError::Label(label) => {
                write!(f, "no encoding can be decoded under the label {label:?}")
            }
            RangeError::Length(limit) => {
                write!(f, "the text is longer than {limit} code units")
            }
            RangeError::Memory => f.write_str("there is not enough memory for the text"),
        }
    }
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeError::Malformed(error) => write!(
                f,
                "the input is not valid {}: {}",
                error.encoding, error.malformed
            ),
            TypeError::Closed => f.write_str("the stream is closed"),
        }
    }
}

impl core::error::Error for WebError {}
impl core::error::Error for RangeError {}
impl core::error::Error for TypeError {}
