//! One-shot conversion of whole slices. `convert/utf16.rs` does this to and from UTF-16; `convert/all.rs` has the loops
//! of both, and converts the rest of a stream at once.

mod all;
mod utf16;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use crate::codec::Codec;
use crate::encoding::Encoding;
use crate::output::{ascii_prefix, short_ascii, unshifted_prefix, utf8_prefix};
use crate::progress::{Bom, Malformed, Unmappable};
use crate::simd;

#[cfg(feature = "rayon")]
pub(crate) use all::{DecoderOutput, EncoderInput};
pub(crate) use all::{append_all, decode_all, encode_all, no_error, reserve_for};
pub use utf16::DecodedUtf16;

/// The result of [`Encoding::decode`], [`Encoding::decode_with_bom`] and [`Encoding::decode_strict`].
///
/// ```
/// let decoded = simdtext::UTF_8.decode(b"caf\xC3\xA9 \xFF");
/// assert_eq!((&*decoded.text, decoded.errors), ("café \u{FFFD}", 1));
/// assert_eq!(decoded.first_error.unwrap().offset, 6);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Decoded<'a> {
    /// The text. Borrowed wherever it is part of the input: valid UTF-8 after any byte order mark,
    /// and ASCII in an encoding in which that is the same.
    pub text: Cow<'a, str>,
    /// The encoding that was decoded; a byte order mark may have changed it.
    pub encoding: &'static Encoding,
    /// The number of malformed sequences, each of which became U+FFFD.
    pub errors: usize,
    /// The first malformed sequence.
    pub first_error: Option<Malformed>,
}

/// The result of [`Encoding::encode`].
///
/// ```
/// use simdtext::{ISO_8859_2, Unmappable};
///
/// let encoded = ISO_8859_2.encode("ž ☃", Unmappable::Ncr)?;
/// assert_eq!((&*encoded.bytes, encoded.errors), (&b"\xBE &#9731;"[..], 1));
/// # Ok::<(), simdtext::EncodeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Encoded<'a> {
    /// The bytes. Borrowed wherever they are the input itself: UTF-8, and ASCII in an encoding in
    /// which that is the same.
    pub bytes: Cow<'a, [u8]>,
    /// The number of unmappable characters, each of which was handled as [`Unmappable`] says.
    pub errors: usize,
}

impl<'a> Encoded<'a> {
    fn unchanged(text: &'a str) -> Self {
        Encoded {
            bytes: Cow::Borrowed(text.as_bytes()),
            errors: 0,
        }
    }
}

/// Input is malformed, and the caller asked for an error: [`Encoding::decode_strict`].
///
/// ```
/// let error = simdtext::EUC_KR.decode_strict(b"ab\xFF", simdtext::Bom::Keep).unwrap_err();
/// assert_eq!((error.encoding, error.malformed.offset), (simdtext::EUC_KR, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecodeError {
    /// The encoding that was decoded.
    pub encoding: &'static Encoding,
    /// The malformed sequence: the first one, unless the caller has gone on after earlier ones.
    pub malformed: Malformed,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not {}: {}", self.encoding, self.malformed)
    }
}

impl Error for DecodeError {}

/// An error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) around this one.
#[cfg(feature = "std")]
impl From<DecodeError> for std::io::Error {
    fn from(error: DecodeError) -> Self {
        std::io::Error::new(std::io::ErrorKind::InvalidData, error)
    }
}

/// A text can't be encoded: [`Encoding::encode`].
///
/// ```
/// use simdtext::{KOI8_R, Unmappable};
///
/// fn encoded(text: &str) -> std::io::Result<Vec<u8>> {
///     Ok(KOI8_R.encode(text, Unmappable::Strict)?.bytes.into_owned())
/// }
/// assert_eq!(encoded("мир").unwrap(), b"\xCD\xC9\xD2");
/// assert_eq!(encoded("世").unwrap_err().kind(), std::io::ErrorKind::InvalidData);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EncodeError {
    /// The encoding does not have a character, and the caller chose [`Unmappable::Strict`].
    Unmappable {
        /// The encoding that does not have it.
        encoding: &'static Encoding,
        /// The character; in ISO-2022-JP U+FFFD for U+000E, U+000F and U+001B.
        ch: char,
        /// Where it starts, in units of the input: bytes of UTF-8, or code units of UTF-16.
        offset: u64,
    },
    /// The encoding has no encoder: it is replacement.
    NoEncoder {
        /// The encoding.
        encoding: &'static Encoding,
    },
}

