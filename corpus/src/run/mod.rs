//! A run: writes all records of all inputs to a folder.
//!
//! | in the folder | contents |
//! |---|---|
//! | `text/part-UNIT-PART.parquet` or `.jsonl` | the rows |
//! | `rejected/part-UNIT-PART.jsonl` | the records that gave no text, and why |
//! | `_state/` | which parts are complete, for `--resume` |

mod jsonl;
mod parquet;
mod part;
mod plan;
mod state;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) use jsonl::hex;
pub use part::Format;
pub(crate) use part::{nameless, place};

use crate::container::Records;
use crate::error::Error;
use crate::options::Options;
use crate::record::{Item, Origin, Record};
use crate::rejected::{Reason, Rejection};
use crate::row::Rejected;
use crate::tally::Tally;
use crate::walk::{Files, Found, text_of};
use part::{Folders, Part};
use plan::{Piece, Plan, Unit};
use state::{Note, Settings};

/// Where and how a run writes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RunOptions {
    /// The output folder. It is created, and must be empty unless a run is resumed.
    pub out: PathBuf,
    /// The format of the rows.
    pub format: Format,
    /// The number of threads.
    pub jobs: usize,
    /// Whether to continue an interrupted run.
    pub resume: bool,
    /// The number of bytes at which a part of the output is full and another one begins.
    pub part_bytes: u64,
    /// The number of bytes of the inputs that a thread reads at a time, if they can be divided.
    pub unit_bytes: u64,
}

impl RunOptions {
    /// Options to write Parquet in parts of 256 MiB, on one thread.
    #[must_use]
    pub fn new(out: impl Into<PathBuf>) -> Self {
        Self {
            out: out.into(),
            format: Format::default(),
            jobs: 1,
            resume: false,
            part_bytes: 256 << 20,
            unit_bytes: 64 << 20,
        }
    }

    fn settings(&self, options: &Options) -> Settings {
        Settings {
            version: 1,
            options: format!(
                "version {} --format={} --max-record={} --max-ratio={} --part-size={} --unit-size={} \
                 {:?} {:?} {:?}",
                env!("CARGO_PKG_VERSION"),
                self.format.ending(),
                options.max_record,
                options.max_ratio,
                self.part_bytes,
                self.unit_bytes,
                options.container,
                options.fallback,
                options.columns,
            ),
        }
    }
}

/// An event in a run.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The number of bytes of the inputs that were read since the last event of this kind.
    Read(u64),
    /// A record is damaged, or can't be read.
    Fault(&'a Rejected),
    /// A part of the output is complete, or was so before the run was resumed.
    Part(&'a Tally),
}

/// A function that is called for each event, from several threads.
pub type Observer<'a> = dyn Fn(Event<'_>) + Sync + 'a;

