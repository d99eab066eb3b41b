//! Makes `str` objects directly in their final form: CPython stores a `str` with one, two or four bytes per
//! character, depending on its widest character.

use std::mem::MaybeUninit;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::{Borrowed, ffi};
use simdtext::unicode::{
    Buffer, Conversion, Stop, count_scalars_utf8, count_scalars_utf16, utf8_to_latin1,
    utf8_to_utf16, utf8_to_utf32, utf16_to_latin1, utf16_to_utf32, validate_ascii,
};

/// A unit of one of the three forms, with the character that makes CPython choose that form.
pub(crate) trait Unit: Copy {
    const WIDEST: u32;
    const KIND: u32;
}

impl Unit for u8 {
    const WIDEST: u32 = 0xFF;
    const KIND: u32 = 1;
}

impl Unit for u16 {
    const WIDEST: u32 = 0xFFFF;
    const KIND: u32 = 2;
}

impl Unit for u32 {
    const WIDEST: u32 = 0x10_FFFF;
    const KIND: u32 = 4;
}

/// A `str` under construction, to which nothing else has a reference.
pub(crate) struct Draft<'py, T> {
    object: Bound<'py, PyAny>,
    units: *mut MaybeUninit<T>,
    len: usize,
}

impl<'py, T: Unit> Draft<'py, T> {
    /// A `str` of `len` characters that are not written yet. In the end it must contain a character that the
    /// next narrower form can't store, because CPython compares the forms of texts first.
    pub(crate) fn new(py: Python<'py>, len: usize) -> PyResult<Self> {
        Self::with_widest(py, len, T::WIDEST)
    }

    fn with_widest(py: Python<'py>, len: usize, widest: u32) -> PyResult<Self> {
        let wanted = isize::try_from(len).map_err(|_| PyMemoryError::new_err(()))?;
        // SAFETY: `py` proves that this thread may call the interpreter.
        let object = unsafe { ffi::PyUnicode_New(wanted, widest) };
        // SAFETY: a new reference, or null with an exception set.
        let object = unsafe { Bound::from_owned_ptr_or_err(py, object) }?;
        // SAFETY: it is a `str`. The empty one is shared, and nothing is written to it.
        let units = unsafe { ffi::PyUnicode_DATA(object.as_ptr()) };
        Ok(Draft {
            object,
            units: units.cast(),
            len,
        })
    }

    /// The units to be written.
    pub(crate) fn units(&mut self) -> &mut [MaybeUninit<T>] {
        // SAFETY: `PyUnicode_New` gave room for `len` units of this form, in its narrowest form for `WIDEST`, and
        // `self` is the only one that knows them.
        unsafe { std::slice::from_raw_parts_mut(self.units, self.len) }
    }

    /// The first `len` units as a `str`.
    ///
    /// # Safety
    ///
    /// They were written, are no wider than what the draft was made for, and one of them needs this form.
    pub(crate) unsafe fn finish(self, len: usize) -> PyResult<Bound<'py, PyString>> {
        let Draft {
            object, len: room, ..
        } = self;
        let py = object.py();
        if len == room {
            // SAFETY: `PyUnicode_New` made it.
            return Ok(unsafe { object.cast_into_unchecked() });
        }
        if len == 0 {
            return Ok(PyString::new(py, ""));
        }
        let len = isize::try_from(len).map_err(|_| PyMemoryError::new_err(()))?;
        let mut object = object.into_ptr();
        // SAFETY: nobody else has a reference, and it was not hashed. Where this fails, the object is still ours.
        let done = unsafe { ffi::PyUnicode_Resize(&raw mut object, len) };
        // SAFETY: the reference that was taken out before; the call may have moved the object.
        let object = unsafe { Bound::from_owned_ptr(py, object) };
        if done != 0 {
            return Err(PyErr::fetch(py));
        }
        // SAFETY: it was a `str` and is one.
        Ok(unsafe { object.cast_into_unchecked() })
    }
}

/// ASCII as a `str`.
///
/// # Safety
///
/// The bytes are ASCII.
pub(crate) unsafe fn from_ascii<'py>(
    py: Python<'py>,
    bytes: &[u8],
) -> PyResult<Bound<'py, PyString>> {
    let mut draft = Draft::<u8>::with_widest(py, bytes.len(), 0x7F)?;
    copy(bytes, draft.units());
    // SAFETY: all units are written, and are ASCII by the contract.
    unsafe { draft.finish(bytes.len()) }
}

