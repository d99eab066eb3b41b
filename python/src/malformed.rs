//! Handles malformed bytes: calls Python's error handlers for the sequences that the standard's decoders
//! find.

use std::borrow::Cow;

use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError, PyUnicodeDecodeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple};
use simdtext::{Bom, Decoder, Encoding, ISO_2022_JP, Malformed, Status};

use crate::encode::bytes_of;
use crate::state;
use crate::text::{Chars, from_code_points};

/// The argument `errors` of functions that decode.
pub(crate) enum Policy<'py> {
    Replace,
    Strict,
    Ignore,
    BackslashReplace,
    SurrogateEscape,
    /// A registered handler, which is looked up when it is first needed.
    Named(Bound<'py, PyString>),
}

impl<'py> Policy<'py> {
    /// `None` means `replace`.
    pub(crate) fn of(errors: Option<&Bound<'py, PyString>>) -> PyResult<Self> {
        let Some(errors) = errors else {
            return Ok(Policy::Replace);
        };
        Ok(match errors.to_str()? {
            "replace" => Policy::Replace,
            "strict" => Policy::Strict,
            "ignore" => Policy::Ignore,
            "backslashreplace" => Policy::BackslashReplace,
            "surrogateescape" => Policy::SurrogateEscape,
            _ => Policy::Named(errors.clone()),
        })
    }
}

/// The handler that is registered under a name.
pub(crate) fn handler<'py>(name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
    static LOOKUP: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    LOOKUP
        .import(name.py(), "codecs", "lookup_error")?
        .call1((name,))
}

/// Decodes bytes in which something is malformed, after a byte order mark of `mark` bytes.
pub(crate) fn decode_all<'py>(
    py: Python<'py>,
    bytes: &[u8],
    mark: usize,
    encoding: &'static Encoding,
    policy: &Policy<'py>,
) -> PyResult<Bound<'py, PyString>> {
    let mut decoder = encoding.decoder(Bom::Keep).at_offset(mark as u64);
    let mut source = Source::new(py, bytes, 0);
    let mut points = Vec::new();
    source.decode(&mut decoder, mark, true, policy, &mut points)?;
    from_code_points(py, &points)
}

/// The bytes that a decoder reads, and that handlers see.
pub(crate) struct Source<'a, 'py> {
    py: Python<'py>,
    bytes: Cow<'a, [u8]>,
    /// The offset of these bytes in the decoder's stream.
    offset: u64,
    /// The exception with which handlers are called. It is made when it is first needed.
    exception: Option<Bound<'py, PyAny>>,
}

impl<'a, 'py> Source<'a, 'py> {
    pub(crate) fn new(py: Python<'py>, bytes: &'a [u8], offset: u64) -> Self {
        Source {
            py,
            bytes: Cow::Borrowed(bytes),
            offset,
            exception: None,
        }
    }

    /// Decodes the bytes from `at` on, which the decoder has not read, and appends to `points`.
    pub(crate) fn decode(
        &mut self,
        decoder: &mut Decoder,
        at: usize,
        last: bool,
        policy: &Policy<'py>,
        points: &mut Vec<u32>,
    ) -> PyResult<()> {
        if matches!(policy, Policy::Strict) {
            // The text before a malformed sequence is not needed, and may be long.
            self.run(
                &mut decoder.clone(),
                at,
                last,
                policy,
                &mut Vec::new(),
                false,
            )?;
        }
        self.run(decoder, at, last, policy, points, true)
    }

