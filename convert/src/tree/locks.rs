//! Locks that keep two runs from converting the same files at the same time.
//!
//! A run locks each folder that it walks or changes, and shares a lock on every folder above, as far as they
//! can be read. So a run on a folder excludes one on a folder below it, but not one on a folder next to it. A
//! lock is on the folder itself and not on its path: links and mounts that lead to the same folder lead to
//! the same lock. (For the folders above it, see `mounts.rs`.) The system removes a lock when the process
//! ends for any reason. Tested in `cli/tests/cli/locks.rs`.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::folders::make;
use super::holder::holder;
use super::inside::{LastFolder, real_of};
use super::mounts::Mounts;
use crate::error::Error;
use crate::message::{plain, shown};
use crate::options::Options;
use crate::os::{Folder, Stamp};
use crate::output::folder_of;
use crate::walk::{Found, Walk};

/// The locks of a run, which last as long as it does.
#[derive(Default)]
pub(crate) struct Locks {
    held: Vec<File>,
    /// The message about a folder that is changed and can't be locked, so that another run may work in it.
    unlocked: Option<String>,
    /// An output folder that was created to lock it.
    made: Option<PathBuf>,
}

/// How many folders are locked at most. If there are more, folders above them are locked instead.
const MOST: usize = 96;

/// How many folders are collected before they are reduced to fewer.
const MOST_NOTED: usize = 4096;

impl Locks {
    /// Locks what the run reads and writes. `Err` says which other run works there.
    pub(super) fn take(options: &Options, walk: &Walk<'_>) -> Result<Self, Error> {
        let mut locks = Self::default();
        if options.dry_run {
            return Ok(locks);
        }
        let mut wanted = Wanted::default();
        let in_place = options.in_place;
        for root in &walk.roots {
            let Some(real) = &root.real else { continue };
            if root.is_folder() {
                // This also applies if the run only reads: otherwise it would miss a run that changes a
                // folder below.
                wanted.exclusive.insert(real.clone());
            } else if in_place {
                wanted.exclusive.insert(folder_of(real));
            } else {
                wanted.shared.insert(folder_of(real));
            }
        }
        let follow = in_place && options.walk.follow;
        if walk.has_list() || follow {
            let inputs = if in_place {
                &mut wanted.exclusive
            } else {
                &mut wanted.shared
            };
            add_files(inputs, walk, follow)?;
        }
        if let Some(folder) = &options.out_dir {
            let cannot = |error| Error::io(format_args!("cannot make {}", shown(folder)), &error);
            let sync = |above: &Path| {
                if options.no_fsync {
                    Ok(())
                } else {
                    Folder::open(above)?.sync()
                }
            };
            if make(folder, sync).map_err(cannot)? {
                locks.made = Some(folder.clone());
            }
            wanted.exclusive.insert(real_of(folder));
        }
        locks.hold(wanted)?;
        Ok(locks)
    }

    /// Locks a folder in order to change what is in it.
    pub(crate) fn of_folder(folder: &Path) -> Result<Self, Error> {
        let mut locks = Self::default();
        locks.hold(Wanted {
            exclusive: BTreeSet::from([real_of(folder)]),
            ..Wanted::default()
        })?;
        Ok(locks)
    }

    fn hold(&mut self, mut wanted: Wanted) -> Result<(), Error> {
        wanted.add_mounts(&Mounts::of_the_system());
        let mut taken = HashSet::new();
        for (folder, kind) in wanted.bounded() {
            match lock(&folder, kind, &mut taken) {
                Ok(file) => self.held.extend(file),
                Err(TryLockError::WouldBlock) => {
                    let refusal = refusal(&folder, kind, &wanted.exclusive);
                    return Err(Error::InUse(refusal));
                }
                Err(TryLockError::Error(error)) if kind == LockKind::Exclusive => {
                    self.unlocked.get_or_insert_with(|| {
                        format!(
                            "{} can't be locked: {}; nothing keeps another run from converting the \
                             same files at the same time",
                            shown(&folder),
                            plain(&error)
                        )
                    });
                }
                Err(TryLockError::Error(_)) => {}
            }
        }
        Ok(())
    }

