//! What a journal says about the files of earlier runs. Each fact is a hash of 8 bytes, so that a million
//! files take about 40 MB.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;

use super::format::Record;
use crate::os::Stamp;

/// What an earlier run did with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// Nothing, or nothing that was completed.
    Nothing,
    Finished,
    /// Finished it, but the file was changed afterwards.
    Changed,
    /// Wrote its output, but the output was changed afterwards.
    OutputChanged,
    /// Perhaps finished it: it wrote the same few bytes to a file with another name.
    Unsure,
}

/// A file of fewer bytes may be the same as some output by chance.
const TELLING: u64 = 32;

/// Stands for the result of a file that was not converted because it is UTF-8.
const ALREADY: &str = "already";

/// A fact. With in-place conversion, a file is its own output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Fact<'a> {
    /// An output was written at this place, or should have been.
    Place(&'a [u8]),
    /// An input at this place had this size and time. Its inode does not count, because it may change when a
    /// file system is mounted again.
    InputAt(&'a [u8], u64, i128),
    /// A run wrote this file, or found it at the place of an output.
    Output(Stamp),
    /// This output was made from this input, with the encoding that a list gave for it.
    Pair(Stamp, Stamp, &'a str),
    /// This file was up to date.
    Left(Stamp),
    /// An output has this device and inode.
    Inode(u64, u64),
    /// An output has this size.
    Size(u64),
    /// An output has this content.
    Content(u128),
    /// A file has this content, and conversion does not change it.
    Same(u128),
}

/// Hashes of facts; sorted once all are known.
#[derive(Default)]
pub(super) struct Facts {
    hashes: Vec<u64>,
    hasher: RandomState,
}

impl Facts {
    /// Learns the facts that a line states.
    pub(super) fn learn(&mut self, record: &Record<'_>) {
        let place = record.place.as_bytes();
        let (input, output) = (record.input, record.output);
        let mut add = |fact| self.add(fact);
        if record.path.is_some() {
            add(Fact::Pair(input, output, record.listed));
            add(Fact::Output(output));
            add(Fact::Place(place));
            if let Some(over) = record.over {
                add(Fact::Output(over));
            }
        } else if input == output {
            add(Fact::Left(output));
            // UTF-8 is recognised by its bytes, and may be changed at any time.
            if record.result != ALREADY {
                add(Fact::Place(place));
            }
            if let Some(content) = record.content {
                add(Fact::Same(content));
            }
        } else {
            add(Fact::Output(output));
            add(Fact::Place(place));
            add(Fact::Inode(output.device, output.inode));
            add(Fact::InputAt(place, input.size, input.modified));
        }
        if let Some(content) = record.content {
            add(Fact::Size(output.size));
            add(Fact::Content(content));
        }
    }

    /// What an earlier run did with the file whose output belongs at `place`, where `output` exists now; with
    /// in-place conversion that is the input itself. `listed` is the encoding that a list gives for it. `content`
    /// reads the output, and returns the hash of its bytes.
    pub(super) fn before(
        &self,
        place: &[u8],
        input: Stamp,
        output: Stamp,
        listed: &str,
        content: impl FnOnce() -> io::Result<u128>,
    ) -> io::Result<Before> {
        let is_ours = self.has(Fact::Output(output));
        let is_placed = self.has(Fact::Place(place));
        let read = || -> io::Result<Option<u128>> {
            let of_that_size = self.has(Fact::Size(output.size));
            of_that_size.then(content).transpose()
        };
        if input != output {
            return Ok(if self.has(Fact::Pair(input, output, listed)) {
                Before::Finished
            } else if !is_placed || is_ours || read()?.is_some_and(|it| self.has(Fact::Content(it)))
            {
                Before::Nothing
            } else {
                Before::OutputChanged
            });
        }
        if (is_ours && is_placed) || self.has(Fact::Left(output)) {
            return Ok(Before::Finished);
        }
        if let Some(content) = read()? {
            if self.has(Fact::Same(content)) {
                return Ok(Before::Finished);
            }
            if self.has(Fact::Content(content)) {
                let is_told = is_ours || is_placed || output.size >= TELLING;
                return Ok(if is_told {
                    Before::Finished
                } else {
                    Before::Unsure
                });
            }
        }
        let is_original = self.has(Fact::InputAt(place, input.size, input.modified));
        let was_written = is_ours
            || is_placed
            || (input.inode != 0 && self.has(Fact::Inode(input.device, input.inode)));
        Ok(if was_written && !is_original {
            Before::Changed
        } else {
            Before::Nothing
        })
    }

    fn add(&mut self, fact: Fact<'_>) {
        self.hashes.push(self.hasher.hash_one(fact));
    }

    /// Must be called after the last [`Facts::learn`], before the first [`Facts::before`].
    pub(super) fn settle(&mut self) {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        self.hashes.shrink_to_fit();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    fn has(&self, fact: Fact<'_>) -> bool {
        let hash = self.hasher.hash_one(fact);
        self.hashes.binary_search(&hash).is_ok()
    }
}
