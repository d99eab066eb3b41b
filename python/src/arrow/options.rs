//! The arguments of the functions, as the options of the crate.

use pyo3::exceptions::{PyLookupError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use simdtext::Encoding;
use simdtext_arrow::{Column, Columns, Error, OnMalformed, OnUnmappable, WithoutEncoding};

use crate::decode::unknown;

pub(super) fn on_malformed(errors: &str) -> PyResult<OnMalformed> {
    match errors {
        "replace" => Ok(OnMalformed::Replace),
        "null" => Ok(OnMalformed::Null),
        "strict" => Ok(OnMalformed::Error),
        _ => Err(PyValueError::new_err(
            "errors must be replace, null or strict",
        )),
    }
}

pub(super) fn on_unmappable(errors: &str) -> PyResult<OnUnmappable> {
    match errors {
        "strict" => Ok(OnUnmappable::Error),
        "null" => Ok(OnUnmappable::Null),
        "xmlcharrefreplace" => Ok(OnUnmappable::Ncr),
        "replace" => Ok(OnUnmappable::Replace('?')),
        "ignore" => Ok(OnUnmappable::Skip),
        _ => Err(PyValueError::new_err(
            "errors must be strict, null, replace, ignore or xmlcharrefreplace",
        )),
    }
}

pub(super) fn columns(names: &[String]) -> PyResult<Columns> {
    let all = [
        Column::Text,
        Column::Encoding,
        Column::Evidence,
        Column::Errors,
        Column::FirstErrorOffset,
    ];
    let of_name = |name: &String| {
        let found = all.into_iter().find(|column| column.name() == name);
        found.ok_or_else(|| PyValueError::new_err(format!("no such column: {name:?}")))
    };
    names.iter().map(of_name).collect()
}

/// Returns the encoding of a label.
pub(super) fn known(label: &str) -> PyResult<&'static Encoding> {
    Encoding::for_label(label.as_bytes()).ok_or_else(|| unknown(label))
}

/// Returns the meaning of `null_label` and `unknown_label`.
pub(super) fn without(value: &str) -> PyResult<WithoutEncoding> {
    match value {
        "null" => Ok(WithoutEncoding::Null),
        "error" => Ok(WithoutEncoding::Error),
        "auto" => Ok(WithoutEncoding::Auto),
        label => known(label).map(WithoutEncoding::Use),
    }
}

pub(super) fn exception(error: &Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Type { .. } => PyTypeError::new_err(message),
        Error::UnknownLabel { .. } => PyLookupError::new_err(message),
        Error::TooLong { .. } => PyOverflowError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}
