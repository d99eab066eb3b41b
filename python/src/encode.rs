//! `encode()`.

use std::mem::MaybeUninit;

use pyo3::exceptions::{PyLookupError, PyMemoryError, PyRuntimeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use simdtext::unicode::{
    latin1_to_utf8, latin1_to_utf16, utf8_len_from_latin1, utf8_len_from_utf16,
    utf8_len_from_utf32, utf16_to_utf8, utf32_to_utf8, utf32_to_utf16,
};
use simdtext::{Encoder, Encoding, MIN_ENCODED, Status, UTF_8, Unmappable};

use crate::decode::encoding_of;
use crate::text::{Chars, copy, detached};
use crate::unmappable::{self, Policy};

/// Encodes a text to bytes, as the Encoding Standard says.
///
/// `errors` says how characters that the encoding does not have, and surrogates, are handled: `"strict"`,
/// `"replace"`, `"ignore"`, `"xmlcharrefreplace"`, `"backslashreplace"`, or the name of another handler.
#[pyfunction]
#[pyo3(
    signature = (text, encoding, errors = None),
    text_signature = "(text, encoding, errors='strict')"
)]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
    encoding: &Bound<'py, PyString>,
    errors: Option<&Bound<'py, PyString>>,
) -> PyResult<Bound<'py, PyBytes>> {
    encode_text(py, text, encoding_of(encoding)?, &Policy::of(errors)?)
}

pub(crate) fn encode_text<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyString>,
    encoding: &'static Encoding,
    policy: &Policy<'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let chars = Chars::of(text.as_borrowed())?;
    match chars {
        Chars::Ascii(bytes) if encoding.is_ascii_compatible() => {
            return bytes_of(py, bytes);
        }
        _ if encoding == UTF_8 => {
            if let Some(bytes) = to_utf8(py, chars)? {
                return Ok(bytes);
            }
        }
        _ => {}
    }
    let mut encoder = encoder_of(encoding)?;
    let mut bytes = Vec::new();
    let mode = policy.mode();
    let is_done = detached(py, chars.len(), || {
        fast(&mut encoder, chars, true, mode, &mut bytes)
    })?;
    if !is_done {
        (encoder, bytes) = (encoder_of(encoding)?, Vec::new());
        unmappable::encode(text, chars, &mut encoder, policy, &mut bytes)?;
        append(&mut encoder, &[], true, Unmappable::Strict, &mut bytes)?;
    }
    bytes_of(py, &bytes)
}

pub(crate) fn encoder_of(encoding: &'static Encoding) -> PyResult<Encoder> {
    encoding
        .encoder()
        .ok_or_else(|| PyLookupError::new_err(format!("{encoding} has no encoder")))
}

/// The text as UTF-8, or `None` if it has surrogates.
pub(crate) fn to_utf8<'py>(
    py: Python<'py>,
    chars: Chars<'_>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let (len, written);
    let bytes;
    match chars {
        Chars::Ascii(units) => return bytes_of(py, units).map(Some),
        Chars::Latin1(units) => {
            len = utf8_len_from_latin1(units);
            (bytes, written) = new_bytes(py, len, |dst| latin1_to_utf8(units, dst).written)?;
        }
        Chars::Ucs2(units) if has_surrogates(units) => return Ok(None),
        Chars::Ucs2(units) => {
            len = utf8_len_from_utf16(units);
            (bytes, written) = new_bytes(py, len, |dst| utf16_to_utf8(units, dst).written)?;
        }
        Chars::Ucs4(units) => {
            len = utf8_len_from_utf32(units);
            (bytes, written) = new_bytes(py, len, |dst| {
                let done = utf32_to_utf8(units, dst);
                if done.read == units.len() {
                    done.written
                } else {
                    0
                }
            })?;
        }
    }
    Ok((written == len).then_some(bytes).flatten())
}

/// Makes a `bytes`. (`PyBytes::new` panics if there is no memory.)
pub(crate) fn bytes_of<'py>(py: Python<'py>, from: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let (bytes, _) = new_bytes(py, from.len(), |to| {
        copy(from, to);
        from.len()
    })?;
    bytes.ok_or_else(|| PyMemoryError::new_err(()))
}

