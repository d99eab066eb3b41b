//! `simdtext.corpus`: the records of archives as batches of Arrow.
//!
//! `lib/simdtext/corpus/` has the functions that users call. Tested in `tests/test_corpus.py`, from Python.

use std::ffi::OsString;
use std::io::{self, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};

use arrow_array::{RecordBatch, RecordBatchIterator, StructArray, new_empty_array};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use simdtext::Encoding;
use simdtext_corpus::{
    Batches, Columns, Container, MAX_RECORD, Options, Range, Split, read, read_input, read_split,
    schema, splits,
};

use crate::arrow::{Array, record_stream};

/// The options for reading records, as `_all()` in Python returns them.
#[derive(FromPyObject)]
pub(crate) struct Given {
    #[pyo3(item)]
    container: Option<String>,
    #[pyo3(item)]
    content: String,
    #[pyo3(item)]
    url: String,
    #[pyo3(item)]
    content_type: String,
    #[pyo3(item)]
    base64: bool,
    #[pyo3(item)]
    max_record: u64,
    #[pyo3(item)]
    max_ratio: u64,
    #[pyo3(item)]
    fallback: Option<String>,
}

impl Given {
    fn options(self) -> PyResult<Options> {
        let container = match self.container.as_deref() {
            None => None,
            Some("file") => Some(Container::File),
            Some("warc") => Some(Container::Warc),
            Some("tar") => Some(Container::Tar),
            Some("zip") => Some(Container::Zip),
            Some("jsonl") => Some(Container::Jsonl),
            Some("parquet") => Some(Container::Parquet),
            Some("mbox") => Some(Container::Mbox),
            Some(other) => {
                return Err(PyValueError::new_err(format!(
                    "container is one of file, warc, tar, zip, jsonl, parquet, mbox, not {other:?}"
                )));
            }
        };
        let fallback = match &self.fallback {
            None => None,
            Some(label) => Some(Encoding::for_label(label.as_bytes()).ok_or_else(|| {
                PyValueError::new_err(format!("fallback: there is no encoding {label:?}"))
            })?),
        };
        if !(1..=MAX_RECORD).contains(&self.max_record) {
            return Err(PyValueError::new_err(format!(
                "max_record is from 1 to {MAX_RECORD} bytes"
            )));
        }
        let mut columns = Columns::default();
        columns.content = self.content;
        columns.url = self.url;
        columns.content_type = self.content_type;
        columns.base64 = self.base64;
        Ok(Options::new()
            .columns(columns)
            .max_record(self.max_record)
            .max_ratio(self.max_ratio)
            .fallback(fallback)
            .container(container))
    }
}

type Rows = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>;

/// Batches of rows: an iterator, and a stream that can be read over the PyCapsule interface.
#[pyclass(module = "simdtext.corpus", name = "Batches", frozen)]
pub(crate) struct CorpusBatches(Arc<Shared>);

/// Rows that several threads may read in turns.
struct Shared {
    rows: Mutex<Rows>,
    /// The thread that reads them now.
    reader: Mutex<Option<ThreadId>>,
    /// The process that reads them; 0 before the first one is read.
    process: AtomicU32,
}

impl CorpusBatches {
    fn new(rows: Rows) -> Self {
        CorpusBatches(Arc::new(Shared {
            rows: Mutex::new(rows),
            reader: Mutex::new(None),
            process: AtomicU32::new(0),
        }))
    }
}

impl Shared {
    fn next(&self) -> Option<Result<RecordBatch, ArrowError>> {
        let process = process::id();
        let order = Ordering::Relaxed;
        if (self.process.compare_exchange(0, process, order, order)).is_err_and(|it| it != process)
        {
            // It was forked. The two would share the places in the files, and a lock may be held by a thread that this
            // process does not have.
            return Some(Err(failure(
                "the rows are read in the process that began to",
            )));
        }
        let reader = || self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let this = thread::current().id();
        if *reader() == Some(this) {
            // It would wait for itself.
            let what = "a file object asks for the rows that are being read from it";
            return Some(Err(failure(what)));
        }
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        *reader() = Some(this);
        let next = catch_unwind(AssertUnwindSafe(|| rows.next()));
        *reader() = None;
        next.unwrap_or_else(|payload| resume_unwind(payload))
    }
}

#[pymethods]
impl CorpusBatches {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Array>> {
        py.check_signals()?;
        match py.detach(|| self.0.next()) {
            None => Ok(None),
            Some(Ok(batch)) => Ok(Some(Array(Arc::new(StructArray::from(batch))))),
            Some(Err(error)) => Err(exception(error)),
        }
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let rows = Arc::clone(&self.0);
        let rows = std::iter::from_fn(move || rows.next());
        record_stream(py, Box::new(RecordBatchIterator::new(rows, schema())))
    }

