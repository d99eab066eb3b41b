//! Section 6 of the standard, *hooks for standards*, under its own names, and related functions of other
//! standards.
//!
//! | standard | here |
//! | --- | --- |
//! | *UTF-8 decode* (6) | [`utf8_decode`] |
//! | *UTF-8 decode without BOM* (6) | [`utf8_decode_without_bom`] |
//! | *UTF-8 decode without BOM or fail* (6) | [`utf8_decode_without_bom_or_fail`] |
//! | *UTF-8 encode* (6) | [`utf8_encode`] |
//! | *decode* (6.1) | [`decode`] |
//! | *BOM sniff* (6.1) | [`bom_sniff`] |
//! | *encode* (6.1) | [`encode`] |
//! | *get an encoder* (6.1) | [`get_an_encoder`] |
//! | *encode or fail* (6.1) | [`encode_or_fail`] |
//! | *percent-encode after encoding* (URL standard, 1.3) | [`percent_encode_after_encoding`] |
//! | *isomorphic decode*, *isomorphic encode* (Infra standard) | [`isomorphic_decode`], [`isomorphic_encode`] |
//!
//! *Get an encoding* and *get an output encoding* are [`Encoding::for_label`] and
//! [`Encoding::output_encoding`].
//!
//! These functions take a whole text at once. Streams are for [`Encoding::decoder`] and
//! [`Encoding::encoder`]. Tested in `tests/api/hooks.rs`.

mod isomorphic;
mod percent_encode;

use alloc::borrow::Cow;
use alloc::vec::Vec;

pub use isomorphic::{IsomorphicError, isomorphic_decode, isomorphic_encode};
pub use percent_encode::{PercentEncodeSet, percent_encode_after_encoding};

use crate::convert::DecodeError;
use crate::encoder::Encoder;
use crate::encoding::{Encoding, UTF_8};
use crate::progress::{Bom, Status, Unmappable};

/// *UTF-8 decode* (section 6): removes a UTF-8 byte order mark and decodes, with U+FFFD for each
/// malformed sequence. What new formats are to use.
///
/// Borrows where the text is a slice of the input, that is, where nothing is malformed.
///
/// ```
/// use simdtext::hooks::utf8_decode;
///
/// assert_eq!(utf8_decode(b"\xEF\xBB\xBFna\xC3\xAFve"), "naïve");
/// assert_eq!(utf8_decode(b"na\xEFve"), "na\u{FFFD}ve");
/// ```
#[must_use]
pub fn utf8_decode(bytes: &[u8]) -> Cow<'_, str> {
    UTF_8.decode_with_bom(bytes, Bom::Strip).text
}

/// *UTF-8 decode without BOM* (section 6): decodes with U+FFFD for each malformed sequence. A byte
/// order mark is text, U+FEFF: this is the hook for identifiers and strings inside a format.
///
/// ```
/// use simdtext::hooks::utf8_decode_without_bom;
///
/// assert_eq!(utf8_decode_without_bom(b"\xEF\xBB\xBFa\xFF"), "\u{FEFF}a\u{FFFD}");
/// ```
#[must_use]
pub fn utf8_decode_without_bom(bytes: &[u8]) -> Cow<'_, str> {
    UTF_8.decode_with_bom(bytes, Bom::Keep).text
}

/// *UTF-8 decode without BOM or fail* (section 6): the text, or the first malformed sequence.
///
/// # Errors
///
/// The standard's *failure*, with the offset in bytes of the first malformed sequence.
///
/// ```
/// use simdtext::hooks::utf8_decode_without_bom_or_fail;
///
/// assert_eq!(utf8_decode_without_bom_or_fail("¡hola!".as_bytes()).unwrap(), "¡hola!");
/// let failure = utf8_decode_without_bom_or_fail(b"ab\xC0\x80").unwrap_err();
/// assert_eq!(failure.malformed.offset, 2);
/// ```
pub fn utf8_decode_without_bom_or_fail(bytes: &[u8]) -> Result<Cow<'_, str>, DecodeError> {
    UTF_8
        .decode_strict(bytes, Bom::Keep)
        .map(|decoded| decoded.text)
}

/// *UTF-8 encode* (section 6): the bytes of a string are its UTF-8, so this costs nothing.
///
/// ```
/// use simdtext::hooks::utf8_encode;
///
/// assert_eq!(utf8_encode("é"), [0xC3, 0xA9]);
/// ```
#[must_use]
pub fn utf8_encode(text: &str) -> &[u8] {
    text.as_bytes()
}

/// *Decode* (section 6.1): a byte order mark of UTF-8, UTF-16BE or UTF-16LE decides the encoding
/// and is removed; `encoding` is for what has none. U+FFFD for each malformed sequence.
///
/// [`Encoding::decode`] does the same and also tells the encoding that was used and the errors.
///
/// ```
/// use simdtext::{hooks::decode, SHIFT_JIS};
///
/// assert_eq!(decode(b"\x93\xFA\x96{", SHIFT_JIS), "日本");
/// assert_eq!(decode(b"\xFE\xFF\x65\xE5\x67\x2C", SHIFT_JIS), "日本");
/// ```
#[must_use]
pub fn decode<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Cow<'a, str> {
    encoding.decode_with_bom(bytes, Bom::Sniff).text
}

