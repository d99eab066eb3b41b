//! What a journal knows of the files of earlier runs: each thing as a hash of 8 bytes, so that a million
//! files take some 40 MB.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use crate::os::Stamp;

/// One thing that is known. In place, a file is its own output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fact<'a> {
    /// An output was, or was to be, at this place.
    Place(&'a [u8]),
    /// An input at this place had this size and time. Its inode is not looked at, because it is another
    /// one where a file system was mounted anew.
    InputAt(&'a [u8], u64, i128),
    /// A file that a run wrote, or found at the place of an output.
    Output(Stamp),
    /// An output, and the input that it was made of.
    Pair(Stamp, Stamp),
    /// A file that was as it should be.
    Left(Stamp),
    /// The device and the inode of an output.
    Inode(u64, u64),
    /// Some output has this size.
    Size(u64),
    /// Some output has this content.
    Content(u128),
    /// Some file has this content, and conversion does not change it.
    Same(u128),
}

/// Hashes of facts, sorted when all are there.
pub(super) struct Facts {
    hashes: Vec<u64>,
    hasher: RandomState,
}

impl Facts {
    pub(super) fn new() -> Self {
        Self {
            hashes: Vec::new(),
            hasher: RandomState::new(),
        }
    }

    pub(super) fn add(&mut self, fact: Fact<'_>) {
        self.hashes.push(self.hasher.hash_one(fact));
    }

    /// Must be called after the last [`Facts::add`], before the first [`Facts::has`].
    pub(super) fn settle(&mut self) {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        self.hashes.shrink_to_fit();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    pub(super) fn has(&self, fact: Fact<'_>) -> bool {
        let hash = self.hasher.hash_one(fact);
        self.hashes.binary_search(&hash).is_ok()
    }
}