/// Reads all records of files, and of the files below folders, and writes their text.
///
/// # Errors
///
/// Fails if the output can't be written, or is that of another run. A run that fails can be resumed from what
/// was written.
pub fn run(
    inputs: &[PathBuf],
    options: &Options,
    run: &RunOptions,
    observer: &Observer<'_>,
) -> Result<Tally, Error> {
    if let Some(missing) = inputs.iter().find(|it| it.symlink_metadata().is_err()) {
        return Err(Error::Usage(format!(
            "{}: there is no such file",
            missing.display()
        )));
    }
    refuse_output_as_input(inputs, &run.out)?;
    let folders = Folders::of(&run.out);
    let _lock = state::begin(&run.out, &folders, &run.settings(options), run.resume)?;
    let files = Files::of(inputs.to_vec()).without(&run.out);
    let plan = Mutex::new(Plan::new(files, run.unit_bytes, options));
    let worker = Worker {
        folders: &folders,
        options,
        run,
        observer,
        is_stopped: AtomicBool::new(false),
    };
    keep_freed_memory();
    let total = Mutex::new(Ok(Tally::default()));
    std::thread::scope(|scope| {
        let work = || {
            while !worker.is_stopped.load(Ordering::Relaxed) {
                let Some(unit) = lock(&plan).next() else {
                    break;
                };
                let done = worker.unit(&unit);
                let mut total = lock(&total);
                match (&mut *total, done) {
                    (Ok(total), Ok(tally)) => total.merge(&tally),
                    (Ok(_), Err(error)) => {
                        worker.is_stopped.store(true, Ordering::Relaxed);
                        *total = Err(error);
                    }
                    (Err(_), _) => {}
                }
            }
        };
        for _ in 1..run.jobs.max(1) {
            // With fewer threads than requested it takes longer.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let mut total = total
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner())?;
    let plan = lock(&plan);
    state::check_units(&folders, plan.units())?;
    total.no_files(plan.no_files());
    if !total.adds_up() {
        return Err(Error::Miscounted(format!(
            "{} records in all",
            total.records
        )));
    }
    Ok(total)
}

/// Has glibc keep freed memory for the next page or batch, instead of returning it to the system and having it
/// zeroed again, which takes 3 % of the time: glibc keeps up to twice the size of the largest block that was freed.
fn keep_freed_memory() {
    drop(std::hint::black_box(Vec::<u8>::with_capacity(16 << 20)));
}

/// The output of a run is not read by another that continues it.
fn refuse_output_as_input(inputs: &[PathBuf], out: &Path) -> Result<(), Error> {
    let Ok(folder) = out.canonicalize() else {
        return Ok(());
    };
    let below = |input: &&PathBuf| input.canonicalize().is_ok_and(|it| it.starts_with(&folder));
    match inputs.iter().find(below) {
        None => Ok(()),
        Some(input) => Err(Error::Usage(format!(
            "{}: an input can't be in the folder of the output, {}",
            input.display(),
            out.display()
        ))),
    }
}

/// Data that a panicking thread left behind is consistent: it is changed in single steps.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

struct Worker<'a> {
    folders: &'a Folders,
    options: &'a Options,
    run: &'a RunOptions,
    observer: &'a Observer<'a>,
    is_stopped: AtomicBool,
}

impl Worker<'_> {
    /// Reads a unit, from where it was left off.
    fn unit(&self, unit: &Unit) -> Result<Tally, Error> {
        let mut total = Tally::default();
        let mut number = 0;
        let mut from = (0, 0);
        let name = |number: u32| format!("part-{:05}-{number:03}", unit.number);
        while let Some(note) = Note::read(&self.folders.state, &name(number))? {
            if note.unit != unit.fingerprint {
                let first = unit.pieces.first().map(|it| text_of(&it.file.path));
                return Err(Error::Changed(format!(
                    "files were changed, added or removed since then, at or before {}",
                    first.unwrap_or_default()
                )));
            }
            if note.files != self.folders.lengths(self.run.format, &name(number))? {
                // The later parts are made again.
                break;
            }
            (self.observer)(Event::Part(&note.tally));
            total.merge(&note.tally);
            let Some(next) = note.next else {
                return Ok(total);
            };
            from = next;
            number += 1;
        }
        let mut part = Part::new(self.folders, self.run.format, name(number));
        for (index, Piece { split, file }) in unit.pieces.iter().enumerate().skip(from.0) {
            let mut records = Records::open(split, self.options);
            let mut read = 0;
            let mut seen = records.number();
            while let Some(item) = records.next() {
                let now = records.read_of_file();
                if now > read {
                    (self.observer)(Event::Read(now - read));
                    read = now;
                }
                seen += 1;
                if index == from.0 && seen <= from.1 {
                    continue;
                }
                if let Some(rejected) = part.put(item, self.options)? {
                    (self.observer)(Event::Fault(&rejected));
                }
                if part.bytes() >= self.run.part_bytes {
                    let next = Some((index, seen));
                    number += 1;
                    let new = Part::new(self.folders, self.run.format, name(number));
                    let full = std::mem::replace(&mut part, new);
                    self.finish(full, unit, next, &mut total)?;
                }
                if self.is_stopped.load(Ordering::Relaxed) {
                    return Ok(total);
                }
            }
            if file.was_changed()
                && let Some(rejected) = part.put(changed(&records, file), self.options)?
            {
                (self.observer)(Event::Fault(&rejected));
            }
        }
        self.finish(part, unit, None, &mut total)?;
        Ok(total)
    }

    fn finish(
        &self,
        part: Part<'_>,
        unit: &Unit,
        next: Option<(usize, u64)>,
        total: &mut Tally,
    ) -> Result<(), Error> {
        let note = part.finish(|tally| Note {
            unit: unit.fingerprint.clone(),
            next,
            files: [None; 2],
            tally,
        })?;
        (self.observer)(Event::Part(&note.tally));
        total.merge(&note.tally);
        Ok(())
    }
}

/// Rejects a file that has changed since it was found: records of it may be missing.
fn changed(records: &Records, file: &Found) -> Item {
    let origin = Origin {
        source: text_of(&file.path).into(),
        number: records.number(),
        offset: file.len,
        ..Origin::default()
    };
    let what = "the file was changed while it was read";
    Record::rejected(origin, Rejection::new(Reason::Unreadable, what))
}