impl EncodeError {
    /// The encoding that was to be encoded to.
    ///
    /// ```
    /// use simdtext::{REPLACEMENT, Unmappable};
    ///
    /// let error = REPLACEMENT.encode("a", Unmappable::Strict).unwrap_err();
    /// assert_eq!(error.encoding(), REPLACEMENT);
    /// ```
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        match self {
            EncodeError::Unmappable { encoding, .. } | EncodeError::NoEncoder { encoding } => {
                encoding
            }
        }
    }
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::Unmappable {
                encoding,
                ch,
                offset,
            } => write!(
                f,
                "character U+{:04X} at offset {offset} is not in {encoding}",
                u32::from(*ch)
            ),
            EncodeError::NoEncoder { encoding } => write!(f, "{encoding} has no encoder"),
        }
    }
}

impl Error for EncodeError {}

/// An error around this one, of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) for an unmappable character,
/// and [`InvalidInput`](std::io::ErrorKind::InvalidInput) if there is no encoder.
#[cfg(feature = "std")]
impl From<EncodeError> for std::io::Error {
    fn from(error: EncodeError) -> Self {
        let kind = match error {
            EncodeError::Unmappable { .. } => std::io::ErrorKind::InvalidData,
            EncodeError::NoEncoder { .. } => std::io::ErrorKind::InvalidInput,
        };
        std::io::Error::new(kind, error)
    }
}

impl Encoding {
    /// Decodes `bytes`, as the standard's *decode* (section 6.1) does: a byte order mark wins over
    /// this encoding and is removed, and malformed sequences become U+FFFD.
    ///
    /// ```
    /// use simdtext::{UTF_8, WINDOWS_1251};
    ///
    /// let decoded = WINDOWS_1251.decode(b"\xCF\xF0\xE8\xE2\xE5\xF2");
    /// assert_eq!(decoded.text, "Привет");
    ///
    /// let decoded = WINDOWS_1251.decode("\u{FEFF}Привет".as_bytes());
    /// assert_eq!((&*decoded.text, decoded.encoding), ("Привет", UTF_8));
    /// ```
    #[must_use]
    pub fn decode<'a>(&'static self, bytes: &'a [u8]) -> Decoded<'a> {
        self.decode_with_bom(bytes, Bom::Sniff)
    }

    /// Decodes `bytes` with this rule for byte order marks; malformed sequences become U+FFFD.
    ///
    /// ```
    /// use simdtext::{Bom, BIG5};
    ///
    /// let decoded = BIG5.decode_with_bom(b"\xA4\xA4\xFF", Bom::Keep);
    /// assert_eq!(decoded.text, "中\u{FFFD}");
    /// assert_eq!((decoded.errors, decoded.first_error.unwrap().offset), (1, 2));
    /// ```
    #[doc(alias("decode_with_bom_removal", "decode_without_bom_handling"))]
    #[must_use]
    pub fn decode_with_bom<'a>(&'static self, bytes: &'a [u8], bom: Bom) -> Decoded<'a> {
        self.decode_whole(bytes, bom, false)
    }

