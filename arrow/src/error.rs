//! What can go wrong in a call.

use std::fmt;

use arrow_schema::{ArrowError, DataType};
use simdtext::{DecodeError, EncodeError};

/// An array can't be decoded or encoded. Rows count from the start of the array, or of the first
/// array of several.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The array, or the column of labels, is of a type that is not supported.
    Type {
        /// What the array was to be: "bytes", "text" or "labels".
        expected: &'static str,
        /// The type that it has.
        found: DataType,
    },
    /// The column of labels is longer or shorter than the array.
    Length {
        /// Rows of the array.
        values: usize,
        /// Rows of the column of labels.
        labels: usize,
    },
    /// No encoding has this label.
    UnknownLabel {
        /// The label.
        label: String,
        /// The row, unless the label is that of all rows.
        row: Option<usize>,
    },
    /// The label of a row is null, and the options ask for an error then.
    NullLabel {
        /// The row.
        row: usize,
    },
    /// A value is malformed, and the options ask for an error then.
    Malformed {
        /// The row.
        row: usize,
        /// The encoding, and the first malformed sequence.
        error: DecodeError,
    },
    /// A text can't be encoded, and the options ask for an error then.
    Unencodable {
        /// The row.
        row: usize,
        /// The encoding, and the first character that it does not have.
        error: EncodeError,
    },
    /// An encoding was to be found out for encoding.
    AutoEncode,
    /// The output needs larger offsets than the type of its array has.
    TooLong {
        /// The row at which the limit was passed.
        row: usize,
        /// A type of input whose output has no such limit: cast to it, or convert slices.
        cast_to: DataType,
    },
}

impl Error {
    /// The same error in an array that stands behind `rows` others.
    pub(crate) fn behind(mut self, rows: usize) -> Self {
        match &mut self {
            Error::UnknownLabel { row: Some(row), .. }
            | Error::NullLabel { row }
            | Error::Malformed { row, .. }
            | Error::Unencodable { row, .. }
            | Error::TooLong { row, .. } => *row += rows,
            Error::UnknownLabel { row: None, .. }
            | Error::Type { .. }
            | Error::Length { .. }
            | Error::AutoEncode => {}
        }
        self
    }

    /// For an error in the values of a dictionary: the error in the row that `row_of` finds for a value.
    pub(crate) fn at_row(mut self, row_of: impl Fn(usize) -> usize) -> Self {
        if let Error::Malformed { row, .. }
        | Error::Unencodable { row, .. }
        | Error::TooLong { row, .. } = &mut self
        {
            *row = row_of(*row);
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Type { expected, found } => {
                write!(f, "an array of {found} does not hold {expected}")
            }
            Error::Length { values, labels } => {
                write!(f, "{labels} labels for an array of {values} values")
            }
            Error::UnknownLabel { label, row: None } => {
                write!(f, "not a label of any encoding: {label:?}")
            }
            Error::UnknownLabel {
                label,
                row: Some(row),
            } => write!(f, "row {row}: not a label of any encoding: {label:?}"),
            Error::NullLabel { row } => write!(f, "row {row}: the label is null"),
            Error::Malformed { row, error } => write!(f, "row {row}: {error}"),
            Error::Unencodable { row, error } => write!(f, "row {row}: {error}"),
            Error::AutoEncode => f.write_str("what to encode to can't be detected"),
            Error::TooLong { row, cast_to } => write!(
                f,
                "row {row}: the output is too long for its type; cast the input to {cast_to}, or \
                 convert it in slices"
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Malformed { error, .. } => Some(error),
            Error::Unencodable { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// An [`ArrowError::ExternalError`], from which this error can be had back by `downcast_ref`.
impl From<Error> for ArrowError {
    fn from(error: Error) -> Self {
        ArrowError::ExternalError(Box::new(error))
    }
}
