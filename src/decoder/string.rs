//! Decoding to a `String`, or to UTF-16 in a `Vec`.

use alloc::string::String;
use alloc::vec::Vec;

use super::Decoder;
use crate::drive::ErrorMode;
use crate::output::{append_text, append_units};
use crate::progress::{Malformed, Progress};

impl Decoder {
    /// Decodes `src` (bytes) and appends to `dst` within its spare capacity: the string never grows.
    /// Malformed sequences become U+FFFD. `written` counts bytes of UTF-8.
    ///
    /// ```
    /// use simdtext::{Bom, KOI8_R};
    ///
    /// let mut decoder = KOI8_R.decoder(Bom::Sniff);
    /// let src = b"\xCD\xC9\xD2";
    /// let mut text = String::with_capacity(decoder.max_utf8_len(src.len()).unwrap());
    /// let progress = decoder.decode_to_string(src, &mut text, true);
    /// assert_eq!((text.as_str(), progress.written), ("мир", 6));
    /// ```
    pub fn decode_to_string(&mut self, src: &[u8], dst: &mut String, last: bool) -> Progress {
        self.append_to_string(src, dst, last, ErrorMode::Replace)
    }

    /// Decodes like [`Decoder::decode_to_string`], but stops after each malformed sequence, as
    /// [`Decoder::decode_to_utf8_strict`] does.
    ///
    /// ```
    /// use simdtext::{Bom, Status, UTF_8};
    ///
    /// let mut text = String::with_capacity(16);
    /// let progress = UTF_8.decoder(Bom::Keep).decode_to_string_strict(b"ab\xFFc", &mut text, true);
    /// assert!(matches!(progress.status, Status::Malformed(malformed) if malformed.offset == 2));
    /// assert_eq!(text, "ab");
    /// ```
    #[doc(alias = "decode_to_string_without_replacement")]
    pub fn decode_to_string_strict(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> Progress {
        self.append_to_string(src, dst, last, ErrorMode::Stop)
    }

    /// Decodes like [`Decoder::decode_to_string`], and calls `on_error` for each malformed sequence, as
    /// [`Decoder::decode_to_utf8_with`] does.
    ///
    /// ```
    /// use simdtext::{Bom, UTF_8};
    ///
    /// let (mut text, mut offsets) = (String::with_capacity(16), Vec::new());
    /// let mut decoder = UTF_8.decoder(Bom::Keep);
    /// let _ = decoder.decode_to_string_with(b"ab\xFFc", &mut text, true, |it| offsets.push(it.offset));
    /// assert_eq!((&*text, offsets), ("ab\u{FFFD}c", vec![2]));
    /// ```
    pub fn decode_to_string_with(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
        mut on_error: impl FnMut(Malformed),
    ) -> Progress {
        self.append_to_string(src, dst, last, ErrorMode::Tell(&mut on_error))
    }

    /// Decodes and appends to `dst` within its spare capacity.
    pub(crate) fn append_to_string(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
        error_mode: ErrorMode<'_>,
    ) -> Progress {
        append_text(dst, |out| self.decode(src, out, last, error_mode))
    }

    /// Decodes to code units and appends at most `most` of them to `dst`, within its spare capacity.
    pub(crate) fn append_to_units(
        &mut self,
        src: &[u8],
        dst: &mut Vec<u16>,
        most: usize,
        last: bool,
        error_mode: ErrorMode<'_>,
    ) -> Progress {
        append_units(dst, most, |out| self.decode(src, out, last, error_mode))
    }
}
