//! `FirstValid` and `segments()`: bytes that are in one of several encodings, as a whole or line by line.

use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use simdtext::sniff::{self, SegmentReason, Segments};
use simdtext::{Encoding, UTF_8, WINDOWS_1252};

use crate::buffer::with_bytes;
use crate::decode::encoding_of;
use crate::detect::Name;
use crate::encode::bytes_of;
use crate::text::detached;

/// The argument `encodings`: labels.
pub(crate) type Labels<'py> = Vec<Bound<'py, PyString>>;

fn encodings_of(labels: &Labels<'_>) -> PyResult<Vec<&'static Encoding>> {
    labels.iter().map(encoding_of).collect()
}

/// Finds the first of several encodings in which a stream has nothing malformed.
///
/// UTF-8 is tried first, whether `encodings` has it or not. Nothing is malformed in windows-1252 and other encodings in
/// which every byte is a character, so that those after it are not tried. ASCII with escape sequences is ISO-2022-JP if
/// that is in the list. A byte order mark decides nothing.
#[pyclass(module = "simdtext")]
pub(crate) struct FirstValid {
    first: sniff::FirstValid,
    has_ended: bool,
}

#[pymethods]
impl FirstValid {
    #[new]
    fn new(encodings: Labels<'_>) -> PyResult<Self> {
        Ok(FirstValid {
            first: sniff::FirstValid::new(&encodings_of(&encodings)?),
            has_ended: false,
        })
    }

    /// Takes the next bytes of the stream. Returns whether it needs more: `False` once nothing that follows can change
    /// the answer.
    fn feed(&mut self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<bool> {
        if self.has_ended {
            return Err(PyValueError::new_err("the stream has ended"));
        }
        with_bytes(data, |bytes| {
            Ok(detached(py, bytes.len(), || self.first.feed(bytes)))
        })
    }

    /// Ends the stream. Returns the first encoding in which nothing is malformed, or `None`.
    fn finish(&mut self) -> Option<&'static str> {
        self.has_ended = true;
        self.first.finish().map(Encoding::name)
    }

    /// The encodings that are tried, in order. Each comes with the offset of its first malformed sequence in the stream,
    /// or `None` if it has none so far.
    #[getter]
    fn tried(&self) -> Vec<(&'static str, Option<u64>)> {
        let tried = self.first.tried();
        tried
            .map(|one| (one.encoding.name(), one.failed.map(|it| it.offset)))
            .collect()
    }

    fn __repr__(&self) -> String {
        let names: Vec<&str> = self.first.tried().map(|it| it.encoding.name()).collect();
        format!("<simdtext.FirstValid of {}>", names.join(", "))
    }
}

/// Finds the first of several encodings in which bytes have nothing malformed; `None` if there is none.
///
/// UTF-8 is tried first, whether `encodings` has it or not. Nothing is malformed in windows-1252 and other encodings in
/// which every byte is a character, so that those after it are not tried. ASCII with escape sequences is ISO-2022-JP if
/// that is in the list. A byte order mark decides nothing.
#[pyfunction]
pub(crate) fn first_valid(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    encodings: Labels<'_>,
) -> PyResult<Option<&'static str>> {
    let first = sniff::FirstValid::new(&encodings_of(&encodings)?);
    with_bytes(data, |bytes| {
        let found = detached(py, bytes.len(), || first.decide(bytes));
        Ok(found.map(Encoding::name))
    })
}

/// Lines in one encoding, one of the results of `segments`. It is a value: it can be compared, copied and pickled.
#[pyclass(module = "simdtext", frozen, get_all, eq, hash)]
#[derive(PartialEq, Hash)]
pub(crate) struct Segment {
    /// The offset of its first byte.
    start: usize,
    /// The offset after its last byte.
    end: usize,
    encoding: Name,
    /// `ascii`, `utf-8`, `escapes` (of ISO-2022-JP), `first-of-list` or `otherwise`.
    reason: Name,
}

