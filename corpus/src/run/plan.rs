//! Units of work: what a thread reads at a time. They depend only on the inputs, so that the output does not
//! depend on the number of threads, and a run can be resumed.

use sha2::{Digest, Sha256};

use super::jsonl::hex;
use crate::options::Options;
use crate::split::{Split, splits};
use crate::walk::{Files, Found};

/// The maximum number of files in a unit.
const MAX_FILES: usize = 4096;

/// A part of a file, or the whole file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) split: Split,
    pub(super) file: Found,
}

/// Several small files, or a part of a large one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) number: u64,
    pub(super) pieces: Vec<Piece>,
    /// Shows whether the unit of another run was the same.
    pub(super) fingerprint: String,
}

/// Makes units as they are asked for.
pub(super) struct Plan<'a> {
    files: Files,
    /// A file that was found, but was too large for the last unit.
    next: Option<Found>,
    /// Parts of a large file that have not been returned yet, the last one first.
    parts: Vec<Split>,
    of_large: Option<Found>,
    bytes: u64,
    number: u64,
    options: &'a Options,
}

impl<'a> Plan<'a> {
    pub(super) fn new(files: Files, bytes: u64, options: &'a Options) -> Self {
        Self {
            files,
            next: None,
            parts: Vec::new(),
            of_large: None,
            bytes,
            number: 0,
            options,
        }
    }

    /// Returns the number of units so far.
    pub(super) fn units(&self) -> u64 {
        self.number
    }

    /// Returns the number of links, devices and so on that were skipped.
    pub(super) fn no_files(&self) -> u64 {
        self.files.no_files()
    }

    fn unit(&mut self, pieces: Vec<Piece>, hash: Sha256) -> Unit {
        let number = self.number;
        self.number += 1;
        Unit {
            number,
            pieces,
            fingerprint: hex(&hash.finalize()[..16]),
        }
    }
}

fn feed(hash: &mut Sha256, file: &Found, split: &Split) {
    let path = file.path.as_os_str().as_encoded_bytes();
    hash.update((path.len() as u64).to_le_bytes());
    hash.update(path);
    for number in [file.len, split.range.start, split.range.end] {
        hash.update(number.to_le_bytes());
    }
    hash.update(file.changed.to_le_bytes());
}

impl Iterator for Plan<'_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        let mut hash = Sha256::new();
        let mut group = Vec::new();
        let mut len = 0;
        loop {
            if let (Some(split), Some(file)) = (self.parts.pop(), &self.of_large) {
                feed(&mut hash, file, &split);
                let file = file.clone();
                return Some(self.unit(vec![Piece { split, file }], hash));
            }
            let Some(file) = self.next.take().or_else(|| self.files.next()) else {
                break;
            };
            let is_large = file.len > self.bytes;
            if !group.is_empty()
                && (is_large || len + file.len > self.bytes || group.len() == MAX_FILES)
            {
                self.next = Some(file);
                break;
            }
            if is_large {
                let parts = splits(&file.path, self.bytes, self.options);
                // An error is reported where the file is read.
                self.parts = parts.unwrap_or_else(|_| vec![Split::file(&file.path)]);
                self.parts.reverse();
                self.of_large = Some(file);
                continue;
            }
            let split = Split::file(&file.path);
            feed(&mut hash, &file, &split);
            len += file.len;
            group.push(Piece { split, file });
        }
        (!group.is_empty()).then(|| self.unit(group, hash))
    }
}
