//! Converts each file on its own, on all cores: `--out-dir` and `--in-place`.
//!
//! One thread walks and fills a queue, and the others convert. `file.rs` has the steps for one file;
//! `replace.rs` and `journal.rs` say why no file is lost. Tested in `cli/tests/cli/options.rs` and the files
//! beside it.

mod against;
mod backup;
mod claims;
mod declared;
mod doubts;
mod file;
mod folders;
mod holder;
mod inside;
mod journal;
mod locks;
mod mounts;
mod original;
mod orphans;
mod places;
mod placing;
mod plan;
mod queue;
mod replace;
mod resume;
mod stop;
mod verify;
mod writing;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use std::{fmt, io, thread};

use simdtext::UTF_8;

use crate::cancel::Cancel;
use crate::cores::Cores;
use crate::error::Error;
use crate::message::{Counted, plain, shown};
use crate::mutex::lock;
use crate::observer::{Event, Observer};
use crate::options::Options;
use crate::os::{self, FileId};
use crate::output::folder_of;
use crate::report::{FileReport, Refusal, State, Summary};
use crate::settings::Settings;
use crate::severity::Severity;
use crate::walk::{Found, FoundFile, UnusableInput, Walk};
pub(crate) use backup::backup_of;
use claims::Claims;
use file::Worker;
use folders::Folders;
use journal::Journal;
pub(crate) use locks::Locks;
use orphans::{Names, Orphans};
use places::{Places, Recent};
use plan::Below;
use queue::{Items, queue};
pub(crate) use resume::content_of;
use stop::Stop;

/// What all workers share.
pub(crate) struct Run<'a> {
    options: &'a Options,
    settings: Settings,
    /// `None` if files are converted in place.
    below: Option<Below<'a>>,
    places: Places<'a>,
    claims: Claims,
    locks: Locks,
    /// The cores for large files.
    cores: Cores,
    journal: Option<Journal>,
    /// The files that standard output and standard error were redirected to.
    reports: [Option<FileId>; 2],
    /// The names of temporary files.
    names: Names,
    folders: Folders,
    stop: Stop,
    observer: &'a dyn Observer,
    begun: Instant,
    /// Held while the observer receives an event.
    summary: Mutex<Summary>,
}

/// Converts each file that `paths` name, and each file in the folders that they name, on its own.
///
/// [`Options::out_dir`] or [`Options::in_place`] says where to. `observer` is told about each file when it is
/// done, and `cancel` ends the run early; other threads may use both meanwhile. Nothing is written to
/// standard output or standard error.
///
/// # Errors
///
/// The reason why nothing was begun. Errors about a file are in its [`FileReport`] and in the [`Summary`].
///
/// ```
/// use simdtext_convert::{Cancel, Event, Options, State, convert_tree};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let (input, output) = (folder.path().join("in"), folder.path().join("out"));
/// std::fs::create_dir(&input)?;
/// std::fs::write(input.join("hello"), b"\xCF\xF0\xE8\xE2\xE5\xF2")?;
///
/// let options = Options::new().from(simdtext::WINDOWS_1251).out_dir(&output);
/// let observer = |event: Event<'_>| {
///     if let Event::File { path, report, .. } = event {
///         assert!(path.ends_with("hello"));
///         assert_eq!((report.bytes_in, report.bytes_out), (6, 12));
///     }
/// };
/// let summary = convert_tree(&[input], &options, &Cancel::new(), &observer)?;
/// assert_eq!(summary.count(State::Converted), 1);
/// assert_eq!(std::fs::read_to_string(output.join("hello"))?, "Привет");
/// # Ok(())
/// # }
/// ```
pub fn convert_tree(
    paths: &[PathBuf],
    options: &Options,
    cancel: &Cancel,
    observer: &dyn Observer,
) -> Result<Summary, Error> {
    let mut warn = |message: fmt::Arguments<'_>| observer.event(Event::Warning(message));
    let settings = Settings::new(options, &mut warn)?;
    if options.in_place == options.out_dir.is_some() {
        return Err(Error::Options(String::from(match options.in_place {
            true => "--out-dir and --in-place exclude each other",
            false => "nothing says where to; use --out-dir or --in-place",
        })));
    }
    if let Some(suffix) = &options.backup {
        backup::refuse(suffix, options.in_place).map_err(Error::Options)?;
    }
    if options.fix_declarations {
        declared::refuse(options.to).map_err(Error::Options)?;
    }
    let walk = Walk::with_list(
        paths,
        &options.walk,
        options.decompress,
        options.backup.as_deref(),
        options.from_list.as_deref(),
    )
    .map_err(Error::Options)?;
    plan::refuse(options, &walk, cancel)?;
    let mut locks = Locks::take(options, &walk)?;
    if let Some(warning) = locks.unlocked() {
        warn(format_args!("{warning}"));
    }
    let places = Places::new(options, &walk)?;
    observer.event(Event::Locked);
    let journal = resume::journal(options, &walk)?;
    let names = Names::new(journal.as_ref().map(Journal::run));
    locks.begin();
    let cores = Cores::for_files(options.jobs, locks.count(), &mut warn);
    let folders = Folders::new(
        !options.no_fsync && !options.dry_run,
        cores.spare(locks.count()),
    );
    observer.event(Event::Begin);
    let run = Run {
        options,
        settings,
        below: Below::of(options),
        places,
        claims: Claims::default(),
        locks,
        cores,
        journal,
        reports: [os::stream_id(&io::stdout()), os::stream_id(&io::stderr())],
        names,
        folders,
        stop: Stop::new(cancel),
        observer,
        begun: Instant::now(),
        summary: Mutex::default(),
    };
    run.all(&walk);
    Ok(run.end())
}

