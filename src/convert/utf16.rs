//! One-shot conversion of whole slices to and from UTF-16.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::{DecodeError, EncodeError, Encoded, decode_all, encode_all, no_error};
use crate::encoding::Encoding;
use crate::progress::{Bom, MIN_ENCODED, MIN_UTF16, Malformed, Unmappable};

/// The result of [`Encoding::decode_to_utf16`] and related functions.
///
/// ```
/// let decoded = simdtext::UTF_8.decode_to_utf16(b"\xC3\xA9\xFF");
/// assert_eq!((&decoded.units[..], decoded.errors), (&[0xE9, 0xFFFD][..], 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DecodedUtf16 {
    /// The text, in native-endian code units.
    pub units: Vec<u16>,
    /// The encoding that was decoded; a byte order mark may have changed it.
    pub encoding: &'static Encoding,
    /// The number of malformed sequences, each of which became U+FFFD.
    pub errors: usize,
    /// The first malformed sequence.
    pub first_error: Option<Malformed>,
}

/// To and from UTF-16.
impl Encoding {
    /// Decodes `bytes` to UTF-16 (native-endian code units), as the standard's *decode* (section 6.1) does: a byte
    /// order mark wins over this encoding and is removed, and malformed sequences become U+FFFD. The text is that of
    /// [`Encoding::decode`].
    ///
    /// ```
    /// use simdtext::{GB18030, UTF_16BE};
    ///
    /// let decoded = GB18030.decode_to_utf16(b"\x94\x39\xDA\x33\xFF");
    /// assert_eq!(decoded.units, [0xD83D, 0xDCA9, 0xFFFD]);
    /// assert_eq!((decoded.errors, decoded.first_error.unwrap().offset), (1, 4));
    ///
    /// let decoded = GB18030.decode_to_utf16(b"\xFE\xFF\xD8\x3D\xDC\xA9");
    /// assert_eq!((&decoded.units[..], decoded.encoding), (&[0xD83D, 0xDCA9][..], UTF_16BE));
    /// ```
    #[doc(alias = "ucnv_toUChars")]
    #[must_use]
    pub fn decode_to_utf16(&'static self, bytes: &[u8]) -> DecodedUtf16 {
        self.decode_to_utf16_with_bom(bytes, Bom::Sniff)
    }

    /// Decodes `bytes` to UTF-16 (native-endian code units) with this rule for byte order marks; malformed sequences
    /// become U+FFFD.
    ///
    /// ```
    /// use simdtext::{Bom, UTF_8};
    ///
    /// let bytes = b"\xEF\xBB\xBFa";
    /// assert_eq!(UTF_8.decode_to_utf16_with_bom(bytes, Bom::Strip).units, [0x61]);
    /// assert_eq!(UTF_8.decode_to_utf16_with_bom(bytes, Bom::Keep).units, [0xFEFF, 0x61]);
    /// ```
    #[must_use]
    pub fn decode_to_utf16_with_bom(&'static self, bytes: &[u8], bom: Bom) -> DecodedUtf16 {
        self.decode_whole_to_utf16(bytes, bom, false)
    }

    /// Decodes `bytes` to UTF-16 (native-endian code units) with this rule for byte order marks, if nothing is
    /// malformed.
    ///
    /// # Errors
    ///
    /// Fails at the first malformed sequence, with its bytes and its offset from the start of `bytes`, where a byte
    /// order mark counts.
    ///
    /// ```
    /// use simdtext::{Bom, EUC_JP};
    ///
    /// assert_eq!(EUC_JP.decode_to_utf16_strict(b"\xC6\xFC", Bom::Keep)?.units, [0x65E5]);
    /// let error = EUC_JP.decode_to_utf16_strict(b"\xC6\xFC\xC6", Bom::Keep).unwrap_err();
    /// assert_eq!((error.malformed.offset, error.malformed.bytes()), (2, &b"\xC6"[..]));
    /// # Ok::<(), simdtext::DecodeError>(())
    /// ```
    pub fn decode_to_utf16_strict(
        &'static self,
        bytes: &[u8],
        bom: Bom,
    ) -> Result<DecodedUtf16, DecodeError> {
        let decoded = self.decode_whole_to_utf16(bytes, bom, true);
        no_error(decoded.first_error, decoded.encoding)?;
        Ok(decoded)
    }

    /// Decodes to the end, or, if it is `strict`, to the first malformed sequence.
    fn decode_whole_to_utf16(&'static self, bytes: &[u8], bom: Bom, strict: bool) -> DecodedUtf16 {
        let (encoding, mark) = self.after_bom(bytes, bom);
        let rest = bytes.get(mark..).unwrap_or_default();
        let mut decoder = encoding.decoder(Bom::Keep).at_offset(mark as u64);
        // With that much room one call reads all.
        let room = decoder.max_utf16_len(rest.len()).unwrap_or(rest.len());
        let mut units = Vec::with_capacity(room.max(MIN_UTF16));
        let (errors, first_error) = decode_all(&mut decoder, rest, &mut units, true, strict, None);
        DecodedUtf16 {
            units,
            encoding,
            errors,
            first_error,
        }
    }

    /// Encodes UTF-16 (native-endian code units), which need not be well-formed: a surrogate without its other half
    /// is U+FFFD, an ordinary character for a Unicode encoding or gb18030, an unmappable one for any other.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Unmappable`] with [`Unmappable::Strict`], if the encoding does not have a character, with the
    /// offset in code units; [`EncodeError::NoEncoder`] for replacement.
    ///
    /// ```
    /// use simdtext::{EncodeError, SHIFT_JIS, UTF_8, Unmappable};
    ///
    /// let units = [0x65E5, 0x672C, 0xD83D, 0xDCA9];
    /// assert_eq!(*UTF_8.encode_from_utf16(&units, Unmappable::Strict)?.bytes, *"日本💩".as_bytes());
    /// assert_eq!(*SHIFT_JIS.encode_from_utf16(&units, Unmappable::Ncr)?.bytes, *b"\x93\xFA\x96{&#128169;");
    /// assert_eq!(
    ///     SHIFT_JIS.encode_from_utf16(&units, Unmappable::Strict),
    ///     Err(EncodeError::Unmappable { encoding: SHIFT_JIS, ch: '💩', offset: 2 })
    /// );
    /// # Ok::<(), EncodeError>(())
    /// ```
    #[doc(alias = "ucnv_fromUChars")]
    pub fn encode_from_utf16(
        &'static self,
        text: &[u16],
        unmappable: Unmappable,
    ) -> Result<Encoded<'static>, EncodeError> {
        let mut encoder = self
            .encoder()
            .ok_or(EncodeError::NoEncoder { encoding: self })?;
        let mut bytes = Vec::with_capacity(text.len().saturating_add(MIN_ENCODED));
        let errors = encode_all(&mut encoder, text, &mut bytes, unmappable)?;
        Ok(Encoded {
            bytes: Cow::Owned(bytes),
            errors,
        })
    }
}
