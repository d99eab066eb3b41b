//! Bytes from Python: anything with a buffer.

use std::mem::MaybeUninit;
use std::ops::Range;

use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

/// How many bytes of a buffer that may change are copied at a time.
pub(crate) const PIECE: usize = 64 * 1024;

/// A buffer that an object exports. It is released when this is dropped.
pub(crate) struct Exported<'py> {
    py: Python<'py>,
    // It is in a box because its address must not change.
    view: Box<ffi::Py_buffer>,
}

impl<'py> Exported<'py> {
    fn new(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let mut view = Box::<ffi::Py_buffer>::new(ffi::Py_buffer::new());
        // SAFETY: the object is alive and the GIL held; the view is ours, and not used where this fails.
        let done =
            unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut *view, ffi::PyBUF_SIMPLE) };
        if done != 0 {
            return Err(PyErr::fetch(object.py()));
        }
        Ok(Exported {
            py: object.py(),
            view,
        })
    }

    pub(crate) fn len(&self) -> usize {
        usize::try_from(self.view.len).unwrap_or(0)
    }

    /// Copies `to.len()` bytes from `at` on. If others write to them meanwhile, the copy has arbitrary bytes.
    pub(crate) fn copy_to(&self, at: usize, to: &mut [MaybeUninit<u8>]) {
        assert!(
            at.checked_add(to.len())
                .is_some_and(|end| end <= self.len())
        );
        // SAFETY: within the buffer, as asserted, which PyBUF_SIMPLE makes contiguous, and which its exporter keeps
        // until it is released.
        let from = unsafe { self.view.buf.cast::<MaybeUninit<u8>>().add(at) };
        // SAFETY: as many bytes are readable there, and no reference to them is made. Whoever writes to them meanwhile
        // (where there is a GIL, without it) makes the copied bytes arbitrary, as in CPython's own codecs.
        unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), to.len()) };
    }

    /// A copy of the whole buffer.
    pub(crate) fn to_vec(&self) -> PyResult<Vec<u8>> {
        let len = self.len();
        let mut bytes = Vec::new();
        bytes
            .try_reserve_exact(len)
            .map_err(|_| PyMemoryError::new_err(()))?;
        let room = bytes.spare_capacity_mut();
        self.copy_to(0, &mut room[..len]);
        // SAFETY: `copy_to` wrote as many.
        unsafe { bytes.set_len(len) };
        Ok(bytes)
    }
}

impl Drop for Exported<'_> {
    fn drop(&mut self) {
        // The stored `Python` proves that the GIL is held here.
        let _ = self.py;
        // SAFETY: `new` filled it, and nothing else releases it.
        unsafe { ffi::PyBuffer_Release(&raw mut *self.view) };
    }
}

/// The bytes of an object.
pub(crate) enum Input<'a, 'py> {
    /// The content of a `bytes`, which can't change.
    Constant(&'a [u8]),
    /// A view of a `bytes`. It may be released meanwhile, so their owner is kept alive.
    View(Bound<'py, PyBytes>, Range<usize>),
    /// Bytes copied from a buffer that may change.
    Copied(Vec<u8>),
    /// Bytes that may change, and are more than [`PIECE`].
    Changing(Exported<'py>),
}

impl<'a, 'py> Input<'a, 'py> {
    /// The bytes of any object with a buffer.
    pub(crate) fn new(object: &'a Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Input::Constant(bytes.as_bytes()));
        }
        let exported = Exported::new(object)?;
        if let Some((owner, range)) = constant_owner(object, &exported) {
            return Ok(Input::View(owner, range));
        }
        if exported.len() > PIECE {
            Ok(Input::Changing(exported))
        } else {
            Ok(Input::Copied(exported.to_vec()?))
        }
    }

    /// Copies bytes that may change.
    pub(crate) fn whole(self) -> PyResult<Self> {
        Ok(match self {
            Input::Changing(exported) => Input::Copied(exported.to_vec()?),
            whole => whole,
        })
    }

    /// The bytes, unless they may change.
    pub(crate) fn bytes(&self) -> Result<&[u8], &Exported<'py>> {
        match self {
            Input::Constant(bytes) => Ok(bytes),
            Input::View(owner, range) => {
                Ok(owner.as_bytes().get(range.clone()).unwrap_or_default())
            }
            Input::Copied(bytes) => Ok(bytes),
            Input::Changing(exported) => Err(exported),
        }
    }
}

/// Calls `work` with the bytes of any object with a buffer, or with a copy if they may change.
pub(crate) fn with_bytes<R>(
    object: &Bound<'_, PyAny>,
    work: impl FnOnce(&[u8]) -> PyResult<R>,
) -> PyResult<R> {
    let input = Input::new(object)?.whole()?;
    work(input.bytes().unwrap_or_default())
}

/// The content of a view, if its owner is a `bytes`. A read-only view may have a writable owner.
fn constant_owner<'py>(
    view: &Bound<'py, PyAny>,
    exported: &Exported<'py>,
) -> Option<(Bound<'py, PyBytes>, Range<usize>)> {
    if !view.is_exact_instance_of::<PyMemoryView>() {
        return None;
    }
    let owner = view.getattr("obj").ok()?.cast_into::<PyBytes>().ok()?;
    let start = (exported.view.buf as usize).checked_sub(owner.as_bytes().as_ptr() as usize)?;
    let range = start..start.checked_add(exported.len())?;
    (range.end <= owner.as_bytes().len()).then_some((owner, range))
}
