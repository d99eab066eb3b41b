//! An output file: written next to its destination, and moved there when it is complete.

use std::fs::{File, FileTimes, Metadata};
use std::io::{self, Read, Write};
use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use super::against::{Against, blocks};
use super::original::Original;
use super::places::Entry;
use crate::message::plain;
use crate::options::Options;
use crate::os::{self, Stamp, Temporary};

/// What exists at the place of an output.
pub(crate) struct There {
    /// `None` if it can't be read.
    pub(crate) file: Option<Arc<File>>,
    pub(crate) stamp: Stamp,
}

/// A file that is being written. Nothing can be seen of it until it is put into its place.
///
/// As long as the output is the same as what exists at its place, no file is created.
pub(crate) struct Replacement<'a> {
    /// Where it is to go. `None` if nothing is to be written.
    place: Option<Entry>,
    /// The file that exists there, as long as the output is the same.
    same: Option<(&'a File, Against<Box<dyn Read + Send + 'a>>)>,
    /// Whether nothing exists there.
    is_new: bool,
    temporary: Option<Temporary>,
    /// The length, in bytes.
    written: u64,
    prefix: &'a str,
    /// Whether to find out only if it differs and may be written, and write nothing.
    dry: bool,
    /// The hash of everything that was written.
    hash: Option<Box<Xxh3>>,
}

/// What became of it.
pub(crate) enum Finished<'a> {
    /// It is the same as this file, which exists at its place.
    Same(&'a File),
    /// It differs, and is to be put into this place.
    New(Temporary, Entry),
    /// It would differ, but this is a dry run. `None` if the folder does not exist.
    Dry(Option<Entry>),
}

impl<'a> Replacement<'a> {
    pub(crate) fn new(
        place: Option<Entry>,
        there: Option<&'a There>,
        prefix: &'a str,
        dry: bool,
    ) -> Self {
        let same = there.and_then(|there| there.file.as_deref());
        Self {
            place,
            same: same.map(|file| (file, Against::new(Box::new(os::reader(file)) as _))),
            is_new: there.is_none(),
            temporary: None,
            written: 0,
            prefix,
            dry,
            hash: None,
        }
    }

    /// Whether a hash of what is written is calculated.
    pub(crate) fn hashed(mut self, hashed: bool) -> Self {
        self.hash = hashed.then(|| Box::new(Xxh3::new()));
        self
    }

    /// Whether what is written is compared with what exists at the place.
    pub(crate) fn compared(mut self, compared: bool) -> Self {
        self.same = self.same.filter(|_| compared);
        self
    }

    /// The hash of what was written.
    pub(crate) fn hash(&self) -> Option<u128> {
        self.hash.as_ref().map(|hash| hash.digest128())
    }

    /// How much was written, in bytes.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// Ends writing.
    pub(crate) fn finish(mut self) -> io::Result<Finished<'a>> {
        if let Some((same, against)) = &mut self.same {
            if against.finish()?.is_none() {
                return Ok(Finished::Same(same));
            }
            self.differ()?;
        }
        if self.temporary.is_none() {
            // Nothing was written: the file is empty, or this is a dry run.
            self.make()?;
        }
        Ok(match (self.temporary, self.place) {
            (Some(temporary), Some(place)) => Finished::New(temporary, place),
            (_, place) => Finished::Dry(place),
        })
    }

    /// Creates a file of its own, because the output differs, and copies what was the same so far.
    fn differ(&mut self) -> io::Result<()> {
        let Some((same, _)) = self.same.take() else {
            return Ok(());
        };
        self.make()?;
        let Some(temporary) = &mut self.temporary else {
            return Ok(());
        };
        let mut before = blocks(os::reader(same).take(self.written));
        if io::copy(&mut before, temporary.file_mut())? < self.written {
            return Err(io::Error::other("it was cut while it was read"));
        }
        Ok(())
    }

    /// Counts bytes that were written.
    fn count(&mut self, bytes: &[u8]) {
        self.written += bytes.len() as u64;
        if let Some(hash) = &mut self.hash {
            hash.update(bytes);
        }
    }

    /// Creates the file; in a dry run, looks only whether that may be done.
    fn make(&mut self) -> io::Result<()> {
        let place = match &self.place {
            Some(place) => place,
            None if self.dry => return Ok(()),
            None => return Err(io::Error::other("its folder is not there")),
        };
        // Replacing a file does not need the right to write it. Refuse to if writing it would be refused.
        if !self.is_new {
            place.folder.check_writable(&place.name)?;
        }
        if self.dry {
            return place.folder.check_changeable().map_err(of_folder);
        }
        let temporary = place.folder.create_temporary(self.prefix, true);
        self.temporary = Some(temporary.map_err(of_folder)?);
        Ok(())
    }
}

/// Says that it is the folder, and not the file, that may not be changed.
fn of_folder(error: io::Error) -> io::Error {
    match error.kind() {
        kind @ io::ErrorKind::PermissionDenied => io::Error::new(
            kind,
            format!("its folder may not be changed: {}", plain(&error)),
        ),
        _ => error,
    }
}

/// Makes a file ready for its place: rights, times and, in place, owner and attributes of `original`, and all of it
/// synced to the disk. Returns its metadata, or what can't be kept of the original. Unless it `is_recorded`,
/// permissions and times in the metadata may be those from before.
pub(super) fn settle(
    file: &File,
    original: &Original<'_>,
    options: &Options,
    is_recorded: bool,
) -> io::Result<Result<Metadata, String>> {
    let mut ours = None;
    if !options.in_place {
        let before = file.metadata()?;
        os::limit_access(file, &before, &original.file, &original.metadata)?;
        ours = Some(before).filter(|_| !is_recorded);
    } else if let Some(lost) = os::keep_access(file, &original.file)? {
        return Ok(Err(lost));
    }
    if options.preserve {
        keep_times(file, &original.metadata)?;
    }
    if !options.no_fsync {
        file.sync_all()?;
    }
    ours.map_or_else(|| file.metadata(), Ok).map(Ok)
}

pub(super) fn keep_times(file: &File, of: &Metadata) -> io::Result<()> {
    let times = FileTimes::new()
        .set_accessed(of.accessed()?)
        .set_modified(of.modified()?);
    file.set_times(times)
}

impl Write for Replacement<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some((_, against)) = &mut self.same {
            // What can't be read can't be compared with, but may be replaced.
            if against.write_all(bytes).is_ok() && !against.differs() {
                self.count(bytes);
                return Ok(bytes.len());
            }
            self.differ()?;
        }
        if self.temporary.is_none() && !bytes.is_empty() {
            self.make()?;
        }
        let n = match &mut self.temporary {
            Some(temporary) => temporary.file_mut().write(bytes)?,
            None => bytes.len(),
        };
        self.count(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
