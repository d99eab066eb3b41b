//! Decoders and encoders that convert the rest of a stream into a `String` or a `Vec` that grows, up to an error.
//! [`decode_all`] and [`encode_all`] are the loops under all conversions of whole slices, `parallel/` included.

use alloc::string::String;
use alloc::vec::Vec;

use super::{DecodeError, EncodeError};
use crate::codec::source::TextSource;
use crate::decoder::Decoder;
use crate::drive::ErrorMode;
use crate::encoder::Encoder;
use crate::encoding::Encoding;
use crate::output::append_bytes;
use crate::progress::{MIN_ENCODED, MIN_UTF8, Malformed, Progress, Status, Unmappable};

impl Decoder {
    /// Decodes `src` (bytes), the rest of the stream, and appends all of its text to `dst`, which grows if it
    /// has to. Malformed sequences become U+FFFD; returns their number.
    ///
    /// The string does not grow if its spare capacity is large enough. A string that is cleared and used again
    /// soon has the capacity that any document needs.
    ///
    /// ```
    /// use simdtext::{Bom, GBK};
    ///
    /// let mut text = String::new();
    /// let errors = GBK.decoder(Bom::Sniff).decode_all_to_string(b"\xC4\xE3\xBA\xC3\xFF", &mut text);
    /// assert_eq!((text.as_str(), errors), ("你好\u{FFFD}", 1));
    /// ```
    pub fn decode_all_to_string(&mut self, src: &[u8], dst: &mut String) -> usize {
        reserve_for(dst, src);
        // To keep the first error, as `decode_all` does, takes a fifth longer in short text with an error.
        append_all(self, src, dst, |decoder, src, dst| {
            decoder.decode_to_string(src, dst, true)
        })
        .0
    }

    /// Decodes like [`Decoder::decode_all_to_string`], and calls `on_error` for each malformed sequence, as
    /// [`Decoder::decode_to_utf8_with`] does.
    ///
    /// ```
    /// use simdtext::{Bom, SHIFT_JIS};
    ///
    /// let (mut text, mut offsets) = (String::new(), Vec::new());
    /// let mut decoder = SHIFT_JIS.decoder(Bom::Sniff);
    /// decoder.decode_all_to_string_with(b"\x93\xFA\xFF\x96{\xFF", &mut text, |malformed| {
    ///     offsets.push(malformed.offset);
    /// });
    /// assert_eq!((text.as_str(), &offsets[..]), ("日\u{FFFD}本\u{FFFD}", &[2, 5][..]));
    /// ```
    pub fn decode_all_to_string_with(
        &mut self,
        src: &[u8],
        dst: &mut String,
        mut on_error: impl FnMut(Malformed),
    ) -> usize {
        reserve_for(dst, src);
        decode_all(self, src, dst, true, false, Some(&mut on_error)).0
    }

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
        reserve_for(dst, src);
        let (_, first) = decode_all(self, src, dst, true, true, None);
        no_error(first, self.encoding())
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

/// What is decoded to: UTF-8 in a `String`, or UTF-16 in a `Vec<u16>`.
pub(crate) trait DecoderOutput {
    /// The maximum number of units that `len` more bytes can become.
    fn max_len(decoder: &Decoder, len: usize) -> Option<usize>;

    /// Makes room for `units` more units.
    fn reserve(&mut self, units: usize);

    /// Appends within the room there is.
    fn decode(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        last: bool,
        mode: ErrorMode<'_>,
    ) -> Progress;
}

impl DecoderOutput for String {
    fn max_len(decoder: &Decoder, len: usize) -> Option<usize> {
        decoder.max_utf8_len(len)
    }

    fn reserve(&mut self, units: usize) {
        self.reserve(units);
    }

    #[inline(always)]
    fn decode(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        last: bool,
        mode: ErrorMode<'_>,
    ) -> Progress {
        decoder.append_to_string(src, self, last, mode)
    }
}

impl DecoderOutput for Vec<u16> {
    fn max_len(decoder: &Decoder, len: usize) -> Option<usize> {
        decoder.max_utf16_len(len)
    }

    fn reserve(&mut self, units: usize) {
        self.reserve(units);
    }

