//! Converts each file on its own: `--out-dir` and `--in-place`.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use simdtext_convert::{Cancel, Event, Observer, Options, convert_tree};

use super::progress::Progress;
use super::report::Report;
use crate::args::ConvertArgs;
use crate::exit::{Exit, Failure};
use crate::message::{plain, say};
use crate::os;

pub(crate) fn run(args: &ConvertArgs, options: &Options) -> Result<Exit, Failure> {
    let many = &args.many;
    os::refuse_closed_input(many.from_list.iter().chain(&many.walk.files_from))?;
    let report = Report::new(args)?;
    let cancel = Cancel::with_flag(os::file_size_flag());
    let run = Run {
        args,
        cancel: cancel.clone(),
        signal: Arc::default(),
        progress: OnceLock::new(),
        report: Mutex::new(report),
    };
    let summary = convert_tree(&args.files, options, &cancel, &run);
    if let Some(progress) = run.progress.get() {
        progress.end();
    }
    let summary = summary?;
    let signal = match run.signal.load(Ordering::Relaxed) {
        0 => os::file_size_signal(),
        signal => Some(signal),
    };
    let report = run.report.into_inner();
    let report = report.unwrap_or_else(PoisonError::into_inner);
    Ok(report.end(&summary, signal))
}

/// Receives the events of a run, and can end it.
struct Run<'a> {
    args: &'a ConvertArgs,
    cancel: Cancel,
    /// The number of the first signal, or 0.
    signal: Arc<AtomicU8>,
    /// Set once files are being converted.
    progress: OnceLock<Progress>,
    report: Mutex<Report<'a>>,
}

impl Run<'_> {
    fn catch_signals(&self) {
        let (cancel, first) = (self.cancel.clone(), Arc::clone(&self.signal));
        let caught = os::on_signals(move |signal| {
            let _ = first.compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed);
            cancel.cancel();
        });
        if let Err(error) = caught {
            say(format_args!(
                "signals can't be caught: {}; one that ends this run may leave temporary files, which \
                 --remove-orphans removes",
                plain(&error)
            ));
        }
    }

    /// Calls `write`, which writes to standard error, while the bar is hidden.
    fn aside(&self, write: impl FnOnce()) {
        match self.progress.get() {
            Some(progress) => progress.aside(write),
            None => write(),
        }
    }
}

impl Observer for Run<'_> {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Locked => self.catch_signals(),
            Event::Begin => {
                self.progress.get_or_init(|| Progress::new(&self.args.many));
            }
            Event::Total(bytes) => {
                if let Some(progress) = self.progress.get() {
                    progress.total(bytes);
                }
            }
            Event::File {
                path,
                report,
                summary,
                ..
            } => {
                if let Some(progress) = self.progress.get() {
                    let mut reports = self.report.lock().unwrap_or_else(PoisonError::into_inner);
                    reports.file(path, report, progress);
                    progress.files(summary.files(), summary.files_with_errors);
                }
            }
            Event::Notice(_) if self.args.many.quiet => {}
            Event::Notice(message) | Event::Warning(message) | Event::Error(message) => {
                self.aside(|| say(message));
            }
            _ => {}
        }
    }

    fn read(&self, bytes: u64) {
        if let Some(progress) = self.progress.get() {
            progress.read(bytes);
        }
    }

    fn wants_total(&self) -> bool {
        self.progress.get().is_some_and(Progress::is_shown)
    }
}