/// Makes a `str` of Latin-1 that is not only ASCII.
///
/// # Safety
///
/// One of the bytes is not ASCII.
pub(crate) unsafe fn from_latin1<'py>(
    py: Python<'py>,
    bytes: &[u8],
) -> PyResult<Bound<'py, PyString>> {
    let mut draft = Draft::<u8>::new(py, bytes.len())?;
    copy(bytes, draft.units());
    // SAFETY: all units are written, and one needs this form by the contract.
    unsafe { draft.finish(bytes.len()) }
}

pub(crate) fn copy<T: Copy>(from: &[T], to: &mut [MaybeUninit<T>]) {
    for (to, &from) in to.iter_mut().zip(from) {
        to.write(from);
    }
}

/// Makes a `str` of UTF-8, or returns `None` if it is malformed.
pub(crate) fn from_utf8<'py>(
    py: Python<'py>,
    bytes: &[u8],
) -> PyResult<Option<Bound<'py, PyString>>> {
    if is_ascii(bytes) {
        // SAFETY: it is.
        return unsafe { from_ascii(py, bytes) }.map(Some);
    }
    let len = count_scalars_utf8(bytes);
    // The highest byte of well-formed UTF-8 is a lead byte, and reveals the widest character.
    match highest(bytes) {
        // Up to C3 BF, which is U+00FF.
        ..0xC4 => convert::<u8>(py, bytes, len, utf8_to_latin1),
        0xC4..0xF0 => convert::<u16>(py, bytes, len, utf8_to_utf16),
        _ => convert::<u32>(py, bytes, len, utf8_to_utf32),
    }
}

/// Makes a `str` of well-formed text with `len` characters, one of which needs this form.
fn convert<'py, T: Unit + Send>(
    py: Python<'py>,
    bytes: &[u8],
    len: usize,
    by: fn(&[u8], &mut [MaybeUninit<T>]) -> Conversion,
) -> PyResult<Option<Bound<'py, PyString>>>
where
    [MaybeUninit<T>]: Buffer<T>,
{
    let mut draft = Draft::<T>::new(py, len)?;
    let units = draft.units();
    let done = detached(py, bytes.len(), || by(bytes, units));
    if done.stop != Stop::InputEmpty || done.written != len {
        return Ok(None);
    }
    // SAFETY: that many units are written. The text is well-formed, so that its highest byte, by which the caller
    // chose the form, begins a character that needs it.
    unsafe { draft.finish(len) }.map(Some)
}

/// The source of [`narrowest`]: units of UTF-16.
pub(crate) enum Units<'a, 'py> {
    Scratch(&'a [u16]),
    Draft(Draft<'py, u16>, usize),
}

/// Makes a `str` in its narrowest form of well-formed UTF-16. `may_have_pairs` says whether there may be
/// surrogate pairs.
///
/// # Safety
///
/// A draft's first `usize` units were written. The units are well-formed.
pub(crate) unsafe fn narrowest<'py>(
    py: Python<'py>,
    text: Units<'_, 'py>,
    may_have_pairs: bool,
) -> PyResult<Bound<'py, PyString>> {
    let units: &[u16] = match &text {
        Units::Scratch(units) => units,
        // SAFETY: that many are written, by the contract, and the draft lives longer than this.
        Units::Draft(draft, len) => unsafe {
            std::slice::from_raw_parts(draft.units.cast::<u16>(), *len)
        },
    };
    let widest = widest(units);
    if widest < 0x100 {
        let mut draft = Draft::<u8>::with_widest(py, units.len(), widest)?;
        let done = utf16_to_latin1(units, draft.units());
        debug_assert_eq!(done.written, units.len());
        // SAFETY: all units are Latin-1, so that all were converted; the widest is the draft's own, or its bits are.
        return unsafe { draft.finish(done.written) };
    }
    if may_have_pairs {
        let len = count_scalars_utf16(units);
        if len < units.len() {
            let mut draft = Draft::<u32>::new(py, len)?;
            let done = utf16_to_utf32(units, draft.units());
            debug_assert_eq!(done.written, len);
            // SAFETY: well-formed text has `len` characters, of which a pair is one that needs this form.
            return unsafe { draft.finish(done.written) };
        }
    }
    match text {
        Units::Scratch(units) => {
            let mut draft = Draft::<u16>::new(py, units.len())?;
            copy(units, draft.units());
            // SAFETY: all are written, and one is wider than Latin-1.
            unsafe { draft.finish(units.len()) }
        }
        // SAFETY: that many are written by the contract, and one is wider than Latin-1.
        Units::Draft(draft, len) => unsafe { draft.finish(len) },
    }
}

/// The bits of all units, up to the first that is wider than Latin-1, which is enough to choose a form.
fn widest(units: &[u16]) -> u32 {
    let mut bits = 0;
    for block in units.chunks(512) {
        bits = block.iter().fold(bits, |bits, unit| bits | unit);
        if bits > 0xFF {
            break;
        }
    }
    u32::from(bits)
}

