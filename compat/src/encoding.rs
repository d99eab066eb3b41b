//! An encoding, and one-shot conversion.

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;
use core::fmt;
use core::hash::{Hash, Hasher};

use simdtext::Bom;
#[cfg(feature = "alloc")]
use simdtext::Unmappable;
use simdtext::unicode::{validate_ascii, validate_utf8};

use crate::list::{ALL, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};
use crate::{Decoder, Encoder};

/// One of the forty encodings of the WHATWG Encoding Standard.
///
/// Encodings are statics ([`UTF_8`], [`SHIFT_JIS`](crate::SHIFT_JIS), …), and are equal if they have the same address.
///
/// ```
/// use simdtext_encoding_rs::{Encoding, SHIFT_JIS};
///
/// assert_eq!(Encoding::for_label(b"windows-31j"), Some(SHIFT_JIS));
/// let native: &simdtext::Encoding = SHIFT_JIS.into();
/// assert_eq!(native, simdtext::SHIFT_JIS);
/// ```
pub struct Encoding {
    pub(crate) inner: &'static simdtext::Encoding,
    pub(crate) kind: Kind,
}

/// Groups of encodings between which this crate has to distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Utf8,
    SingleByte,
    UserDefined,
    Gbk,
    Gb18030,
    Big5,
    EucJp,
    EucKr,
    ShiftJis,
    Iso2022Jp,
    Replacement,
    Utf16Be,
    Utf16Le,
}

impl Encoding {
    pub(crate) const fn new(inner: &'static simdtext::Encoding, kind: Kind) -> Self {
        Encoding { inner, kind }
    }

