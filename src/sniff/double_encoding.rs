//! UTF-8 that was read as windows-1252, or as another single-byte encoding, and written as UTF-8 again:
//! `Ã©` for `é`.
//!
//! Whoever did that decoded each byte of UTF-8 to a character, so encoding these characters gives the
//! bytes back. That a text *was* doubled can't be known; that undoing it loses nothing can:
//!
//! - every character of the text is one of the encoding, so that it becomes a byte,
//! - these bytes are valid UTF-8,
//! - at least one is not ASCII, so that undoing changes something,
//! - decoding them gives the text again. This needs no look: each byte of a single-byte encoding of
//!   the standard is another character. `tests/sniff/mixed.rs` tests that, for all of them.
//!
//! All this holds of the whole text or the text counts as not doubled. One `é` that is right among many
//! `Ã©` is enough: to leave some of a text alone and to undo the rest would take a guess for each, and
//! the result could no longer be made into the text again.

use crate::decoder::Decoder;
use crate::encoder::Encoder;
#[cfg(feature = "legacy-single-byte")]
use crate::encoding::WINDOWS_1252;
use crate::encoding::{Encoding, UTF_8};
use crate::progress::{Bom, Status, Unmappable};

use super::first_valid::first_malformed;

/// Bytes that are encoded at a time.
const ROOM: usize = 4096;

/// Recognises, in a stream of text, UTF-8 that was encoded twice; see [`DoubleEncoding::feed`].
///
/// ```
/// use simdtext::sniff::DoubleEncoding;
///
/// let mut doubled = DoubleEncoding::new();
/// doubled.feed("Ã©tÃ© â‚¬");
/// assert!(doubled.finish());
///
/// assert!(!DoubleEncoding::new().is("été €"));
/// assert!(!DoubleEncoding::new().is("Ã©tÃ© and été"));
/// assert!(!DoubleEncoding::new().is("nothing but ASCII"));
/// ```
#[derive(Clone, Debug)]
pub struct DoubleEncoding {
    encoder: Option<Encoder>,
    decoder: Decoder,
    changes: bool,
    fails: bool,
}

#[cfg(feature = "legacy-single-byte")]
impl Default for DoubleEncoding {
    fn default() -> Self {
        Self::new()
    }
}

impl DoubleEncoding {
    /// For UTF-8 that was read as windows-1252 (which the web also calls latin1 and iso-8859-1), the
    /// bytes 81, 8D, 8F, 90 and 9D as control characters, as the standard does.
    #[cfg(feature = "legacy-single-byte")]
    #[must_use]
    pub fn new() -> Self {
        Self::read_as(WINDOWS_1252)
    }

    /// For UTF-8 that was read as `encoding`. Where that is not a single-byte encoding, no text
    /// counts as doubled.
    #[must_use]
    pub fn read_as(encoding: &'static Encoding) -> Self {
        let encoder = encoding.encoder().filter(|_| encoding.is_single_byte());
        DoubleEncoding {
            fails: encoder.is_none(),
            encoder,
            decoder: UTF_8.decoder(Bom::Keep),
            changes: false,
        }
    }

    /// Takes the next characters of the text, which is without a byte order mark of its own: U+FEFF is
    /// in no single-byte encoding. (A mark that was doubled, `ï»¿`, is undone like all else.)
    ///
    /// Returns whether the whole text may still be one that was doubled, so that a caller may stop.
    pub fn feed(&mut self, text: &str) -> bool {
        self.check(text, false)
    }

    /// Ends the text: whether undoing it is possible and loses nothing. Then encoding the text to the
    /// encoding that it was read as gives what was there before.
    pub fn finish(&mut self) -> bool {
        self.check("", true) && self.changes
    }

    /// Whether undoing a text that is all in one slice is possible and loses nothing.
    #[must_use]
    pub fn is(mut self, text: &str) -> bool {
        self.feed(text) && self.finish()
    }

    fn check(&mut self, mut text: &str, last: bool) -> bool {
        let Some(encoder) = &mut self.encoder else {
            return false;
        };
        let mut bytes = [0; ROOM];
        while !self.fails {
            let progress = encoder.encode_from_utf8(text, &mut bytes, last, Unmappable::Strict);
            text = text.get(progress.read..).unwrap_or_default();
            let bytes = bytes.get(..progress.written).unwrap_or_default();
            let ends = progress.status == Status::InputEmpty;
            self.changes |= !bytes.is_ascii();
            self.fails = matches!(progress.status, Status::Unmappable { .. })
                || first_malformed(&mut self.decoder, bytes, last && ends).is_some();
            if ends {
                break;
            }
        }
        !self.fails
    }
}

/// Undoes double encoding: what `text` was before it was read as `read_as`, usually windows-1252, and
/// written as UTF-8 again. `None` if it was not ([`DoubleEncoding`] says what that takes): the text
/// is right as it is, or no longer can be saved without loss.
///
/// A text that was doubled twice needs two calls.
///
/// ```
/// use simdtext::{WINDOWS_1252, WINDOWS_1251, sniff::undo_double_encoding};
///
/// assert_eq!(undo_double_encoding("Ã©tÃ©", WINDOWS_1252).as_deref(), Some("été"));
/// assert_eq!(undo_double_encoding("РјРёСЂ", WINDOWS_1251).as_deref(), Some("мир"));
/// assert_eq!(undo_double_encoding("été", WINDOWS_1252), None);
/// ```
#[cfg(feature = "alloc")]
#[must_use]
pub fn undo_double_encoding(
    text: &str,
    read_as: &'static Encoding,
) -> Option<alloc::string::String> {
    if !DoubleEncoding::read_as(read_as).is(text) {
        return None;
    }
    let bytes = read_as.encode(text, Unmappable::Strict).ok()?.bytes;
    alloc::string::String::from_utf8(bytes.into_owned()).ok()
}
