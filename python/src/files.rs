//! `convert_files()`: the converter, with an iterator over its reports; and the command.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use pyo3::exceptions::{PyOSError, PyRuntimeError, PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString};
use simdtext::Unmappable;
use simdtext_convert::{
    Binary, Cancel, Error, Event, FileReport, Invalid, Observer, Options, SourceEncoding, Summary,
    WalkOptions, convert_tree, prepare_for_fork,
};

use crate::decode::encoding_of;

/// The result for a file.
#[pyclass(module = "simdtext", name = "FileReport", frozen, get_all)]
pub(crate) struct ConversionReport {
    path: PathBuf,
    /// The output.
    target: Option<PathBuf>,
    /// `converted`, `unchanged`, `already`, `finished`, `kept`, `binary`, `faulty`, `skipped` or `failed`.
    state: &'static str,
    encoding: &'static str,
    /// How the encoding is known.
    evidence: &'static str,
    malformed: u64,
    unmappable: u64,
    bytes_in: u64,
    bytes_out: u64,
    /// The reason why it was not converted.
    why: Option<String>,
    /// The first faults, for people.
    messages: Vec<String>,
}

#[pymethods]
impl ConversionReport {
    fn __repr__(&self) -> String {
        let path = self.path.display();
        format!(
            "<simdtext.FileReport {path}: {} from {}>",
            self.state, self.encoding
        )
    }
}

impl ConversionReport {
    fn new(path: PathBuf, report: &FileReport) -> Self {
        ConversionReport {
            path,
            target: report.target.clone(),
            state: report.state.name(),
            encoding: report.from.name(),
            evidence: report.evidence.name(),
            malformed: report.malformed,
            unmappable: report.unmappable,
            bytes_in: report.bytes_in,
            bytes_out: report.bytes_out,
            why: report.why.clone(),
            messages: report.faults.clone(),
        }
    }
}

/// The totals of a run.
#[pyclass(module = "simdtext", name = "Summary", frozen, get_all)]
pub(crate) struct ConversionSummary {
    files: u64,
    bytes_in: u64,
    bytes_out: u64,
    errors: u64,
    files_with_errors: u64,
    cancelled: bool,
    /// The number of files with each state.
    states: Py<PyDict>,
}

#[pymethods]
impl ConversionSummary {
    fn __repr__(&self, py: Python<'_>) -> String {
        let states = self.states.bind(py);
        format!("<simdtext.Summary of {} files: {states}>", self.files)
    }
}

/// What the thread of a run sends.
enum Message {
    File(Box<ConversionReport>),
    Warning(String),
}

struct Sending {
    messages: Sender<Message>,
    read: Arc<AtomicU64>,
}

impl Observer for Sending {
    fn event(&self, event: Event<'_>) {
        let message = match event {
            Event::File { path, report, .. } => {
                Message::File(Box::new(ConversionReport::new(path.to_owned(), report)))
            }
            Event::Warning(text) | Event::Notice(text) | Event::Error(text) => {
                Message::Warning(text.to_string())
            }
            _ => return,
        };
        // If nobody listens any longer, the run was cancelled.
        let _ = self.messages.send(message);
    }

