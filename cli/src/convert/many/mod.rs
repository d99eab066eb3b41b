//! Each file on its own, on all cores: `--out-dir` and `--in-place`.
//!
//! One thread walks and fills a queue, the others convert: see `file.rs` for what happens to one
//! file, and `replace.rs` and `journal.rs` for why none is lost. Tested in `tests/cli/many.rs` and
//! its neighbours.

mod against;
mod backup;
mod beside;
mod claims;
mod declared;
mod doubts;
mod file;
mod folders;
mod groups;
mod holder;
mod journal;
mod locks;
mod mounts;
mod original;
mod orphans;
mod outcome;
mod places;
mod placing;
mod plan;
mod progress;
mod queue;
mod replace;
mod report;
mod resume;
mod stop;
mod verify;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use roaring::RoaringTreemap;

use crate::args::ConvertArgs;
use crate::convert::cores::Cores;
use crate::convert::output::folder_of;
use crate::convert::settings::Settings;
use crate::exit::Exit;
use crate::message::{Counted, Escaped, plain, say};
use crate::os::FileId;
use crate::walk::{Found, Job, Walk};
use claims::Claims;
use file::Worker;
use folders::Folders;
use journal::{Journal, Use};
pub(crate) use locks::Locks;
use orphans::{Names, Orphans, Wish};
use outcome::State;
use places::{Places, Recent};
use plan::{Plan, real_of};
use progress::Progress;
use queue::Queue;
use report::Report;
use stop::Stop;

/// What all workers share.
pub(crate) struct Run<'a> {
    args: &'a ConvertArgs,
    settings: Settings,
    plan: Plan,
    places: Places,
    claims: Claims,
    locks: Locks,
    /// For big files. Each of as many workers has a core for the others.
    cores: Cores,
    journal: Option<Journal>,
    /// How temporary files are called.
    names: Names,
    folders: Folders,
    stop: Stop,
    progress: Progress,
    report: Mutex<Report<'a>>,
    /// Files that were put into the tree that is being walked, where the walk may come upon them.
    written: Mutex<RoaringTreemap>,
}

/// `Err` says why nothing was begun.
pub(crate) fn run(args: &ConvertArgs, settings: Settings) -> Result<Exit, String> {
    let many = &args.many;
    if many.fix_declarations {
        declared::refuse(args.to)?;
    }
    let walk = Walk::with_list(
        &args.files,
        &many.walk,
        args.decompress,
        many.backup.as_deref(),
        many.from_list.as_deref(),
    )?;
    let plan = Plan::new(args, &walk)?;
    let (mut locks, unlocked) = Locks::take(args, &walk, &plan)?;
    for warning in unlocked {
        say(format_args!("{warning}"));
    }
    let places = Places::new(args, &walk)?;
    let (stop, uncaught) = Stop::on_signals();
    if let Some(error) = uncaught {
        say(format_args!(
            "signals can't be caught: {}; one that ends this run may leave temporary files, which \
             --remove-orphans removes",
            plain(&error)
        ));
    }
    let journal = match &many.resume {
        None => None,
        Some(path) => {
            let with = Use {
                options: &options(args, &settings),
                roots: &folders_of(&walk),
                fsync: !many.no_fsync,
                dry: many.dry_run,
            };
            Journal::open(path, &with)?
        }
    };
    let names = Names::new(journal.as_ref().map(Journal::run));
    let report =
        Report::new(args).map_err(|error| format!("cannot write <stdout>: {}", plain(&error)))?;
    locks.begin();
    let cores = Cores::for_files(many.jobs, locks.count());
    let run = Run {
        args,
        settings,
        plan,
        places,
        claims: Claims::default(),
        locks,
        cores,
        journal,
        names,
        folders: Folders::new(!many.no_fsync && !many.dry_run),
        stop,
        progress: Progress::new(many),
        report: Mutex::new(report),
        written: Mutex::default(),
    };
    run.all(&walk);
    Ok(run.end())
}

