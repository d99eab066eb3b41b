//! `sniff()` and `detect()`: which encoding bytes are in.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use simdtext::detect::{Options, Reason};
use simdtext::sniff::{Confidence, Evidence, Format, Hints, resolve};

use crate::buffer::with_bytes;
use crate::decode::encoding_of;
use crate::text::detached;

/// What a document declares.
#[pyclass(module = "simdtext", frozen, get_all, eq)]
#[derive(PartialEq)]
pub(crate) struct Decision {
    encoding: &'static str,
    evidence: &'static str,
    certain: bool,
    bom_len: usize,
}

#[pymethods]
impl Decision {
    fn __repr__(&self) -> String {
        format!(
            "Decision(encoding='{}', evidence='{}', certain={}, bom_len={})",
            self.encoding,
            self.evidence,
            python_bool(self.certain),
            self.bom_len
        )
    }
}

/// A guess at what bytes are encoded in.
#[pyclass(module = "simdtext", frozen, get_all)]
pub(crate) struct Guess {
    encoding: Option<&'static str>,
    language: Option<&'static str>,
    evidence: &'static str,
    certain: bool,
    confidence: f64,
    reason: String,
    candidates: Py<PyTuple>,
}

#[pymethods]
impl Guess {
    fn __repr__(&self) -> String {
        let quoted = |name: Option<&str>| name.map_or("None".into(), |name| format!("'{name}'"));
        format!(
            "Guess(encoding={}, language={}, evidence='{}', confidence={:.2}, reason='{}')",
            quoted(self.encoding),
            quoted(self.language),
            self.evidence,
            self.confidence,
            self.reason
        )
    }
}

/// An encoding that bytes may be in.
#[pyclass(module = "simdtext", frozen, get_all, eq)]
#[derive(PartialEq)]
pub(crate) struct Candidate {
    encoding: &'static str,
    language: Option<&'static str>,
    bits: f64,
    malformed: usize,
}

#[pymethods]
impl Candidate {
    fn __repr__(&self) -> String {
        let language = self
            .language
            .map_or("None".into(), |name| format!("'{name}'"));
        format!(
            "Candidate(encoding='{}', language={language}, bits={}, malformed={})",
            self.encoding, self.bits, self.malformed
        )
    }
}

fn python_bool(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

fn evidence(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Bom => "bom",
        Evidence::Override => "override",
        Evidence::Transport => "transport",
        Evidence::Prescan => "declaration",
        Evidence::Environment => "environment",
        Evidence::Utf8Valid => "utf-8",
        Evidence::Detected => "guess",
        _ => "fallback",
    }
}

/// Finds out what a document declares, as browsers do.
#[pyfunction]
#[pyo3(signature = (data, content_type = None, *, format = None, r#override = None, environment = None, fallback = None, complete = true))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments")]
pub(crate) fn sniff(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    content_type: Option<&str>,
    format: Option<&str>,
    r#override: Option<&str>,
    environment: Option<&Bound<'_, PyString>>,
    fallback: Option<&Bound<'_, PyString>>,
    complete: bool,
) -> PyResult<Decision> {
    let format = match format {
        None => Format::Unknown,
        Some("html") => Format::Html,
        Some("xml") => Format::Xml,
        Some("css") => Format::Css,
        Some("text") => Format::Text,
        Some(_) => {
            return Err(PyValueError::new_err(
                "format must be html, xml, css or text",
            ));
        }
    };
    let hints = Hints::new()
        .transport(content_type)
        .format(format)
        .override_label(r#override)
        .environment(environment.map(encoding_of).transpose()?)
        .fallback(fallback.map(encoding_of).transpose()?);
    with_bytes(data, |bytes| {
        let decision = detached(py, bytes.len(), || resolve(&hints, bytes, complete));
        Ok(Decision {
            encoding: decision.encoding.name(),
            evidence: evidence(decision.evidence),
            certain: decision.confidence == Confidence::Certain,
            bom_len: decision.bom_len,
        })
    })
}

/// Guesses what bytes are encoded in.
#[pyfunction]
#[pyo3(signature = (data, *, tld = None, allow_utf8 = true, sample = 16 * 1024, complete = true))]
pub(crate) fn detect(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    tld: Option<&str>,
    allow_utf8: bool,
    sample: usize,
    complete: bool,
) -> PyResult<Guess> {
    let options = Options::new()
        .tld(tld)
        .allow_utf8(allow_utf8)
        .sample(sample);
    let guess = with_bytes(data, |bytes| {
        Ok(detached(py, bytes.len(), || {
            simdtext::detect::detect(bytes, complete, &options)
        }))
    })?;
    let some = |language: &'static str| (!language.is_empty()).then_some(language);
    let best = guess.candidates().next();
    let first = best.map_or(0, |best| best.cost);
    let candidates: Vec<Candidate> = guess
        .candidates()
        .map(|candidate| Candidate {
            encoding: candidate.encoding.name(),
            language: some(candidate.language),
            bits: f64::from(candidate.cost.saturating_sub(first)) / 8.0,
            malformed: candidate.malformed,
        })
        .collect();
    let confidence = match (guess.reason, guess.encoding) {
        (Reason::Bom | Reason::Ascii | Reason::Utf8 | Reason::Utf32 { bom: true, .. }, _) => 1.0,
        (_, None) => 0.0,
        // How much more likely the text is than in the second encoding. No guess is a certainty.
        (Reason::Plausible { margin, .. }, _) => {
            (1.0 / (1.0 + (-f64::from(margin)).exp2())).min(0.99)
        }
        _ => 0.99,
    };
    Ok(Guess {
        encoding: guess.encoding.map(|encoding| encoding.name()),
        language: match guess.reason {
            Reason::Plausible { language, .. } => some(language),
            _ => guess
                .encoding
                .and(best)
                .and_then(|best| some(best.language)),
        },
        evidence: match guess.reason {
            Reason::Ascii => "ascii",
            _ => evidence(guess.evidence),
        },
        certain: guess.confidence == Confidence::Certain,
        confidence,
        reason: guess.reason.to_string(),
        candidates: PyTuple::new(py, candidates)?.unbind(),
    })
}
