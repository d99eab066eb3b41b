//! One-shot conversion.

use alloc::borrow::Cow;

use crate::encoding::Encoding;
use crate::progress::{Bom, Malformed, Unmappable};

/// What decoding gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// The encoding that it was decoded from (a byte order mark may have changed it).
    pub encoding: &'static Encoding,
    /// Malformed sequences, each of which became U+FFFD.
    pub errors: usize,
    /// The first of them.
    pub first_error: Option<Malformed>,
}

/// What encoding gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded<'a> {
    /// The bytes.
    pub bytes: Cow<'a, [u8]>,
    /// Unmappable characters that were written otherwise.
    pub errors: usize,
}

/// The input is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The encoding that was decoded.
    pub encoding: &'static Encoding,
    /// The first malformed sequence.
    pub malformed: Malformed,
}

/// The text can't be encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeError {
    /// The encoding does not have this character.
    Unmappable {
        /// The character.
        ch: char,
        /// Its offset in bytes of UTF-8.
        offset: u64,
    },
    /// The encoding has no encoder (replacement).
    NoEncoder,
}

#[expect(unused_variables, reason = "stub")]
impl Encoding {
    /// Decodes with [`Bom::Sniff`] and replacement.
    #[must_use]
    pub fn decode<'a>(&'static self, bytes: &'a [u8]) -> Decoded<'a> {
        todo!()
    }
    /// Decodes with replacement.
    #[must_use]
    pub fn decode_with<'a>(&'static self, bytes: &'a [u8], bom: Bom) -> Decoded<'a> {
        todo!()
    }
    /// Decodes; fails at the first malformed sequence.
    pub fn decode_strict<'a>(
        &'static self,
        bytes: &'a [u8],
        bom: Bom,
    ) -> Result<Decoded<'a>, DecodeError> {
        todo!()
    }
    /// Encodes.
    pub fn encode<'a>(
        &'static self,
        text: &'a str,
        unmappable: Unmappable,
    ) -> Result<Encoded<'a>, EncodeError> {
        todo!()
    }
}
