//! `percent_encode_after_encoding()`: encodes text for URLs and forms.

use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use simdtext::hooks::PercentEncodeSet;
use simdtext::{Encoding, ISO_2022_JP, UTF_8, hooks};

use crate::decode::encoding_of;
use crate::encode::encode_text;
use crate::text::{detached, from_utf8};
use crate::unmappable::Policy;

/// Encodes a text as URLs and forms have it: the URL standard's *percent-encode after encoding*.
///
/// A byte of `percent_encode_set` is written as `%` and two digits, and a character that the encoding does not have as
/// `%26%23`, its number and `%3B`. The set is `"c0-control"`, `"fragment"`, `"query"`, `"special-query"` (for `http` and
/// `https`), `"path"`, `"userinfo"`, `"component"` or `"application/x-www-form-urlencoded"`. A space becomes `+` with the
/// last one, unless `space_as_plus` says otherwise. UTF-16 and replacement encode as UTF-8, as on the web.
#[pyfunction]
#[pyo3(
    signature = (text, encoding = None, percent_encode_set = None, *, space_as_plus = None),
    text_signature = "(text, encoding='utf-8', percent_encode_set='special-query', *, space_as_plus=None)"
)]
pub(crate) fn percent_encode_after_encoding<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
    encoding: Option<&Bound<'py, PyString>>,
    percent_encode_set: Option<&str>,
    space_as_plus: Option<bool>,
) -> PyResult<Bound<'py, PyString>> {
    let encoding = encoding.map_or(Ok(UTF_8), encoding_of)?;
    let set = set_of(percent_encode_set.unwrap_or("special-query"))?;
    let is_form = set == PercentEncodeSet::APPLICATION_X_WWW_FORM_URLENCODED;
    let space_as_plus = space_as_plus.unwrap_or(is_form);
    // A lone surrogate raises the exception that it raises there.
    let utf8 = encode_text(py, text, UTF_8, &Policy::Strict)?;
    let wrong = || PyRuntimeError::new_err("not a text");
    let utf8 = std::str::from_utf8(utf8.as_bytes()).map_err(|_| wrong())?;
    let encoded = detached(py, utf8.len(), || {
        encode(encoding, utf8, set, space_as_plus)
    })?;
    from_utf8(py, &encoded)?.ok_or_else(wrong)
}

/// The number of bytes that are encoded at a time, because the library does not report that memory has run out.
const PIECE: usize = 1 << 20;

fn encode(
    encoding: &'static Encoding,
    mut text: &str,
    set: PercentEncodeSet,
    space_as_plus: bool,
) -> PyResult<Vec<u8>> {
    let mut encoded = Vec::new();
    while !text.is_empty() {
        let len = if encoding == ISO_2022_JP {
            // The only encoder with a state.
            text.len()
        } else {
            (0..=PIECE.min(text.len()))
                .rev()
                .find(|&at| text.is_char_boundary(at))
                .unwrap_or(text.len())
        };
        let (piece, rest) = text.split_at(len);
        let piece = hooks::percent_encode_after_encoding(encoding, piece, set, space_as_plus);
        encoded
            .try_reserve(piece.len())
            .map_err(|_| PyMemoryError::new_err(()))?;
        encoded.extend_from_slice(piece.as_bytes());
        text = rest;
    }
    Ok(encoded)
}

fn set_of(name: &str) -> PyResult<PercentEncodeSet> {
    Ok(match name {
        "c0-control" => PercentEncodeSet::C0_CONTROL,
        "fragment" => PercentEncodeSet::FRAGMENT,
        "query" => PercentEncodeSet::QUERY,
        "special-query" => PercentEncodeSet::SPECIAL_QUERY,
        "path" => PercentEncodeSet::PATH,
        "userinfo" => PercentEncodeSet::USERINFO,
        "component" => PercentEncodeSet::COMPONENT,
        "application/x-www-form-urlencoded" => PercentEncodeSet::APPLICATION_X_WWW_FORM_URLENCODED,
        _ => {
            return Err(PyValueError::new_err(
                "percent_encode_set must be c0-control, fragment, query, special-query, path, userinfo, component \
                 or application/x-www-form-urlencoded",
            ));
        }
    })
}