/// *BOM sniff* (section 6.1): the encoding whose byte order mark stands at the start of `bytes`.
/// [`Encoding::for_bom`] also gives its length.
///
/// ```
/// use simdtext::{hooks::bom_sniff, UTF_16BE};
///
/// assert_eq!(bom_sniff(b"\xFE\xFF\0a"), Some(UTF_16BE));
/// assert_eq!(bom_sniff(b"\xFE"), None);
/// ```
#[must_use]
pub fn bom_sniff(bytes: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(bytes).map(|(encoding, _)| encoding)
}

/// *Encode* (section 6.1), the hook for HTML forms: characters that the encoding does not have
/// become decimal character references (`&#8253;`), which can't be told apart from the same text in
/// the input.
///
/// The standard demands an encoding that is not replacement, UTF-16BE or UTF-16LE. Here these
/// encode as UTF-8, which is what *get an output encoding* makes of them ([`Encoding::output_encoding`]).
///
/// ```
/// use simdtext::{hooks::encode, ISO_8859_2, UTF_16LE};
///
/// assert_eq!(encode("žluť‽", ISO_8859_2), &b"\xBElu\xBB&#8253;"[..]);
/// assert_eq!(encode("é", UTF_16LE), &b"\xC3\xA9"[..]);
/// ```
#[must_use]
pub fn encode<'a>(text: &'a str, encoding: &'static Encoding) -> Cow<'a, [u8]> {
    match encoding.output_encoding().encode(text, Unmappable::Ncr) {
        Ok(encoded) => encoded.bytes,
        // An output encoding has an encoder, and character references are ASCII, which all have.
        Err(_) => unreachable!("an output encoding with character references encodes any text"),
    }
}

/// *Get an encoder* (section 6.1): a new encoder, for [`encode_or_fail`].
///
/// `None` for replacement, UTF-16BE and UTF-16LE, which the standard's caller must not ask for;
/// [`Encoding::output_encoding`] turns them into one that has an encoder. ([`Encoding::encoder`]
/// does encode to UTF-16: that is not the web's rule.)
///
/// ```
/// use simdtext::{hooks::get_an_encoder, EUC_KR, UTF_16BE};
///
/// assert!(get_an_encoder(EUC_KR).is_some());
/// assert!(get_an_encoder(UTF_16BE).is_none());
/// assert!(get_an_encoder(UTF_16BE.output_encoding()).is_some());
/// ```
#[must_use]
pub fn get_an_encoder(encoding: &'static Encoding) -> Option<Encoder> {
    if encoding.output_encoding() == encoding {
        encoding.encoder()
    } else {
        None
    }
}

/// *Encode or fail* (section 6.1), the hook for percent-encoding in URLs: encodes `input` and
/// appends the bytes to `output`, up to the first character that the encoding does not have.
///
/// Returns that character, and leaves in `input` what comes after it. Returns `None` once all of `input`
/// is encoded and the output is complete (in ISO-2022-JP: back in ASCII). For U+000E, U+000F and
/// U+001B, which ISO-2022-JP refuses, U+FFFD is returned.
///
/// If a character was returned, write a replacement for it and call again **with the same encoder**,
/// even if `input` is empty by then: the ISO-2022-JP encoder is in its ASCII or in its Roman state. The
/// replacement must be ASCII without 0E, 0F, 1B, 5C and 7E, since in the Roman state 5C is read as
/// U+00A5 and 7E as U+203E. After `None` the encoder is in its initial state again.
///
/// ```
/// use simdtext::{ISO_2022_JP, hooks};
///
/// let mut encoder = hooks::get_an_encoder(ISO_2022_JP).unwrap();
/// let mut input = "¥☃¥";
/// let mut output = Vec::new();
/// assert_eq!(hooks::encode_or_fail(&mut encoder, &mut input, &mut output), Some('☃'));
/// assert_eq!((output.as_slice(), input), (&b"\x1B(J\x5C"[..], "¥"));
/// output.extend_from_slice(b"{snowman}");
/// assert_eq!(hooks::encode_or_fail(&mut encoder, &mut input, &mut output), None);
/// assert_eq!(output, b"\x1B(J\x5C{snowman}\x5C\x1B(B");
/// ```
pub fn encode_or_fail(
    encoder: &mut Encoder,
    input: &mut &str,
    output: &mut Vec<u8>,
) -> Option<char> {
    let mut chunk = [0; 1024];
    loop {
        let progress = encoder.encode_from_utf8(input, &mut chunk, true, Unmappable::Strict);
        output.extend_from_slice(&chunk[..progress.written]);
        *input = &input[progress.read..];
        match progress.status {
            Status::OutputFull => {}
            Status::Unmappable { ch, .. } => return Some(ch),
            // Encoders never meet malformed input.
            Status::InputEmpty | Status::Malformed(_) => return None,
        }
    }
}