    fn read(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// A run of the converter: an iterator over the reports about files, for one thread at a time.
#[pyclass(module = "simdtext", frozen)]
pub(crate) struct Conversion {
    cancel: Cancel,
    read: Arc<AtomicU64>,
    /// Locked while a thread waits for the next report. Other threads do not wait for this lock.
    running: Mutex<Option<Running>>,
    summary: PyOnceLock<Py<ConversionSummary>>,
    warnings: Mutex<Vec<String>>,
    /// The process that has the thread of the run, which does not survive a fork.
    process: u32,
}

struct Running {
    messages: Receiver<Message>,
    thread: JoinHandle<Result<Summary, Error>>,
    progress: Option<Py<PyAny>>,
}

/// How often a run checks for signals and reports its progress while a thread waits for it.
const BEAT: Duration = Duration::from_millis(50);

#[pymethods]
impl Conversion {
    #[new]
    #[pyo3(signature = (paths, options, progress))]
    fn new(
        paths: Vec<PathBuf>,
        options: &Bound<'_, PyDict>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let options = options_of(options)?;
        // Python forks no process before this returns.
        prepare_for_fork();
        let (sender, messages) = channel();
        let (cancel, read) = (Cancel::new(), Arc::<AtomicU64>::default());
        let sending = Sending {
            messages: sender,
            read: Arc::clone(&read),
        };
        let token = cancel.clone();
        let thread = thread::Builder::new()
            .name(String::from("simdtext"))
            .spawn(move || convert_tree(&paths, &options, &token, &sending))?;
        Ok(Conversion {
            cancel,
            read,
            running: Mutex::new(Some(Running {
                messages,
                thread,
                progress,
            })),
            summary: PyOnceLock::new(),
            warnings: Mutex::default(),
            process: process::id(),
        })
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<ConversionReport>> {
        if self.process != process::id() {
            return Err(PyRuntimeError::new_err(
                "the run goes on in the process that called convert_files()",
            ));
        }
        let mut running = match self.running.try_lock() {
            Ok(running) => running,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(PyRuntimeError::new_err(
                    "the next report is waited for already",
                ));
            }
        };
        let next = self.next(py, &mut running);
        if next.is_err() {
            // Like the command at the first SIGINT: files that were begun are finished.
            self.cancel.cancel();
            // What the caller has to know is what ended the run.
            let _ = self.finish(py, &mut running);
        }
        next
    }

    /// Asks the run to end: files that were begun are finished, and after a second call abandoned.
    fn cancel(&self) {
        self.cancel.cancel();
    }

    /// The totals, once the run has ended.
    #[getter]
    fn summary(&self, py: Python<'_>) -> Option<Py<ConversionSummary>> {
        self.summary.get(py).map(|summary| summary.clone_ref(py))
    }

    /// Messages that are not about one file.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        (self.warnings.lock())
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The number of bytes read so far.
    #[getter]
    fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}

impl Conversion {
    fn next(
        &self,
        py: Python<'_>,
        run: &mut Option<Running>,
    ) -> PyResult<Option<ConversionReport>> {
        while let Some(running) = run {
            // Mutable and moved, because a receiver can't be shared.
            let messages = &mut running.messages;
            let message = py.detach(move || messages.recv_timeout(BEAT));
            py.check_signals()?;
            if let Some(progress) = &running.progress
                && !matches!(message, Ok(Message::Warning(_)))
            {
                progress.call1(py, (self.read.load(Ordering::Relaxed),))?;
            }
            match message {
                Ok(Message::File(report)) => return Ok(Some(*report)),
                Ok(Message::Warning(text)) => (self.warnings.lock())
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(text),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.finish(py, run)?,
            }
        }
        Ok(None)
    }

    fn finish(&self, py: Python<'_>, running: &mut Option<Running>) -> PyResult<()> {
        let Some(done) = join(py, running) else {
            return Ok(());
        };
        let summary = match done {
            Ok(Ok(summary)) => summary,
            Ok(Err(Error::Options(message) | Error::Collision(message))) => {
                return Err(PyValueError::new_err(message));
            }
            Ok(Err(error)) => return Err(PyOSError::new_err(error.to_string())),
            Err(_) => return Err(PyRuntimeError::new_err("the converter panicked")),
        };
        let states = PyDict::new(py);
        for (state, count) in &summary.states {
            states.set_item(state.name(), count)?;
        }
        let summary = ConversionSummary {
            files: summary.files(),
            bytes_in: summary.bytes_in,
            bytes_out: summary.bytes_out,
            errors: summary.errors,
            files_with_errors: summary.files_with_errors,
            cancelled: summary.cancelled,
            states: states.unbind(),
        };
        // Only once, because the thread can be joined only once.
        let _ = self.summary.set(py, Py::new(py, summary)?);
        Ok(())
    }
}

/// Waits for the end of a run, unless that was done before.
fn join(
    py: Python<'_>,
    running: &mut Option<Running>,
) -> Option<thread::Result<Result<Summary, Error>>> {
    let Running {
        messages, thread, ..
    } = running.take()?;
    drop(messages);
    Some(py.detach(|| thread.join()))
}

impl Drop for Conversion {
    /// The run goes on as long as the object exists.
    fn drop(&mut self) {
        let running = (self.running.get_mut()).unwrap_or_else(PoisonError::into_inner);
        if self.process != process::id() {
            // Joining would fail, or wait forever, for a thread that does not exist.
            std::mem::forget(running.take());
            return;
        }
        let given_up = !self.cancel.is_cancelled();
        self.cancel.cancel();
        Python::attach(|py| {
            if join(py, running).is_some() && given_up {
                let category = py.get_type::<PyRuntimeWarning>();
                let message =
                    c"convert_files() was given up: iterate over what it returns, to the end";
                if let Err(error) = PyErr::warn(py, &category, message, 1) {
                    error.write_unraisable(py, None);
                }
            }
        });
    }
}

/// The options of a run, by the names of the keyword arguments. Missing ones keep their defaults.
fn options_of(given: &Bound<'_, PyDict>) -> PyResult<Options> {
    let mut options = Options::new();
    let mut walk = WalkOptions::new();
    for (name, value) in given {
        if value.is_none() {
            continue;
        }
        let name: String = name.extract()?;
        options = match name.as_str() {
            "encoding" => options.from(source_of(&value)?),
            "to" => options.to(encoding_of(value.cast()?)?),
            "out_dir" => options.out_dir(value.extract::<PathBuf>()?),
            "in_place" => options.in_place(value.extract()?),
            "errors" => options.invalid(Some(invalid_of(value.extract()?)?)),
            "unmappable" => options.unmappable(unmappable_of(value.extract()?)?),
            "per_line" => options.per_line(value.extract()?),
            "undo_double_encoding" => options.undo_double_encoding(value.extract()?),
            "tld" => options.tld(Some(value.extract()?)),
            "binary" => options.binary(Some(binary_of(value.extract()?)?)),
            "output_bom" => options.output_bom(value.extract()?),
            "decompress" => options.decompress(value.extract()?),
            "backup" => options.backup(Some(value.extract()?)),
            "no_clobber" => options.no_clobber(value.extract()?),
            "update" => options.update(value.extract()?),
            "jobs" => options.jobs(value.extract()?),
            "dry_run" => options.dry_run(value.extract()?),
            "fail_fast" => options.fail_fast(value.extract()?),
            "accept_guess" => options.accept_guess(value.extract()?),
            "preserve" => options.preserve(value.extract()?),
            "fsync" => options.fsync(value.extract()?),
            "verify" => options.verify(value.extract()?),
            "resume" => options.resume(Some(&value.extract::<PathBuf>()?)),
            "fix_declarations" => options.fix_declarations(value.extract()?),
            "globs" => {
                walk = (value.extract::<Vec<String>>()?)
                    .into_iter()
                    .fold(walk, WalkOptions::glob);
                options
            }
            "extensions" => {
                let extensions = value.extract::<Vec<String>>()?;
                walk = extensions.into_iter().fold(walk, WalkOptions::extension);
                options
            }
            "hidden" => {
                walk = walk.hidden(value.extract()?);
                options
            }
            _ => return Err(PyValueError::new_err(format!("there is no option {name}"))),
        };
    }
    Ok(options.walk(walk))
}

fn source_of(value: &Bound<'_, PyAny>) -> PyResult<SourceEncoding> {
    if let Ok(label) = value.cast::<PyString>() {
        return Ok(match label.to_str()? {
            "auto" => SourceEncoding::Auto,
            _ => encoding_of(label)?.into(),
        });
    }
    let labels: Vec<Bound<'_, PyString>> = value.extract()?;
    let encodings = labels.iter().map(encoding_of).collect::<PyResult<_>>()?;
    Ok(SourceEncoding::FirstValid(encodings))
}

fn invalid_of(errors: &str) -> PyResult<Invalid> {
    match errors {
        "strict" => Ok(Invalid::Strict),
        "replace" => Ok(Invalid::Replace),
        "ignore" => Ok(Invalid::Skip),
        _ => Err(PyValueError::new_err(
            "errors must be strict, replace or ignore",
        )),
    }
}

fn unmappable_of(unmappable: &str) -> PyResult<Unmappable> {
    match unmappable {
        "strict" => Ok(Unmappable::Strict),
        "replace" => Ok(Unmappable::Replace('?')),
        "ignore" => Ok(Unmappable::Skip),
        "xmlcharrefreplace" => Ok(Unmappable::Ncr),
        _ => Err(PyValueError::new_err(
            "unmappable must be strict, replace, ignore or xmlcharrefreplace",
        )),
    }
}

fn binary_of(binary: &str) -> PyResult<Binary> {
    match binary {
        "copy" => Ok(Binary::Copy),
        "convert" => Ok(Binary::Convert),
        _ => Err(PyValueError::new_err("binary must be copy or convert")),
    }
}

/// Runs the command, and ends the process.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) {
    let status = py.detach(|| simdtext_cli::main(arguments));
    process::exit(i32::from(status));
}
