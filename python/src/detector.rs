//! `Detector`: guesses the encoding of bytes that come in pieces.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use simdtext::detect::{self, Options};

use crate::buffer::with_bytes;
use crate::detect::Guess;
use crate::text::detached;

/// Guesses the encoding of bytes that come in pieces. However they are cut, the answer is that of `detect` for all of
/// them in one piece.
///
/// A detector keeps what it is fed, unless the first bytes decide for all. With `limit` it keeps no more than that many
/// bytes, and guesses from these.
#[pyclass(module = "simdtext")]
pub(crate) struct Detector(detect::Detector<'static>);

#[pymethods]
impl Detector {
    #[new]
    #[pyo3(
        signature = (*, tld = None, allow_utf8 = true, sample = 16 * 1024, limit = None),
        text_signature = "(*, tld=None, allow_utf8=True, sample=16384, limit=None)"
    )]
    fn new(tld: Option<&str>, allow_utf8: bool, sample: usize, limit: Option<usize>) -> Self {
        let options = Options::new()
            .tld(tld)
            .allow_utf8(allow_utf8)
            .sample(sample)
            .into_static();
        Detector(detect::Detector::new(&options).limit(limit.unwrap_or(usize::MAX)))
    }

    /// Takes the next bytes. Returns whether it needs more: `False` once nothing that follows can change the answer.
    fn feed(&mut self, py: Python<'_>, data: &Bound<'_, PyAny>) -> PyResult<bool> {
        with_bytes(data, |bytes| {
            (self.0.try_reserve(bytes.len())).map_err(|_| PyMemoryError::new_err(()))?;
            Ok(detached(py, bytes.len(), || self.0.feed(bytes)))
        })
    }

    /// The guess for the bytes fed so far, if more follow. Takes as long as `detect` for all of them.
    fn guess(&self, py: Python<'_>) -> Guess {
        // It is not known here how much there is to do.
        py.detach(|| self.0.guess()).into()
    }

    /// The guess for the bytes fed, if nothing follows.
    fn finish(&self, py: Python<'_>) -> Guess {
        py.detach(|| self.0.finish()).into()
    }

    /// Forgets what it was fed, and keeps the memory for reuse.
    fn reset(&mut self) {
        self.0.reset();
    }

    fn __repr__(&self) -> &'static str {
        "<simdtext.Detector>"
    }
}