#[pymethods]
impl Segment {
    #[new]
    fn new(start: usize, end: usize, encoding: String, reason: String) -> Self {
        Segment {
            start,
            end,
            encoding: encoding.into(),
            reason: reason.into(),
        }
    }

    fn __getnewargs__(&self) -> (usize, usize, &str, &str) {
        (self.start, self.end, &self.encoding, &self.reason)
    }

    fn __repr__(&self) -> String {
        format!(
            "Segment(start={}, end={}, encoding='{}', reason='{}')",
            self.start, self.end, self.encoding, self.reason
        )
    }
}

impl From<sniff::Segment> for Segment {
    fn from(segment: sniff::Segment) -> Self {
        let reason = match segment.reason {
            SegmentReason::Ascii => "ascii",
            SegmentReason::Utf8Valid => "utf-8",
            SegmentReason::Escapes => "escapes",
            SegmentReason::FirstOfList => "first-of-list",
            _ => "otherwise",
        };
        Segment {
            start: segment.range.start,
            end: segment.range.end,
            encoding: segment.encoding.name().into(),
            reason: reason.into(),
        }
    }
}

/// Cuts text in which each line may be in another encoding, such as a log, into segments of one encoding each.
///
/// A line is in UTF-8 if it is valid UTF-8, or else in the first of `encodings` in which nothing is malformed, or else in
/// `otherwise`: a label, or a function that is called with the line and returns one. `iso_2022_jp=True` looks for lines of
/// ISO-2022-JP as well. The segments follow each other without gaps; decode each with `bom="keep"`.
#[pyfunction]
#[pyo3(
    signature = (data, encodings = Vec::new(), otherwise = None, *, iso_2022_jp = false),
    text_signature = "(data, encodings=(), otherwise='windows-1252', *, iso_2022_jp=False)"
)]
pub(crate) fn segments(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    encodings: Labels<'_>,
    otherwise: Option<&Bound<'_, PyAny>>,
    iso_2022_jp: bool,
) -> PyResult<Vec<Segment>> {
    let list = encodings_of(&encodings)?;
    let label = match otherwise {
        None => Some(WINDOWS_1252),
        Some(otherwise) => match otherwise.cast::<PyString>() {
            Ok(label) => Some(encoding_of(label)?),
            Err(_) if otherwise.is_callable() => None,
            Err(_) => {
                return Err(PyTypeError::new_err(
                    "otherwise must be a label, or a function that returns one",
                ));
            }
        },
    };
    with_bytes(data, |bytes| {
        let (Some(function), None) = (otherwise, label) else {
            let found = Segments::new(bytes, &list, |_| label.unwrap_or(WINDOWS_1252));
            return detached(py, bytes.len(), || all(found, iso_2022_jp));
        };
        let mut raised = None;
        // After an exception the answer does not matter.
        let choose = |line: &[u8]| {
            let chosen = match &raised {
                None => chosen(function, line),
                Some(_) => return UTF_8,
            };
            chosen.unwrap_or_else(|error| {
                raised = Some(error);
                UTF_8
            })
        };
        let found = all(Segments::new(bytes, &list, choose), iso_2022_jp);
        raised.map_or(found, Err)
    })
}

/// Calls a function with a line.
fn chosen(function: &Bound<'_, PyAny>, line: &[u8]) -> PyResult<&'static Encoding> {
    let label = function.call1((bytes_of(function.py(), line)?,))?;
    encoding_of(label.cast::<PyString>()?)
}

fn all<F: FnMut(&[u8]) -> &'static Encoding>(
    found: Segments<'_, F>,
    iso_2022_jp: bool,
) -> PyResult<Vec<Segment>> {
    let mut segments = Vec::new();
    for segment in found.iso_2022_jp(iso_2022_jp) {
        segments
            .try_reserve(1)
            .map_err(|_| PyMemoryError::new_err(()))?;
        segments.push(segment.into());
    }
    Ok(segments)
}
