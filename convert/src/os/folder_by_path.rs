//! For systems on which folders can't be opened: a folder is its path, which is looked up again each time.
//! Nothing protects against folders that are replaced by links meanwhile.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileType, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::{FileId, Kind, Stamp, Status, name_bytes, plain_name};

/// A folder, by its path.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
}

const LINK: &str = "it is a symbolic link";

impl Folder {
    /// The folder at a path that a user named, so links on the way are followed.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if !fs::metadata(path)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self {
            path: path.to_path_buf(),
        })
    }

    /// The folder at a path that a user named. Without `follow`, it must not be a link.
    pub(crate) fn open_named(path: &Path, follow: bool) -> io::Result<Self> {
        if !follow && fs::symlink_metadata(path)?.is_symlink() {
            return Err(link_refused());
        }
        Self::open(path)
    }

    /// The folder at an absolute path without links.
    pub(crate) fn open_real(path: &Path) -> io::Result<Self> {
        Self::open(path)
    }

    /// The folder at `relative`, which consists of plain names without a link among them.
    pub(crate) fn open_beneath(&self, relative: &Path) -> io::Result<Self> {
        let mut path = self.path.clone();
        for component in relative.components() {
            path.push(plain_name(component)?);
            match Kind::of(fs::symlink_metadata(&path)?.file_type()) {
                Kind::Folder => {}
                Kind::Link => return Err(link_refused()),
                Kind::File | Kind::Other => return Err(io::ErrorKind::NotADirectory.into()),
            }
        }
        Ok(Self { path })
    }

    /// Creates a folder with this name.
    pub(super) fn make_folder(&self, name: &OsStr) -> io::Result<()> {
        fs::create_dir(self.path.join(name))
    }

    /// The path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The identity of the folder.
    pub(crate) fn id(&self) -> io::Result<FileId> {
        Ok(FileId(fs::canonicalize(&self.path)?))
    }

    /// What a name refers to. With `follow`, what a link of that name points to.
    pub(crate) fn status(&self, name: &OsStr, follow: bool) -> io::Result<Status> {
        let path = self.path.join(name);
        let metadata = if follow {
            fs::metadata(&path)?
        } else {
            fs::symlink_metadata(&path)?
        };
        Ok(Status {
            kind: Kind::of(metadata.file_type()),
            id: FileId(fs::canonicalize(&path).unwrap_or(path)),
            links: FileId::links(&metadata),
            size: metadata.len(),
            modified: Stamp::of(&metadata).modified,
            changed: Stamp::of(&metadata).modified,
        })
    }

    /// Opens what should be a regular file for reading.
    pub(crate) fn open_file(&self, name: &OsStr, follow: bool) -> io::Result<File> {
        if !follow && self.status(name, false)?.kind == Kind::Link {
            return Err(link_refused());
        }
        File::open(self.path.join(name))
    }

    /// Whether the file of this name may be written. Replacing it does not need that right.
    pub(crate) fn check_writable(&self, name: &OsStr) -> io::Result<()> {
        match OpenOptions::new().write(true).open(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Whether names in the folder may be changed, as far as that can be known without changing one.
    pub(crate) fn check_changeable(&self) -> io::Result<()> {
        Ok(())
    }

    /// Gives the file `old` the additional name `new`. Never overwrites.
    pub(crate) fn link(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        fs::hard_link(self.path.join(old), self.path.join(new))
    }

    /// Renames `old` to `new`, replacing what has that name.
    pub(crate) fn rename(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        fs::rename(self.path.join(old), self.path.join(new))
    }

    /// Removes a name, unless it is that of a folder.
    pub(crate) fn unlink(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.path.join(name))
    }

    /// The names that begin with `prefix`.
    pub(crate) fn names_with(&self, prefix: &str) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let name = entry?.file_name();
            if name_bytes(Path::new(&name)).starts_with(prefix.as_bytes()) {
                names.push(name);
            }
        }
        Ok(names)
    }

    /// Does nothing, because folders can't be opened on these systems.
    pub(crate) fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    /// Returns `None`, because no call here guarantees not to overwrite.
    pub(super) fn rename_new(&self, _old: &OsStr, _new: &OsStr) -> Option<io::Result<()>> {
        None
    }

    /// Creates a file with this name.
    pub(super) fn make_file(&self, name: &OsStr, _is_private: bool) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        options.open(self.path.join(name))
    }
}

/// Whether a second name could not be made because the file system has none.
pub(crate) fn is_link_impossible(error: &io::Error) -> bool {
    error.kind() != io::ErrorKind::AlreadyExists && error.kind() != io::ErrorKind::NotFound
}

/// Whether the error means that a link was met where none is followed.
pub(crate) fn is_link_refused(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidInput && error.to_string() == LINK
}

fn link_refused() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, LINK)
}

impl Kind {
    fn of(kind: FileType) -> Self {
        if kind.is_symlink() {
            Self::Link
        } else if kind.is_dir() {
            Self::Folder
        } else if kind.is_file() {
            Self::File
        } else {
            Self::Other
        }
    }
}