    /// *Get an encoding*: the encoding that a label means. ASCII white space around it and the case of ASCII
    /// letters are ignored.
    #[inline]
    pub fn for_label(label: &[u8]) -> Option<&'static Encoding> {
        simdtext::Encoding::for_label(label).map(Into::into)
    }

    /// [`Encoding::for_label`], but `None` for the labels of replacement as well, for callers that can't use
    /// an encoding in which nothing can be read.
    #[inline]
    pub fn for_label_no_replacement(label: &[u8]) -> Option<&'static Encoding> {
        Encoding::for_label(label).filter(|encoding| *encoding != REPLACEMENT)
    }

    /// *BOM sniff*: the encoding whose byte order mark `buffer` starts with, and the length of the mark in bytes.
    #[inline]
    pub fn for_bom(buffer: &[u8]) -> Option<(&'static Encoding, usize)> {
        match buffer {
            [0xEF, 0xBB, 0xBF, ..] => Some((UTF_8, 3)),
            [0xFE, 0xFF, ..] => Some((UTF_16BE, 2)),
            [0xFF, 0xFE, ..] => Some((UTF_16LE, 2)),
            _ => None,
        }
    }

    /// The name, spelt as in the standard.
    #[inline]
    pub fn name(&'static self) -> &'static str {
        self.inner.name()
    }

    /// Whether the output encoding, UTF-8, has every character. False for gb18030, which lacks U+E5E5.
    #[inline]
    pub fn can_encode_everything(&'static self) -> bool {
        self.output_encoding() == UTF_8
    }

    /// Whether ASCII text is the same bytes in this encoding.
    #[inline]
    pub fn is_ascii_compatible(&'static self) -> bool {
        !matches!(
            self.kind,
            Kind::Replacement | Kind::Utf16Be | Kind::Utf16Le | Kind::Iso2022Jp
        )
    }

    /// Whether every byte decodes by itself to one code unit of UTF-16 or to nothing.
    #[inline]
    pub fn is_single_byte(&'static self) -> bool {
        matches!(self.kind, Kind::SingleByte | Kind::UserDefined)
    }

    /// *Get an output encoding*: UTF-8 for replacement, UTF-16BE and UTF-16LE, and itself for any other.
    #[inline]
    pub fn output_encoding(&'static self) -> &'static Encoding {
        match self.kind {
            Kind::Replacement | Kind::Utf16Be | Kind::Utf16Le => UTF_8,
            _ => self,
        }
    }

    /// *Decode*: a byte order mark wins over this encoding and is removed; malformed sequences become U+FFFD. Returns
    /// the text, the encoding that it was in, and whether anything was malformed.
    ///
    /// The text is borrowed if it is the input itself.
    #[cfg(feature = "alloc")]
    pub fn decode<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, &'static Encoding, bool) {
        let (encoding, mark) = Encoding::for_bom(bytes).unwrap_or((self, 0));
        let (text, had_errors) = encoding.decode_without_bom_handling(&bytes[mark..]);
        (text, encoding, had_errors)
    }

    /// [`Encoding::decode`], but only this encoding's own byte order mark is removed.
    #[cfg(feature = "alloc")]
    pub fn decode_with_bom_removal<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, bool) {
        let mark = match Encoding::for_bom(bytes) {
            Some((encoding, mark)) if encoding == self => mark,
            _ => 0,
        };
        self.decode_without_bom_handling(&bytes[mark..])
    }

    /// [`Encoding::decode`], but byte order marks are decoded as text.
    #[cfg(feature = "alloc")]
    pub fn decode_without_bom_handling<'a>(&'static self, bytes: &'a [u8]) -> (Cow<'a, str>, bool) {
        let decoded = self.inner.decode_with_bom(bytes, Bom::Keep);
        (decoded.text, decoded.errors > 0)
    }

    /// [`Encoding::decode_without_bom_handling`], but `None` if anything is malformed.
    #[cfg(feature = "alloc")]
    pub fn decode_without_bom_handling_and_without_replacement<'a>(
        &'static self,
        bytes: &'a [u8],
    ) -> Option<Cow<'a, str>> {
        let decoded = self.inner.decode_strict(bytes, Bom::Keep).ok()?;
        Some(decoded.text)
    }

    /// *Encode* to the [output encoding](Encoding::output_encoding): unmappable characters become decimal numeric
    /// character references. Returns the bytes, the output encoding, and whether anything was unmappable.
    ///
    /// The bytes are borrowed if they are the input itself.
    #[cfg(feature = "alloc")]
    pub fn encode<'a>(&'static self, string: &'a str) -> (Cow<'a, [u8]>, &'static Encoding, bool) {
        let output = self.output_encoding();
        match output.inner.encode(string, Unmappable::Ncr) {
            Ok(encoded) => (encoded.bytes, output, encoded.errors > 0),
            // This is not reached: output encodings have encoders, and references are not errors.
            Err(_) => (Cow::Borrowed(string.as_bytes()), output, true),
        }
    }

    /// A decoder in which a byte order mark wins over this encoding and is removed.
    #[inline]
    pub fn new_decoder(&'static self) -> Decoder {
        Decoder::new(self, Bom::Sniff)
    }

    /// A decoder that removes this encoding's own byte order mark.
    #[inline]
    pub fn new_decoder_with_bom_removal(&'static self) -> Decoder {
        let has_mark = matches!(self.kind, Kind::Utf8 | Kind::Utf16Be | Kind::Utf16Le);
        Decoder::new(self, if has_mark { Bom::Strip } else { Bom::Keep })
    }

    /// A decoder that decodes byte order marks as text.
    #[inline]
    pub fn new_decoder_without_bom_handling(&'static self) -> Decoder {
        Decoder::new(self, Bom::Keep)
    }

    /// An encoder to the [output encoding](Encoding::output_encoding).
    #[inline]
    pub fn new_encoder(&'static self) -> Encoder {
        Encoder::new(self.output_encoding())
    }

    /// The offset of the first malformed sequence of UTF-8, or the length.
    pub fn utf8_valid_up_to(bytes: &[u8]) -> usize {
        validate_utf8(bytes).map_or_else(|error| error.offset, |()| bytes.len())
    }

    /// The offset of the first byte that is not ASCII, or the length.
    pub fn ascii_valid_up_to(bytes: &[u8]) -> usize {
        validate_ascii(bytes).map_or_else(|error| error.offset, |()| bytes.len())
    }

    /// The offset of the first byte that ISO-2022-JP does not decode as ASCII in its ASCII state (not ASCII,
    /// or 0E, 0F or 1B), or the length.
    pub fn iso_2022_jp_ascii_valid_up_to(bytes: &[u8]) -> usize {
        let is_special = |byte: u8| !byte.is_ascii() || matches!(byte, 0x0E | 0x0F | 0x1B);
        let (chunks, _) = bytes.as_chunks::<32>();
        let plain = chunks.iter().take_while(|chunk| {
            !chunk
                .iter()
                .fold(false, |any, &byte| any | is_special(byte))
        });
        let skipped = 32 * plain.count();
        let special = bytes[skipped..].iter().position(|&byte| is_special(byte));
        special.map_or(bytes.len(), |at| skipped + at)
    }
}

impl From<&'static simdtext::Encoding> for &'static Encoding {
    #[inline]
    fn from(encoding: &'static simdtext::Encoding) -> Self {
        ALL[encoding.index()]
    }
}

impl From<&'static Encoding> for &'static simdtext::Encoding {
    #[inline]
    fn from(encoding: &'static Encoding) -> Self {
        encoding.inner
    }
}

impl PartialEq for Encoding {
    #[inline]
    fn eq(&self, other: &Encoding) -> bool {
        core::ptr::eq(self, other)
    }
}

impl Eq for Encoding {}

impl Hash for Encoding {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        core::ptr::from_ref(self).hash(state);
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoding")
            .field("name", &self.inner.name())
            .finish_non_exhaustive()
    }
}
