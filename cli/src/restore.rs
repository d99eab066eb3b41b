//! `simdtext restore`: undoes a run of `convert --in-place --backup`. Each backup takes the place of the
//! file that it is the backup of.
//!
//! A file that was changed since it was converted is left alone. That is told by times: the conversion
//! wrote the new file before it made the backup, and the system noted when the backup lost its first
//! name, which nobody can set back. What was written later was written by somebody else.

use std::collections::{BTreeMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use ignore::{Walk, WalkBuilder};
use serde::Serialize;

use crate::args::RestoreArgs;
use crate::convert::Locks;
use crate::exit::Exit;
use crate::input::{Input, JsonPath};
use crate::message::{Counted, Escaped, cannot_write_stdout, plain, say};
use crate::os::{self, Folder, Kind, Status};

/// How long after its backup a file may have been touched by the run that made both, in nanoseconds.
const SAME_MOMENT: i128 = 2_000_000_000;

pub(crate) fn run(args: &RestoreArgs) -> Exit {
    let out: Box<dyn Write + Send> = match os::standard_output() {
        Ok(out) => out,
        Err(error) => {
            cannot_write_stdout(&error);
            return Exit::Trouble;
        }
    };
    let mut job = Job {
        args,
        out: BufWriter::new(out),
        exit: Exit::Clean,
        counts: BTreeMap::new(),
    };
    for tree in &args.trees {
        if let Err(message) = job.tree(tree) {
            say(format_args!("{message}"));
            job.exit.worsen(Exit::Trouble);
        }
    }
    job.end()
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Done {
    Restored,
    Left,
    Failed,
}

impl Done {
    fn name(self) -> &'static str {
        match self {
            Self::Restored => "restored",
            Self::Left => "skipped",
            Self::Failed => "failed",
        }
    }
}

/// Why a file is not restored.
enum Refusal {
    Left(String),
    Failed(io::Error),
}

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

/// One line of `--json`.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Object<'a> {
    File {
        #[serde(flatten)]
        path: JsonPath,
        backup: JsonPath,
        result: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<&'a str>,
        version: &'static str,
    },
    Summary {
        files: u64,
        results: BTreeMap<&'static str, u64>,
        version: &'static str,
    },
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

struct Job<'a> {
    args: &'a RestoreArgs,
    out: BufWriter<Box<dyn Write + Send>>,
    exit: Exit,
    counts: BTreeMap<Done, u64>,
}

