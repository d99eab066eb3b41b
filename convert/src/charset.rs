//! The encodings of inputs: those of the standard, and UTF-32, which is not in the standard and which
//! this package decodes itself (`utf32.rs`).

use std::fmt;

use simdtext::detect::ByteOrder;
use simdtext::{Encoding, GB18030, GBK, ISO_8859_8, ISO_8859_8_I, UTF_16BE, UTF_16LE};

/// An encoding of the standard, or UTF-32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Charset {
    /// An encoding of the standard.
    Standard(&'static Encoding),
    /// UTF-32 in this byte order.
    Utf32(ByteOrder),
}

/// UTF-32 with the least significant byte first.
pub const UTF_32LE: Charset = Charset::Utf32(ByteOrder::Little);
/// UTF-32 with the most significant byte first.
pub const UTF_32BE: Charset = Charset::Utf32(ByteOrder::Big);

impl Charset {
    /// The name of the encoding, spelt as in the standard.
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard(encoding) => encoding.name(),
            UTF_32LE => "UTF-32LE",
            Self::Utf32(_) => "UTF-32BE",
        }
    }

    /// The encoding, if it is one of the standard's.
    pub fn standard(self) -> Option<&'static Encoding> {
        match self {
            Self::Standard(encoding) => Some(encoding),
            Self::Utf32(_) => None,
        }
    }

    /// The encoding of the standard with the same decoder that guesses name.
    pub(crate) fn decoded_as(self) -> Option<&'static Encoding> {
        match self {
            Self::Standard(encoding) if encoding == GB18030 => Some(GBK),
            Self::Standard(encoding) if encoding == ISO_8859_8_I => Some(ISO_8859_8),
            _ => self.standard(),
        }
    }

    /// Whether both have the same decoder.
    pub(crate) fn is_read_as(self, other: &'static Encoding) -> bool {
        self.decoded_as() == Self::from(other).decoded_as()
    }

    /// Whether it is UTF-16 in one of the byte orders.
    pub(crate) fn is_utf16(self) -> bool {
        self == UTF_16LE || self == UTF_16BE
    }
}

impl From<&'static Encoding> for Charset {
    fn from(encoding: &'static Encoding) -> Self {
        Self::Standard(encoding)
    }
}

impl PartialEq<&'static Encoding> for Charset {
    fn eq(&self, encoding: &&'static Encoding) -> bool {
        self.standard() == Some(*encoding)
    }
}

impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
