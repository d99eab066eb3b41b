//! UTF-8, UTF-16, UTF-32 and Latin-1, to and from each other: whole slices, without the state of a
//! stream and without allocating.
//!
//! | form | units | in names |
//! |---|---|---|
//! | UTF-8 | `[u8]` | `utf8` |
//! | UTF-16, native code units | `[u16]` | `utf16` |
//! | UTF-16, bytes at any alignment | `[u8]` | `utf16le`, `utf16be` |
//! | UTF-32, native code units | `[u32]` | `utf32` |
//! | Latin-1: true ISO-8859-1, U+0000 to U+00FF | `[u8]` | `latin1` |
//!
//! For each pair of forms there are two functions, such as [`utf8_to_utf16`], which stops before
//! the first malformed sequence, and [`utf8_to_utf16_lossy`], which writes U+FFFD in its place
//! (one for each maximal subpart in UTF-8, as the Encoding Standard says). Latin-1 is never
//! malformed, so there is one function from it. A form to itself is a validating copy.
//!
//! The output is a [`Buffer`]: initialised or not, and of any size. If it is too small, a call
//! writes as many whole characters as fit: the returned [`Conversion`] says how many units were
//! read and written, and why the call stopped. Nothing outside of the buffer is touched.
//!
//! ```
//! use simdtext::unicode::{Stop, utf8_to_utf16, utf16_len_from_utf8};
//!
//! let text = "naïve 💩".as_bytes();
//! let mut units = vec![0u16; utf16_len_from_utf8(text)];
//! let done = utf8_to_utf16(text, &mut units);
//! assert_eq!((done.stop, done.read, done.written), (Stop::InputEmpty, 11, 8));
//!
//! // In pieces of four units: a surrogate pair is never cut.
//! let (mut rest, mut units, mut piece) = (text, Vec::new(), [0u16; 4]);
//! loop {
//!     let done = utf8_to_utf16(rest, &mut piece);
//!     units.extend_from_slice(&piece[..done.written]);
//!     rest = &rest[done.read..];
//!     if done.stop != Stop::OutputFull {
//!         break;
//!     }
//! }
//! assert_eq!(String::from_utf16(&units).unwrap(), "naïve 💩");
//! ```
//!
//! There are no byte order marks here: U+FEFF is a character like any other. For text in pieces
//! that may be cut anywhere, use a [`Decoder`](crate::Decoder).
//!
//! # Coming from simdutf
//!
//! | simdutf | here |
//! |---|---|
//! | `validate_utf8`, `validate_utf8_with_errors` | [`validate_utf8`] |
//! | `validate_utf16le…`, `validate_utf16be…` | [`validate_utf16le`], [`validate_utf16be`]; [`validate_utf16`] for `[u16]` |
//! | `validate_utf32…` | [`validate_utf32`] |
//! | `validate_ascii`, `validate_ascii_with_errors` | [`validate_ascii`] |
//! | `convert_utf8_to_utf16…`, `…_with_errors` | [`utf8_to_utf16`], [`utf8_to_utf16le`], [`utf8_to_utf16be`] |
//! | `convert_utf8_to_utf32…`, `convert_utf8_to_latin1…` | [`utf8_to_utf32`], [`utf8_to_latin1`] |
//! | `convert_utf16…_to_utf8…`, `…_utf32…`, `…_latin1…` | [`utf16_to_utf8`], [`utf16_to_utf32`], [`utf16_to_latin1`], and from `utf16le`, `utf16be` |
//! | `convert_utf32_to_utf8…`, `…_utf16…`, `…_latin1…` | [`utf32_to_utf8`], [`utf32_to_utf16`], [`utf32_to_latin1`] |
//! | `convert_latin1_to_utf8`, `…_utf16…`, `…_utf32` | [`latin1_to_utf8`], [`latin1_to_utf16`], [`latin1_to_utf32`] |
//! | `convert_latin1_to_utf8_safe`, `convert_utf16_to_utf8_safe` | the same functions: every one takes a buffer of any size |
//! | `convert_valid_…` | none: every conversion validates |
//! | `to_well_formed_utf16…` | [`utf16_to_utf16_lossy`], [`utf16le_to_utf16le_lossy`], [`utf16be_to_utf16be_lossy`] |
//! | `convert_utf16_to_utf8_with_replacement` | [`utf16_to_utf8_lossy`] |
//! | `change_endianness_utf16` | [`swap_utf16`] |
//! | `count_utf8`, `utf32_length_from_utf8`, `latin1_length_from_utf8` | [`count_scalars_utf8`] |
//! | `count_utf16…`, `utf32_length_from_utf16…` | [`count_scalars_utf16`], [`count_scalars_utf16le`], [`count_scalars_utf16be`] |
//! | `utf16_length_from_utf8` | [`utf16_len_from_utf8`] |
//! | `utf8_length_from_utf16…` | [`utf8_len_from_utf16`], [`utf8_len_from_utf16le`], [`utf8_len_from_utf16be`] |
//! | `utf8_length_from_utf32`, `utf16_length_from_utf32` | [`utf8_len_from_utf32`], [`utf16_len_from_utf32`] |
//! | `utf8_length_from_latin1`, `utf16_length_from_latin1` | [`utf8_len_from_latin1`], [`utf16_len_from_latin1`] |
//! | `utf8_length_from_utf16_with_replacement` | none |
//! | `detect_encodings`, `autodetect_encoding` | nothing here; [`sniff`](crate::sniff), and `detect` with the feature of that name |
//! | `trim_partial_utf8`, `trim_partial_utf16…` | [`trim_partial_utf8`], [`trim_partial_utf16`], [`trim_partial_utf16le`], [`trim_partial_utf16be`] |
//! | `base64_to_binary`, `binary_to_base64`, `find` and their kin | none |
//!
//! Tested in `tests/unicode`, against `std` and simple models.

