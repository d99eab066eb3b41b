//! An output file: written beside its place, and put there whole.

use std::fs::{self, File, FileTimes, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};
use xxhash_rust::xxh3::Xxh3;

use crate::convert::output::{TEMPORARY_PREFIX, folder_of};
use crate::os;

/// A file that is being written. Nothing is seen of it until [`Replacement::persist`].
///
/// As long as what is written is what is at its place already, no file is made.
pub(crate) struct Replacement<'a> {
    target: &'a Path,
    /// What is there, while it is the same.
    same: Option<&'a File>,
    temporary: Option<NamedTempFile>,
    /// In bytes.
    written: u64,
    /// Whether nothing is at its place.
    is_new: bool,
    prefix: &'a str,
    /// Only tell, and write nothing.
    dry: bool,
    scratch: Vec<u8>,
    /// Of all that was written.
    hash: Option<Box<Xxh3>>,
}

const BLOCK: usize = 64 * 1024;

impl<'a> Replacement<'a> {
    /// `same` is the file at `target`, if it is to be compared with.
    pub(crate) fn new(
        target: &'a Path,
        same: Option<&'a File>,
        is_new: bool,
        prefix: &'a str,
        dry: bool,
    ) -> Self {
        Self {
            target,
            same,
            temporary: None,
            written: 0,
            is_new,
            prefix,
            dry,
            scratch: Vec::new(),
            hash: None,
        }
    }

    /// Whether a hash is made of what is written.
    pub(crate) fn hashed(mut self, hashed: bool) -> Self {
        self.hash = hashed.then(|| Box::new(Xxh3::new()));
        self
    }

    /// The hash of what was written.
    pub(crate) fn content(&self) -> Option<u128> {
        self.hash.as_ref().map(|hash| hash.digest128())
    }

    /// How much was written, in bytes.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// The file, while it is beside its place. `None` where nothing changes.
    pub(crate) fn file(&self) -> Option<&File> {
        self.temporary.as_ref().map(NamedTempFile::as_file)
    }

    /// Ends writing. Returns whether the file differs from what is at its place.
    pub(crate) fn finish(&mut self) -> io::Result<bool> {
        if let Some(same) = self.same {
            let mut next = [0];
            if os::read_at(same, &mut next, self.written)? == 0 {
                return Ok(false);
            }
            self.differ()?;
        } else if self.temporary.is_none() && !self.dry {
            // Nothing was written: the file is empty.
            self.make()?;
        }
        Ok(true)
    }

    /// Whether `bytes` are what is at the place, too.
    fn is_same(&mut self, same: &File, bytes: &[u8]) -> bool {
        self.scratch.resize(BLOCK, 0);
        let mut offset = self.written;
        for piece in bytes.chunks(BLOCK) {
            let mut filled = 0;
            while filled < piece.len() {
                let room = &mut self.scratch[filled..piece.len()];
                match os::read_at(same, room, offset + filled as u64) {
                    Ok(n) if n > 0 => filled += n,
                    _ => return false,
                }
            }
            if self.scratch[..filled] != *piece {
                return false;
            }
            offset += filled as u64;
        }
        true
    }

    /// From here on it is another file. What was the same is copied.
    fn differ(&mut self) -> io::Result<()> {
        let Some(same) = self.same.take() else {
            return Ok(());
        };
        if self.dry {
            return Ok(());
        }
        self.make()?;
        let Some(temporary) = &mut self.temporary else {
            return Ok(());
        };
        self.scratch.resize(BLOCK, 0);
        let mut offset = 0;
        while offset < self.written {
            let rest = usize::try_from(self.written - offset).unwrap_or(BLOCK);
            let room = &mut self.scratch[..BLOCK.min(rest)];
            match os::read_at(same, room, offset)? {
                0 => return Err(io::Error::other("it was cut while it was read")),
                n => {
                    temporary.write_all(&room[..n])?;
                    offset += n as u64;
                }
            }
        }
        Ok(())
    }

    /// So much was written.
    fn count(&mut self, bytes: &[u8]) {
        self.written += bytes.len() as u64;
        if let Some(hash) = &mut self.hash {
            hash.update(bytes);
        }
    }

