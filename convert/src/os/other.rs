//! For systems on which `std` has no device and inode numbers: a file is identified by its full path, so hard
//! links and redirected standard streams are not recognised.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::Stamp;

/// A file, identified by its path with links resolved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileId(pub(super) PathBuf);

impl FileId {
    /// The file at `path`; `None` if there is none.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        fs::canonicalize(path).ok().map(Self)
    }

    /// Not known here.
    pub(crate) fn of(_metadata: &Metadata) -> Option<Self> {
        None
    }

    /// Never called on these systems.
    pub(crate) fn key(&self) -> u64 {
        0
    }

    /// Not known here.
    pub(crate) fn device(&self) -> u64 {
        0
    }

    /// Not known here.
    pub(super) fn inode(&self) -> u64 {
        0
    }

    /// Not known here.
    pub(crate) fn links(_metadata: &Metadata) -> u64 {
        1
    }
}

/// Not known here.
pub(crate) fn stream_id<S>(_stream: &S) -> Option<FileId> {
    None
}

/// Not known here.
pub(crate) fn stdin_file() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Not known here.
pub(crate) fn is_readable(_file: &File) -> bool {
    false
}

/// Standard output.
///
/// # Errors
///
/// Those of the system, for example if standard output is closed.
pub fn standard_output() -> io::Result<Box<dyn Write + Send>> {
    Ok(Box::new(io::stdout()))
}

/// Gives `file` the permissions of the file that it replaces.
pub(crate) fn keep_access(file: &File, old: &File) -> io::Result<Option<String>> {
    file.set_permissions(old.metadata()?.permissions())?;
    Ok(None)
}

/// Gives `file` the permissions of `like`.
pub(crate) fn limit_access(
    file: &File,
    _ours: &Metadata,
    _like: &File,
    metadata: &Metadata,
) -> io::Result<()> {
    file.set_permissions(metadata.permissions())
}

impl Stamp {
    /// Not known here.
    pub(crate) fn touched(_metadata: &Metadata) -> i128 {
        0
    }

    pub(crate) fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let after = modified.duration_since(SystemTime::UNIX_EPOCH);
        Self {
            device: 0,
            inode: 0,
            size: metadata.len(),
            modified: after.map_or(0, |time| i128::try_from(time.as_nanos()).unwrap_or(0)),
        }
    }
}

/// Not known here.
pub(crate) fn most_open() -> Option<u64> {
    None
}

/// Reads at an offset, in bytes. Nothing else here uses the file's own position.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut file = file;
    file.seek(SeekFrom::Start(offset))?;
    file.read(buffer)
}

/// Writes at an offset, in bytes.
pub(crate) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    let mut file = file;
    file.seek(SeekFrom::Start(offset))?;
    file.write_all(bytes)
}

/// A path in UTF-8.
pub(crate) fn path_of_bytes(bytes: Vec<u8>) -> io::Result<PathBuf> {
    let text = String::from_utf8(bytes).map_err(io::Error::other)?;
    Ok(PathBuf::from(text))
}

/// The name, as closely as Unicode allows.
pub(crate) fn name_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}