impl Run<'_> {
    /// Walks, and converts the files that are found.
    fn all(&self, walk: &Walk<'_>) {
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            let (jobs, items) = queue();
            let done = &done;
            let _ended = self.stop.by_panic();
            // If the system has fewer threads available, those do the work.
            let mut refused = None;
            let mut workers = 0;
            while workers < self.cores.jobs() && refused.is_none() {
                let items = items.clone();
                let spawned = thread::Builder::new().spawn_scoped(scope, || self.work(items));
                match spawned {
                    Ok(_) => workers += 1,
                    Err(error) => refused = Some(error),
                }
            }
            drop(items);
            if let Some(error) = refused {
                self.tell_of_threads(workers, &error);
            }
            if self.observer.wants_total() && workers > 0 {
                // Without a thread for it, the total is not calculated.
                let _ = thread::Builder::new().spawn_scoped(scope, || self.count(walk, done));
            }
            let mut alone = (workers == 0).then(|| Worker::new(self));
            let is_locked = self.locks.unlocked().is_none() && !self.options.dry_run;
            let mut orphans = Orphans::new(&self.names, self.options, is_locked);
            let mut recent = Recent::default();
            let walked = walk.each(&mut |found| {
                self.look_for_orphans(&found, &mut orphans, &mut recent);
                match found {
                    Found::File(job) => match &mut alone {
                        Some(worker) => self.one(worker, &job),
                        // False if the workers have ended.
                        None => return jobs.send(job).is_ok() && !self.stop.is_asked(),
                    },
                    Found::Unusable(odd) => {
                        let failed = odd.severity == Severity::Error;
                        self.odd(odd);
                        if failed && self.options.fail_fast {
                            self.stop.fail();
                        }
                    }
                    Found::Folder { .. } => {}
                }
                !self.stop.is_asked()
            });
            if let Err(error) = walked {
                self.trouble(format_args!(
                    "cannot read the list of files: {}",
                    plain(&error)
                ));
            }
            orphans.tell(&mut |message| self.tell(Event::Notice(message)));
            drop(jobs);
            done.store(true, Ordering::Relaxed);
        });
        if !self.stop.is_asked() {
            for warning in walk.warnings() {
                self.tell(Event::Notice(format_args!("{warning}")));
            }
        }
    }

    /// Reports that there are fewer threads than there should be.
    fn tell_of_threads(&self, workers: usize, error: &io::Error) {
        let used = match workers {
            0 => String::from("files are converted one at a time"),
            number => Counted(number as u64, "thread").to_string() + " convert files",
        };
        self.tell(Event::Notice(format_args!(
            "the system refuses to start more threads: {}; {used}",
            plain(error)
        )));
    }

    /// The work of one worker.
    fn work(&self, jobs: Items<FoundFile>) {
        let _ended = self.stop.by_panic();
        let mut worker = Worker::new(self);
        for job in jobs {
            if self.stop.is_asked() {
                break;
            }
            self.one(&mut worker, &job);
        }
    }

    /// Converts one file, and reports the result.
    fn one(&self, worker: &mut Worker<'_, '_>, job: &FoundFile) {
        let Some(outcome) = worker.convert(job) else {
            return;
        };
        let failed = matches!(
            outcome.state,
            State::Faulty | State::Skipped | State::Failed
        );
        if failed && self.options.fail_fast {
            self.stop.fail();
        }
        self.done(&job.path, &outcome);
    }

    /// Reports what is not a file that can be converted.
    fn odd(&self, odd: UnusableInput) {
        let mut outcome = FileReport::new(self.options.from.named());
        outcome.refuse(match odd.severity {
            Severity::Error => Refusal::fail(format!("cannot be read: {}", odd.why)),
            _ => Refusal::skip(format!("{}; skipped", odd.why)),
        });
        self.done(&odd.path, &outcome);
    }

    /// Reports the result for a file.
    fn done(&self, path: &Path, report: &FileReport) {
        let mut summary = self.summary();
        summary.add(report);
        self.observer.event(Event::File {
            path,
            report,
            summary: &summary,
        });
    }

    /// Reports something that is not about one file.
    fn tell(&self, event: Event<'_>) {
        let _order = self.summary();
        self.observer.event(event);
    }

    /// Reports something that could not be done.
    fn trouble(&self, message: fmt::Arguments<'_>) {
        let mut summary = self.summary();
        summary.severity.worsen(Severity::Error);
        self.observer.event(Event::Error(message));
    }

    fn summary(&self) -> MutexGuard<'_, Summary> {
        lock(&self.summary)
    }

    /// Calculates the total size of the inputs.
    fn count(&self, walk: &Walk<'_>, done: &AtomicBool) {
        let mut bytes = 0;
        let counted = walk.each(&mut |found| {
            if let Found::File(job) = found {
                bytes += std::fs::metadata(&job.path).map_or(0, |metadata| metadata.len());
            }
            !done.load(Ordering::Relaxed) && !self.stop.is_asked()
        });
        if counted.is_ok() {
            self.tell(Event::Total(bytes));
        }
    }

    /// Looks for temporary files of earlier runs in the folders that this run writes to.
    fn look_for_orphans(&self, found: &Found, orphans: &mut Orphans<'_>, recent: &mut Recent) {
        let (path, folder) = match (found, self.below) {
            (Found::Folder { path, relative }, None) if orphans.is_new(path, true) => {
                let folder = self.places.found_folder(path, relative);
                (path.clone(), folder.map(|folder| Some(Arc::new(folder))))
            }
            (Found::Folder { relative, .. }, Some(below)) => {
                let path = below.folder.join(relative);
                if !orphans.is_new(&path, true) {
                    return;
                }
                (path, self.places.output_folder(relative))
            }
            (Found::File(job), below) if job.named || self.options.walk.follow => {
                let target = below.map(|below| below.target(&job.relative));
                let path = folder_of(target.as_ref().unwrap_or(&job.path));
                if !orphans.is_new(&path, false) {
                    return;
                }
                let entry = match below {
                    None => self.places.input(job, recent).map(Some),
                    Some(below) => {
                        let relative = below.relative_target(&job.relative);
                        self.places.output(&relative, recent)
                    }
                };
                (path, entry.map(|entry| entry.map(|entry| entry.folder)))
            }
            _ => return,
        };
        let looked = match folder {
            Ok(Some(folder)) => orphans.look(&folder, &path),
            Ok(None) => Ok(()),
            Err(error) => Err(error),
        };
        if let Err(error) = looked
            && let Some(trouble) = orphans::trouble(&path, &error)
        {
            self.trouble(format_args!("{trouble}"));
        }
    }

    /// Syncs to the disk, and returns the totals.
    fn end(self) -> Summary {
        for (folder, error) in self.folders.settle() {
            self.trouble(format_args!(
                "cannot fsync {}: {}; if the power fails soon, what was written there may be lost",
                shown(&folder),
                plain(&error)
            ));
        }
        let mut summary = self
            .summary
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        summary.cancelled = self.stop.is_cancelled();
        summary.took = self.begun.elapsed();
        summary
    }

    /// Whether this is a file that the run writes to until its end: its journal, or its report.
    fn is_record(&self, id: Option<&FileId>) -> bool {
        self.journal.as_ref().is_some_and(|journal| journal.is(id))
            || id.is_some_and(|id| self.reports.iter().flatten().any(|report| report == id))
    }

    /// Whether files get an extended attribute that says what they were converted to. The bytes of UTF-8 say so
    /// themselves.
    pub(super) fn notes(&self) -> bool {
        self.options.in_place && self.settings.to != UTF_8
    }

    /// Whether this is a file that the run wrote itself. A folder that is changed while it is read may list a
    /// file twice, and converting it twice would damage it.
    fn is_own(&self, id: Option<&FileId>) -> bool {
        let is_written = |id| self.options.in_place && self.claims.has(id);
        self.is_record(id) || id.is_some_and(is_written)
    }
}
