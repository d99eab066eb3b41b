//! The outputs of this run, by what they are.
//!
//! A file system may take two names for one: upper and lower case, or one letter that is composed in
//! two ways. Then the output of one file would replace that of another, and nothing in the names tells.
//! The files themselves do: one that this run wrote, or found to be right, is not another's output.

use std::collections::HashSet;
use std::fs::Metadata;
use std::io;
use std::sync::{Mutex, PoisonError};

use super::places::Entry;
use crate::os::{FileId, Status, Temporary};

/// What this run has put into the output folder, 8 bytes for each file.
#[derive(Default)]
pub(crate) struct Claims(Mutex<HashSet<u64>>);

impl Claims {
    /// Whether this file, which is in the output folder, is an output of this run.
    ///
    /// One file that had several names before the run is the output for each of them.
    pub(crate) fn is_taken(&self, there: &Status) -> bool {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        there.links < 2 && taken.contains(&there.id.key())
    }

    /// What is at its place is the output of a file, as it is. `false` where it is that of another.
    pub(crate) fn claim(&self, there: &Metadata) -> bool {
        let Some(id) = FileId::of(there) else {
            return true;
        };
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !is_new {
            // Nobody else gets in between this look and the renaming.
            match place.status() {
                Ok(there) if there.links < 2 && taken.contains(&there.id.key()) => {
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
}
