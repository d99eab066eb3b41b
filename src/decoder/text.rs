//! Decoding to the front of a `str`.

use super::Decoder;
use crate::drive::ErrorMode;
use crate::output::{Utf8Out, overwrite_text};
use crate::progress::Progress;

/// How many bytes of a `str` a call may overwrite beyond the longest text that the input can decode to:
/// without this, kernels are slower.
const SPARE: usize = 128;

impl Decoder {
    /// Decodes `src` (bytes) to the front of `dst`, as [`Decoder::decode_to_utf8`] does to a slice of bytes.
    ///
    /// The rest of `dst` remains valid UTF-8: the first bytes after the text may have become U+0000.
    ///
    /// ```
    /// use simdtext::{Bom, WINDOWS_1252};
    ///
    /// let mut text = String::from("0123456789");
    /// let progress = WINDOWS_1252.decoder(Bom::Keep).decode_to_str(b"na\xEFve", &mut text, true);
    /// assert_eq!(&text[..progress.written], "naïve");
    /// assert_eq!(text.len(), 10);
    /// ```
    pub fn decode_to_str(&mut self, src: &[u8], dst: &mut str, last: bool) -> Progress {
        self.overwrite(src, dst, last, ErrorMode::Replace)
    }

    /// Decodes like [`Decoder::decode_to_str`], but stops after each malformed sequence, as
    /// [`Decoder::decode_to_utf8_strict`] does.
    ///
    /// ```
    /// use simdtext::{Bom, Status, UTF_8};
    ///
    /// let mut text = String::from("........");
    /// let progress = UTF_8.decoder(Bom::Keep).decode_to_str_strict(b"ab\xFF", &mut text, true);
    /// assert!(matches!(progress.status, Status::Malformed(_)));
    /// assert_eq!(&text[..progress.written], "ab");
    /// ```
    #[doc(alias = "decode_to_str_without_replacement")]
    pub fn decode_to_str_strict(&mut self, src: &[u8], dst: &mut str, last: bool) -> Progress {
        self.overwrite(src, dst, last, ErrorMode::Stop)
    }

    fn overwrite(
        &mut self,
        src: &[u8],
        dst: &mut str,
        last: bool,
        error_mode: ErrorMode<'_>,
    ) -> Progress {
        let most = self.max_utf8_len(src.len()).unwrap_or(usize::MAX);
        overwrite_text(dst, most.saturating_add(SPARE), |out: &mut Utf8Out<'_>| {
            self.decode(src, out, last, error_mode)
        })
    }
}
