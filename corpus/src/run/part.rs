//! One part of the output: a file of rows, a file of rejected records, and a note that both are complete.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::jsonl;
use super::parquet::Rows;
use super::state::Note;
use crate::error::Error;
use crate::options::Options;
use crate::record::Item;
use crate::row::{Rejected, Row, decode};
use crate::tally::Tally;

/// The format of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Parquet.
    #[default]
    Parquet,
    /// JSON lines.
    Jsonl,
}

impl Format {
    /// Returns the extension of file names.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Jsonl => "jsonl",
        }
    }
}

/// The subfolders of an output folder.
pub(super) struct Folders {
    pub(super) text: PathBuf,
    pub(super) rejected: PathBuf,
    pub(super) state: PathBuf,
}

impl Folders {
    pub(super) fn of(out: &Path) -> Self {
        Self {
            text: out.join("text"),
            rejected: out.join("rejected"),
            state: out.join("_state"),
        }
    }

    /// Returns the lengths of the files of a part in bytes: of rows, and of rejected records. `None` if there
    /// is no such file.
    pub(super) fn lengths(&self, format: Format, part: &str) -> Result<[Option<u64>; 2], Error> {
        let paths = [
            self.text.join(format!("{part}.{}", format.ending())),
            self.rejected.join(format!("{part}.jsonl")),
        ];
        let mut lengths = [None; 2];
        for (path, len) in paths.iter().zip(&mut lengths) {
            *len = match path.metadata() {
                Ok(metadata) => Some(metadata.len()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => return Err(Error::io(path)(error)),
            };
        }
        Ok(lengths)
    }
}

/// The prefix of the names of files that are not complete yet.
pub(super) const UNFINISHED: &str = ".unfinished-";

/// A file that appears under its name only when it is complete.
struct Growing {
    file: BufWriter<NamedTempFile>,
    path: PathBuf,
    lines: u64,
    bytes: u64,
}

/// Creates a file that gets its name by [`place`].
pub(crate) fn nameless(path: &Path) -> Result<NamedTempFile, Error> {
    let file = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .permissions_as_others()
        .tempfile_in(folder_of(path));
    file.map_err(Error::io(path))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

impl Growing {
    fn new(path: PathBuf) -> Result<Self, Error> {
        Ok(Self {
            file: BufWriter::with_capacity(256 * 1024, nameless(&path)?),
            path,
            lines: 0,
            bytes: 0,
        })
    }

    fn finish(self) -> Result<u64, Error> {
        let path = self.path;
        let lines = self.lines;
        let file = self
            .file
            .into_inner()
            .map_err(|error| Error::io(&path)(error.into_error()))?;
        place(file, &path)?;
        Ok(lines)
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.file.write(bytes)?;
        self.lines += memchr::memchr_iter(b'\n', &bytes[..n]).count() as u64;
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Gives a file its name, after its bytes are safely on the disk.
pub(crate) fn place(file: NamedTempFile, path: &Path) -> Result<(), Error> {
    file.as_file().sync_data().map_err(Error::io(path))?;
    let placed = file
        .persist(path)
        .map_err(|error| Error::io(path)(error.error));
    placed.map(|_: File| ())?;
    sync_folder_of(path)
}

/// Makes sure that a file's name is on the disk as well.
#[cfg(unix)]
fn sync_folder_of(path: &Path) -> Result<(), Error> {
    let folder = File::open(folder_of(path)).map_err(Error::io(path))?;
    match folder.sync_all() {
        // A file system that does not support it.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        done => done.map_err(Error::io(path)),
    }
}

#[cfg(not(unix))]
fn sync_folder_of(_: &Path) -> Result<(), Error> {
    Ok(())
}

/// Creates files with the usual permissions, and not for the owner alone.
trait Permissions {
    fn permissions_as_others(&mut self) -> &mut Self;
}

impl Permissions for tempfile::Builder<'_, '_> {
    #[cfg(unix)]
    fn permissions_as_others(&mut self) -> &mut Self {
        use std::os::unix::fs::PermissionsExt;
        // The process's umask is applied to it.
        self.permissions(std::fs::Permissions::from_mode(0o666))
    }

    #[cfg(not(unix))]
    fn permissions_as_others(&mut self) -> &mut Self {
        self
    }
}

/// The rows of a part.
enum Text {
    Parquet(Box<Rows<Growing>>),
    Jsonl(Growing),
}

impl Text {
    fn new(format: Format, path: &Path) -> Result<Self, Error> {
        let file = Growing::new(path.to_path_buf())?;
        Ok(match format {
            Format::Parquet => Self::Parquet(Box::new(Rows::new(file).map_err(Error::io(path))?)),
            Format::Jsonl => Self::Jsonl(file),
        })
    }

    fn write(&mut self, row: &Row) -> io::Result<()> {
        match self {
            Self::Parquet(rows) => rows.write(row),
            Self::Jsonl(file) => jsonl::write_row(file, row),
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Self::Parquet(rows) => rows.bytes(),
            Self::Jsonl(file) => file.bytes,
        }
    }

    /// Gives the file its name, and returns how many rows are in it.
    fn finish(self, path: &Path) -> Result<u64, Error> {
        match self {
            Self::Parquet(rows) => {
                let (file, count) = rows.finish().map_err(Error::io(path))?;
                file.finish()?;
                Ok(count)
            }
            Self::Jsonl(file) => file.finish(),
        }
    }
}

/// A part that is being written.
pub(super) struct Part<'a> {
    folders: &'a Folders,
    format: Format,
    name: String,
    text: Option<Text>,
    rejected: Option<Growing>,
    pub(super) tally: Tally,
}

impl<'a> Part<'a> {
    pub(super) fn new(folders: &'a Folders, format: Format, name: String) -> Self {
        Self {
            folders,
            format,
            name,
            text: None,
            rejected: None,
            tally: Tally::default(),
        }
    }

    /// Writes a record, and returns it if it is to be reported.
    pub(super) fn put(
        &mut self,
        item: Item,
        options: &Options,
    ) -> Result<Option<Box<Rejected>>, Error> {
        self.tally.records += 1;
        match item {
            Item::Skipped(kind) => {
                self.tally.skipped(&kind);
                Ok(None)
            }
            Item::Record(record) => match decode(record, options) {
                Ok(row) => self.row(&row).map(|()| None),
                Err(rejected) => {
                    self.reject(&rejected)?;
                    Ok(Some(rejected).filter(|it| it.rejection.reason.is_fault()))
                }
            },
        }
    }

    fn path(&self) -> PathBuf {
        let name = format!("{}.{}", self.name, self.format.ending());
        self.folders.text.join(name)
    }

    fn row(&mut self, row: &Row) -> Result<(), Error> {
        let path = self.path();
        let text = match &mut self.text {
            Some(text) => text,
            None => self.text.insert(Text::new(self.format, &path)?),
        };
        text.write(row).map_err(Error::io(&path))?;
        self.tally.row(row);
        Ok(())
    }

    fn reject(&mut self, rejected: &Rejected) -> Result<(), Error> {
        let path = self.folders.rejected.join(format!("{}.jsonl", self.name));
        let file = match &mut self.rejected {
            Some(file) => file,
            None => self.rejected.insert(Growing::new(path)?),
        };
        jsonl::write_rejected(file, rejected).map_err(Error::io(&file.path))?;
        self.tally.rejected(rejected);
        Ok(())
    }

    /// Returns the number of bytes of text that were written.
    pub(super) fn bytes(&self) -> u64 {
        self.text.as_ref().map_or(0, Text::bytes)
    }

    /// Gives the files their names; the note comes last, so that the files that it is about exist.
    pub(super) fn finish(self, note: impl FnOnce(Tally) -> Note) -> Result<Note, Error> {
        let path = self.path();
        let rows = self.text.map_or(Ok(0), |it| it.finish(&path))?;
        let rejected = self.rejected.map_or(Ok(0), Growing::finish)?;
        let tally = self.tally;
        if !tally.adds_up() || rows != tally.rows || rejected != tally.rejected_in_all() {
            return Err(Error::Miscounted(format!(
                "{}: {} records, {rows} rows, {rejected} rejected, {} skipped",
                self.name,
                tally.records,
                tally.skipped_in_all()
            )));
        }
        let mut note = note(tally);
        note.files = self.folders.lengths(self.format, &self.name)?;
        note.write(&self.folders.state, &self.name)?;
        Ok(note)
    }
}