    /// [`Source::decode`], which appends the text only if `keep` is set.
    fn run(
        &mut self,
        decoder: &mut Decoder,
        mut at: usize,
        last: bool,
        policy: &Policy<'py>,
        points: &mut Vec<u32>,
        keep: bool,
    ) -> PyResult<()> {
        let mut units = [0; 1024];
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let done = decoder.decode_to_utf16_strict(rest, &mut units, last);
            at += done.read;
            if keep {
                points
                    .try_reserve(done.written + 16)
                    .map_err(|_| PyMemoryError::new_err(()))?;
                let text = units.get(..done.written).unwrap_or_default();
                let scalars = char::decode_utf16(text.iter().copied());
                points.extend(scalars.flatten().map(u32::from));
            }
            match done.status {
                Status::OutputFull => {}
                Status::InputEmpty | Status::Unmappable { .. } => return Ok(()),
                Status::Malformed(malformed) => {
                    let encoding = decoder.encoding();
                    at += self.reach(&malformed)?;
                    let start = usize::try_from(malformed.offset - self.offset).unwrap_or(0);
                    let end = start + malformed.bytes().len();
                    let next = self.handle(encoding, &malformed, start, policy, points)?;
                    if next != end {
                        *decoder = self.decoder_at(encoding, next);
                        at = next;
                    }
                }
            }
        }
    }

    /// Puts bytes of a malformed sequence before the others, if they came before them, and returns how many.
    /// In ISO-2022-JP an escape sequence becomes malformed by another one after it, which may come in a later
    /// piece.
    fn reach(&mut self, malformed: &Malformed) -> PyResult<usize> {
        let before = self.offset.saturating_sub(malformed.offset);
        let before = usize::try_from(before).unwrap_or(0);
        if let Some(front @ [_, ..]) = malformed.bytes().get(..before) {
            self.bytes = Cow::Owned(joined(front, &self.bytes)?);
            self.offset = malformed.offset;
            self.exception = None;
        }
        Ok(before)
    }

    /// Handles one sequence, and returns where decoding goes on.
    fn handle(
        &mut self,
        encoding: &'static Encoding,
        malformed: &Malformed,
        start: usize,
        policy: &Policy<'py>,
        points: &mut Vec<u32>,
    ) -> PyResult<usize> {
        let bytes = malformed.bytes();
        let end = start + bytes.len();
        match policy {
            Policy::Replace => points.push(0xFFFD),
            Policy::Ignore => {}
            Policy::BackslashReplace => {
                for byte in bytes {
                    points.extend(format!("\\x{byte:02x}").chars().map(u32::from));
                }
            }
            Policy::SurrogateEscape => {
                // ASCII is not escaped, but decoded again.
                let escaped = bytes.iter().take_while(|byte| !byte.is_ascii()).count();
                if escaped == 0 {
                    return Err(self.error(encoding, malformed, start)?);
                }
                points.extend(
                    bytes[..escaped]
                        .iter()
                        .map(|&byte| 0xDC00 + u32::from(byte)),
                );
                return Ok(start + escaped);
            }
            Policy::Strict => return Err(self.error(encoding, malformed, start)?),
            Policy::Named(name) => {
                let exception = self.exception(encoding, malformed, start)?;
                let answer = handler(name)?.call1((exception,))?;
                let wrong =
                    || PyTypeError::new_err("decoding error handler must return (str, int) tuple");
                let (text, next) = answer_of(&answer, self.bytes.len()).ok_or_else(wrong)?;
                let text = text.cast_into::<PyString>().map_err(|_| wrong())?;
                let chars = Chars::of(text.as_borrowed())?;
                points
                    .try_reserve(chars.len())
                    .map_err(|_| PyMemoryError::new_err(()))?;
                points.extend((0..chars.len()).map(|at| chars.get(at)));
                return next;
            }
        }
        Ok(end)
    }

    fn error(
        &mut self,
        encoding: &'static Encoding,
        malformed: &Malformed,
        start: usize,
    ) -> PyResult<PyErr> {
        let exception = self.exception(encoding, malformed, start)?;
        Ok(PyErr::from_value(exception))
    }

    /// The exception about one sequence. It is always the same object, because its bytes may be many.
    fn exception(
        &mut self,
        encoding: &'static Encoding,
        malformed: &Malformed,
        start: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut reason = String::from("malformed sequence");
        for byte in malformed.bytes() {
            reason.push_str(&format!(" {byte:02X}"));
        }
        let end = start + malformed.bytes().len();
        if let Some(exception) = &self.exception {
            exception.setattr("start", start)?;
            exception.setattr("end", end)?;
            exception.setattr("reason", reason)?;
            return Ok(exception.clone());
        }
        let object = bytes_of(self.py, &self.bytes)?;
        let exception = self.py.get_type::<PyUnicodeDecodeError>().call1((
            encoding.name(),
            object,
            start,
            end,
            reason,
        ))?;
        self.exception = Some(exception.clone());
        Ok(exception)
    }

    /// A decoder that goes on from the place that a handler has returned.
    fn decoder_at(&self, encoding: &'static Encoding, at: usize) -> Decoder {
        let decoder = if encoding == ISO_2022_JP {
            state::after_escape(self.bytes.get(..at).unwrap_or_default())
        } else {
            encoding.decoder(Bom::Keep)
        };
        decoder.at_offset(self.offset + at as u64)
    }
}

/// One slice after the other.
pub(crate) fn joined(front: &[u8], back: &[u8]) -> PyResult<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(front.len() + back.len())
        .map_err(|_| PyMemoryError::new_err(()))?;
    bytes.extend_from_slice(front);
    bytes.extend_from_slice(back);
    Ok(bytes)
}

/// The result of a handler: a replacement, and the place to go on from. `None` if it is not a tuple of two.
pub(crate) fn answer_of<'py>(
    answer: &Bound<'py, PyAny>,
    len: usize,
) -> Option<(Bound<'py, PyAny>, PyResult<usize>)> {
    let (replacement, next): (_, Bound<'_, PyAny>) =
        answer.cast::<PyTuple>().ok()?.extract().ok()?;
    Some((replacement, next.extract().and_then(|at| place(at, len))))
}

/// A place in a text of `len` units, counted from its end if it is negative.
fn place(at: isize, len: usize) -> PyResult<usize> {
    let from_start = if at < 0 {
        len.checked_sub(at.unsigned_abs())
    } else {
        usize::try_from(at).ok().filter(|&at| at <= len)
    };
    from_start.ok_or_else(|| {
        PyIndexError::new_err(format!("position {at} from error handler out of bounds"))
    })
}
