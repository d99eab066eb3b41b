//! Undoes a run in place that kept backups. Each backup takes the place of its file.
//!
//! A file whose backup another program has made, or written to, is left alone: the converted file has an attribute that
//! says what its backup is. So is a file that was changed since it was converted. Times reveal that: the conversion
//! wrote the new file before it made the backup, and the system recorded when the backup lost its original name, a
//! time that nobody can set back. What was written later was written by somebody else. The attribute also has a hash of
//! what was written, for times that are too close to each other, and for clocks that were set back.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use crate::error::Error;
use crate::message::{Counted, Escaped, plain, shown};
use crate::os::{self, Folder, Kind, NotedBackup, Status};
use crate::output::folder_of;
use crate::severity::Severity;
use crate::tree::{Locks, backup_of, content_of};
use crate::walk::{RuledWalk, UnusableInput};

/// How long after the creation of its backup a file may still have been touched by the run that made both, in
/// nanoseconds.
const SAME_MOMENT: i128 = 2_000_000_000;

/// What to restore, and how safely.
#[derive(Clone, Debug, Default)]
pub struct RestoreOptions {
    backup: String,
    force: bool,
    dry_run: bool,
    hidden: bool,
    no_ignore: bool,
}

impl RestoreOptions {
    /// Restores from backups whose names end with `suffix`, as [`Options::backup`](crate::Options::backup)
    /// made them.
    pub fn new(suffix: impl Into<String>) -> Self {
        Self {
            backup: suffix.into(),
            ..Self::default()
        }
    }

    /// Whether files that were changed after they were converted are restored, too, and from backups that another
    /// program made or changed: the changes are lost.
    #[must_use]
    pub fn force(mut self, force: bool) -> Self {
        self.force = force;
        self
    }

    /// Whether nothing is changed, and the report says what would be.
    #[must_use]
    pub fn dry_run(mut self, dry_run: bool) -> Self {
        self.dry_run = dry_run;
        self
    }

    /// Whether to look into hidden folders, and for backups of hidden files, too.
    #[must_use]
    pub fn hidden(mut self, hidden: bool) -> Self {
        self.hidden = hidden;
        self
    }

    /// Whether to look into folders that `.gitignore` and similar files exclude, too.
    #[must_use]
    pub fn no_ignore(mut self, no_ignore: bool) -> Self {
        self.no_ignore = no_ignore;
        self
    }
}

/// The result for a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Restored {
    /// It took the place of its file, or would in a dry run.
    Restored,
    /// It was left alone, for the reason that is given.
    Left,
    /// It could not be restored.
    Failed,
}

impl Restored {
    /// The name in the JSON of the command.
    pub fn name(self) -> &'static str {
        match self {
            Self::Restored => "restored",
            Self::Left => "skipped",
            Self::Failed => "failed",
        }
    }
}