    /// Called when the run begins: an output folder that was created stays.
    pub(super) fn begin(&mut self) {
        self.made = None;
    }

    /// The number of file descriptors that the locks use.
    pub(super) fn count(&self) -> usize {
        self.held.len()
    }

    /// The message about what could not be locked.
    pub(crate) fn unlocked(&self) -> Option<&str> {
        self.unlocked.as_deref()
    }
}

impl Drop for Locks {
    /// Removes the output folder again, if nothing was begun.
    fn drop(&mut self) {
        if let Some(folder) = &self.made {
            let _ = fs::remove_dir(folder);
        }
        for file in self.held.drain(..) {
            // Closing it is not enough if a process was forked meanwhile, which has it open, too.
            let _ = file.unlock();
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LockKind {
    /// The run walks the folder, or changes what is in it.
    Exclusive,
    /// The run reads files in the folder.
    Shared,
    /// The folder is above another one that is locked.
    Above,
}

/// Locks a folder. `None` if the run has locked it already, by another path.
fn lock(
    folder: &Path,
    kind: LockKind,
    taken: &mut HashSet<(u64, u64)>,
) -> Result<Option<File>, TryLockError> {
    let opened = File::open(folder).and_then(|file| Ok((Stamp::of(&file.metadata()?), file)));
    let (stamp, file) = opened.map_err(TryLockError::Error)?;
    if !taken.insert((stamp.device, stamp.inode)) {
        return Ok(None);
    }
    match kind {
        LockKind::Exclusive => file.try_lock()?,
        LockKind::Shared | LockKind::Above => file.try_lock_shared()?,
    }
    Ok(Some(file))
}

/// Folders to lock, without links.
#[derive(Default)]
struct Wanted {
    exclusive: BTreeSet<PathBuf>,
    shared: BTreeSet<PathBuf>,
    /// Other paths that lead to these folders.
    others: HashSet<PathBuf>,
}

impl Wanted {
    /// Adds other paths that lead to the same folders, so that the folders above those are locked, too.
    fn add_mounts(&mut self, mounts: &Mounts) {
        for folders in [&mut self.exclusive, &mut self.shared] {
            let others: Vec<PathBuf> = (folders.iter())
                .flat_map(|folder| mounts.others(folder))
                .collect();
            self.others.extend(others.iter().cloned());
            folders.extend(others);
        }
    }

    /// The folders in the order in which they are locked: first those that no other run may have.
    fn bounded(&mut self) -> Vec<(PathBuf, LockKind)> {
        loop {
            reduce(&mut self.exclusive);
            self.shared
                .retain(|folder| !is_below(folder, &self.exclusive));
            let mut above = BTreeSet::new();
            for folder in self.exclusive.iter().chain(&self.shared) {
                above.extend(folder.ancestors().skip(1).map(Path::to_path_buf));
            }
            above.retain(|folder| {
                !self.exclusive.contains(folder)
                    && !self.shared.contains(folder)
                    && !folder.as_os_str().is_empty()
            });
            if self.exclusive.len() + self.shared.len() + above.len() <= MOST
                || !(raise(&mut self.shared) | raise(&mut self.exclusive))
            {
                let of = |folders: &BTreeSet<PathBuf>, kind| {
                    let folders = folders.iter().map(|folder| (folder.clone(), kind));
                    folders.collect::<Vec<_>>()
                };
                let mut all = of(&self.exclusive, LockKind::Exclusive);
                all.extend(of(&self.shared, LockKind::Shared));
                all.extend(of(&above, LockKind::Above));
                // Paths that were named come first, so that messages show these.
                all.sort_by_key(|(folder, kind)| (*kind, self.others.contains(folder)));
                return all;
            }
        }
    }
}

fn is_below(folder: &Path, folders: &BTreeSet<PathBuf>) -> bool {
    folder.ancestors().any(|above| folders.contains(above))
}

/// Drops folders that are below another one.
fn reduce(folders: &mut BTreeSet<PathBuf>) {
    let mut last: Option<PathBuf> = None;
    folders.retain(|folder| {
        // A folder comes before those below it, and these come before any other.
        if last.as_ref().is_some_and(|last| folder.starts_with(last)) {
            return false;
        }
        last = Some(folder.clone());
        true
    });
}

/// Replaces the deepest folders by those above them. `false` if there are none above.
fn raise(folders: &mut BTreeSet<PathBuf>) -> bool {
    let depth = |folder: &PathBuf| folder.components().count();
    let deepest = folders.iter().map(depth).max().unwrap_or(0);
    if folders.len() < 2 || deepest < 2 {
        return false;
    }
    let raised = folders.iter().map(|folder| match folder.parent() {
        Some(above) if depth(folder) == deepest => above.to_path_buf(),
        _ => folder.clone(),
    });
    *folders = raised.collect();
    true
}

/// Records the folders of listed files. With `follow`, also those that links lead to, because what is there
/// is changed.
fn add_files(folders: &mut BTreeSet<PathBuf>, walk: &Walk<'_>, follow: bool) -> Result<(), Error> {
    let mut last = LastFolder::default();
    let mut note = |path: &Path| {
        if let Ok(real) = last.real(path)
            && !is_below(&real, folders)
        {
            folders.insert(real);
        }
        while folders.len() > MOST_NOTED {
            reduce(folders);
            if !raise(folders) {
                break;
            }
        }
    };
    walk.before(&mut |found| {
        match found {
            Found::File(job) if job.named || follow => {
                let real = if follow && is_link(&job.path) {
                    fs::canonicalize(&job.path).unwrap_or(job.path)
                } else {
                    job.path
                };
                note(&folder_of(&real));
            }
            Found::Folder { path, .. } if follow => note(&path),
            _ => {}
        }
        true
    })
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

/// The message about another run that works in `folder`.
fn refusal(folder: &Path, kind: LockKind, wanted: &BTreeSet<PathBuf>) -> String {
    let below = wanted.iter().find(|wanted| wanted.starts_with(folder));
    let what = match (kind, below) {
        (LockKind::Above, Some(below)) => {
            format!("{}, which {} is in,", shown(folder), shown(below))
        }
        _ => shown(folder),
    };
    let who = holder(folder).map_or_else(String::new, |holder| format!(" ({holder})"));
    format!(
        "{what} is in use by another run{who}; nothing was read or written. Run this again when that \
         run has ended"
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    use super::{LockKind, MOST, Wanted};

    fn folders<const N: usize>(paths: [&str; N]) -> BTreeSet<PathBuf> {
        paths.into_iter().map(PathBuf::from).collect()
    }

    #[test]
    fn what_is_below_another_needs_no_lock_of_its_own() {
        let mut wanted = Wanted {
            exclusive: folders(["/a/b", "/a/b/c", "/a/b-c", "/d/e"]),
            shared: folders(["/a/b/x", "/a", "/f"]),
            ..Wanted::default()
        };
        let all: Vec<_> = wanted
            .bounded()
            .into_iter()
            .map(|(folder, kind)| (folder.to_str().map(String::from).unwrap_or_default(), kind))
            .collect();
        let wanted = [
            ("/a/b", LockKind::Exclusive),
            ("/a/b-c", LockKind::Exclusive),
            ("/d/e", LockKind::Exclusive),
            ("/a", LockKind::Shared),
            ("/f", LockKind::Shared),
            ("/", LockKind::Above),
            ("/d", LockKind::Above),
        ];
        assert_eq!(
            all,
            wanted.map(|(folder, kind)| (String::from(folder), kind))
        );
    }

    #[test]
    fn of_very_many_those_above_are_locked() {
        let many = (0..10_000).map(|i| PathBuf::from(format!("/top/{}/{i}/deep", i % 7)));
        let mut wanted = Wanted {
            exclusive: many.collect(),
            ..Wanted::default()
        };
        let all = wanted.bounded();
        assert!(all.len() <= MOST, "{}", all.len());
        let exclusive = all.iter().filter(|(_, kind)| *kind == LockKind::Exclusive);
        let exclusive: BTreeSet<PathBuf> = exclusive.map(|(folder, _)| folder.clone()).collect();
        for i in 0..10_000 {
            let folder = PathBuf::from(format!("/top/{}/{i}/deep", i % 7));
            assert!(super::is_below(&folder, &exclusive), "{folder:?}");
        }
        assert!(!exclusive.contains(&PathBuf::from("/")));
    }
}
