//! The outputs of this run: none of them replaces another.
//!
//! A file system may take two names for one: upper and lower case, or one letter that is composed in
//! two ways. Then the output of one file would replace that of another, and nothing in the names tells.
//! The files themselves do: one that this run wrote, or found to be right, is not another's output.
//! Where a file system tells files apart by how they are spelled just now, as some do in user space, what
//! tells is the spelling that a folder lists. Tested in `cli/tests/cli/folding.rs`.

use std::collections::hash_map::{Entry as Slot, RandomState};
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use roaring::RoaringTreemap;

use super::places::Entry;
use crate::os::{FileId, Folder, Status, TEMPORARY_PREFIX, Temporary};

/// What this run has put into the output folder.
#[derive(Default)]
pub(crate) struct Claims {
    /// Files that are made one after the other have numbers that are near each other, so that a compressed
    /// bitmap takes a bit for each, or two bytes at worst: a tree may have many millions of them.
    taken: Mutex<RoaringTreemap>,
    spelling: Mutex<Spelling>,
}

/// What names there are where names are folded, 8 bytes for each.
#[derive(Default)]
struct Spelling {
    /// By device: whether it takes upper and lower case for the same.
    folds: HashMap<u64, bool>,
    /// By folder, relative to the output folder: hashes of all names in it.
    listed: HashMap<PathBuf, HashSet<u64>>,
    hasher: RandomState,
}

impl Claims {
    /// Whether this file, which is in the output folder, is an output of this run.
    ///
    /// One file that had several names before the run is the output for each of them.
    pub(crate) fn is_taken(&self, there: &Status) -> bool {
        let taken = lock(&self.taken);
        there.links < 2 && taken.contains(there.id.key())
    }

    /// What is at its place is the output of a file, as it is. `false` where it is that of another.
    pub(crate) fn claim(&self, there: &Metadata) -> bool {
        let Some(id) = FileId::of(there) else {
            return true;
        };
        let mut taken = lock(&self.taken);
        taken.insert(id.key()) || FileId::links(there) > 1
    }

    /// Puts an output into its place, which is free if it `is_new`; else what is there is replaced. `false` where
    /// that is another output of this run.
    pub(crate) fn put(
        &self,
        file: Temporary,
        id: Option<&FileId>,
        place: &Entry,
        is_new: bool,
    ) -> io::Result<bool> {
        let mut taken = lock(&self.taken);
        if !is_new {
            // Nobody else gets in between this look and the renaming.
            match place.status() {
                Ok(there) if there.links < 2 && taken.contains(there.id.key()) => {
                    return Ok(false);
                }
                Ok(_) => {
                    file.replace(&place.name)?;
                    taken.extend(id.map(FileId::key));
                    return Ok(true);
                }
                // It was removed meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        // Whoever finds it there is to find it here.
        taken.extend(id.map(FileId::key));
        drop(taken);
        file.put(&place.name)?;
        Ok(true)
    }

    /// Whether what is at the place `relative` to the output folder `top` has just that name, and not
    /// one that the file system takes for the same.
    pub(crate) fn is_spelled(
        &self,
        top: &Folder,
        place: &Entry,
        relative: &Path,
    ) -> io::Result<bool> {
        let mut spelling = lock(&self.spelling);
        if !spelling.folds(&place.folder) {
            return Ok(true);
        }
        let mut above = PathBuf::new();
        for name in relative {
            if !spelling.has(top, &above, name)? {
                return Ok(false);
            }
            above.push(name);
        }
        Ok(true)
    }

    /// An output was put at the place `relative` to the output folder.
    pub(crate) fn is_put(&self, relative: &Path) {
        let mut spelling = lock(&self.spelling);
        if spelling.listed.is_empty() {
            return;
        }
        let mut above = PathBuf::new();
        for name in relative {
            let hash = spelling.hasher.hash_one(name);
            // What was not listed yet has it when it is.
            if let Some(names) = spelling.listed.get_mut(&above) {
                names.insert(hash);
            }
            above.push(name);
        }
    }
}

impl Spelling {
    /// Whether names in the folder are folded. Where no file can be made that would tell, nothing can be
    /// replaced, either.
    fn folds(&mut self, folder: &Arc<Folder>) -> bool {
        let Ok(id) = folder.id() else { return false };
        *(self.folds.entry(id.device()))
            .or_insert_with(|| folder.folds_names(TEMPORARY_PREFIX).unwrap_or(false))
    }

    /// Whether a folder, relative to `top`, lists just this name.
    fn has(&mut self, top: &Folder, folder: &Path, name: &OsStr) -> io::Result<bool> {
        let hash = self.hasher.hash_one(name);
        Ok(match self.listed.entry(folder.to_path_buf()) {
            Slot::Occupied(names) => names.get().contains(&hash),
            Slot::Vacant(slot) => {
                let names = top.open_beneath(folder)?.names_with("")?;
                let names = names.iter().map(|name| self.hasher.hash_one(name));
                slot.insert(names.collect()).contains(&hash)
            }
        })
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
