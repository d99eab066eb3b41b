//! Temporary files of runs that were killed: how they are recognised, and what is done about them.
//!
//! Their names say which run made them. Those of earlier runs of the same journal are removed. Those of other
//! runs are reported, or removed with `--remove-orphans`: the locks guarantee that no other run works in the
//! same folders (see `locks.rs`), and a run with one output holds a lock on its temporary file.

use std::collections::hash_map::RandomState;
use std::collections::{BTreeSet, HashSet};
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::message::{Counted, Voice, plain, shown, shown_below};
use crate::options::Options;
use crate::os::{self, Folder, Kind, TEMPORARY_PREFIX, is_temporary_name};

/// The prefix of the names of a run's temporary files.
pub(crate) struct Names {
    /// The prefixes of all runs of the journal.
    journal: Option<String>,
    own: String,
}

impl Names {
    /// `journal` is the id of its runs.
    pub(super) fn new(journal: Option<&str>) -> Self {
        let hash = RandomState::new().hash_one(std::process::id());
        let short = hash & 0xFFFF_FFFF;
        Self {
            journal: journal.map(|run| format!("{TEMPORARY_PREFIX}{run}-")),
            own: match journal {
                Some(run) => format!("{TEMPORARY_PREFIX}{run}-{short:08x}-"),
                None => format!("{TEMPORARY_PREFIX}{hash:016x}-{short:08x}-"),
            },
        }
    }

    /// The prefix for the temporary files of this run.
    pub(crate) fn own(&self) -> &str {
        &self.own
    }

    fn is_own(&self, name: &str) -> bool {
        name.starts_with(&self.own)
    }

    /// Whether an earlier run of the same journal made it.
    fn is_earlier(&self, name: &str) -> bool {
        let journal = self.journal.as_ref();
        journal.is_some_and(|journal| name.starts_with(journal)) && !self.is_own(name)
    }
}

/// The temporary files that were found.
pub(super) struct Orphans<'a> {
    names: &'a Names,
    options: &'a Options,
    /// Whether it is certain that no other run works here.
    is_locked: bool,
    /// Hashes of the folders that were searched.
    seen: HashSet<u64>,
    hasher: RandomState,
    removed: u64,
    left: u64,
    /// The first of the files that are left.
    named: BTreeSet<PathBuf>,
}

/// How many folders are remembered. Beyond that, only folders that are walked are searched.
const MOST: usize = 1 << 16;

/// How many files a message names.
const NAMED: usize = 10;

impl<'a> Orphans<'a> {
    pub(super) fn new(names: &'a Names, options: &'a Options, is_locked: bool) -> Self {
        Self {
            names,
            options,
            is_locked,
            seen: HashSet::new(),
            hasher: RandomState::new(),
            removed: 0,
            left: 0,
            named: BTreeSet::new(),
        }
    }

    /// Whether the folder at this path still has to be searched. If it `is_walked`, it comes only once.
    pub(super) fn is_new(&mut self, path: &Path, is_walked: bool) -> bool {
        if self.seen.len() >= MOST {
            return is_walked;
        }
        self.seen.insert(self.hasher.hash_one(path))
    }

    /// Searches a folder.
    pub(super) fn look(&mut self, folder: &Arc<Folder>, path: &Path) -> io::Result<()> {
        for name in folder.names_with(TEMPORARY_PREFIX)? {
            let Some(text) = name.to_str() else { continue };
            if self.names.is_own(text) || !is_temporary_name(text) {
                continue;
            }
            match folder.status(&name, false) {
                Ok(status) if status.kind == Kind::File => {}
                _ => continue,
            }
            let is_earlier = self.names.is_earlier(text);
            if !is_earlier && is_in_use(folder, &name) {
                continue;
            }
            let (remove, dry) = (self.options.remove_orphans, self.options.dry_run);
            if is_earlier && dry {
                continue;
            }
            if !dry && (is_earlier || remove && self.is_locked) {
                match folder.unlink(&name) {
                    Ok(()) => self.removed += 1,
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
            } else {
                self.left += 1;
                if self.named.len() < NAMED {
                    self.named.insert(path.join(&name));
                }
            }
        }
        Ok(())
    }

    /// Reports what was found.
    pub(super) fn tell(&self, voice: Voice<'_>) {
        if self.removed > 0 {
            voice(format_args!(
                "removed {} of earlier runs",
                Counted(self.removed, "temporary file")
            ));
        }
        if self.left == 0 {
            return;
        }
        let remove = self.options.remove_orphans;
        let advice = if remove && self.options.dry_run {
            "left because a dry run removes nothing"
        } else if remove && !self.is_locked {
            "left because folders can't be locked here, so that another run may be using them"
        } else {
            "--remove-orphans removes them"
        };
        // Without locks that is not known.
        let whose = if self.is_locked {
            "earlier runs that were killed"
        } else {
            "runs that were killed, or of one that is still at work"
        };
        voice(format_args!(
            "{} of {whose}; {advice}:{}",
            Counted(self.left, "temporary file"),
            shown_below(&self.named, self.left)
        ));
    }
}

/// Whether a run that is still working holds a lock on the file.
fn is_in_use(folder: &Folder, name: &std::ffi::OsStr) -> bool {
    match folder.open_file(name, false) {
        Ok(file) => matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock)),
        // If it can't be opened, that can't be known.
        Err(_) => true,
    }
}

/// The message if a folder can't be searched; `None` if none is needed.
pub(super) fn trouble(path: &Path, error: &io::Error) -> Option<String> {
    // The previous run left nothing, or nothing was written there.
    if error.kind() == io::ErrorKind::NotFound || os::is_link_refused(error) {
        return None;
    }
    Some(format!(
        "cannot look for temporary files of earlier runs in {}: {}",
        shown(path),
        plain(error)
    ))
}

#[cfg(test)]
mod tests {
    use super::Names;
    use crate::os::is_temporary_name;

    #[test]
    fn which_names_are_ours() {
        let names = Names::new(Some("0123456789abcdef"));
        let own = names.own().to_owned() + "x1Y2z3";
        assert!(is_temporary_name(&own) && names.is_own(&own) && !names.is_earlier(&own));
        let earlier = ".simdtext-0123456789abcdef-00000000-x1Y2z3";
        assert!(is_temporary_name(earlier) && names.is_earlier(earlier));
        let old = ".simdtext-0123456789abcdef-x1Y2z3";
        assert!(is_temporary_name(old) && names.is_earlier(old));
        let other = Names::new(None).own().to_owned() + "x1Y2z3";
        assert!(is_temporary_name(&other) && !names.is_own(&other) && !names.is_earlier(&other));
        for name in [
            ".simdtext-notes",
            ".simdtext-0123456789abcdef",
            ".simdtext-0123456789abcdef-",
            ".simdtext-0123456789abcdeg-x",
            ".simdtext-0123456789abcdef-my notes",
            "simdtext-0123456789abcdef-x1Y2z3",
        ] {
            assert!(!is_temporary_name(name), "{name}");
        }
    }
}
