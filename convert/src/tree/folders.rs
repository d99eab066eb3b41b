//! The folders in which names were changed, to be synced to the disk at the end.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::mutex::lock;
use crate::os::{FileId, Folder};
use crate::output::folder_of;

/// Folders whose names are not on the disk yet.
pub(crate) struct Folders {
    fsync: bool,
    /// How many folders are kept open before they are synced.
    most: usize,
    changed: Mutex<HashMap<FileId, Arc<Folder>>>,
    /// What could not be synced, and why.
    failed: Mutex<Vec<(PathBuf, io::Error)>>,
}

/// How many folders are kept open at most. More would hardly save another sync.
const MOST: usize = 32;

impl Folders {
    /// `spare` is how many files may be open for this.
    pub(crate) fn new(fsync: bool, spare: usize) -> Self {
        Self {
            fsync,
            most: spare.min(MOST),
            changed: Mutex::default(),
            failed: Mutex::default(),
        }
    }

    /// Records that a name in this folder has changed.
    pub(crate) fn changed(&self, folder: &Arc<Folder>) {
        if !self.fsync {
            return;
        }
        let Ok(id) = folder.id() else {
            return self.sync([Arc::clone(folder)]);
        };
        let mut changed = lock(&self.changed);
        changed.entry(id).or_insert_with(|| Arc::clone(folder));
        if changed.len() >= self.most {
            let many = std::mem::take(&mut *changed);
            drop(changed);
            self.sync(many.into_values());
        }
    }

    /// Waits until all names are on the disk. Returns what could not be synced during the run, and why.
    pub(crate) fn settle(&self) -> Vec<(PathBuf, io::Error)> {
        let many = std::mem::take(&mut *lock(&self.changed));
        self.sync(many.into_values());
        std::mem::take(&mut *lock(&self.failed))
    }

    fn sync(&self, folders: impl IntoIterator<Item = Arc<Folder>>) {
        for folder in folders {
            if let Err(error) = folder.sync() {
                let mut failed = lock(&self.failed);
                // If a disk fails, it fails in every folder.
                if failed.len() < MOST {
                    failed.push((folder.path().to_path_buf(), error));
                }
            }
        }
    }
}

/// Creates a folder, if it does not exist, and those above it. Calls `changed` with each folder that has a new
/// name in it. Returns whether there was something to create.
pub(super) fn make(
    folder: &Path,
    mut changed: impl FnMut(&Path) -> io::Result<()>,
) -> io::Result<bool> {
    let missing: Vec<&Path> = folder
        .ancestors()
        .take_while(|path| !path.as_os_str().is_empty() && !path.is_dir())
        .collect();
    for path in missing.iter().rev() {
        match fs::create_dir(path) {
            // Another worker or process was faster.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => changed(&folder_of(path))?,
        }
    }
    Ok(!missing.is_empty())
}
