//! Decoders and encoders that convert the rest of a stream into a `String` or a `Vec` that grows, up to an error.

use alloc::string::String;
use alloc::vec::Vec;

use super::{DecodeError, EncodeError, encode_all};
use crate::decoder::{Decoder, append_all};
use crate::encoder::Encoder;
use crate::progress::{MIN_ENCODED, Status, Unmappable};

impl Decoder {
    /// Decodes `src` (bytes), the rest of the stream, and appends all of its text to `dst`, which grows if it has to.
    ///
    /// # Errors
    ///
    /// Fails at the first malformed sequence, with its offset and bytes. `dst` then ends with the text before it, and
    /// [`Decoder::total_read`] says how much of the stream was read: call again with what comes after that to
    /// continue behind the sequence.
    ///
    /// ```
    /// use simdtext::{Bom, GBK};
    ///
    /// let src = b"\xC4\xE3\xFF\xBA\xC3";
    /// let (mut decoder, mut text) = (GBK.decoder(Bom::Keep), String::new());
    /// let error = decoder.decode_all_to_string_strict(src, &mut text).unwrap_err();
    /// assert_eq!(error.to_string(), "not GBK: malformed byte FF at offset 2");
    ///
    /// text.push_str("<FF>");
    /// let rest = &src[decoder.total_read() as usize..];
    /// decoder.decode_all_to_string_strict(rest, &mut text)?;
    /// assert_eq!(text, "你<FF>好");
    /// # Ok::<(), simdtext::DecodeError>(())
    /// ```
    pub fn decode_all_to_string_strict(
        &mut self,
        src: &[u8],
        dst: &mut String,
    ) -> Result<(), DecodeError> {
        let (_, status) = append_all(self, src, dst, |decoder, src, dst| {
            decoder.decode_to_string_strict(src, dst, true)
        });
        match status {
            Status::Malformed(malformed) => Err(DecodeError {
                encoding: self.encoding(),
                malformed,
            }),
            _ => Ok(()),
        }
    }
}

impl Encoder {
    /// Encodes `src` (UTF-8), the rest of the stream, and appends all of its bytes to `dst`, which grows if it has to.
    /// Returns the number of unmappable characters, each of which was handled as `unmappable` says.
    ///
    /// A vector that is cleared and used again soon has the capacity that any text needs.
    ///
    /// # Errors
    ///
    /// [`EncodeError::Unmappable`] with [`Unmappable::Strict`], if the encoding does not have a character. `dst` then
    /// ends with the bytes of the text before it, and [`Encoder::total_read`] says how much of the stream was read:
    /// call again with what comes after that to continue behind the character. (Adding the length of the character to
    /// its offset is not the same, because ISO-2022-JP reports U+FFFD for some.)
    ///
    /// ```
    /// use simdtext::{EncodeError, ISO_2022_JP, Unmappable};
    ///
    /// let mut encoder = ISO_2022_JP.encoder().unwrap();
    /// let mut bytes = Vec::new();
    /// assert_eq!(encoder.encode_all_to_vec("日☃", &mut bytes, Unmappable::Ncr), Ok(1));
    /// assert_eq!(bytes, b"\x1B$BF|\x1B(B&#9731;");
    ///
    /// // A replacement that depends on the character. It has to be ASCII without `\` and `~`.
    /// bytes.clear();
    /// let mut text = "日☃本";
    /// while let Err(error) = encoder.encode_all_to_vec(text, &mut bytes, Unmappable::Strict) {
    ///     let EncodeError::Unmappable { ch, .. } = error else { return };
    ///     bytes.extend_from_slice(format!("U+{:04X}", u32::from(ch)).as_bytes());
    ///     text = &"日☃本"[encoder.total_read() as usize..];
    /// }
    /// assert_eq!(bytes, b"\x1B$BF|\x1B(BU+2603\x1B$BK\\\x1B(B");
    /// ```
    pub fn encode_all_to_vec(
        &mut self,
        src: &str,
        dst: &mut Vec<u8>,
        unmappable: Unmappable,
    ) -> Result<usize, EncodeError> {
        dst.reserve(src.len().saturating_add(MIN_ENCODED));
        encode_all(self, src, dst, unmappable)
    }
}