impl Run<'_> {
    /// Walks, and converts what is found.
    fn all(&self, walk: &Walk<'_>) {
        let queue = Queue::new();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            // Where the system has fewer threads to give, those that there are do the work.
            let (queue, done) = (&queue, &done);
            let mut refused = None;
            let mut workers = 0;
            while workers < self.cores.jobs() && refused.is_none() {
                let spawned = thread::Builder::new().spawn_scoped(scope, || self.work(queue));
                match spawned {
                    Ok(_) => workers += 1,
                    Err(error) => refused = Some(error),
                }
            }
            if let Some(error) = refused {
                self.tell_of_threads(workers, &error);
            }
            if self.progress.is_shown() && workers > 0 {
                // The bar does without its total where there is no thread for it.
                let _ = thread::Builder::new().spawn_scoped(scope, || self.count(walk, done));
            }
            let mut alone = (workers == 0).then(|| Worker::new(self));
            let mut orphans = Orphans::new(&self.names, self.wish());
            let mut recent = Recent::default();
            let walked = walk.each(&mut |found| {
                self.look_for_orphans(&found, &mut orphans, &mut recent);
                match found {
                    Found::File(job) => match &mut alone {
                        Some(worker) => self.one(worker, &job),
                        None => {
                            queue.push(job);
                        }
                    },
                    Found::Odd(odd) => {
                        let failed = odd.exit == Exit::Trouble;
                        self.report(|report| report.odd(&odd, &self.progress));
                        if failed && self.args.many.fail_fast {
                            self.stop.fail();
                        }
                    }
                    Found::Folder { .. } => {}
                }
                !self.stop.is_asked()
            });
            if let Err(error) = walked {
                self.report(|report| {
                    report.trouble(&format!("cannot read the list of files: {}", plain(&error)));
                });
            }
            if !self.args.many.quiet {
                self.progress.aside(|| orphans.tell());
            }
            queue.close();
            done.store(true, Ordering::Relaxed);
        });
        if !self.args.many.quiet && !self.stop.is_asked() {
            self.progress.aside(|| {
                for warning in walk.warnings() {
                    say(format_args!("{warning}"));
                }
            });
        }
    }

    /// Says that there are fewer threads than there should be.
    fn tell_of_threads(&self, workers: usize, error: &io::Error) {
        if !self.args.many.quiet {
            let used = match workers {
                0 => String::from("files are converted one at a time"),
                number => Counted(number as u64, "thread").to_string() + " convert files",
            };
            say(format_args!(
                "the system has no further thread to give: {}; {used}",
                plain(error)
            ));
        }
    }

    /// What one worker does.
    fn work(&self, queue: &Queue<Job>) {
        let mut worker = Worker::new(self);
        loop {
            let jobs = queue.pop();
            if jobs.is_empty() || self.stop.is_asked() {
                break;
            }
            for job in jobs {
                if !self.stop.is_asked() {
                    self.one(&mut worker, &job);
                }
            }
        }
        if self.stop.is_asked() {
            queue.abandon();
        }
    }

    /// Converts one file, and reports on it.
    fn one(&self, worker: &mut Worker<'_, '_>, job: &Job) {
        let Some(outcome) = worker.convert(job) else {
            return;
        };
        let failed = matches!(
            outcome.state,
            State::Faulty | State::Skipped | State::Failed
        );
        if failed && self.args.many.fail_fast {
            self.stop.fail();
        }
        self.report(|report| report.file(job, &outcome, &self.progress));
    }

    /// Finds out how much there is, for the progress bar.
    fn count(&self, walk: &Walk<'_>, done: &AtomicBool) {
        let mut bytes = 0;
        let counted = walk.each(&mut |found| {
            if let Found::File(job) = found {
                bytes += std::fs::metadata(&job.path).map_or(0, |metadata| metadata.len());
            }
            !done.load(Ordering::Relaxed) && !self.stop.is_asked()
        });
        if counted.is_ok() {
            self.progress.total(bytes);
        }
    }

    /// What is to become of the temporary files of earlier runs.
    fn wish(&self) -> Wish {
        Wish {
            remove: self.args.many.remove_orphans,
            is_locked: self.locks.is_complete() && !self.args.many.dry_run,
            dry: self.args.many.dry_run,
        }
    }

    /// Looks for temporary files of earlier runs where this run writes.
    fn look_for_orphans(&self, found: &Found, orphans: &mut Orphans<'_>, recent: &mut Recent) {
        let below = match &self.plan {
            Plan::InPlace => None,
            Plan::Below(below) => Some(below),
        };
        let (path, folder) = match (found, below) {
            (Found::Folder { path, relative }, None) if orphans.is_new(path, true) => {
                let folder = self.places.found_folder(path, relative);
                (path.clone(), folder.map(Some))
            }
            (Found::Folder { relative, .. }, Some(below)) => {
                let path = below.folder.join(relative);
                if !orphans.is_new(&path, true) {
                    return;
                }
                (path, self.places.output_folder(relative))
            }
            (Found::File(job), _) if job.named || self.args.many.walk.follow => {
                let path = folder_of(&self.plan.target(job));
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
            self.report(|report| report.trouble(&trouble));
        }
    }

    /// Waits for the disk, and sums up.
    fn end(self) -> Exit {
        self.progress.end();
        let mut report = self
            .report
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        for (folder, error) in self.folders.settle() {
            report.trouble(&format!(
                "cannot fsync {}: {}",
                Escaped(&folder.to_string_lossy()),
                plain(&error)
            ));
        }
        report.end(self.stop.signal())
    }

    fn report(&self, tell: impl FnOnce(&mut Report<'_>)) {
        tell(&mut self.report.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// A file with this identity is put into its place.
    fn wrote(&self, id: Option<FileId>) {
        if let Some(id) = id
            && self.args.many.in_place
        {
            let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
            written.insert(id.key());
        }
    }

    /// Whether this is a file that the run wrote itself. A folder that is changed while it is read
    /// may name a file twice, and to convert it twice would damage it.
    fn is_own(&self, id: Option<&FileId>) -> bool {
        if self.journal.as_ref().is_some_and(|journal| journal.is(id)) {
            return true;
        }
        let written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        id.is_some_and(|id| written.contains(id.key()))
    }
}

/// The folders that are named as PATH, without links.
fn folders_of(walk: &Walk<'_>) -> Vec<PathBuf> {
    let folders = walk
        .roots
        .iter()
        .filter(|root| root.kind.is_some_and(|kind| kind.is_dir()));
    folders.filter_map(|root| root.real.clone()).collect()
}

/// The flags that decide what is written, for the journal.
fn options(args: &ConvertArgs, settings: &Settings) -> String {
    let many = &args.many;
    let place = match &many.out_dir {
        None => String::from("in-place"),
        Some(folder) => {
            // However it is spelled. What is not there yet is made below what is.
            format!("out-dir={}", escaped(&real_of(folder)))
        }
    };
    format!(
        "from={} to={} bom={:?} output-bom={} invalid={:?} unmappable={:?} decompress={} \
         compress={:?} force={} per-line={} undo={} guess={:?} accept={} \
         declarations={} {place}",
        match many.from_list {
            None => args.from.to_string(),
            Some(_) => String::from("list"),
        },
        settings.to,
        settings.bom,
        args.output_bom,
        settings.invalid,
        settings.unmappable,
        args.decompress,
        many.compress,
        many.force,
        args.per_line,
        args.undo_double_encoding,
        args.guess,
        many.accept_guess,
        many.fix_declarations,
    )
}

/// A path in one line.
fn escaped(path: &Path) -> String {
    crate::os::name_bytes(path).escape_ascii().to_string()
}
