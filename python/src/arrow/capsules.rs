//! Arrow's PyCapsule interface: arrays and streams of arrays in and out, without copies.
//!
//! Written by hand, because pyo3-arrow would bring NumPy's bindings, arrow-cast and chrono-tz into the wheel.

use std::ffi::{CStr, c_char, c_int};
use std::ptr::NonNull;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyString};

const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";
const STREAM: &CStr = c"arrow_array_stream";

/// An argument: an array, or a column in chunks.
pub(crate) struct Imported {
    pub(crate) data_type: DataType,
    pub(crate) chunks: Vec<ArrayRef>,
    pub(crate) is_stream: bool,
}

impl Imported {
    /// Reads an object that has `__arrow_c_array__` or `__arrow_c_stream__`.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let has_stream = object.hasattr("__arrow_c_stream__")?;
        let imported = if object.hasattr("__arrow_c_array__")? {
            match Self::array(object) {
                // Some objects have both, and refuse the first if they consist of several chunks.
                Err(_) if has_stream => Self::stream(object),
                imported => imported,
            }
        } else if has_stream {
            Self::stream(object)
        } else {
            let message = format!(
                "an Arrow array was expected, which has __arrow_c_array__ or __arrow_c_stream__, not {}",
                object.get_type().name()?
            );
            Err(PyTypeError::new_err(message))
        }?;
        imported.only_column()
    }

    /// Reads `__arrow_c_array__`.
    fn array(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let capsules = object.call_method0("__arrow_c_array__")?;
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = capsules.extract()?;
        let schema = schema
            .pointer_checked(Some(SCHEMA))?
            .cast::<FFI_ArrowSchema>();
        let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
        // SAFETY: a capsule of this name holds such a struct, which lives as long as the capsule.
        let data_type = data_type(unsafe { schema.as_ref() })?;
        // SAFETY: a capsule of this name holds such a struct. It is moved, so that the capsule no longer releases it.
        let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
        if array.is_released() {
            return Err(PyValueError::new_err("the array was read before"));
        }
        // SAFETY: the producer promises that the two belong together, and that the buffers are those of the type.
        let array = unsafe { import(array, &data_type) }.map_err(value_error)?;
        Ok(Imported {
            data_type,
            chunks: vec![array],
            is_stream: false,
        })
    }

    /// Reads `__arrow_c_stream__` to its end.
    fn stream(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let capsule = object
            .call_method0("__arrow_c_stream__")?
            .cast_into::<PyCapsule>()?;
        let pointer = capsule
            .pointer_checked(Some(STREAM))?
            .cast::<FFI_ArrowArrayStream>();
        // SAFETY: a capsule of this name holds such a struct, and it is alive. The struct is moved, so that the
        // capsule no longer releases it.
        let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
        // A stream may be made by Python code in another thread.
        let (data_type, chunks) = object.py().detach(|| read(&mut stream))?;
        Ok(Imported {
            data_type,
            chunks,
            is_stream: true,
        })
    }

    /// Replaces a table of one column with that column.
    fn only_column(mut self) -> PyResult<Self> {
        let DataType::Struct(fields) = &self.data_type else {
            return Ok(self);
        };
        let [field] = &**fields else {
            let message = format!(
                "a table of {} columns; pass one of its columns",
                fields.len()
            );
            return Err(PyTypeError::new_err(message));
        };
        if self.chunks.iter().any(|chunk| chunk.null_count() != 0) {
            return Err(PyTypeError::new_err("rows of the table are null"));
        }
        self.data_type = field.data_type().clone();
        self.chunks = self.chunks.iter().map(|chunk| child(chunk, 0)).collect();
        Ok(self)
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.chunks.iter().map(Array::len).sum()
    }
}

/// Returns a field of an array of structs.
pub(crate) fn child(array: &ArrayRef, field: usize) -> ArrayRef {
    array.as_struct().column(field).clone()
}

fn value_error(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the type of a schema.
fn data_type(schema: &FFI_ArrowSchema) -> PyResult<DataType> {
    if schema.release.is_none() || schema.format.is_null() {
        return Err(PyValueError::new_err("the array was read before"));
    }
    DataType::try_from(schema).map_err(|error| PyTypeError::new_err(error.to_string()))
}

/// # Safety
///
/// The array is of this type.
unsafe fn import(array: FFI_ArrowArray, data_type: &DataType) -> Result<ArrayRef, ArrowError> {
    // SAFETY: by the contract.
    let data = unsafe { from_ffi_and_data_type(array, data_type.clone()) }?;
    Ok(make_array(data))
}

/// Reads a stream to its end.
fn read(stream: &mut FFI_ArrowArrayStream) -> PyResult<(DataType, Vec<ArrayRef>)> {
    let (Some(_), Some(get_schema), Some(get_next)) =
        (stream.release, stream.get_schema, stream.get_next)
    else {
        return Err(PyValueError::new_err("the stream was read before"));
    };
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: the stream is not released, and `schema` is a place for a schema.
    let code = unsafe { get_schema(stream, &raw mut schema) };
    if code != 0 {
        return Err(stream_error(stream, code));
    }
    let data_type = data_type(&schema)?;
    let mut chunks = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream is not released, and `array` is a place for an array.
        let code = unsafe { get_next(stream, &raw mut array) };
        if code != 0 {
            return Err(stream_error(stream, code));
        }
        if array.is_released() {
            return Ok((data_type, chunks));
        }
        // SAFETY: all arrays of a stream have the type of its schema.
        chunks.push(unsafe { import(array, &data_type) }.map_err(value_error)?);
    }
}