impl Job<'_> {
    /// Restores all that is in a folder, or one file. `Err` says why nothing was begun.
    fn tree(&mut self, tree: &Path) -> Result<(), String> {
        let shown = tree.to_string_lossy();
        let cannot = |error: &io::Error| format!("{}: {}", Escaped(&shown), plain(error));
        let is_folder = match fs::metadata(tree) {
            Ok(metadata) => metadata.is_dir(),
            // It may have been removed, and its backup be there.
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(cannot(&error)),
        };
        let top = if is_folder {
            tree.to_path_buf()
        } else {
            crate::convert::folder_of(tree)
        };
        let folder = Folder::open(&top).map_err(|error| cannot(&error))?;
        let _locks = if self.args.dry_run {
            None
        } else {
            let (locks, unlocked) = Locks::of_folder(&top)?;
            for warning in unlocked {
                say(format_args!("{warning}"));
            }
            Some(locks)
        };
        if !is_folder {
            let name = tree.file_name().unwrap_or_default();
            let mut backup = name.to_os_string();
            backup.push(&self.args.backup);
            if folder.status(&backup, false).is_err() {
                return Err(format!(
                    "{}: it has no backup, {}",
                    Escaped(&shown),
                    Escaped(&backup.to_string_lossy())
                ));
            }
            self.file(&folder, &backup);
            self.settle(&folder);
            return Ok(());
        }
        // Rules are for files. What they say of a backup, they need not say of what it is the backup of.
        let mut found = HashSet::new();
        for entry in self.walk(tree, self.args.hidden, self.args.no_ignore) {
            match entry {
                // A tree may be named by a link to it. Below, none is followed.
                Ok(entry)
                    if entry.depth() == 0
                        || entry.file_type().is_some_and(|kind| kind.is_dir()) =>
                {
                    let below = entry.path().strip_prefix(tree).unwrap_or(Path::new(""));
                    let entered = match below.as_os_str().is_empty() {
                        true => self.folder(&folder, &mut found),
                        false => (folder.open_beneath(below))
                            .and_then(|folder| self.folder(&folder, &mut found)),
                    };
                    if let Err(error) = entered {
                        let shown = entry.path().to_string_lossy();
                        say(format_args!("{}: {}", Escaped(&shown), plain(&error)));
                        self.exit.worsen(Exit::Trouble);
                    }
                }
                Ok(_) => {}
                Err(error) => {
                    say(format_args!("{}", Escaped(&error.to_string())));
                    self.exit.worsen(Exit::Trouble);
                }
            }
        }
        self.tell_of_others(tree, &found);
        Ok(())
    }

    fn walk(&self, tree: &Path, hidden: bool, no_ignore: bool) -> Walk {
        WalkBuilder::new(tree)
            .hidden(!hidden)
            .parents(!no_ignore)
            .ignore(!no_ignore)
            .git_ignore(!no_ignore)
            .git_global(!no_ignore)
            .git_exclude(!no_ignore)
            .build()
    }

    /// Whether it is the name of a backup.
    fn is_backup(&self, name: &OsStr) -> bool {
        original_of(name, &self.args.backup).is_some()
    }

    /// Restores what is in a folder, and notes the backups.
    fn folder(&mut self, folder: &Folder, found: &mut HashSet<PathBuf>) -> io::Result<()> {
        let mut names = folder.names_with("")?;
        names.retain(|name| {
            self.is_backup(name)
                && (self.args.hidden || !os::name_bytes(Path::new(name)).starts_with(b"."))
                && (folder.status(name, false)).is_ok_and(|status| status.kind == Kind::File)
        });
        names.sort();
        for name in &names {
            self.file(folder, name);
            found.insert(folder.path().join(name));
        }
        if !names.is_empty() {
            self.settle(folder);
        }
        Ok(())
    }

    /// Says what was left out as hidden or ignored, which may have been converted as well.
    fn tell_of_others(&mut self, tree: &Path, found: &HashSet<PathBuf>) {
        let mut others = 0;
        if !(self.args.hidden && self.args.no_ignore) {
            for entry in self.walk(tree, true, true).filter_map(Result::ok) {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                if is_file && self.is_backup(entry.file_name()) && !found.contains(entry.path()) {
                    others += 1;
                }
            }
        }
        let shown = tree.to_string_lossy();
        if others > 0 {
            self.exit.worsen(Exit::Faults);
        }
        if self.args.quiet {
            return;
        }
        let end = Escaped(&self.args.backup);
        if others > 0 {
            say(format_args!(
                "{}: {} left alone whose names end with {end}, because they or their folders are \
                 hidden or ignored; --hidden and --no-ignore restore from them, too",
                Escaped(&shown),
                Counted(others, "file"),
            ));
        } else if found.is_empty() {
            say(format_args!(
                "{}: no file there ends with {end}",
                Escaped(&shown)
            ));
        }
    }

    /// Restores one file, and reports on it.
    fn file(&mut self, folder: &Folder, backup: &OsStr) {
        let Some(name) = original_of(backup, &self.args.backup) else {
            return;
        };
        let (done, message) = match self.restore(folder, &name, backup) {
            Ok(()) => (Done::Restored, None),
            Err(Refusal::Left(why)) => (Done::Left, Some(format!("{why}; left alone"))),
            Err(Refusal::Failed(error)) => (
                Done::Failed,
                Some(format!("cannot be restored: {}", plain(&error))),
            ),
        };
        *self.counts.entry(done).or_default() += 1;
        self.exit.worsen(match done {
            Done::Restored => Exit::Clean,
            Done::Left => Exit::Faults,
            Done::Failed => Exit::Trouble,
        });
        let path = Input::Path(folder.path().join(&name));
        if let Some(message) = message.as_ref()
            && (done == Done::Failed || !self.args.quiet)
        {
            say(format_args!("{path}: {message}"));
        }
        let written = if self.args.json {
            let object = Object::File {
                path: JsonPath::new(&path),
                backup: JsonPath::new(&Input::Path(folder.path().join(backup))),
                result: done.name(),
                message: message.as_deref(),
                version: VERSION,
            };
            self.write(&object)
        } else if done == Done::Restored && self.args.dry_run {
            writeln!(self.out, "{path}: would be restored")
        } else {
            if done == Done::Restored && self.args.verbose {
                say(format_args!("{path}: restored"));
            }
            Ok(())
        };
        self.told(written);
    }

    fn restore(&self, folder: &Folder, name: &OsStr, backup: &OsStr) -> Result<(), Refusal> {
        let kept = folder.status(backup, false)?;
        let there = match folder.status(name, false) {
            Ok(there) => Some(there),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        if kept.kind != Kind::File {
            return Err(Refusal::Left(String::from("its backup is no regular file")));
        }
        if let Some(there) = &there {
            if there.kind != Kind::File {
                return Err(Refusal::Left(String::from(
                    "something that is no regular file took its place",
                )));
            }
            if there.id != kept.id && !self.args.force && was_changed(there, &kept) {
                return Err(Refusal::Left(String::from(
                    "it was changed after it was converted, and the changes would be lost; --force \
                     restores it all the same",
                )));
            }
        }
        if self.args.dry_run {
            return Ok(());
        }
        match there {
            // The run was killed before it replaced the file.
            Some(there) if there.id == kept.id => folder.unlink(backup)?,
            Some(_) => folder.rename(backup, name)?,
            None => {
                // Nobody's new file is overwritten.
                folder.link(backup, name).or_else(|error| {
                    if os::is_link_impossible(&error) {
                        folder.rename(backup, name)
                    } else {
                        Err(error)
                    }
                })?;
                if folder.status(backup, false).is_ok() {
                    folder.unlink(backup)?;
                }
            }
        }
        Ok(())
    }

    /// Brings a folder to the disk in which files were restored.
    fn settle(&mut self, folder: &Folder) {
        if !self.args.dry_run
            && let Err(error) = folder.sync()
        {
            let path = folder.path().to_string_lossy();
            say(format_args!(
                "{} can't be fsynced: {}",
                Escaped(&path),
                plain(&error)
            ));
            self.exit.worsen(Exit::Trouble);
        }
    }

    fn write(&mut self, object: &Object<'_>) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, object)?;
        writeln!(self.out)
    }

    /// A reader that has left stops nothing: the files are what the run is for.
    fn told(&mut self, written: io::Result<()>) {
        if let Err(error) = written
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            cannot_write_stdout(&error);
            self.exit.worsen(Exit::Trouble);
        }
    }

    fn end(mut self) -> Exit {
        let files = self.counts.values().sum();
        let results: BTreeMap<_, _> = self
            .counts
            .iter()
            .map(|(done, files)| (done.name(), *files))
            .collect();
        if !self.args.quiet {
            let of: Vec<_> = results
                .iter()
                .map(|(name, files)| format!("{files} {name}"))
                .collect();
            let colon = if of.is_empty() { "" } else { ": " };
            let dry = if self.args.dry_run {
                " (nothing was changed)"
            } else {
                ""
            };
            say(format_args!(
                "{}{colon}{}{dry}",
                Counted(files, "backup"),
                of.join(", ")
            ));
        }
        if self.args.json {
            let written = self.write(&Object::Summary {
                files,
                results,
                version: VERSION,
            });
            self.told(written);
        }
        let flushed = self.out.flush();
        self.told(flushed);
        self.exit
    }
}

/// Whether a file was written, or its owner, mode or times were set, after its backup was made.
fn was_changed(there: &Status, kept: &Status) -> bool {
    there.modified > kept.changed || there.changed > kept.changed + SAME_MOMENT
}

/// The name that a backup is of.
fn original_of(backup: &OsStr, suffix: &str) -> Option<OsString> {
    let bytes = os::name_bytes(Path::new(backup));
    let name = bytes.strip_suffix(suffix.as_bytes())?;
    if name.is_empty() {
        return None;
    }
    os::path_of_bytes(name.to_vec())
        .ok()
        .map(PathBuf::into_os_string)
}
