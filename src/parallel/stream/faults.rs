//! What the conversion of a stream reports: faults, a summary, and why it stopped. Tested in `tests/parallel`.

use core::error::Error;
use core::fmt;
use std::io;

use crate::encoding::Encoding;
use crate::progress::Malformed;

/// Something in a stream that could not be converted as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Fault {
    /// What it is, and where.
    pub kind: FaultKind,
    /// The number of its line in the text, from 1; `None` if lines are not counted.
    pub line: Option<u64>,
    /// The encoding that is decoded; a byte order mark may have changed it.
    pub encoding: &'static Encoding,
    /// The encoding of the output.
    pub to: &'static Encoding,
}

/// A kind of [`Fault`]. No variants will be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// Malformed bytes.
    Malformed(Malformed),
    /// A character that the output encoding does not have.
    Unmappable {
        /// The character, as it is in the text.
        ch: char,
        /// The offset, in bytes from the start of the input, of the bytes it was decoded from, or of the
        /// malformed ones that it replaces.
        offset: u64,
    },
}

impl FaultKind {
    /// Where it is, in bytes from the start of the input.
    #[must_use]
    pub fn offset(&self) -> u64 {
        match self {
            FaultKind::Malformed(malformed) => malformed.offset,
            FaultKind::Unmappable { offset, .. } => *offset,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            FaultKind::Malformed(malformed) => write!(f, "not {}: {malformed}", self.encoding)?,
            FaultKind::Unmappable { ch, offset } => {
                let number = u32::from(ch);
                write!(
                    f,
                    "character U+{number:04X} from offset {offset} is not in {}",
                    self.to
                )?;
            }
        }
        self.line.map_or(Ok(()), |line| write!(f, ", line {line}"))
    }
}

/// What was converted of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Summary {
    /// The encoding that was decoded; a byte order mark may have changed it.
    pub encoding: &'static Encoding,
    /// The number of bytes of input that are converted: all, or those before what stopped the conversion. What was
    /// read of an incomplete character before a failure of the reader is not among them.
    pub read: u64,
    /// The number of bytes that the writer has taken.
    pub written: u64,
    /// The number of malformed sequences.
    pub malformed: u64,
    /// The number of characters that the encoding does not have.
    pub unmappable: u64,
    /// The number of line ends in the text; `None` if they are not counted.
    pub line_ends: Option<u64>,
}

/// A conversion stopped before the end of its input.
///
/// Everything before that point has been written as a complete text, which in ISO-2022-JP ends in ASCII.
/// After an error of the writer itself, it has the first [`Summary::written`] bytes.
///
/// ```
/// use simdtext::parallel::{OnMalformed, Parallel, StreamError, StreamOptions};
/// use simdtext::{KOI8_R, UTF_8};
/// use std::io;
///
/// fn to_koi8(text: &[u8]) -> io::Result<Vec<u8>> {
///     let (options, mut bytes) = (StreamOptions::new(UTF_8, KOI8_R), Vec::new());
///     Parallel::new().convert_stream(&options.malformed(OnMalformed::Stop), text, &mut bytes, |_| {})?;
///     Ok(bytes)
/// }
/// assert_eq!(to_koi8("мир".as_bytes())?, b"\xCD\xC9\xD2");
/// let error = to_koi8(b"\xD0").unwrap_err();
/// assert_eq!(error.kind(), io::ErrorKind::InvalidData);
/// assert_eq!(error.to_string(), "not UTF-8: malformed byte D0 at offset 0");
/// assert_eq!(error.downcast::<StreamError>()?.summary.read, 0);
/// # Ok::<(), io::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct StreamError {
    /// Why.
    pub kind: StreamErrorKind,
    /// What was converted before.
    pub summary: Summary,
}

/// Why a conversion stopped.
#[derive(Debug)]
#[non_exhaustive]
pub enum StreamErrorKind {
    /// The reader failed. An incomplete character before the failure is not converted.
    Read(io::Error),
    /// The writer failed, or took nothing.
    Write(io::Error),
    /// A fault to stop at. It is counted and reported, too.
    Fault(Fault),
    /// The encoding to convert to has no encoder: it is replacement. Nothing was read.
    NoEncoder {
        /// The encoding.
        encoding: &'static Encoding,
    },
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            StreamErrorKind::Read(error) => write!(f, "cannot read: {error}"),
            StreamErrorKind::Write(error) => write!(f, "cannot write: {error}"),
            StreamErrorKind::Fault(fault) => fault.fmt(f),
            StreamErrorKind::NoEncoder { encoding } => write!(f, "{encoding} has no encoder"),
        }
    }
}

impl Error for StreamError {
    /// What the error of the reader or the writer names as its source: the message has that error itself.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            StreamErrorKind::Read(error) | StreamErrorKind::Write(error) => error.source(),
            StreamErrorKind::Fault(_) | StreamErrorKind::NoEncoder { .. } => None,
        }
    }
}

/// An error around this one: of the same kind as that of the reader or the writer,
/// [`InvalidData`](io::ErrorKind::InvalidData) for a fault, and [`InvalidInput`](io::ErrorKind::InvalidInput) if there
/// is no encoder.
impl From<StreamError> for io::Error {
    fn from(error: StreamError) -> Self {
        let kind = match &error.kind {
            StreamErrorKind::Read(error) | StreamErrorKind::Write(error) => error.kind(),
            StreamErrorKind::Fault(_) => io::ErrorKind::InvalidData,
            StreamErrorKind::NoEncoder { .. } => io::ErrorKind::InvalidInput,
        };
        io::Error::new(kind, error)
    }
}
