//! UTF-8 that was read as windows-1252, or as another single-byte encoding, and written as UTF-8 again:
//! `Ã©` for `é`.
//!
//! That decoded each byte of UTF-8 to a character, so encoding these characters gives the bytes back.
//! Whether a text *was* encoded twice can't be known, but whether undoing it loses nothing can:
//!
//! - every character of the text is in the encoding, so it becomes a byte,
//! - these bytes are valid UTF-8,
//! - at least one is not ASCII, so undoing changes something,
//! - decoding them gives the text again. This needs no check: in a single-byte encoding of the standard
//!   each byte is a different character. `tests/sniff/mixed.rs` tests that, for all of them.
//!
//! All this must hold for the whole text. One correct `é` among many `Ã©` is enough to make the text count
//! as not doubled: undoing only parts of it would take a guess for each part, and the result could not be
//! turned into the text again.

use crate::decoder::Decoder;
use crate::encoder::Encoder;
#[cfg(feature = "legacy-single-byte")]
use crate::encoding::WINDOWS_1252;
use crate::encoding::{Encoding, UTF_8};
use crate::progress::{Bom, Status, Unmappable};

use super::first_valid::first_malformed;

/// The number of bytes encoded at a time.
const ROOM: usize = 4096;

/// Recognises, in a stream of text, UTF-8 that was encoded twice: its bytes were taken for another encoding, usually
/// windows-1252, and what they mean there was written as UTF-8 again, so that `é` became `Ã©`.
///
/// A text counts as doubled if it is not all ASCII and its characters, encoded to that other encoding, are well-formed
/// UTF-8.
///
/// ```
/// use simdtext::sniff::DoubleEncoding;
///
/// let mut doubled = DoubleEncoding::new();
/// doubled.feed("Ã©tÃ© â‚¬");
/// assert!(doubled.finish());
///
/// assert!(!DoubleEncoding::new().is_doubled("été €"));
/// assert!(!DoubleEncoding::new().is_doubled("Ã©tÃ© and été"));
/// assert!(!DoubleEncoding::new().is_doubled("nothing but ASCII"));
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
    /// For UTF-8 that was read as windows-1252 (which the web also calls latin1 and iso-8859-1), with the
    /// bytes 81, 8D, 8F, 90 and 9D as control characters, as in the standard.
    #[cfg(feature = "legacy-single-byte")]
    #[must_use]
    pub fn new() -> Self {
        Self::read_as(WINDOWS_1252)
    }

    /// For UTF-8 that was read as `encoding`. If that is not a single-byte encoding, no text counts as
    /// doubled.
    ///
    /// ```
    /// use simdtext::WINDOWS_1251;
    /// use simdtext::sniff::DoubleEncoding;
    ///
    /// assert!(DoubleEncoding::read_as(WINDOWS_1251).is_doubled("РјРёСЂ"));
    /// ```
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

    /// Takes the next characters of the text. It must not begin with a byte order mark: U+FEFF is in no
    /// single-byte encoding. (A mark that was doubled, `ï»¿`, is undone like everything else.)
    ///
    /// Returns whether the whole text may still be doubled; if not, a caller may stop.
    pub fn feed(&mut self, text: &str) -> bool {
        self.check(text, false)
    }

    /// Ends the text, and returns whether undoing it is possible and loses nothing. If so, encoding the text
    /// to the encoding that it was read as gives the original.
    pub fn finish(&mut self) -> bool {
        self.check("", true) && self.changes
    }

    /// Whether undoing a text that is all in one slice is possible and loses nothing.
    ///
    /// ```
    /// use simdtext::sniff::DoubleEncoding;
    ///
    /// assert!(DoubleEncoding::new().is_doubled("cafÃ©"));
    /// assert!(!DoubleEncoding::new().is_doubled("café"));
    /// ```
    #[must_use]
    pub fn is_doubled(mut self, text: &str) -> bool {
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

/// Undoes double encoding: returns what `text` was before it was read as `read_as`, usually
/// windows-1252, and written as UTF-8 again. `None` if it does not count as doubled (see
/// [`DoubleEncoding`]): the text is right as it is, or can't be restored without loss.
///
/// Text that was encoded three times needs two calls.
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
    if !DoubleEncoding::read_as(read_as).is_doubled(text) {
        return None;
    }
    let bytes = read_as.encode(text, Unmappable::Strict).ok()?.bytes;
    alloc::string::String::from_utf8(bytes.into_owned()).ok()
}