    fn make(&mut self) -> io::Result<()> {
        // Replacing needs no right to write the file itself. Refuse where writing it would be
        // refused.
        if !self.is_new {
            match OpenOptions::new().write(true).open(self.target) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        let folder = folder_of(self.target);
        let temporary = Builder::new().prefix(self.prefix).tempfile_in(folder);
        // Its message would name the temporary file, which nobody knows.
        self.temporary = Some(temporary.map_err(without_path)?);
        Ok(())
    }

    /// Makes the file ready for its place: mode, owner and times of `original`, and all of it on
    /// the disk. Its metadata.
    pub(crate) fn settle(
        &self,
        original: &Metadata,
        in_place: bool,
        preserve: bool,
        fsync: bool,
    ) -> io::Result<Metadata> {
        let Some(file) = self.file() else {
            return Err(io::Error::other("nothing was written"));
        };
        if in_place {
            os::keep_owner_and_mode(file, original)?;
        } else {
            os::set_mode(file, original)?;
        }
        if preserve {
            let times = FileTimes::new()
                .set_accessed(original.accessed()?)
                .set_modified(original.modified()?);
            file.set_times(times)?;
        }
        if fsync {
            file.sync_all()?;
        }
        file.metadata()
    }

    /// Puts the file into its place.
    pub(crate) fn persist(self) -> io::Result<()> {
        match self.temporary {
            Some(temporary) => temporary
                .persist(self.target)
                .map(drop)
                .map_err(|error| error.error),
            None => Ok(()),
        }
    }
}

impl Write for Replacement<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(same) = self.same {
            if self.is_same(same, bytes) {
                self.count(bytes);
                return Ok(bytes.len());
            }
            self.differ()?;
        }
        if self.temporary.is_none() && !self.dry && !bytes.is_empty() {
            self.make()?;
        }
        let n = match &mut self.temporary {
            Some(temporary) => temporary.as_file_mut().write(bytes)?,
            None => bytes.len(),
        };
        self.count(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The name that a file is kept under before it is replaced.
pub(crate) fn backup_of(target: &Path, suffix: &str) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Keeps the file under the name `backup`, too. An earlier one is never overwritten.
pub(crate) fn back_up(target: &Path, file: &File, backup: &Path, prefix: &str) -> io::Result<()> {
    match fs::hard_link(target, backup) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // An earlier run may have come as far as this and no further.
            let ours = os::FileId::of(&file.metadata()?);
            if ours.is_some() && os::FileId::of(&fs::symlink_metadata(backup)?) == ours {
                return Ok(());
            }
            Err(error)
        }
        // A file system without hard links.
        Err(error)
            if error.kind() == io::ErrorKind::Unsupported
                || error.kind() == io::ErrorKind::PermissionDenied =>
        {
            let mut copy = Builder::new()
                .prefix(prefix)
                .tempfile_in(folder_of(backup))
                .map_err(without_path)?;
            let (mut block, mut offset) = (vec![0; BLOCK], 0);
            loop {
                match os::read_at(file, &mut block, offset)? {
                    0 => break,
                    n => {
                        copy.write_all(&block[..n])?;
                        offset += n as u64;
                    }
                }
            }
            os::keep_owner_and_mode(copy.as_file(), &file.metadata()?)?;
            copy.as_file().sync_all()?;
            copy.persist_noclobber(backup)
                .map(drop)
                .map_err(|error| error.error)
        }
        Err(error) => Err(error),
    }
}

/// Removes what earlier runs of this journal left in a folder. Returns how many files that were.
pub(crate) fn remove_stale(folder: &Path, prefix: &str) -> io::Result<u64> {
    let mut removed = 0;
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        let name = os::name_bytes(Path::new(&entry.file_name()));
        if name.starts_with(prefix.as_bytes()) && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// What the names of this run's temporary files begin with.
pub(crate) fn prefix(run: Option<&str>) -> String {
    match run {
        Some(run) => format!("{TEMPORARY_PREFIX}{run}-"),
        None => String::from(TEMPORARY_PREFIX),
    }
}

/// `tempfile` puts its path behind the message.
fn without_path(error: io::Error) -> io::Error {
    let message = error.to_string();
    match message.split_once(" at path ") {
        Some((cause, _)) => io::Error::new(error.kind(), String::from(cause)),
        None => error,
    }
}
