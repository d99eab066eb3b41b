//! Systems without device and inode in `std`: a file is its full path, so hard links and
//! redirected standard streams are not recognised.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file by where it is, links followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileId(PathBuf);

impl FileId {
    /// The file at `path`. `None` where there is none.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        fs::canonicalize(path).ok().map(Self)
    }
}

/// Not known here.
pub(crate) fn stdin_id() -> Option<FileId> {
    None
}

/// Not known here.
pub(crate) fn stdout_id() -> Option<FileId> {
    None
}

/// Standard output.
pub(crate) fn standard_output() -> io::Result<Box<dyn Write>> {
    Ok(Box::new(io::stdout()))
}

/// What the system does by itself.
pub(crate) fn new_file_permissions() -> Option<Permissions> {
    None
}

/// Gives `file` the permissions of the file that it replaces.
pub(crate) fn keep_owner_and_mode(
    _path: &Path,
    file: &File,
    replaced: &Metadata,
) -> io::Result<()> {
    file.set_permissions(replaced.permissions())
}

/// The name, as near as Unicode comes to it.
pub(crate) fn name_bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}
