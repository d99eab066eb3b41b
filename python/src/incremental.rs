//! `Decoder` and `Encoder`: streams, by the protocol of `codecs`.

use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use simdtext::{Bom, Encoding, Status, Unmappable};

use crate::buffer::with_bytes;
use crate::decode::{bom_of, decode_to_units, encoding_of, may_have_pairs};
use crate::encode::{append, bytes_of, encoder_of, fast};
use crate::text::{Chars, Units, detached, from_code_points, narrowest};
use crate::{malformed, state, unmappable};

/// Decodes a stream piece by piece, by the protocol of `codecs.IncrementalDecoder`.
#[pyclass(module = "simdtext", subclass)]
pub(crate) struct Decoder {
    decoder: simdtext::Decoder,
    original: &'static Encoding,
    bom: Bom,
    /// Whether the stream has ended, so that the next call begins a new one.
    finished: bool,
    #[pyo3(get, set)]
    errors: Py<PyString>,
}

#[pymethods]
impl Decoder {
    #[new]
    #[pyo3(
        signature = (encoding, errors = None, *, bom = None),
        text_signature = "(encoding, errors='replace', *, bom='sniff')"
    )]
    fn new(
        py: Python<'_>,
        encoding: &Bound<'_, PyString>,
        errors: Option<Bound<'_, PyString>>,
        bom: Option<&str>,
    ) -> PyResult<Self> {
        let (original, bom) = (encoding_of(encoding)?, bom_of(bom)?);
        let errors = errors.unwrap_or_else(|| PyString::intern(py, "replace"));
        Ok(Decoder {
            decoder: original.decoder(bom),
            original,
            bom,
            finished: false,
            errors: errors.unbind(),
        })
    }

    /// The current encoding, which a byte order mark may have changed.
    #[getter]
    fn encoding(&self) -> &'static str {
        self.decoder.encoding().name()
    }

    /// Whether a byte order mark may still follow, so that the encoding may change.
    #[getter]
    fn may_have_bom(&self) -> bool {
        self.decoder.is_at_bom()
    }

    /// Decodes a piece. After an exception the stream is where it was before.
    #[pyo3(signature = (input, r#final = false))]
    fn decode<'py>(
        &mut self,
        py: Python<'py>,
        input: &Bound<'py, PyAny>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        let policy = malformed::Policy::of(Some(self.errors.bind(py)))?;
        with_bytes(input, |bytes| {
            if self.finished {
                self.reset();
            }
            let before = self.decoder.clone();
            let decoded = self.decode_bytes(py, bytes, r#final, &policy);
            if decoded.is_ok() {
                self.finished = r#final;
            } else {
                // The stream stays where it was.
                self.decoder = before;
            }
            decoded
        })
    }

    /// Begins a new stream.
    fn reset(&mut self) {
        self.decoder.reset_to(self.original, self.bom);
        self.finished = false;
    }

    /// Returns the bytes that are not decoded yet, and a number for the rest of the state.
    fn getstate<'py>(&mut self, py: Python<'py>) -> (Bound<'py, PyBytes>, u64) {
        if self.finished {
            self.reset();
        }
        let pending = PyBytes::new(py, self.decoder.pending());
        (pending, state::of_decoder(&self.decoder))
    }

    /// Returns to a state.
    fn setstate(&mut self, state: (Bound<'_, PyBytes>, u64)) -> PyResult<()> {
        let (pending, flags) = state;
        self.decoder = state::decoder(self.original, self.bom, flags, pending.as_bytes())
            .ok_or_else(|| PyValueError::new_err("not the state of such a decoder"))?;
        self.finished = false;
        Ok(())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let errors = self.errors.bind(py);
        format!("<simdtext.Decoder {} errors={errors}>", self.encoding())
    }
}