/// Whether all bytes are ASCII.
pub(crate) fn is_ascii(bytes: &[u8]) -> bool {
    // For 64 bytes, the kernel's call takes as long as everything else.
    if bytes.len() < 256 {
        bytes.is_ascii()
    } else {
        validate_ascii(bytes).is_ok()
    }
}

/// The highest byte; 0 if there is none.
fn highest(bytes: &[u8]) -> u8 {
    let mut highest = 0;
    for block in bytes.chunks(1024) {
        highest = block
            .iter()
            .fold(highest, |highest, &byte| highest.max(byte));
        if highest >= 0xF0 {
            break;
        }
    }
    highest
}

/// Makes a `str` of code points that may include surrogates. Slower than the rest of this module.
pub(crate) fn from_code_points<'py>(
    py: Python<'py>,
    points: &[u32],
) -> PyResult<Bound<'py, PyString>> {
    let len = isize::try_from(points.len()).map_err(|_| PyMemoryError::new_err(()))?;
    let kind = i32::try_from(<u32 as Unit>::KIND).unwrap_or(4);
    // SAFETY: the slice has `len` units of four bytes. CPython looks for the widest by itself, and refuses what is
    // no code point.
    let object = unsafe { ffi::PyUnicode_FromKindAndData(kind, points.as_ptr().cast(), len) };
    // SAFETY: a new reference, or null with an exception set.
    let object = unsafe { Bound::from_owned_ptr_or_err(py, object) }?;
    // SAFETY: it is a `str`.
    Ok(unsafe { object.cast_into_unchecked() })
}

/// The units of a `str`, which never change.
#[derive(Clone, Copy)]
pub(crate) enum Chars<'a> {
    Ascii(&'a [u8]),
    Latin1(&'a [u8]),
    Ucs2(&'a [u16]),
    Ucs4(&'a [u32]),
}

impl<'a> Chars<'a> {
    pub(crate) fn of(text: Borrowed<'a, '_, PyString>) -> PyResult<Self> {
        let object = text.as_ptr();
        // Before Python 3.12, extensions can make a `str` that has no form yet.
        // SAFETY: a `str`, and the GIL is held, as `Borrowed` proves.
        if unsafe { ffi::PyUnicode_READY(object) } != 0 {
            return Err(PyErr::fetch(text.py()));
        }
        // SAFETY: a `str`, and the GIL is held, as `Borrowed` proves.
        let kind = unsafe { ffi::PyUnicode_KIND(object) };
        // SAFETY: as above.
        let data = unsafe { ffi::PyUnicode_DATA(object) };
        // SAFETY: as above.
        let len = unsafe { ffi::PyUnicode_GET_LENGTH(object) };
        let len = usize::try_from(len).unwrap_or(0);
        // SAFETY (all three): CPython says that there are `len` units of that kind, which live as long as the
        // object, and that a `str` that others may know is never changed.
        Ok(if kind == u8::KIND {
            // SAFETY: see above.
            let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), len) };
            // SAFETY: a `str`.
            if unsafe { ffi::PyUnicode_IS_ASCII(object) } != 0 {
                Chars::Ascii(bytes)
            } else {
                Chars::Latin1(bytes)
            }
        } else if kind == u16::KIND {
            // SAFETY: see above.
            Chars::Ucs2(unsafe { std::slice::from_raw_parts(data.cast::<u16>(), len) })
        } else {
            // SAFETY: see above.
            Chars::Ucs4(unsafe { std::slice::from_raw_parts(data.cast::<u32>(), len) })
        })
    }

    pub(crate) fn len(self) -> usize {
        match self {
            Chars::Ascii(units) | Chars::Latin1(units) => units.len(),
            Chars::Ucs2(units) => units.len(),
            Chars::Ucs4(units) => units.len(),
        }
    }

    pub(crate) fn get(self, at: usize) -> u32 {
        match self {
            Chars::Ascii(units) | Chars::Latin1(units) => u32::from(units[at]),
            Chars::Ucs2(units) => u32::from(units[at]),
            Chars::Ucs4(units) => units[at],
        }
    }
}

/// Inputs of fewer bytes are converted with the GIL held, because releasing and taking it costs as much.
const WORTH_RELEASING: usize = 4 * 1024;

/// Calls `work`, with the GIL released if there is enough to do.
pub(crate) fn detached<R: Send>(
    py: Python<'_>,
    bytes: usize,
    work: impl FnOnce() -> R + Send,
) -> R {
    if bytes < WORTH_RELEASING {
        work()
    } else {
        py.detach(work)
    }
}
