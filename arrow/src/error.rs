//! The errors of a call.

use std::fmt;

use arrow_schema::{ArrowError, DataType};
use simdtext::{DecodeError, EncodeError};

/// An array can't be decoded or encoded. Rows are counted from the start of the array, or of the first array if
/// there are several.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// The type of the array, or of the column of labels, is not supported.
    Type {
        /// What the array should contain: "bytes", "text" or "labels".
        expected: &'static str,
        /// The type that it has.
        found: DataType,
    },
    /// The column of labels is longer or shorter than the array.
    Length {
        /// The number of rows of the array.
        values: usize,
        /// The number of rows of the column of labels.
        labels: usize,
    },
    /// No encoding has this label.
    UnknownLabel {
        /// The label.
        label: String,
        /// The row, unless the label applies to all rows.
        row: Option<usize>,
    },
    /// The label of a row is null, and the options say that this is an error.
    NullLabel {
        /// The row.
        row: usize,
    },
    /// A value is malformed, and the options say that this is an error.
    Malformed {
        /// The row.
        row: usize,
        /// The encoding, and the first malformed sequence.
        error: DecodeError,
    },
    /// A text can't be encoded, and the options say that this is an error.
    Unencodable {
        /// The row.
        row: usize,
        /// The encoding, and the first character that it lacks.
        error: EncodeError,
    },
    /// Encoding was requested with [`Labels::Auto`](crate::Labels::Auto).
    AutoEncode,
    /// The output needs larger offsets than the type of its array has.
    TooLong {
        /// The row at which the limit was exceeded.
        row: usize,
        /// A type of input whose output has no such limit: cast to it, or convert slices.
        cast_to: DataType,
    },
}

impl Error {
    /// Returns the error for an array that comes after `rows` rows of others.
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

    /// For an error in the values of a dictionary: returns the error for the row that `row_of` finds for a
    /// value.
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

/// Without a source: the message has what is wrong with the value, too.
impl std::error::Error for Error {}

/// Makes an [`ArrowError::ExternalError`], which can be downcast to this error with `downcast_ref`.
impl From<Error> for ArrowError {
    fn from(error: Error) -> Self {
        ArrowError::ExternalError(Box::new(error))
    }
}