/// Makes a `bytes` of `len` bytes, which `write` has to write: it returns how many it wrote, and the result
/// is `None` if that is not all.
fn new_bytes<'py>(
    py: Python<'py>,
    len: usize,
    write: impl FnOnce(&mut [MaybeUninit<u8>]) -> usize + Send,
) -> PyResult<(Option<Bound<'py, PyBytes>>, usize)> {
    let size = isize::try_from(len).map_err(|_| PyMemoryError::new_err(()))?;
    // SAFETY: the GIL is held. With null, the bytes are left to be written.
    let object = unsafe { ffi::PyBytes_FromStringAndSize(std::ptr::null(), size) };
    // SAFETY: a new reference, or null with an exception set.
    let object = unsafe { Bound::from_owned_ptr_or_err(py, object) }?;
    // SAFETY: it is a `bytes`.
    let data = unsafe { ffi::PyBytes_AsString(object.as_ptr()) };
    // SAFETY: it has `len` bytes, which nothing else refers to. (The empty one is shared.)
    let room = unsafe { std::slice::from_raw_parts_mut(data.cast::<MaybeUninit<u8>>(), len) };
    let written = detached(py, len, || write(room));
    if written < len {
        return Ok((None, written));
    }
    // SAFETY: it is a `bytes`, and all of it is written.
    Ok((Some(unsafe { object.cast_into_unchecked() }), written))
}

/// Whether there are surrogates: in a `str` each is a character by itself, even if two would make a pair.
pub(crate) fn has_surrogates(units: &[u16]) -> bool {
    units.chunks(512).any(|block| {
        let are = |are, unit: &u16| are | (unit & 0xF800 == 0xD800);
        block.iter().fold(false, are)
    })
}

/// How many characters are widened to UTF-16 at a time.
const BLOCK: usize = 2048;

/// Encodes a text without calling Python. Returns false if that is not possible: at a surrogate, or in strict
/// mode at a character that the encoding does not have.
pub(crate) fn fast(
    encoder: &mut Encoder,
    chars: Chars<'_>,
    last: bool,
    mode: Unmappable,
    bytes: &mut Vec<u8>,
) -> PyResult<bool> {
    let mut units = [0; 2 * BLOCK];
    match chars {
        Chars::Ascii(text) | Chars::Latin1(text) => {
            for block in text.chunks(BLOCK) {
                let written = latin1_to_utf16(block, &mut units).written;
                if !append(encoder, &units[..written], false, mode, bytes)? {
                    return Ok(false);
                }
            }
        }
        Chars::Ucs2(text) => {
            if has_surrogates(text) {
                return Ok(false);
            }
            for block in text.chunks(16 * BLOCK) {
                if !append(encoder, block, false, mode, bytes)? {
                    return Ok(false);
                }
            }
        }
        Chars::Ucs4(text) => {
            for block in text.chunks(BLOCK) {
                let done = utf32_to_utf16(block, &mut units);
                let is_whole = done.read == block.len();
                if !is_whole || !append(encoder, &units[..done.written], false, mode, bytes)? {
                    return Ok(false);
                }
            }
        }
    }
    append(encoder, &[], last, mode, bytes)
}

/// Encodes units, and appends the bytes. Returns false at the first unmappable one in strict mode.
pub(crate) fn append(
    encoder: &mut Encoder,
    units: &[u16],
    last: bool,
    mode: Unmappable,
    bytes: &mut Vec<u8>,
) -> PyResult<bool> {
    Ok(append_until(encoder, units, last, mode, bytes)?.is_none())
}

/// [`append`], but returns how many units were read if it stopped; the last one belongs to the unmappable
/// character.
pub(crate) fn append_until(
    encoder: &mut Encoder,
    mut units: &[u16],
    last: bool,
    mode: Unmappable,
    bytes: &mut Vec<u8>,
) -> PyResult<Option<usize>> {
    let all = units.len();
    // Two bytes per unit are enough for most texts.
    let mut wanted = units.len().saturating_mul(2);
    loop {
        bytes
            .try_reserve(wanted.saturating_add(MIN_ENCODED))
            .map_err(|_| PyMemoryError::new_err(()))?;
        let room = bytes.spare_capacity_mut();
        let done = encoder.encode_from_utf16_uninit(units, room, last, mode);
        let len = bytes.len() + done.written;
        // SAFETY: the encoder wrote as many into the spare capacity.
        unsafe { bytes.set_len(len) };
        units = units.get(done.read..).unwrap_or_default();
        match done.status {
            Status::InputEmpty => return Ok(None),
            Status::Unmappable { .. } => return Ok(Some(all - units.len())),
            Status::OutputFull => {
                let most = encoder.max_len_from_utf16(units.len());
                wanted = most.unwrap_or(usize::MAX);
            }
            Status::Malformed(_) => return Err(PyRuntimeError::new_err("not a text")),
        }
    }
}