    #[inline(always)]
    fn decode(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        last: bool,
        mode: ErrorMode<'_>,
    ) -> Progress {
        decoder.append_to_units(src, self, usize::MAX, last, mode)
    }
}

/// The error that a conversion fails with at its first malformed sequence, if there is one.
pub(crate) fn no_error(
    first: Option<Malformed>,
    encoding: &'static Encoding,
) -> Result<(), DecodeError> {
    match first {
        Some(malformed) => Err(DecodeError {
            encoding,
            malformed,
        }),
        None => Ok(()),
    }
}

/// Decodes `src` and appends its text to `dst`, which grows if it has to. Calls `on_error`, if there is one, for each
/// malformed sequence; else `strict` says whether to stop at the first.
///
/// Returns the number of malformed sequences, and, without `on_error`, the first.
#[inline(always)]
pub(crate) fn decode_all<T: DecoderOutput>(
    decoder: &mut Decoder,
    src: &[u8],
    dst: &mut T,
    last: bool,
    strict: bool,
    mut on_error: Option<&mut dyn FnMut(Malformed)>,
) -> (usize, Option<Malformed>) {
    let mut first = None;
    let (errors, status) = append_all(decoder, src, dst, |decoder, src, dst| {
        let mode = match &mut on_error {
            Some(on_error) => ErrorMode::Tell(*on_error),
            None if strict => ErrorMode::Stop,
            None => ErrorMode::keeping(&mut first),
        };
        dst.decode(decoder, src, last, mode)
    });
    match status {
        Status::Malformed(malformed) => (errors, Some(malformed)),
        _ => (errors, first),
    }
}

/// Has `decode` append the text of `src` to `dst`, and makes room for it where it does not fit. Returns the number of
/// malformed sequences, and why it stopped.
#[inline(always)]
pub(crate) fn append_all<T: DecoderOutput>(
    decoder: &mut Decoder,
    src: &[u8],
    dst: &mut T,
    mut decode: impl FnMut(&mut Decoder, &[u8], &mut T) -> Progress,
) -> (usize, Status) {
    let (mut rest, mut errors) = (src, 0);
    loop {
        let progress = decode(decoder, rest, dst);
        rest = rest.get(progress.read..).unwrap_or_default();
        errors += progress.errors;
        if progress.status != Status::OutputFull {
            return (errors, progress.status);
        }
        make_room(decoder, rest.len(), dst);
    }
}

/// Makes the room that the text of `src` usually needs: legacy text grows by about half.
pub(crate) fn reserve_for(dst: &mut String, src: &[u8]) {
    dst.reserve(src.len() + src.len() / 2 + 16);
}

/// Makes so much room that one call reads the rest, of which there are `len` bytes.
#[cold]
fn make_room<T: DecoderOutput>(decoder: &Decoder, len: usize, dst: &mut T) {
    let most = T::max_len(decoder, len).unwrap_or(len);
    dst.reserve(most.max(MIN_UTF8));
}

/// The text that an encoder takes: UTF-8 or UTF-16.
pub(crate) trait EncoderInput: TextSource {
    /// Appends within the spare capacity of `to`. The encoder must not hold a surrogate.
    fn encode(
        self,
        encoder: &mut Encoder,
        to: &mut Vec<u8>,
        last: bool,
        unmappable: Unmappable,
    ) -> Progress;

    /// The most bytes that the text can become, if nothing in it is unmappable.
    fn max_len(self, encoder: &Encoder) -> Option<usize>;
}

impl EncoderInput for &str {
    #[inline(always)]
    fn encode(
        self,
        encoder: &mut Encoder,
        to: &mut Vec<u8>,
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        encoder.encode_to_vec(self, to, last, unmappable)
    }

    fn max_len(self, encoder: &Encoder) -> Option<usize> {
        encoder.max_len_from_utf8(self.len())
    }
}

impl EncoderInput for &[u16] {
    #[inline(always)]
    fn encode(
        self,
        encoder: &mut Encoder,
        to: &mut Vec<u8>,
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        append_bytes(to, |out| {
            encoder.encode_utf16_rest(self, 0, out, last, unmappable)
        })
    }

    fn max_len(self, encoder: &Encoder) -> Option<usize> {
        encoder.max_len_from_utf16(self.len())
    }
}

/// Encodes `text`, the rest of the stream, and appends its bytes. Returns the number of unmappable characters.
#[inline(always)]
pub(crate) fn encode_all<T: EncoderInput>(
    encoder: &mut Encoder,
    text: T,
    bytes: &mut Vec<u8>,
    unmappable: Unmappable,
) -> Result<usize, EncodeError> {
    let (mut rest, mut errors) = (text, 0);
    loop {
        let progress = rest.encode(encoder, bytes, true, unmappable);
        rest = rest.skip(progress.read);
        errors += progress.errors;
        match progress.status {
            Status::Unmappable { ch, offset } => {
                return Err(EncodeError::Unmappable {
                    encoding: encoder.encoding(),
                    ch,
                    offset,
                });
            }
            Status::OutputFull => {
                let wanted = rest.max_len(encoder).unwrap_or(rest.units());
                bytes.reserve(wanted.max(MIN_ENCODED));
            }
            Status::InputEmpty | Status::Malformed(_) => return Ok(errors),
        }
    }
}
