//! The result of a streaming call, as data instead of an error type.

use core::error::Error;
use core::fmt;

/// What one streaming call did, and why it stopped.
///
/// ```
/// use simdtext::{Bom, Status, WINDOWS_1252};
///
/// let mut decoder = WINDOWS_1252.decoder(Bom::Keep);
/// let mut dst = [0; 8];
/// let progress = decoder.decode_to_utf8(b"na\xEFve", &mut dst, true);
/// assert_eq!(progress.status, Status::InputEmpty);
/// assert_eq!((progress.read, progress.written, progress.errors), (5, 6, 0));
/// assert_eq!(&dst[..progress.written], "naïve".as_bytes());
/// ```
#[must_use = "the status says whether the call took all of its input"]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Progress {
    /// Why the call stopped.
    pub status: Status,
    /// The number of units taken from this call's input (bytes; code units for UTF-16 input), including those
    /// that the converter now holds back.
    pub read: usize,
    /// The number of units written to this call's output (bytes of UTF-8 or of the encoding; code units of
    /// UTF-16).
    ///
    /// Up to [`MAX_OVERWRITTEN`] units after them may have been overwritten.
    pub written: usize,
    /// The number of malformed sequences or unmappable characters met in this call: each is counted once, when
    /// its replacement is written or when it is returned in `status`.
    pub errors: usize,
}

/// Why a streaming call stopped.
///
/// No variants will be added: a loop that handles these four handles every call.
///
/// ```
/// use simdtext::{Bom, Status, UTF_8};
///
/// let mut decoder = UTF_8.decoder(Bom::Keep);
/// let mut dst = [0; 8];
/// assert_eq!(decoder.decode_to_utf8_strict(b"a", &mut dst, false).status, Status::InputEmpty);
/// assert_eq!(decoder.decode_to_utf8_strict(&[b'b'; 99], &mut dst, false).status, Status::OutputFull);
/// let status = decoder.decode_to_utf8_strict(b"\xFF", &mut dst, true).status;
/// assert!(matches!(status, Status::Malformed(malformed) if malformed.offset == 9));
/// ```
#[doc(alias("CoderResult", "DecoderResult", "EncoderResult"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// All input was taken. With `last`, the stream is finished and the next call begins a new one.
    InputEmpty,
    /// The next item does not fit into the output. Call again with the rest of the input and more
    /// room: [`MIN_UTF8`], [`MIN_UTF16`] or [`MIN_ENCODED`] units always make progress.
    OutputFull,
    /// A strict decoder met a malformed sequence. Nothing was written for it; the next call
    /// continues after it.
    Malformed(Malformed),
    /// A strict encoder met a character that the encoding does not have. Nothing was written for
    /// it; the next call continues after it.
    Unmappable {
        /// The character. ISO-2022-JP reports U+FFFD for U+000E, U+000F and U+001B, as the
        /// standard says; so does every encoder for a lone surrogate.
        ch: char,
        /// Where the character starts in the stream, in input units (bytes of UTF-8, code units of
        /// UTF-16).
        offset: u64,
    },
}

/// A malformed sequence: where it is and what it is.
///
/// The bytes are at most four. `offset` counts from the start of the stream, a byte order mark
/// included, even where the sequence began in an earlier chunk.
///
/// ```
/// use simdtext::{Bom, Malformed, UTF_8};
///
/// let error = UTF_8.decode_strict(b"abc\xE4\xBDz", Bom::Sniff).unwrap_err();
/// assert_eq!(error.malformed.offset, 3);
/// assert_eq!(error.malformed.bytes(), b"\xE4\xBD");
/// assert_eq!(error.malformed.to_string(), "malformed bytes E4 BD at offset 3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Malformed {
    /// Where the sequence starts, in bytes from the start of the stream.
    pub offset: u64,
    /// How many bytes it has: 1 to 4.
    pub len: u8,
    /// The bytes; those past `len` are 0.
    pub bytes: [u8; 4],
}

impl Malformed {
    /// The malformed bytes.
    ///
    /// ```
    /// let error = simdtext::GBK.decode_strict(b"a\xFF", simdtext::Bom::Keep).unwrap_err();
    /// assert_eq!(error.malformed.bytes(), b"\xFF");
    /// ```
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len).min(4)]
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.len == 1 {
            "malformed byte"
        } else {
            "malformed bytes"
        })?;
        for byte in self.bytes() {
            write!(f, " {byte:02X}")?;
        }
        write!(f, " at offset {}", self.offset)
    }
}

impl Error for Malformed {}

/// How a decoder handles a byte order mark (BOM) at the start of the stream.
///
/// ```
/// use simdtext::{Bom, WINDOWS_1252};
///
/// let bytes = b"\xEF\xBB\xBF\xC3\xA9";
/// assert_eq!(WINDOWS_1252.decode_with_bom(bytes, Bom::Sniff).text, "é");
/// assert_eq!(WINDOWS_1252.decode_with_bom(bytes, Bom::Strip).text, "ï»¿Ã©");
/// assert_eq!(WINDOWS_1252.decode_with_bom(bytes, Bom::Keep).text, "ï»¿Ã©");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Bom {
    /// A BOM of UTF-8, UTF-16BE or UTF-16LE decides the encoding, overriding what was declared, and
    /// is removed: the standard's *decode* (section 6.1).
    #[default]
    Sniff,
    /// The BOM of the decoder's own encoding is removed; any other is decoded as text. For UTF-8: the standard's *UTF-8
    /// decode* (section 6).
    Strip,
    /// Every byte is decoded; a BOM becomes U+FEFF. For UTF-8: the standard's *UTF-8 decode without BOM* (section 6).
    Keep,
}

/// How an encoder handles a character that the encoding does not have.
///
/// ```
/// use simdtext::{KOI8_R, Unmappable};
///
/// assert!(KOI8_R.encode("5 €", Unmappable::Strict).is_err());
/// assert_eq!(*KOI8_R.encode("5 €", Unmappable::Ncr)?.bytes, *b"5 &#8364;");
/// assert_eq!(*KOI8_R.encode("5 €", Unmappable::Skip)?.bytes, *b"5 ");
/// # Ok::<(), simdtext::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unmappable {
    /// Stop and return it: the standard's *fatal* error mode.
    #[doc(alias = "fatal")]
    #[default]
    Strict,
    /// Write it as a decimal numeric character reference, `&#8364;`: the standard's *html* error
    /// mode.
    #[doc(alias("html", "xmlcharrefreplace"))]
    Ncr,
    /// Encode this character instead, or `?` if the encoding does not have it either.
    Replace(char),
    /// Leave it out. In ISO-2022-JP this also leaves out the escape to ASCII that an encoder writes before
    /// any other replacement: right before the escape back it would be malformed.
    Skip,
}

/// Room, in bytes, in which a call that decodes to UTF-8 always makes progress.
pub const MIN_UTF8: usize = 4;
/// Room, in code units, in which a call that decodes to UTF-16 always makes progress.
pub const MIN_UTF16: usize = 2;
/// Room, in bytes, in which a call that encodes always makes progress.
pub const MIN_ENCODED: usize = 10;

/// The most units of an output buffer that a call of a decoder or an encoder overwrites after those that it has
/// [written](Progress::written): kernels store whole blocks, of which only the front counts if an error follows. Units
/// after these stay as they were.
pub const MAX_OVERWRITTEN: usize = 256;
