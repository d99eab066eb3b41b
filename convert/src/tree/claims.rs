//! Makes sure that no output of this run replaces another.
//!
//! A file system may take two names for the same: in upper and lower case, or with a letter that is composed
//! in two ways. Then the output of one file would replace that of another, and the names do not reveal it.
//! The files do: one that this run wrote, or found to be up to date, is not the output of another file. On
//! some file systems in user space, the identity of a file depends on the spelling by which it was opened;
//! there the spelling that a folder lists decides. Tested in `cli/tests/cli/folding.rs`.

use std::collections::hash_map::{Entry as Slot, RandomState};
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::Metadata;
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use roaring::RoaringTreemap;

use super::places::Entry;
use crate::mutex::lock;
use crate::os::{FileId, Folder, Status, TEMPORARY_PREFIX, Temporary};

/// The files that this run has put into their places.
#[derive(Default)]
pub(crate) struct Claims {
    /// Files that are created one after the other have numbers close to each other. So a compressed bitmap
    /// takes one bit for each, or two bytes at worst; a tree may have many millions of them.
    taken: Mutex<RoaringTreemap>,
    spelling: Mutex<Spelling>,
}

/// The names in folders in which upper and lower case are the same, 8 bytes for each.
#[derive(Default)]
struct Spelling {
    /// For each device, whether it takes upper and lower case for the same.
    folds: HashMap<u64, bool>,
    /// For each folder, relative to the output folder, hashes of all names in it.
    listed: HashMap<PathBuf, HashSet<u64>>,
    hasher: RandomState,
}

impl Claims {
    /// Whether this file in the output folder is an output of this run.
    ///
    /// A file that had several names before the run is the output for each of them.
    pub(crate) fn is_taken(&self, there: &Status) -> bool {
        there.links < 2 && self.has(&there.id)
    }

    /// Whether this run has written this file, or found it to be up to date.
    pub(crate) fn has(&self, id: &FileId) -> bool {
        lock(&self.taken).contains(id.key())
    }

    /// Records a file that replaces its original. The walk may find it again.
    pub(crate) fn add(&self, id: Option<&FileId>) {
        lock(&self.taken).extend(id.map(FileId::key));
    }

    /// What exists at its place is the output of a file already. `false` if it is the output of another file.
    pub(crate) fn claim(&self, there: &Metadata) -> bool {
        let Some(id) = FileId::of(there) else {
            return true;
        };
        let mut taken = lock(&self.taken);
        taken.insert(id.key()) || FileId::links(there) > 1
    }

    /// Puts an output into its place. If it `is_new` the place is free, and otherwise what exists there is
    /// replaced. `false` if that is another output of this run.
    pub(crate) fn put(
        &self,
        file: Temporary,
        id: Option<&FileId>,
        place: &Entry,
        is_new: bool,
    ) -> io::Result<bool> {
        let mut taken = lock(&self.taken);
        if !is_new {
            // The lock keeps others out between this look and the renaming.
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
        // Whoever finds it at its place must also find it in this list.
        taken.extend(id.map(FileId::key));
        drop(taken);
        file.put(&place.name)?;
        Ok(true)
    }

    /// Whether the name at the place `relative` to the output folder `top` is spelled just like that, and is
    /// not another one that the file system takes for the same.
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

    /// Records that an output was put at the place `relative` to the output folder.
    pub(crate) fn is_put(&self, relative: &Path) {
        let mut spelling = lock(&self.spelling);
        if spelling.listed.is_empty() {
            return;
        }
        let mut above = PathBuf::new();
        for name in relative {
            let hash = spelling.hasher.hash_one(name);
            // A folder that was not listed yet will list this name.
            if let Some(names) = spelling.listed.get_mut(&above) {
                names.insert(hash);
            }
            above.push(name);
        }
    }
}

impl Spelling {
    /// Whether upper and lower case are the same in the folder. If no file can be created to find out,
    /// nothing can be replaced, either.
    fn folds(&mut self, folder: &Arc<Folder>) -> bool {
        let Ok(id) = folder.id() else { return false };
        *(self.folds.entry(id.device())).or_insert_with(|| folds_names(folder).unwrap_or(false))
    }

    /// Whether a folder, relative to `top`, lists exactly this name.
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

/// Whether names in the folder are the same in upper and lower case. A file is created and removed to find out.
fn folds_names(folder: &Arc<Folder>) -> io::Result<bool> {
    let probe = folder.create_temporary(TEMPORARY_PREFIX, true)?;
    match folder.status(&probe.name().to_ascii_uppercase(), false) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