fn stream_error(stream: &mut FFI_ArrowArrayStream, code: c_int) -> PyErr {
    let message = stream.get_last_error.and_then(|get_last_error| {
        // SAFETY: the stream is not released.
        NonNull::new(unsafe { get_last_error(stream) }.cast_mut())
    });
    let message = match message {
        // SAFETY: the string lives until the next call on the stream.
        Some(message) => unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy(),
        None => format!("code {code}").into(),
    };
    PyRuntimeError::new_err(format!("the stream of arrays failed: {message}"))
}

/// Makes the result of `__arrow_c_schema__`.
pub(crate) fn schema<'py>(
    py: Python<'py>,
    data_type: &DataType,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, to_schema(data_type).map_err(value_error)?, SCHEMA)
}

fn to_schema(data_type: &DataType) -> Result<FFI_ArrowSchema, ArrowError> {
    FFI_ArrowSchema::try_from(Field::new("", data_type.clone(), true))
}

/// Makes the result of `__arrow_c_array__`.
pub(crate) fn array<'py>(
    py: Python<'py>,
    array: &ArrayRef,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let exported = FFI_ArrowArray::new(&array.to_data());
    Ok((
        schema(py, array.data_type())?,
        PyCapsule::new_with_value(py, exported, ARRAY)?,
    ))
}

/// Makes the result of `__arrow_c_stream__`, with batches that are made when they are requested.
#[cfg(feature = "corpus")]
pub(crate) fn record_stream<'py>(
    py: Python<'py>,
    batches: Box<dyn arrow_array::RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(batches), STREAM)
}

/// The arrays that a stream has not returned yet.
struct Chunks {
    data_type: DataType,
    rest: std::vec::IntoIter<ArrayRef>,
}

/// Makes the result of `__arrow_c_stream__`.
pub(crate) fn stream<'py>(
    py: Python<'py>,
    data_type: &DataType,
    chunks: Vec<ArrayRef>,
) -> PyResult<Bound<'py, PyCapsule>> {
    // Checked before anyone reads the stream: that this type has a schema.
    to_schema(data_type).map_err(value_error)?;
    let chunks = Chunks {
        data_type: data_type.clone(),
        rest: chunks.into_iter(),
    };
    let stream = FFI_ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(Box::new(chunks)).cast(),
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

unsafe extern "C" fn get_schema(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
    // SAFETY: the caller passes a stream that is not released.
    let stream = unsafe { &*stream };
    // SAFETY: `stream` above put this there.
    let chunks = unsafe { &*stream.private_data.cast::<Chunks>() };
    match to_schema(&chunks.data_type) {
        Ok(schema) => {
            // SAFETY: the caller passes a place for a schema, which holds none.
            unsafe { out.write(schema) };
            0
        }
        Err(_) => INVALID,
    }
}

/// `EINVAL`, which is the same number everywhere.
const INVALID: c_int = 22;

unsafe extern "C" fn get_next(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowArray,
) -> c_int {
    // SAFETY: the caller passes a stream that is not released.
    let stream = unsafe { &*stream };
    // SAFETY: `stream` above put this there, and a stream is read by one thread at a time.
    let chunks = unsafe { &mut *stream.private_data.cast::<Chunks>() };
    let next = chunks
        .rest
        .next()
        .map_or_else(FFI_ArrowArray::empty, |array| {
            FFI_ArrowArray::new(&array.to_data())
        });
    // SAFETY: the caller passes a place for an array, which holds none.
    unsafe { out.write(next) };
    0
}

unsafe extern "C" fn get_last_error(_: *mut FFI_ArrowArrayStream) -> *const c_char {
    std::ptr::null()
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: the caller passes a stream that is not released.
    let stream = unsafe { &mut *stream };
    // SAFETY: `stream` above made it of a box, and this is called once, as the line below makes sure.
    drop(unsafe { Box::from_raw(stream.private_data.cast::<Chunks>()) });
    stream.release = None;
}

/// Returns the index of the struct's field with this name.
pub(crate) fn field_index(data_type: &DataType, name: &Bound<'_, PyString>) -> PyResult<usize> {
    let DataType::Struct(fields) = data_type else {
        return Err(PyTypeError::new_err(format!("{data_type} has no fields")));
    };
    let wanted = name.to_str()?;
    let found = fields.iter().position(|field| field.name() == wanted);
    found.ok_or_else(|| PyKeyError::new_err(name.clone().unbind()))
}
