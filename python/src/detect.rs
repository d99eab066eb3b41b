//! `sniff()` and `detect()`: find out the encoding of bytes.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use simdtext::WINDOWS_1252;
use simdtext::detect::{Options, Reason};
use simdtext::sniff::{Confidence, Evidence, Format, Hints, resolve};

use crate::buffer::with_bytes;
use crate::decode::encoding_of;
use crate::encode::to_utf8;
use crate::text::{Chars, detached};

/// A name, from the library or from a pickle.
pub(crate) type Name = Cow<'static, str>;

/// The result of `sniff`. It is a value: it can be compared, copied and pickled.
#[pyclass(module = "simdtext", frozen, get_all, eq, hash)]
#[derive(PartialEq, Hash)]
pub(crate) struct Decision {
    encoding: Name,
    /// `bom`, `override`, `transport`, `declaration`, `environment`, `utf-8` or `fallback`.
    evidence: Name,
    /// Whether nothing that follows can change it.
    certain: bool,
    /// The length of the byte order mark, in bytes.
    bom_len: usize,
}

#[pymethods]
impl Decision {
    #[new]
    fn new(encoding: String, evidence: String, certain: bool, bom_len: usize) -> Self {
        Decision {
            encoding: encoding.into(),
            evidence: evidence.into(),
            certain,
            bom_len,
        }
    }

    fn __getnewargs__(&self) -> (&str, &str, bool, usize) {
        (&self.encoding, &self.evidence, self.certain, self.bom_len)
    }

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

/// The result of `detect`, and of a `Detector`. It is a value: it can be compared, copied and pickled.
#[pyclass(module = "simdtext", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct Guess {
    /// `None` if the bytes are not text, or not in an encoding of the standard.
    #[pyo3(get)]
    encoding: Option<Name>,
    /// Two letters of ISO 639-1, if the language was decisive.
    #[pyo3(get)]
    language: Option<Name>,
    /// `bom`, `utf-8`, `ascii` or `guess`.
    #[pyo3(get)]
    evidence: Name,
    /// Whether nothing that follows can change it.
    #[pyo3(get)]
    certain: bool,
    /// From 0 to 1: how likely the text is in this encoding rather than in the next candidate.
    #[pyo3(get)]
    confidence: f64,
    /// A phrase for people.
    #[pyo3(get)]
    reason: String,
    candidates: Vec<Candidate>,
}

#[pymethods]
impl Guess {
    #[new]
    fn new(
        encoding: Option<String>,
        language: Option<String>,
        evidence: String,
        certain: bool,
        confidence: f64,
        reason: String,
        candidates: Vec<Bound<'_, Candidate>>,
    ) -> Self {
        Guess {
            encoding: encoding.map(Name::from),
            language: language.map(Name::from),
            evidence: evidence.into(),
            certain,
            confidence,
            reason,
            candidates: candidates.iter().map(|one| one.get().clone()).collect(),
        }
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (
            self.encoding.as_deref(),
            self.language.as_deref(),
            &self.evidence,
            self.certain,
            self.confidence,
            &self.reason,
            self.candidates(py)?,
        )
            .into_pyobject(py)
    }

    /// The encodings that were weighed against each other, the most likely first.
    #[getter]
    fn candidates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.candidates.iter().cloned())
    }

    fn __repr__(&self) -> String {
        let quoted = |name: &Option<Name>| {
            name.as_deref()
                .map_or("None".into(), |name| format!("'{name}'"))
        };
        format!(
            "Guess(encoding={}, language={}, evidence='{}', confidence={:.2}, reason='{}')",
            quoted(&self.encoding),
            quoted(&self.language),
            self.evidence,
            self.confidence,
            self.reason
        )
    }
}

/// An encoding that bytes may be in.
#[pyclass(module = "simdtext", frozen, get_all, eq)]
#[derive(PartialEq, Clone)]
pub(crate) struct Candidate {
    encoding: Name,
    /// Two letters of ISO 639-1.
    language: Option<Name>,
    /// How much less likely than the first candidate, in bits.
    bits: f64,
    /// The number of malformed sequences in the sample, and of characters that text does not have.
    malformed: usize,
}

#[pymethods]
impl Candidate {
    #[new]
    fn new(encoding: String, language: Option<String>, bits: f64, malformed: usize) -> Self {
        Candidate {
            encoding: encoding.into(),
            language: language.map(Name::from),
            bits,
            malformed,
        }
    }

    fn __getnewargs__(&self) -> (&str, Option<&str>, f64, usize) {
        (
            &self.encoding,
            self.language.as_deref(),
            self.bits,
            self.malformed,
        )
    }

    fn __repr__(&self) -> String {
        let language = (self.language.as_deref()).map_or("None".into(), |name| format!("'{name}'"));
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
        Evidence::Prescan | Evidence::LateMeta => "declaration",
        Evidence::Environment => "environment",
        Evidence::Utf8Valid => "utf-8",
        Evidence::Detected => "guess",
        _ => "fallback",
    }
}

