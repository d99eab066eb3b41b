//! The folders that outputs go to: made as needed, never outside, and on the disk at the end.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::os;

/// Folders whose names are not on the disk yet.
pub(crate) struct Folders {
    fsync: bool,
    changed: Mutex<HashSet<PathBuf>>,
}

/// How many folders are kept in mind before they are seen to.
const MOST: usize = 1000;

impl Folders {
    pub(crate) fn new(fsync: bool) -> Self {
        Self {
            fsync,
            changed: Mutex::new(HashSet::new()),
        }
    }

    /// A name in this folder has changed.
    pub(crate) fn changed(&self, folder: &Path) -> io::Result<()> {
        if !self.fsync {
            return Ok(());
        }
        let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        if !changed.contains(folder) {
            changed.insert(folder.to_path_buf());
        }
        if changed.len() < MOST {
            return Ok(());
        }
        let many = std::mem::take(&mut *changed);
        drop(changed);
        many.iter().try_for_each(|folder| os::sync_folder(folder))
    }

    /// Waits until the disk has all names. What could not be waited for, and why.
    pub(crate) fn settle(&self) -> Vec<(PathBuf, io::Error)> {
        let mut changed = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *changed)
            .into_iter()
            .filter_map(|folder| os::sync_folder(&folder).err().map(|error| (folder, error)))
            .collect()
    }

    /// Makes `folder`, which is at or below `top`, and those above it. Refuses to go through links,
    /// which may lead outside.
    pub(crate) fn make(&self, top: &Path, folder: &Path) -> io::Result<()> {
        if !top.is_dir() {
            self.make_top(top)?;
        }
        let mut path = top.to_path_buf();
        let below = folder.strip_prefix(top).map_err(io::Error::other)?;
        for component in below.components() {
            let Component::Normal(name) = component else {
                return Err(io::Error::other("it would not be below the output folder"));
            };
            let above = path.clone();
            path.push(name);
            loop {
                match fs::symlink_metadata(&path) {
                    Ok(metadata) if metadata.is_dir() => break,
                    Ok(metadata) if metadata.is_symlink() => {
                        return Err(io::Error::other(
                            "a folder above it is a symbolic link, which may lead out of the output \
                             folder",
                        ));
                    }
                    Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {
                        self.make_one(&path, &above)?;
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Makes the output folder itself. It was named, so that links on the way are meant.
    fn make_top(&self, top: &Path) -> io::Result<()> {
        let missing: Vec<&Path> = top
            .ancestors()
            .take_while(|path| !path.as_os_str().is_empty() && !path.is_dir())
            .collect();
        for path in missing.iter().rev() {
            self.make_one(path, &crate::convert::output::folder_of(path))?;
        }
        Ok(())
    }

    fn make_one(&self, path: &Path, above: &Path) -> io::Result<()> {
        match fs::create_dir(path) {
            // Another worker was faster.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        self.changed(above)
    }
}