// The functions of the forms are similar, but written out: each has its own documentation and example, which a
// macro would hide from readers of the source. What they have in common is in `by_kernel.rs` and `machine.rs`.
mod ascii;
mod buffer;
mod by_kernel;
mod latin1;
mod machine;
mod short;
mod trim;
mod utf16;
mod utf16be;
mod utf16le;
mod utf32;
mod utf8;

use core::fmt;

pub use ascii::validate_ascii;
pub use buffer::Buffer;
pub use latin1::*;
pub use trim::*;
pub use utf8::*;
pub use utf16::*;
pub use utf16be::*;
pub use utf16le::*;
pub use utf32::*;

/// What a conversion did, and why it stopped.
///
/// ```
/// use simdtext::unicode::{Stop, utf8_to_utf16};
///
/// let mut dst = [0u16; 8];
/// let done = utf8_to_utf16(b"ab\xE4\xBDz", &mut dst);
/// assert_eq!((done.read, done.written), (2, 2));
/// assert_eq!(done.stop, Stop::Malformed { len: 2 });
/// ```
#[must_use = "it says how far the conversion came"]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Conversion {
    /// Why it stopped.
    pub stop: Stop,
    /// The number of units of the source that were converted: all, or those before what did not fit, is
    /// malformed or is unmappable. So this is the offset of an error.
    pub read: usize,
    /// The number of units written to the front of the buffer.
    pub written: usize,
    /// In lossy conversions, how many replacements were written; else 0.
    pub replaced: usize,
}

/// Why a conversion stopped. No variants will be added.
///
/// ```
/// use simdtext::unicode::{Stop, utf8_to_utf16};
///
/// assert_eq!(utf8_to_utf16(b"abc", &mut [0; 3]).stop, Stop::InputEmpty);
/// assert_eq!(utf8_to_utf16(b"abc", &mut [0; 2]).stop, Stop::OutputFull);
/// assert_eq!(utf8_to_utf16(b"a\xFF", &mut [0; 3]).stop, Stop::Malformed { len: 1 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// All of the source was read.
    InputEmpty,
    /// The next character does not fit.
    OutputFull,
    /// What comes next is malformed. Never in lossy conversions.
    Malformed {
        /// How many units of the source it takes: skip these to go on after it.
        len: usize,
    },
    /// The form of the output, Latin-1, does not have the next character. Never in lossy
    /// conversions.
    Unmappable {
        /// The character.
        ch: char,
    },
}

/// The first malformed sequence of a slice.
///
/// ```
/// use simdtext::unicode::{Invalid, from_utf8, validate_utf16};
///
/// let error = validate_utf16(&[0x61, 0xD800]).unwrap_err();
/// assert_eq!(error, Invalid { offset: 1, len: 1 });
/// assert_eq!(error.to_string(), "malformed at offset 1");
///
/// fn name(bytes: &[u8]) -> std::io::Result<&str> {
///     Ok(from_utf8(bytes)?)
/// }
/// assert_eq!(name(b"\xFF").unwrap_err().kind(), std::io::ErrorKind::InvalidData);
/// ```
#[doc(alias = "Utf8Error")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Invalid {
    /// Where it starts, in units of the source.
    #[doc(alias = "valid_up_to")]
    pub offset: usize,
    /// How many units it has.
    #[doc(alias = "error_len")]
    pub len: usize,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed at offset {}", self.offset)
    }
}

impl core::error::Error for Invalid {}

/// An error of the kind [`InvalidData`](std::io::ErrorKind::InvalidData) around this one.
#[cfg(feature = "std")]
impl From<Invalid> for std::io::Error {
    fn from(error: Invalid) -> Self {
        std::io::Error::new(std::io::ErrorKind::InvalidData, error)
    }
}
