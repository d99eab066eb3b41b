//! Handles characters that an encoding does not have, and surrogates, which no encoding has.

use pyo3::exceptions::{PyMemoryError, PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use simdtext::unicode::count_scalars_utf16;
use simdtext::{Encoder, Encoding, Unmappable};

use crate::encode::{append, append_until};
use crate::malformed::{answer_of, handler};
use crate::text::Chars;

/// The argument `errors` of functions that encode.
pub(crate) enum Policy<'py> {
    Strict,
    Ignore,
    Replace,
    /// Numeric character references, as the standard writes them.
    Reference(Bound<'py, PyString>),
    Named(Bound<'py, PyString>),
}

impl<'py> Policy<'py> {
    /// `None` means `strict`.
    pub(crate) fn of(errors: Option<&Bound<'py, PyString>>) -> PyResult<Self> {
        let Some(errors) = errors else {
            return Ok(Policy::Strict);
        };
        Ok(match errors.to_str()? {
            "strict" => Policy::Strict,
            "ignore" => Policy::Ignore,
            "replace" => Policy::Replace,
            "xmlcharrefreplace" => Policy::Reference(errors.clone()),
            _ => Policy::Named(errors.clone()),
        })
    }

    /// The policies that the encoder implements itself.
    pub(crate) fn mode(&self) -> Unmappable {
        match self {
            Policy::Strict | Policy::Named(_) => Unmappable::Strict,
            Policy::Ignore => Unmappable::Skip,
            Policy::Replace => Unmappable::Replace('?'),
            Policy::Reference(_) => Unmappable::Ncr,
        }
    }
}

/// How many characters are encoded before the next check for a surrogate.
const BLOCK: usize = 256;

/// Encodes `chars`, which are those of `text`, and lets the policy handle each character that needs it. The
/// caller ends the stream.
pub(crate) fn encode<'py>(
    text: &Bound<'py, PyString>,
    chars: Chars<'_>,
    encoder: &mut Encoder,
    policy: &Policy<'py>,
    bytes: &mut Vec<u8>,
) -> PyResult<()> {
    let mut errors = Errors {
        text,
        len: chars.len(),
        exception: None,
    };
    let mut at = 0;
    let mut units = Vec::with_capacity(2 * BLOCK);
    while at < chars.len() {
        units.clear();
        let end = chars.len().min(at + BLOCK);
        let scalars = (at..end).map_while(|at| char::from_u32(chars.get(at)));
        for ch in scalars {
            units.extend_from_slice(ch.encode_utf16(&mut [0; 2]));
        }
        let stopped = append_until(encoder, &units, false, policy.mode(), bytes)?;
        let read = count_scalars_utf16(&units[..stopped.unwrap_or(units.len())]);
        at += read;
        if stopped.is_some() {
            let reason = "character is not in the encoding";
            at = errors.handle(at - 1, reason, encoder, policy, bytes)?;
        } else if at < end {
            at = errors.handle(at, "surrogates not allowed", encoder, policy, bytes)?;
        }
    }
    Ok(())
}

struct Errors<'a, 'py> {
    text: &'a Bound<'py, PyString>,
    len: usize,
    exception: Option<Bound<'py, PyAny>>,
}

impl<'py> Errors<'_, 'py> {
    /// Handles one character, and returns where encoding goes on.
    fn handle(
        &mut self,
        at: usize,
        reason: &str,
        encoder: &mut Encoder,
        policy: &Policy<'py>,
        bytes: &mut Vec<u8>,
    ) -> PyResult<usize> {
        let name = match policy {
            Policy::Ignore => return Ok(at + 1),
            Policy::Replace => {
                append(
                    encoder,
                    &[u16::from(b'?')],
                    false,
                    Unmappable::Strict,
                    bytes,
                )?;
                return Ok(at + 1);
            }
            Policy::Strict => {
                return Err(PyErr::from_value(self.exception(
                    encoder.encoding(),
                    at,
                    reason,
                )?));
            }
            Policy::Reference(name) | Policy::Named(name) => name,
        };
        let exception = self.exception(encoder.encoding(), at, reason)?;
        let answer = handler(name)?.call1((&exception,))?;
        let wrong =
            || PyTypeError::new_err("encoding error handler must return (str/bytes, int) tuple");
        let (replacement, next) = answer_of(&answer, self.len).ok_or_else(wrong)?;
        let next = next?;
        if let Ok(raw) = replacement.cast::<PyBytes>() {
            bytes
                .try_reserve(raw.as_bytes().len())
                .map_err(|_| PyMemoryError::new_err(()))?;
            bytes.extend_from_slice(raw.as_bytes());
            return Ok(next);
        }
        let text = replacement.cast::<PyString>().map_err(|_| wrong())?;
        let chars = Chars::of(text.as_borrowed())?;
        let mut units = Vec::new();
        for at in 0..chars.len() {
            match char::from_u32(chars.get(at)) {
                Some(ch) => units.extend_from_slice(ch.encode_utf16(&mut [0; 2])),
                None => return Err(PyErr::from_value(exception)),
            }
        }
        if append(encoder, &units, false, Unmappable::Strict, bytes)? {
            Ok(next)
        } else {
            Err(PyErr::from_value(exception))
        }
    }

    /// The exception about one character. It is always the same object.
    fn exception(
        &mut self,
        encoding: &'static Encoding,
        at: usize,
        reason: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(exception) = &self.exception {
            exception.setattr("start", at)?;
            exception.setattr("end", at + 1)?;
            exception.setattr("reason", reason)?;
            return Ok(exception.clone());
        }
        let exception = (self.text.py()).get_type::<PyUnicodeEncodeError>().call1((
            encoding.name(),
            self.text,
            at,
            at + 1,
            reason,
        ))?;
        self.exception = Some(exception.clone());
        Ok(exception)
    }
}