impl Decoder {
    fn decode_bytes<'py>(
        &mut self,
        py: Python<'py>,
        bytes: &[u8],
        last: bool,
        policy: &malformed::Policy<'py>,
    ) -> PyResult<Bound<'py, PyString>> {
        let stops = !matches!(policy, malformed::Policy::Replace);
        let before = if stops {
            Some(self.decoder.clone())
        } else {
            None
        };
        let decoder = &mut self.decoder;
        let most = decoder.max_utf16_len(bytes.len()).unwrap_or(usize::MAX);
        let mut units = Vec::<u16>::new();
        units
            .try_reserve_exact(most.saturating_add(simdtext::MIN_UTF16))
            .map_err(|_| PyMemoryError::new_err(()))?;
        let room = units.spare_capacity_mut();
        let done = detached(py, bytes.len(), || {
            decode_to_units(decoder, bytes, room, last, stops)
        });
        if let (Status::Malformed(_), Some(before)) = (done.status, before) {
            return self.decode_again(py, before, bytes, last, policy);
        }
        // SAFETY: the decoder wrote that many.
        unsafe { units.set_len(done.written) };
        let pairs = may_have_pairs(self.decoder.encoding());
        // SAFETY: what a decoder writes is well-formed.
        unsafe { narrowest(py, Units::Scratch(&units), pairs) }
    }

    /// Decodes a piece in which something is malformed. Handlers see it after bytes that came before and are
    /// not decoded yet.
    fn decode_again<'py>(
        &mut self,
        py: Python<'py>,
        before: simdtext::Decoder,
        bytes: &[u8],
        last: bool,
        policy: &malformed::Policy<'py>,
    ) -> PyResult<Bound<'py, PyString>> {
        let pending = before.pending();
        let (at, offset) = (pending.len(), before.total_read() - pending.len() as u64);
        let whole = malformed::joined(pending, bytes)?;
        let mut source = malformed::Source::new(py, &whole, offset);
        let mut points = Vec::new();
        self.decoder = before;
        source.decode(&mut self.decoder, at, last, policy, &mut points)?;
        from_code_points(py, &points)
    }
}

/// Encodes a stream piece by piece, by the protocol of `codecs.IncrementalEncoder`.
#[pyclass(module = "simdtext", subclass)]
pub(crate) struct Encoder {
    encoder: simdtext::Encoder,
    #[pyo3(get, set)]
    errors: Py<PyString>,
}

#[pymethods]
impl Encoder {
    #[new]
    #[pyo3(
        signature = (encoding, errors = None),
        text_signature = "(encoding, errors='strict')"
    )]
    fn new(
        py: Python<'_>,
        encoding: &Bound<'_, PyString>,
        errors: Option<Bound<'_, PyString>>,
    ) -> PyResult<Self> {
        let errors = errors.unwrap_or_else(|| PyString::intern(py, "strict"));
        Ok(Encoder {
            encoder: encoder_of(encoding_of(encoding)?)?,
            errors: errors.unbind(),
        })
    }

    /// The encoding.
    #[getter]
    fn encoding(&self) -> &'static str {
        self.encoder.encoding().name()
    }

    /// Encodes a piece. After an exception the stream is where it was before.
    #[pyo3(signature = (input, r#final = false))]
    fn encode<'py>(
        &mut self,
        py: Python<'py>,
        input: &Bound<'py, PyString>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let policy = unmappable::Policy::of(Some(self.errors.bind(py)))?;
        let chars = Chars::of(input.as_borrowed())?;
        // After an error the stream stays where it was.
        let mut encoder = self.encoder.clone();
        let mut bytes = Vec::new();
        let mode = policy.mode();
        let is_done = detached(py, chars.len(), || {
            fast(&mut encoder, chars, r#final, mode, &mut bytes)
        })?;
        if !is_done {
            bytes.clear();
            encoder.clone_from(&self.encoder);
            unmappable::encode(input, chars, &mut encoder, &policy, &mut bytes)?;
            append(&mut encoder, &[], r#final, Unmappable::Strict, &mut bytes)?;
        }
        if r#final {
            encoder.reset();
        }
        let bytes = bytes_of(py, &bytes)?;
        self.encoder = encoder;
        Ok(bytes)
    }

    /// Begins a new stream.
    fn reset(&mut self) {
        self.encoder.reset();
    }

    /// Returns a number for the state: 0 except within ISO-2022-JP.
    fn getstate(&self) -> u64 {
        state::of_encoder(&self.encoder)
    }

    /// Returns to a state.
    fn setstate(&mut self, state: u64) -> PyResult<()> {
        self.encoder = state::encoder(self.encoder.encoding(), state)
            .ok_or_else(|| PyValueError::new_err("not the state of such an encoder"))?;
        Ok(())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let errors = self.errors.bind(py);
        format!("<simdtext.Encoder {} errors={errors}>", self.encoding())
    }
}
