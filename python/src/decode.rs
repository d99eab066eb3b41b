//! `decode()`.

use std::mem::MaybeUninit;

use pyo3::create_exception;
use pyo3::exceptions::{PyLookupError, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use simdtext::{
    BIG5, Bom, Decoder, Encoding, GB18030, GBK, Status, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

use crate::buffer::{Exported, Input, PIECE};
use crate::malformed::{self, Policy};
use crate::text::{
    Chars, Draft, Units, detached, from_ascii, from_latin1, from_utf8, is_ascii, narrowest,
};

/// Decodes bytes to a text, as the Encoding Standard says.
///
/// `encoding` is a label of the standard. A byte order mark selects its encoding and is removed (`bom="sniff"`), is
/// removed if it is that of `encoding` (`"strip"`), or is decoded as text (`"keep"`). `errors` says how malformed
/// bytes are handled: `"replace"`, `"strict"`, `"ignore"`, `"backslashreplace"`, `"surrogateescape"`, or the name of
/// a handler registered with `codecs.register_error`.
#[pyfunction]
#[pyo3(
    signature = (data, encoding, errors = None, *, bom = None),
    text_signature = "(data, encoding, errors='replace', *, bom='sniff')"
)]
pub(crate) fn decode<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    encoding: &Bound<'py, PyString>,
    errors: Option<&Bound<'py, PyString>>,
    bom: Option<&str>,
) -> PyResult<Bound<'py, PyString>> {
    let encoding = encoding_of(encoding)?;
    let policy = Policy::of(errors)?;
    decode_input(py, Input::new(data)?, encoding, bom_of(bom)?, &policy)
}

/// The encoding of a label.
pub(crate) fn encoding_of(label: &Bound<'_, PyString>) -> PyResult<&'static Encoding> {
    let found = match Chars::of(label.as_borrowed())? {
        // For 64 bytes of input, the search would take as long as everything else.
        Chars::Ascii(b"utf-8") => Some(UTF_8),
        Chars::Ascii(bytes) => Encoding::for_label(bytes),
        _ => None,
    };
    found.ok_or_else(|| unknown(&label.to_string_lossy()))
}

create_exception!(
    simdtext,
    UnknownLabelError,
    PyLookupError,
    "A label that no encoding has. `suggestions` are labels that may have been meant, the most likely one first."
);

/// The error for a label that no encoding has.
pub(crate) fn unknown(label: &str) -> PyErr {
    let suggestions = simdtext_convert::labels::suggestions(label);
    let hint = match suggestions.phrase.as_str() {
        "" => String::new(),
        question if question.ends_with('?') => format!("{question} "),
        phrase => format!("{phrase}; "),
    };
    let error = UnknownLabelError::new_err(format!(
        "unknown encoding: {label} ({hint}simdtext.labels has all labels)"
    ));
    Python::attach(|py| {
        let labels = PyTuple::new(py, suggestions.labels)?;
        error.value(py).setattr("suggestions", labels)
    })
    .map_or_else(|failure| failure, |()| error)
}

/// The meaning of the argument `bom`.
pub(crate) fn bom_of(bom: Option<&str>) -> PyResult<Bom> {
    match bom {
        None | Some("sniff") => Ok(Bom::Sniff),
        Some("strip") => Ok(Bom::Strip),
        Some("keep") => Ok(Bom::Keep),
        Some(_) => Err(PyValueError::new_err("bom must be sniff, strip or keep")),
    }
}

pub(crate) fn decode_input<'py>(
    py: Python<'py>,
    input: Input<'_, 'py>,
    encoding: &'static Encoding,
    bom: Bom,
    policy: &Policy<'py>,
) -> PyResult<Bound<'py, PyString>> {
    let stops = !matches!(policy, Policy::Replace);
    let text = match input.bytes() {
        Ok(bytes) => decode_whole(py, bytes, encoding, bom, stops)?,
        Err(changing) => decode_pieces(py, changing, encoding, bom, stops)?,
    };
    if let Some(text) = text {
        return Ok(text);
    }
    // Bytes that may change are copied and decoded again: an exception shows the bytes that it is about.
    let input = input.whole()?;
    let bytes = input.bytes().unwrap_or_default();
    let (encoding, mark) = after_bom(bytes, encoding, bom);
    malformed::decode_all(py, bytes, mark, encoding, policy)
}

/// The encoding that a byte order mark selects, and the length of the mark if it is to be removed.
fn after_bom(bytes: &[u8], encoding: &'static Encoding, bom: Bom) -> (&'static Encoding, usize) {
    match Encoding::for_bom(bytes) {
        Some((found, mark)) if bom == Bom::Sniff || bom == Bom::Strip && found == encoding => {
            (found, mark)
        }
        _ => (encoding, 0),
    }
}

/// Text of up to this length in bytes is decoded into a buffer on the stack, and the `str` is made when its
/// length and form are known.
const SHORT: usize = 1024;