/// Finds out the encoding that a document declares, as browsers do. Does not guess.
///
/// `content_type` is the value of the header that came with it, `override` a label chosen by the user (ignored if it is
/// unknown, as is the charset of the header), `environment` the encoding of what refers to it, and `fallback` the
/// encoding to use if nothing declares one (by default UTF-8). With `late_meta=True` an HTML document whose first 1,024
/// bytes declare nothing is searched further. With `complete=False` more follows.
#[pyfunction]
#[pyo3(signature = (
    data, content_type = None, *, format = None, r#override = None, environment = None, fallback = None,
    late_meta = false, complete = true
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments")]
pub(crate) fn sniff(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    content_type: Option<&Bound<'_, PyString>>,
    format: Option<&str>,
    r#override: Option<&Bound<'_, PyString>>,
    environment: Option<&Bound<'_, PyString>>,
    fallback: Option<&Bound<'_, PyString>>,
    late_meta: bool,
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
    // Labels have no surrogates, which Python puts into texts for bytes that it can't decode.
    let content_type = content_type.map(|text| text.to_string_lossy());
    let r#override = r#override.map(|text| text.to_string_lossy());
    let hints = Hints::new()
        .transport(content_type.as_deref())
        .format(format)
        .override_label(r#override.as_deref())
        .environment(environment.map(encoding_of).transpose()?)
        .fallback(fallback.map(encoding_of).transpose()?)
        .late_meta(late_meta);
    with_bytes(data, |bytes| {
        let decision = detached(py, bytes.len(), || resolve(&hints, bytes, complete));
        Ok(Decision {
            encoding: decision.encoding.name().into(),
            evidence: evidence(decision.evidence).into(),
            certain: decision.confidence == Confidence::Certain,
            bom_len: decision.bom_len,
        })
    })
}

/// Undoes UTF-8 that was read as another encoding and written as UTF-8 again: `"Ã©"` becomes `"é"`.
///
/// `None` if the text is right as it is, or can't be restored without loss. `read_as` is a single-byte encoding.
#[pyfunction]
#[pyo3(signature = (text, read_as = None), text_signature = "(text, read_as='windows-1252')")]
pub(crate) fn undo_double_encoding(
    py: Python<'_>,
    text: &Bound<'_, PyString>,
    read_as: Option<&Bound<'_, PyString>>,
) -> PyResult<Option<String>> {
    let read_as = read_as.map_or(Ok(WINDOWS_1252), encoding_of)?;
    if !read_as.is_single_byte() {
        return Err(PyValueError::new_err(format!(
            "read_as must be a single-byte encoding, not {read_as}"
        )));
    }
    // A text with surrogates was not read as such an encoding. (`PyString::to_str` would keep the UTF-8 in the `str`.)
    let bytes = to_utf8(py, Chars::of(text.as_borrowed())?)?;
    let Some(text) = (bytes.as_ref()).and_then(|bytes| std::str::from_utf8(bytes.as_bytes()).ok())
    else {
        return Ok(None);
    };
    Ok(detached(py, text.len(), || {
        simdtext::sniff::undo_double_encoding(text, read_as)
    }))
}

/// Guesses the encoding of bytes that do not declare it.
///
/// `tld` is the last label of the host name that they come from, such as `"jp"`; `sample` is the number of bytes that
/// are weighed. With `complete=False` more follows, and a character may be cut off at the end.
#[pyfunction]
#[pyo3(
    signature = (data, *, tld = None, allow_utf8 = true, sample = 16 * 1024, complete = true),
    text_signature = "(data, *, tld=None, allow_utf8=True, sample=16384, complete=True)"
)]
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
    with_bytes(data, |bytes| {
        let guess = detached(py, bytes.len(), || {
            simdtext::detect::detect(bytes, complete, &options)
        });
        Ok(guess.into())
    })
}

impl From<simdtext::detect::Guess> for Guess {
    fn from(guess: simdtext::detect::Guess) -> Self {
        let some = |language: &'static str| (!language.is_empty()).then_some(Name::from(language));
        let best = guess.candidates().next();
        let first = best.map_or(0, |best| best.cost);
        let candidates: Vec<Candidate> = guess
            .candidates()
            .map(|candidate| Candidate {
                encoding: candidate.encoding.name().into(),
                language: some(candidate.language),
                bits: f64::from(candidate.cost.saturating_sub(first)) / 8.0,
                malformed: candidate.malformed,
            })
            .collect();
        let confidence = match (guess.reason, guess.encoding) {
            (Reason::Bom | Reason::Ascii | Reason::Utf8 | Reason::Utf32 { bom: true, .. }, _) => {
                1.0
            }
            (_, None) => 0.0,
            // How much more likely the text is than in the second encoding. No guess is certain.
            (Reason::Plausible { margin, .. }, _) => {
                (1.0 / (1.0 + (-f64::from(margin)).exp2())).min(0.99)
            }
            _ => 0.99,
        };
        Guess {
            encoding: guess.encoding.map(|encoding| encoding.name().into()),
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
            }
            .into(),
            certain: guess.confidence == Confidence::Certain,
            confidence,
            reason: guess.reason.to_string(),
            candidates,
        }
    }
}
