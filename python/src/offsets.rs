//! `OffsetMap`: maps places in a text to the bytes that they were decoded from.

use std::ops::Range;

use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use simdtext::offsets::{self, OffsetMapError};
use simdtext::unicode::{utf8_len_from_latin1, utf8_len_from_utf16, utf8_len_from_utf32};

use crate::buffer::with_bytes;
use crate::decode::{bom_of, encoding_of};
use crate::encode::bytes_of;
use crate::text::{Chars, from_utf8};

/// Maps places in a decoded text to the bytes that they were decoded from.
///
/// Places in the text are counted in characters, and those in the source in bytes. The map keeps the text, but not the
/// source, which each look-up needs again.
// The library counts a text in bytes of UTF-8; the text is kept to convert between these and characters.
#[pyclass(module = "simdtext")]
pub(crate) struct OffsetMap {
    map: offsets::OffsetMap,
    text: Option<Py<PyString>>,
}

#[pymethods]
impl OffsetMap {
    #[new]
    #[pyo3(
        signature = (*, spacing = offsets::DEFAULT_SPACING),
        text_signature = "(*, spacing=65536)"
    )]
    fn new(spacing: usize) -> PyResult<Self> {
        if spacing < offsets::MIN_SPACING {
            return Err(PyValueError::new_err("spacing must be 16 or more"));
        }
        Ok(OffsetMap {
            map: offsets::OffsetMap::with_spacing(spacing),
            text: None,
        })
    }

    /// The encoding of the source, which a byte order mark may have changed.
    #[getter]
    fn encoding(&self) -> &'static str {
        self.map.encoding().name()
    }

    /// The text that was decoded last.
    #[getter]
    fn text(&self, py: Python<'_>) -> Option<Py<PyString>> {
        self.text.as_ref().map(|text| text.clone_ref(py))
    }

    /// Decodes a source, and forgets the previous one.
    #[pyo3(
        signature = (data, encoding, *, bom = None),
        text_signature = "($self, data, encoding, *, bom='sniff')"
    )]
    fn decode<'py>(
        &mut self,
        py: Python<'py>,
        data: &Bound<'py, PyAny>,
        encoding: &Bound<'py, PyString>,
        bom: Option<&str>,
    ) -> PyResult<Bound<'py, PyString>> {
        let (encoding, bom) = (encoding_of(encoding)?, bom_of(bom)?);
        // If memory runs out, the map and the text must not be of different sources.
        self.text = None;
        let text = with_bytes(data, |bytes| {
            let mut text = String::new();
            // This is enough for all of it, because the map does not report that memory has run out.
            let most = encoding.decoder(bom).max_utf8_len(bytes.len());
            text.try_reserve(most.unwrap_or(usize::MAX))
                .map_err(|_| PyMemoryError::new_err(()))?;
            py.detach(|| self.map.decode(encoding, bytes, &mut text, bom));
            from_utf8(py, text.as_bytes())
        })?;
        let text = text.ok_or_else(|| PyRuntimeError::new_err("not a text"))?;
        self.text = Some(text.clone().unbind());
        Ok(text)
    }

    /// The map as bytes, to be stored with the text: about 40, and 5 more for each place that it keeps. The format has a
    /// version, and is the same on all machines and in all languages.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let stored = self.map.try_to_bytes();
        bytes_of(py, &stored.map_err(|_| PyMemoryError::new_err(()))?)
    }

    /// The map that `to_bytes` has stored, with the text that it was made of. Raises `ValueError` if `stored` is not a
    /// map or is damaged, its format is that of another version, or the text has another length in UTF-8.
    #[staticmethod]
    #[pyo3(text_signature = "(stored, text)")]
    fn from_bytes(stored: &Bound<'_, PyAny>, text: &Bound<'_, PyString>) -> PyResult<Self> {
        let map = with_bytes(stored, |bytes| {
            offsets::OffsetMap::from_bytes(bytes).map_err(|error| match error {
                OffsetMapError::OutOfMemory => PyMemoryError::new_err(()),
                error => PyValueError::new_err(error.to_string()),
            })
        })?;
        let chars = Chars::of(text.as_borrowed())?;
        if utf8_len(chars, 0..chars.len()) != map.text_len() {
            return Err(PyValueError::new_err("the map is not of this text"));
        }
        Ok(OffsetMap {
            map,
            text: Some(text.clone().unbind()),
        })
    }

    /// The bytes that the characters from `start` to `end` were decoded from, as a start and an end. `None` if the text
    /// has no such characters, or `data` is shorter than the source.
    fn source_range(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        start: usize,
        end: usize,
    ) -> PyResult<Option<(u64, u64)>> {
        let Some(text) = &self.text else {
            return Ok(None);
        };
        let chars = Chars::of(text.bind_borrowed(py))?;
        if start > end || end > chars.len() {
            return Ok(None);
        }
        let from = utf8_len(chars, 0..start);
        let to = from + utf8_len(chars, start..end);
        with_bytes(data, |bytes| {
            let range = self.map.source_range(bytes, from..to);
            Ok(range.map(|range| (range.start, range.end)))
        })
    }

    /// The character that the byte at `source_offset` belongs to. `None` if that is after the end of the source, or
    /// `data` is shorter than the source.
    fn text_offset(
        &self,
        py: Python<'_>,
        data: &Bound<'_, PyAny>,
        source_offset: u64,
    ) -> PyResult<Option<usize>> {
        let Some(text) = &self.text else {
            return Ok(None);
        };
        let chars = Chars::of(text.bind_borrowed(py))?;
        with_bytes(data, |bytes| {
            let offset = self.map.text_offset(bytes, source_offset);
            Ok(offset.map(|offset| char_at(chars, offset)))
        })
    }
}

/// The number of bytes of UTF-8 in these characters.
fn utf8_len(chars: Chars<'_>, range: Range<usize>) -> u64 {
    let len = match chars {
        Chars::Ascii(units) => units[range].len(),
        Chars::Latin1(units) => utf8_len_from_latin1(&units[range]),
        Chars::Ucs2(units) => utf8_len_from_utf16(&units[range]),
        Chars::Ucs4(units) => utf8_len_from_utf32(&units[range]),
    };
    len as u64
}

/// The character to which the byte of UTF-8 at `offset` belongs.
fn char_at(chars: Chars<'_>, offset: u64) -> usize {
    const BLOCK: usize = 4096;
    let (mut at, mut before) = (0, 0);
    let mut step = BLOCK;
    while step > 0 {
        let end = chars.len().min(at + step);
        let after = before + utf8_len(chars, at..end);
        if after <= offset && end > at {
            (at, before) = (end, after);
        } else {
            step /= 2;
        }
    }
    at
}