    /// Decodes `bytes` with this rule for byte order marks, if nothing is malformed.
    ///
    /// # Errors
    ///
    /// Fails at the first malformed sequence, with its bytes and its offset from the start of `bytes`, where a byte
    /// order mark counts.
    ///
    /// ```
    /// use simdtext::{Bom, EUC_JP};
    ///
    /// assert_eq!(EUC_JP.decode_strict(b"\xC6\xFC", Bom::Keep).unwrap().text, "日");
    /// let error = EUC_JP.decode_strict(b"\xC6\xFC\xC6", Bom::Keep).unwrap_err();
    /// assert_eq!(error.to_string(), "not EUC-JP: malformed byte C6 at offset 2");
    /// ```
    #[doc(alias = "decode_without_bom_handling_and_without_replacement")]
    pub fn decode_strict<'a>(
        &'static self,
        bytes: &'a [u8],
        bom: Bom,
    ) -> Result<Decoded<'a>, DecodeError> {
        let decoded = self.decode_whole(bytes, bom, true);
        no_error(decoded.first_error, decoded.encoding)?;
        Ok(decoded)
    }

    /// The encoding in which `bytes` are to be decoded, and the length of the byte order mark before them.
    pub(crate) fn after_bom(&'static self, bytes: &[u8], bom: Bom) -> (&'static Encoding, usize) {
        if bom == Bom::Keep {
            return (self, 0);
        }
        match Encoding::for_bom(bytes) {
            Some((found, mark)) if bom == Bom::Sniff || found == self => (found, mark),
            _ => (self, 0),
        }
    }

    /// Decodes to the end, or, if it is `strict`, to the first malformed sequence.
    #[inline]
    fn decode_whole<'a>(&'static self, bytes: &'a [u8], bom: Bom, strict: bool) -> Decoded<'a> {
        // Before anything needs registers to be saved: words of up to 15 bytes take 0.6 to 0.7 times as long.
        if self.is_ascii_compatible()
            && let Some(text) = short_ascii(bytes)
        {
            return self.unchanged(text);
        }
        self.decode_any(bytes, bom, strict)
    }

    /// Decodes what may be anything. A separate function, so that short ASCII does not pay for its stack frame.
    #[inline(never)]
    fn decode_any<'a>(&'static self, bytes: &'a [u8], bom: Bom, strict: bool) -> Decoded<'a> {
        let (encoding, mark) = self.after_bom(bytes, bom);
        let bytes = bytes.get(mark..).unwrap_or_default();
        let prefix = encoding.text_at_front(bytes);
        if prefix.len() < bytes.len() {
            return encoding.decode_after(prefix, bytes, mark, strict);
        }
        encoding.unchanged(prefix)
    }

    fn unchanged<'a>(&'static self, text: &'a str) -> Decoded<'a> {
        Decoded {
            text: Cow::Borrowed(text),
            encoding: self,
            errors: 0,
            first_error: None,
        }
    }

    /// The front of `bytes` that is its own text in UTF-8.
    #[inline(always)]
    pub(crate) fn text_at_front<'a>(&self, bytes: &'a [u8]) -> &'a str {
        let kernels = simd::active();
        match self.codec() {
            Codec::Utf8 => utf8_prefix(kernels, bytes),
            Codec::Iso2022Jp => unshifted_prefix(kernels, bytes),
            _ if self.is_ascii_compatible() => ascii_prefix(kernels, bytes),
            _ => "",
        }
    }

    /// Decodes `bytes`, which begin with `prefix`, and are preceded by a byte order mark of `mark` bytes. A separate
    /// function, so that text which is returned as it is does not pay for saving registers.
    #[inline(never)]
    fn decode_after(
        &'static self,
        prefix: &str,
        bytes: &[u8],
        mark: usize,
        strict: bool,
    ) -> Decoded<'static> {
        let rest = bytes.get(prefix.len()..).unwrap_or_default();
        let offset = (mark + prefix.len()) as u64;
        let mut decoder = self.decoder(Bom::Keep).at_offset(offset);
        // Legacy text grows by about a half. When the string is full, it gets all the room that the rest can
        // need; a short text gets that from the start.
        let growth = (rest.len() / 2 + 16).max(2 * rest.len().min(32));
        let mut text = String::with_capacity(prefix.len() + rest.len() + growth);
        text.push_str(prefix);
        let (errors, first_error) = decode_all(&mut decoder, rest, &mut text, true, strict, None);
        Decoded {
            text: Cow::Owned(text),
            encoding: self,
            errors,
            first_error,
        }
    }

    /// Encodes `text`; characters that the encoding does not have are handled as `unmappable` says. No byte order
    /// mark is written.
    ///
    /// UTF-16BE and UTF-16LE encode to UTF-16. For the web's rule, which sends UTF-8 instead, call
    /// [`Encoding::output_encoding`] first, or [`hooks::encode`](crate::hooks::encode).
    ///
    /// # Errors
    ///
    /// [`EncodeError::Unmappable`] with [`Unmappable::Strict`], if the encoding does not have a
    /// character, with its offset in bytes of `text`; [`EncodeError::NoEncoder`] for replacement.
    ///
    /// ```
    /// use simdtext::{EncodeError, GBK, Unmappable};
    ///
    /// assert_eq!(*GBK.encode("€", Unmappable::Strict).unwrap().bytes, *b"\x80");
    /// assert_eq!(
    ///     GBK.encode("a💩", Unmappable::Strict),
    ///     Err(EncodeError::Unmappable { encoding: GBK, ch: '💩', offset: 1 })
    /// );
    /// assert_eq!(*GBK.encode("a💩", Unmappable::Ncr).unwrap().bytes, *b"a&#128169;");
    /// ```
    pub fn encode<'a>(
        &'static self,
        text: &'a str,
        unmappable: Unmappable,
    ) -> Result<Encoded<'a>, EncodeError> {
        if self.is_ascii_compatible() && short_ascii(text.as_bytes()).is_some() {
            return Ok(Encoded::unchanged(text));
        }
        self.encode_any(text, unmappable)
    }

    /// Encodes what may be anything, as [`Encoding::decode_any`] decodes it.
    #[inline(never)]
    fn encode_any<'a>(
        &'static self,
        text: &'a str,
        unmappable: Unmappable,
    ) -> Result<Encoded<'a>, EncodeError> {
        let is_unchanged = match self.codec() {
            Codec::Utf8 => true,
            // It has no encoder, not even for an empty text.
            Codec::Replacement => false,
            _ => self.text_at_front(text.as_bytes()).len() == text.len(),
        };
        if is_unchanged {
            return Ok(Encoded::unchanged(text));
        }
        let mut encoder = self
            .encoder()
            .ok_or(EncodeError::NoEncoder { encoding: self })?;
        let mut bytes = Vec::with_capacity(text.len() + 16);
        let errors = encode_all(&mut encoder, text, &mut bytes, unmappable)?;
        Ok(Encoded {
            bytes: Cow::Owned(bytes),
            errors,
        })
    }
}