    fn __repr__(&self) -> &'static str {
        "<simdtext.corpus.Batches>"
    }
}

fn failure(what: &'static str) -> ArrowError {
    ArrowError::ExternalError(Box::new(PyRuntimeError::new_err(what)))
}

/// Returns what a file object raised, or else what is wrong with a batch.
fn exception(error: ArrowError) -> PyErr {
    match error {
        ArrowError::ExternalError(error) => match error.downcast::<PyErr>() {
            Ok(raised) => *raised,
            Err(error) => PyRuntimeError::new_err(error.to_string()),
        },
        error => PyRuntimeError::new_err(error.to_string()),
    }
}

fn row_type() -> DataType {
    DataType::Struct(schema().fields().clone())
}

/// Returns an array without rows that has the columns.
#[pyfunction]
pub(crate) fn corpus_no_rows() -> Array {
    Array(new_empty_array(&row_type()))
}

/// Reads files, and the files below folders.
#[pyfunction]
pub(crate) fn corpus_read(paths: Vec<PathBuf>, options: Given) -> PyResult<CorpusBatches> {
    let rows = read(&paths, &options.options()?);
    Ok(CorpusBatches::new(Box::new(rows)))
}

/// Returns where a file is divided: the start, the end, and the number of the first record of each part.
#[pyfunction]
pub(crate) fn corpus_splits(
    py: Python<'_>,
    path: PathBuf,
    bytes: u64,
    options: Given,
) -> PyResult<Vec<(u64, u64, u64)>> {
    let options = options.options()?;
    let parts = py.detach(|| splits(&path, bytes, &options));
    let parts = parts.map_err(|error| io::Error::new(error.kind(), named(&path, &error)))?;
    let ranges = parts.iter().map(|part| part.range);
    Ok(ranges
        .map(|range| (range.start, range.end, range.first_record))
        .collect())
}

fn named(path: &std::path::Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Reads a part of a file.
#[pyfunction]
pub(crate) fn corpus_read_split(
    path: PathBuf,
    range: (u64, u64, u64),
    options: Given,
) -> PyResult<CorpusBatches> {
    let options = options.options()?;
    let split = Split::new(path, Range::new(range.0, range.1, range.2));
    let rows = Batches::new(read_split(&split, &options), &options);
    Ok(CorpusBatches::new(Box::new(rows)))
}

/// Reads a file object, under a name. An exception that it raises ends the rows: it is not a fault of the
/// contents.
#[pyfunction]
pub(crate) fn corpus_read_file(
    name: &str,
    file: Py<PyAny>,
    options: Given,
) -> PyResult<CorpusBatches> {
    let options = options.options()?;
    let raised = Arc::new(Mutex::new(None));
    let input = File {
        file,
        raised: Arc::clone(&raised),
    };
    let records = read_input(name, Box::new(input), &options);
    let mut batches = Batches::new(records, &options);
    let rows: Rows = Box::new(std::iter::from_fn(move || {
        let batch = batches.next();
        let raised = raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        raised.map_or(batch, |error: PyErr| {
            Some(Err(ArrowError::ExternalError(Box::new(error))))
        })
    }));
    Ok(CorpusBatches::new(rows))
}

/// A seekable Python file object that is read as bytes.
struct File {
    file: Py<PyAny>,
    /// The first exception.
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl File {
    fn call<T>(&self, call: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> io::Result<T> {
        Python::attach(|py| call(self.file.bind(py))).map_err(|error| {
            let message = error.to_string();
            let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
            raised.get_or_insert(error);
            io::Error::other(message)
        })
    }
}

impl Read for File {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.call(|file| {
            let read = file.call_method1("read", (to.len(),))?;
            let bytes = read.cast::<PyBytes>()?.as_bytes();
            let Some(to) = to.get_mut(..bytes.len()) else {
                return Err(PyValueError::new_err(
                    "read() gave more bytes than asked for",
                ));
            };
            to.copy_from_slice(bytes);
            Ok(bytes.len())
        })
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (offset, whence) = match to {
            SeekFrom::Start(offset) => (i128::from(offset), 0),
            SeekFrom::Current(by) => (i128::from(by), 1),
            SeekFrom::End(by) => (i128::from(by), 2),
        };
        self.call(|file| file.call_method1("seek", (offset, whence))?.extract())
    }
}

/// Runs the command, and ends the process.
#[pyfunction]
pub(crate) fn corpus_command(py: Python<'_>, arguments: Vec<OsString>) {
    let status = py.detach(|| simdtext_corpus::command::main(arguments));
    process::exit(i32::from(status));
}