/// Decodes bytes that do not change. Returns `None` if decoding stops at something malformed.
fn decode_whole<'py>(
    py: Python<'py>,
    bytes: &[u8],
    encoding: &'static Encoding,
    bom: Bom,
    stops: bool,
) -> PyResult<Option<Bound<'py, PyString>>> {
    let (encoding, mark) = after_bom(bytes, encoding, bom);
    let bytes = bytes.get(mark..).unwrap_or_default();
    if encoding == UTF_8 {
        let text = from_utf8(py, bytes)?;
        if text.is_some() || stops {
            return Ok(text);
        }
    } else if encoding.is_ascii_compatible() {
        if is_ascii(bytes) {
            // SAFETY: it is.
            return unsafe { from_ascii(py, bytes) }.map(Some);
        }
        if encoding == WINDOWS_1252 && is_latin1(bytes) {
            // SAFETY: it is not ASCII.
            return unsafe { from_latin1(py, bytes) }.map(Some);
        }
    }
    let mut decoder = encoding.decoder(Bom::Keep);
    let mut decode =
        |units: &mut [MaybeUninit<u16>]| decode_to_units(&mut decoder, bytes, units, true, stops);
    if bytes.len() <= SHORT {
        let mut units = [MaybeUninit::uninit(); SHORT];
        let done = decode(&mut units);
        if !is_done(done.status)? {
            return Ok(None);
        }
        // SAFETY: the decoder wrote that many.
        let units = unsafe { written(&units[..done.written]) };
        // SAFETY: what a decoder writes is well-formed.
        return unsafe { narrowest(py, Units::Scratch(units), may_have_pairs(encoding)) }.map(Some);
    }
    let mut draft = Draft::<u16>::new(py, most_units(encoding, bytes.len()))?;
    let units = draft.units();
    let done = detached(py, bytes.len(), || decode(units));
    if !is_done(done.status)? {
        return Ok(None);
    }
    let text = Units::Draft(draft, done.written);
    // SAFETY: the decoder wrote that many, and what it writes is well-formed.
    unsafe { narrowest(py, text, may_have_pairs(encoding)) }.map(Some)
}

/// Decodes bytes that may change meanwhile, reading each once.
fn decode_pieces<'py>(
    py: Python<'py>,
    bytes: &Exported<'py>,
    encoding: &'static Encoding,
    bom: Bom,
    stops: bool,
) -> PyResult<Option<Bound<'py, PyString>>> {
    let mut head = [MaybeUninit::uninit(); 3];
    let head_len = bytes.len().min(head.len());
    bytes.copy_to(0, &mut head[..head_len]);
    // SAFETY: `copy_to` wrote as many.
    let (encoding, mark) = after_bom(unsafe { written(&head[..head_len]) }, encoding, bom);

    let mut piece = Vec::new();
    piece
        .try_reserve_exact(PIECE)
        .map_err(|_| PyMemoryError::new_err(()))?;
    let mut draft = Draft::<u16>::new(py, most_units(encoding, bytes.len() - mark))?;
    let mut decoder = encoding.decoder(Bom::Keep);
    let (mut at, mut len) = (mark, 0);
    loop {
        let taken = (bytes.len() - at).min(PIECE);
        bytes.copy_to(at, &mut piece.spare_capacity_mut()[..taken]);
        // SAFETY: `copy_to` wrote as many.
        unsafe { piece.set_len(taken) };
        at += taken;
        let last = at == bytes.len();
        let units = draft.units().get_mut(len..).unwrap_or_default();
        let done = py.detach(|| decode_to_units(&mut decoder, &piece, units, last, stops));
        len += done.written;
        if !is_done(done.status)? {
            return Ok(None);
        }
        if last {
            break;
        }
        piece.clear();
    }
    let text = Units::Draft(draft, len);
    // SAFETY: the decoder wrote that many, and what it writes is well-formed.
    unsafe { narrowest(py, text, may_have_pairs(encoding)) }.map(Some)
}

/// Units that were written.
///
/// # Safety
///
/// They were.
unsafe fn written<T>(units: &[MaybeUninit<T>]) -> &[T] {
    // SAFETY: `MaybeUninit<T>` has the layout of `T`, and the units are written, by the contract.
    unsafe { std::slice::from_raw_parts(units.as_ptr().cast(), units.len()) }
}

/// Decodes a piece; with a strict decoder, up to the first malformed sequence.
pub(crate) fn decode_to_units(
    decoder: &mut Decoder,
    bytes: &[u8],
    units: &mut [MaybeUninit<u16>],
    last: bool,
    stops: bool,
) -> simdtext::Progress {
    if stops {
        decoder.decode_to_utf16_strict_uninit(bytes, units, last)
    } else {
        decoder.decode_to_utf16_uninit(bytes, units, last)
    }
}

/// Whether everything was decoded, given as much room as the text can need; if not, something is malformed.
fn is_done(status: Status) -> PyResult<bool> {
    match status {
        Status::InputEmpty => Ok(true),
        Status::Malformed(_) => Ok(false),
        Status::OutputFull | Status::Unmappable { .. } => {
            Err(PyRuntimeError::new_err("a text is longer than it can be"))
        }
    }
}

/// The most units of UTF-16 that this many bytes can become.
fn most_units(encoding: &Encoding, bytes: usize) -> usize {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        bytes / 2 + 2
    } else {
        bytes
    }
}

/// Whether the encoding has characters after U+FFFF.
pub(crate) fn may_have_pairs(encoding: &Encoding) -> bool {
    [UTF_8, UTF_16LE, UTF_16BE, GBK, GB18030, BIG5].contains(&encoding)
}

/// Whether windows-1252 is the same as Latin-1 for these bytes: none is from 80 to 9F.
fn is_latin1(bytes: &[u8]) -> bool {
    bytes.chunks(512).all(|block| {
        let differ = |differ, byte: &u8| differ | (byte & 0xE0 == 0x80);
        !block.iter().fold(false, differ)
    })
}
