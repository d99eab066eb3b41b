//! Units of work: files, and ranges of records within large ones.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::container::warc::Warc;
use crate::container::{Records, opened};
use crate::options::{Container, Options};
use crate::stream::{Input, Packing};
use crate::walk::text_of;

/// A part of a file: the records that begin in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Split {
    /// The path of the file.
    pub path: PathBuf,
    /// The range of records.
    pub range: Range,
}

/// A range of the records of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Range {
    /// The offset of the first record, in bytes.
    pub start: u64,
    /// The offset, in bytes, of the first record after the range.
    pub end: u64,
    /// The number of the first record in the file, counted from 0.
    pub first_record: u64,
}

impl Range {
    /// The whole file.
    pub const ALL: Self = Self {
        start: 0,
        end: u64::MAX,
        first_record: 0,
    };

    /// Makes a range from values that were stored.
    #[must_use]
    pub fn new(start: u64, end: u64, first_record: u64) -> Self {
        Self {
            start,
            end,
            first_record,
        }
    }
}

impl Split {
    /// Makes a split of a whole file.
    #[must_use]
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self::new(path, Range::ALL)
    }

    /// Makes a split of a range of a file.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, range: Range) -> Self {
        Self {
            path: path.into(),
            range,
        }
    }
}

/// Divides a file into parts of about `bytes` bytes. Read in any order, they give each record of the file
/// exactly once.
///
/// A plain WARC is divided between its records, whose headers are read for that; any other file is one part.
///
/// # Errors
///
/// Fails if the file can't be read.
pub fn splits(path: &Path, bytes: u64, options: &Options) -> io::Result<Vec<Split>> {
    let input = Box::new(std::fs::File::open(path)?);
    let whole = vec![Split::file(path)];
    let Ok((stream, container)) = opened(&text_of(path), input, options) else {
        // The error is reported where the file is read.
        return Ok(whole);
    };
    let bytes = bytes.max(1);
    if stream.len() <= bytes || stream.packing() != Packing::Plain || container != Container::Warc {
        return Ok(whole);
    }
    let mut splits = Vec::new();
    let mut start = 0;
    let mut first_record = 0;
    let mut number = 0;
    let mut warc = Warc::new(stream, options.limits()).only_offsets();
    while let Some(at) = warc.next_start()? {
        if at.saturating_sub(start) >= bytes {
            splits.push(Split::new(path, Range::new(start, at, first_record)));
            (start, first_record) = (at, number);
        }
        match warc.next() {
            Some(_) => number += 1,
            None => break,
        }
    }
    splits.push(Split::new(path, Range::new(start, u64::MAX, first_record)));
    Ok(splits)
}

/// Returns the records of a split. A file that can't be opened gives one record, which is rejected.
#[must_use]
pub fn read_split(split: &Split, options: &Options) -> Records {
    Records::open(split, options)
}

/// Returns the records of an input that is not a local file, from its start, under the name `source`.
#[must_use]
pub fn read_input(source: &str, input: Box<dyn Input>, options: &Options) -> Records {
    Records::of(&Arc::from(source), Ok(input), Range::ALL, options)
}
