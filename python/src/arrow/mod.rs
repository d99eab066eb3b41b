//! `simdtext.arrow`: arrays of bytes to arrays of text, and back.
//!
//! `lib/simdtext/arrow.py` has the functions that users call. Tested in `tests/arrow/`, from Python.

mod arrays;
mod capsules;
mod options;
mod pool;

use std::sync::{Arc, LazyLock};

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, ArrayRef, new_empty_array};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use simdtext::sniff::Hints;
use simdtext_arrow::{DecodeOptions, EncodeOptions, Error, Labels, Reuse};

pub(crate) use arrays::{Array, ChunkedArray};
use capsules::Imported;
#[cfg(feature = "corpus")]
pub(crate) use capsules::record_stream;

use crate::decode::bom_of;

/// Memory of results that Python has dropped.
static REUSE: LazyLock<Reuse> = LazyLock::new(|| Reuse::new(512 * 1024 * 1024));

/// Decodes an array to structs.
#[pyfunction]
#[pyo3(signature = (array, encoding, *, columns, errors, bom, null_label, unknown_label, content_type, fallback))]
#[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
pub(crate) fn arrow_decode<'py>(
    array: &Bound<'py, PyAny>,
    encoding: Option<&Bound<'py, PyAny>>,
    columns: Option<Vec<String>>,
    errors: &str,
    bom: &str,
    null_label: &str,
    unknown_label: &str,
    content_type: Option<&str>,
    fallback: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let fallback = fallback.map(options::known).transpose()?;
    let hints = Hints::new().late_meta(true);
    let mut options = DecodeOptions::new()
        .on_malformed(options::on_malformed(errors)?)
        .bom(bom_of(Some(bom))?)
        .null_label(options::without(null_label)?)
        .unknown_label(options::without(unknown_label)?)
        .hints(hints.transport(content_type).fallback(fallback))
        .reuse(&REUSE);
    if let Some(names) = columns {
        options = options.columns(options::columns(&names)?);
    }
    convert(array, encoding, |batches| {
        let decoded = simdtext_arrow::decode_batches(batches, &options)?;
        Ok(decoded
            .into_iter()
            .map(|array| Arc::new(array) as ArrayRef)
            .collect())
    })
}

/// Encodes an array.
#[pyfunction]
#[pyo3(signature = (array, encoding, *, errors, null_label, unknown_label))]
pub(crate) fn arrow_encode<'py>(
    array: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyAny>,
    errors: &str,
    null_label: &str,
    unknown_label: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let options = EncodeOptions::new()
        .on_unmappable(options::on_unmappable(errors)?)
        .null_label(options::without(null_label)?)
        .unknown_label(options::without(unknown_label)?)
        .reuse(&REUSE);
    convert(array, Some(encoding), |batches| {
        simdtext_arrow::encode_batches(batches, &options)
    })
}

/// Returns the number of bytes that are kept for later results.
#[pyfunction]
pub(crate) fn arrow_idle_memory() -> usize {
    REUSE.idle()
}

/// Frees the memory that is kept.
#[pyfunction]
pub(crate) fn arrow_release_memory(py: Python<'_>) {
    let reuse: &Reuse = &REUSE;
    py.detach(|| reuse.release());
}

/// Returns whether only one thread will convert this array.
fn is_for_one_thread(array: &dyn arrow_array::Array) -> bool {
    // A dictionary may repeat its values many times.
    array.as_any_dictionary_opt().is_none() && array.get_buffer_memory_size() < 1024 * 1024
}

/// The labels that a caller passed.
enum Given {
    Auto,
    Label(String),
    Column(Imported),
}

impl Given {
    fn of(encoding: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(encoding) = encoding else {
            return Ok(Given::Auto);
        };
        match encoding.cast::<PyString>() {
            // A string with lone surrogates is not a label either.
            Ok(label) => Ok(Given::Label(label.to_string_lossy().into_owned())),
            Err(_) => Imported::of(encoding).map(Given::Column),
        }
    }

    /// Returns the labels of a chunk; `column` has them if they are in an array.
    fn labels<'a>(&'a self, column: Option<&'a ArrayRef>) -> Labels<'a> {
        match (self, column) {
            (Given::Label(label), _) => Labels::Label(label),
            (Given::Column(_), Some(column)) => Labels::from(column),
            _ => Labels::Auto,
        }
    }
}

/// A range of rows, and their labels if these are in an array.
type Batch = (ArrayRef, Option<ArrayRef>);

/// Converts an array, or the chunks of a column, each with its labels.
fn convert<'py>(
    array: &Bound<'py, PyAny>,
    encoding: Option<&Bound<'py, PyAny>>,
    convert: impl Fn(&[(&dyn arrow_array::Array, Labels<'_>)]) -> Result<Vec<ArrayRef>, Error> + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let values = Imported::of(array)?;
    let given = Given::of(encoding)?;
    let mut batches = batches(&values, &given)?;
    if values.is_stream {
        // Without chunks the type has to come from elsewhere, and a label that no encoding has is still an
        // error.
        let labels = match &given {
            Given::Column(labels) => Some(new_empty_array(&labels.data_type)),
            _ => None,
        };
        batches.push((new_empty_array(&values.data_type), labels));
    }
    let pool = match &batches[..] {
        [(array, _)] if is_for_one_thread(array.as_ref()) => None,
        _ => pool::on_all_cores(py),
    };
    let converted = py.detach(|| {
        let batches: Vec<_> = batches
            .iter()
            .map(|(array, column)| (array.as_ref(), given.labels(column.as_ref())))
            .collect();
        match &pool {
            Some(pool) => pool.install(|| convert(&batches)),
            None => convert(&batches),
        }
    });
    let mut chunks = converted.map_err(|error| options::exception(&error))?;
    let Some(last) = chunks.pop() else {
        return Err(PyRuntimeError::new_err("nothing was converted"));
    };
    if !values.is_stream {
        return Ok(Bound::new(py, Array(last))?.into_any());
    }
    let data_type = last.data_type().clone();
    Ok(Bound::new(py, ChunkedArray { data_type, chunks })?.into_any())
}

/// Returns the chunks of a column with their labels, cut at the chunks of both.
fn batches(values: &Imported, given: &Given) -> PyResult<Vec<Batch>> {
    let Given::Column(labels) = given else {
        let chunks = values.chunks.iter().cloned();
        return Ok(chunks.map(|chunk| (chunk, None)).collect());
    };
    if values.len() != labels.len() {
        return Err(options::exception(&Error::Length {
            values: values.len(),
            labels: labels.len(),
        }));
    }
    if !values.is_stream && labels.chunks.len() != 1 {
        return Err(PyValueError::new_err(
            "the labels of an array that is one chunk have to be one chunk",
        ));
    }
    let mut batches = Vec::new();
    let mut columns = labels.chunks.iter();
    let mut column: Option<ArrayRef> = columns.next().cloned();
    for chunk in &values.chunks {
        let mut from = 0;
        loop {
            let Some(left) = column.take() else { break };
            let len = left.len().min(chunk.len() - from);
            batches.push((chunk.slice(from, len), Some(left.slice(0, len))));
            from += len;
            column = if len < left.len() {
                Some(left.slice(len, left.len() - len))
            } else {
                columns.next().cloned()
            };
            if from == chunk.len() {
                break;
            }
        }
    }
    Ok(batches)
}