/// An event while files are restored.
#[derive(Debug)]
#[non_exhaustive]
pub enum RestoreEvent<'a> {
    /// A backup was handled.
    #[non_exhaustive]
    File {
        /// The file that the backup was made of.
        path: &'a Path,
        /// The backup.
        backup: &'a Path,
        /// The result.
        restored: Restored,
        /// Why it was not restored.
        why: Option<&'a str>,
    },
    /// A warning. The run goes on.
    Warning(fmt::Arguments<'a>),
    /// A piece of information.
    Notice(fmt::Arguments<'a>),
    /// Something that is not about one file could not be done.
    Error(fmt::Arguments<'a>),
}

/// The totals of restoring.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RestoreSummary {
    /// The number of backups with each result.
    pub counts: BTreeMap<Restored, u64>,
    /// The worst severity of all events.
    pub severity: Severity,
}

/// Undoes runs with [`Options::backup`](crate::Options::backup): each backup in one of the `trees` takes the
/// place of its file. A tree is a folder, or a file that has a backup.
///
/// ```
/// use simdtext_convert::{Cancel, Options, RestoreOptions, Restored, convert_tree, restore};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let tree = [folder.path().to_path_buf()];
/// let file = tree[0].join("text");
/// std::fs::write(&file, b"\x93\xFA\x96{\x8C\xEA")?;
/// let options = Options::new().from(simdtext::SHIFT_JIS).in_place(true).backup(Some(".orig"));
/// convert_tree(&tree, &options, &Cancel::new(), &())?;
/// assert_eq!(std::fs::read_to_string(&file)?, "日本語");
///
/// let summary = restore(&tree, &RestoreOptions::new(".orig"), &mut |_event| {});
/// # if summary.counts.contains_key(&Restored::Left) {
/// #     return Ok(()); // A file system without extended attributes.
/// # }
/// assert_eq!(summary.counts[&Restored::Restored], 1);
/// assert_eq!(std::fs::read(&file)?, b"\x93\xFA\x96{\x8C\xEA");
/// # Ok(())
/// # }
/// ```
pub fn restore(
    trees: &[PathBuf],
    options: &RestoreOptions,
    observer: &mut dyn FnMut(RestoreEvent<'_>),
) -> RestoreSummary {
    let mut job = RestoreJob {
        options,
        observer,
        summary: RestoreSummary::default(),
        linked: HashMap::new(),
    };
    for tree in trees {
        if let Err(error) = job.tree(tree) {
            job.trouble(format_args!("{error}"));
        }
    }
    job.summary
}

/// The reason why a file is not restored.
enum NotRestored {
    Left(String),
    Failed(io::Error),
}

impl NotRestored {
    fn left(why: impl Into<String>) -> Self {
        Self::Left(why.into())
    }
}

impl From<io::Error> for NotRestored {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

struct RestoreJob<'a> {
    options: &'a RestoreOptions,
    observer: &'a mut dyn FnMut(RestoreEvent<'_>),
    summary: RestoreSummary,
    /// When backups with several names last changed: restoring one of the names changes that time for the others.
    linked: HashMap<u64, i128>,
}

impl RestoreJob<'_> {
    /// Restores everything in a folder, or one file. `Err` says why nothing was begun.
    fn tree(&mut self, tree: &Path) -> Result<(), Error> {
        let cannot = |error: &io::Error| Error::io(shown(tree), error);
        let is_folder = match fs::metadata(tree) {
            Ok(metadata) => metadata.is_dir(),
            // The file may have been removed while its backup still exists.
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(cannot(&error)),
        };
        let top = if is_folder {
            tree.to_path_buf()
        } else {
            folder_of(tree)
        };
        let folder = Folder::open(&top).map_err(|error| cannot(&error))?;
        let _locks = if self.options.dry_run {
            None
        } else {
            let locks = Locks::of_folder(&top)?;
            if let Some(warning) = locks.unlocked() {
                (self.observer)(RestoreEvent::Warning(format_args!("{warning}")));
            }
            Some(locks)
        };
        if !is_folder {
            let backup = backup_of(tree.file_name().unwrap_or_default(), &self.options.backup);
            if folder.status(&backup, false).is_err() {
                let what = if tree.exists() {
                    "it has no backup,"
                } else {
                    "there is no such file or folder, and no backup"
                };
                return Err(Error::Io {
                    message: format!("{}: {what} {}", shown(tree), shown(&backup)),
                    kind: io::ErrorKind::NotFound,
                });
            }
            self.file(&folder, &backup);
            self.settle(&folder);
            return Ok(());
        }
        // Patterns are about files. What they say about a backup need not hold for its file.
        let mut found = HashSet::new();
        for entry in RuledWalk::new(
            tree,
            self.options.hidden,
            self.options.no_ignore,
            None,
            |_| {},
        ) {
            match entry {
                // A tree may be named by a link to it. Links in it are not followed.
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
                        let shown = shown(entry.path());
                        self.trouble(format_args!("{shown}: {}", plain(&error)));
                    }
                }
                Ok(_) => {}
                Err(UnusableInput { path, why, .. }) => {
                    self.trouble(format_args!("{}: {why}", shown(path)));
                }
            }
        }
        self.tell_of_others(tree, &found);
        Ok(())
    }

    /// Whether this is the name of a backup.
    fn is_backup(&self, name: &OsStr) -> bool {
        original_of(name, &self.options.backup).is_some()
    }

    /// Restores the files of a folder, and records the backups.
    fn folder(&mut self, folder: &Folder, found: &mut HashSet<PathBuf>) -> io::Result<()> {
        let mut names = folder.names_with("")?;
        names.retain(|name| {
            self.is_backup(name)
                && (self.options.hidden || !os::name_bytes(Path::new(name)).starts_with(b"."))
                && (folder.status(name, false)).map_or(true, |status| status.kind == Kind::File)
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

    /// Reports what was left out as hidden or ignored, which may have been converted as well.
    fn tell_of_others(&mut self, tree: &Path, found: &HashSet<PathBuf>) {
        let mut others = 0;
        if !(self.options.hidden && self.options.no_ignore) {
            for entry in RuledWalk::new(tree, true, true, None, |_| {}).flatten() {
                let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                if is_file && self.is_backup(entry.file_name()) && !found.contains(entry.path()) {
                    others += 1;
                }
            }
        }
        if others > 0 {
            self.summary.severity.worsen(Severity::Faults);
        }
        let end = Escaped(&self.options.backup);
        if others > 0 {
            (self.observer)(RestoreEvent::Notice(format_args!(
                "{}: {} left alone whose names end with {end}, because they or their folders are \
                 hidden or ignored; --hidden and --no-ignore restore from them, too",
                shown(tree),
                Counted(others, "file"),
            )));
        } else if found.is_empty() {
            (self.observer)(RestoreEvent::Notice(format_args!(
                "{}: no file there ends with {end}",
                shown(tree)
            )));
        }
    }

    /// Restores one file, and reports the result.
    fn file(&mut self, folder: &Folder, backup: &OsStr) {
        let Some(name) = original_of(backup, &self.options.backup) else {
            return;
        };
        let (restored, why) = match self.restore(folder, &name, backup) {
            Ok(()) => (Restored::Restored, None),
            Err(NotRestored::Left(why)) => (Restored::Left, Some(format!("{why}; left alone"))),
            Err(NotRestored::Failed(error)) => (
                Restored::Failed,
                Some(format!("cannot be restored: {}", plain(&error))),
            ),
        };
        *self.summary.counts.entry(restored).or_default() += 1;
        self.summary.severity.worsen(match restored {
            Restored::Restored => Severity::Clean,
            Restored::Left => Severity::Faults,
            Restored::Failed => Severity::Error,
        });
        (self.observer)(RestoreEvent::File {
            path: &folder.path().join(&name),
            backup: &folder.path().join(backup),
            restored,
            why: why.as_deref(),
        });
    }

    fn trouble(&mut self, message: fmt::Arguments<'_>) {
        (self.observer)(RestoreEvent::Error(message));
        self.summary.severity.worsen(Severity::Error);
    }

    fn restore(
        &mut self,
        folder: &Folder,
        name: &OsStr,
        backup: &OsStr,
    ) -> Result<(), NotRestored> {
        let mut kept = folder.status(backup, false)?;
        if kept.links > 1 {
            kept.changed = *self.linked.entry(kept.id.key()).or_insert(kept.changed);
        }
        let there = match folder.status(name, false) {
            Ok(there) => Some(there),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        if kept.kind != Kind::File {
            return Err(NotRestored::left("its backup is not a regular file"));
        }
        if let Some(there) = &there {
            if there.kind != Kind::File {
                return Err(NotRestored::left(
                    "something that is not a regular file took its place",
                ));
            }
            if there.id != kept.id && !self.options.force {
                check_converted(folder, name, there, backup, &kept)?;
            }
        }
        if there.is_none()
            && !self.options.force
            && let Some(file) = file_without_punctuation(folder, name)
        {
            return Err(NotRestored::Left(format!(
                "there is no such file, and {} is rather a backup of {file}, with a longer suffix than --backup \
                 names; --force restores it all the same",
                shown(backup)
            )));
        }
        if self.options.dry_run {
            return Ok(folder.check_changeable()?);
        }
        match there {
            // The run was killed before it replaced the file.
            Some(there) if there.id == kept.id => folder.unlink(backup)?,
            Some(_) => folder.rename(backup, name)?,
            None => {
                // A new file of another program is never overwritten.
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

    /// Syncs a folder in which files were restored to the disk.
    fn settle(&mut self, folder: &Folder) {
        if !self.options.dry_run
            && let Err(error) = folder.sync()
        {
            let path = shown(folder.path());
            self.trouble(format_args!("{path} can't be fsynced: {}", plain(&error)));
        }
    }
}

/// Refuses a file that was changed since it was converted, and a backup that is not what the conversion kept.
fn check_converted(
    folder: &Folder,
    name: &OsStr,
    there: &Status,
    backup: &OsStr,
    kept: &Status,
) -> Result<(), NotRestored> {
    let changed = || {
        NotRestored::left(
            "it was changed after it was converted, and the changes would be lost; --force \
             restores it all the same",
        )
    };
    let file = folder.open_file(name, false)?;
    let noted = os::noted_backup(&file, &kept.stamp());
    if was_changed(there, kept) {
        // Windows and FAT have no time of the last change, and that of the last modification is in its place.
        let has_changed = kept.changed != kept.modified || there.changed != there.modified;
        return Err(if has_changed || noted != NotedBackup::Unknown {
            changed()
        } else {
            NotRestored::left(
                "its file system doesn't record what would tell whether it was changed after it was converted; \
                 --force restores it all the same",
            )
        });
    }
    let is_ours = match noted {
        // Times don't tell if the clock was set back, or within the moment in which the backup was made.
        NotedBackup::This(content) if content_of(&file)? as u64 != content => return Err(changed()),
        NotedBackup::This(_) => true,
        NotedBackup::Other => false,
        // Times tell whether the backup was written to since; an original may have a time of modification in the
        // future, which was set.
        NotedBackup::Unknown => kept.modified <= there.modified || kept.modified > kept.changed,
    };
    if is_ours {
        return Ok(());
    }
    Err(NotRestored::Left(format!(
        "{} is not the original that was kept: another program made or changed it, or the tree \
         was copied without extended attributes; --force restores it all the same",
        shown(backup)
    )))
}

/// Whether a file was written, or its owner, mode or times were set, after its backup was made. With
/// `--preserve`, its time of modification is that of the original, which may be in the future.
fn was_changed(there: &Status, kept: &Status) -> bool {
    there.modified > kept.changed && there.modified != kept.modified
        || there.changed > kept.changed + SAME_MOMENT
}

/// The file that has this name without the dot (or a hyphen and so on) at its end, if there is one: with the suffix
/// `orig` in place of `.orig`, `a.orig` would become `a.`.
fn file_without_punctuation(folder: &Folder, name: &OsStr) -> Option<String> {
    let bytes = os::name_bytes(Path::new(name));
    let end = bytes
        .iter()
        .rposition(|byte| !matches!(byte, b'.' | b'-' | b'_' | b'~'))?;
    let bare = bytes.get(..=end).filter(|bare| bare.len() < bytes.len())?;
    let bare = os::path_of_bytes(bare.to_vec()).ok()?;
    folder.status(bare.as_os_str(), false).ok()?;
    Some(shown(&bare))
}

/// The name of the file that a backup was made of.
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
