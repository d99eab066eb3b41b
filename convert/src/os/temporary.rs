//! Temporary files: written under names of their own, and put into place when they are complete.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::Component;
use std::sync::{Arc, Mutex};

use super::folder::{Folder, is_link_impossible};
use crate::mutex::lock;

/// A file that is being written under a name of its own, and is removed unless it is put into place.
#[derive(Debug)]
pub(crate) struct Temporary {
    folder: Arc<Folder>,
    name: OsString,
    file: File,
    is_placed: bool,
}

impl Temporary {
    /// Creates a file with this name in the folder.
    pub(super) fn new(folder: Arc<Folder>, name: OsString, file: File) -> Self {
        Self {
            folder,
            name,
            file,
            is_placed: false,
        }
    }

    /// Its name until it is put into place.
    pub(crate) fn name(&self) -> &OsStr {
        &self.name
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    pub(crate) fn file_mut(&mut self) -> &mut File {
        &mut self.file
    }

    /// Takes the place of `name`, replacing what has that name.
    pub(crate) fn replace(mut self, name: &OsStr) -> io::Result<()> {
        self.folder.rename(&self.name, name)?;
        self.is_placed = true;
        Ok(())
    }

    /// Takes the name `name`, and fails with [`io::ErrorKind::AlreadyExists`] if something has it, even in
    /// another spelling that the file system takes for the same.
    pub(crate) fn put(mut self, name: &OsStr) -> io::Result<()> {
        // For the last of the ways below. It protects against other workers, but not against other programs.
        static CHECKED: Mutex<()> = Mutex::new(());

        match self.folder.rename_new(&self.name, name) {
            Some(done) => {
                done?;
                self.is_placed = true;
                return Ok(());
            }
            None => match self.folder.link(&self.name, name) {
                // Dropping `self` removes the temporary name.
                Ok(()) => return Ok(()),
                Err(error) if !is_link_impossible(&error) => return Err(error),
                Err(_) => {}
            },
        }
        let checked = lock(&CHECKED);
        match self.folder.status(name, false) {
            Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        self.folder.rename(&self.name, name)?;
        self.is_placed = true;
        drop(checked);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_placed {
            // What can't be removed now is found by a later run.
            let _ = self.folder.unlink(&self.name);
        }
    }
}

/// The plain name in a component of a path. `..` and similar would lead out of the folder.
pub(super) fn plain_name(component: Component<'_>) -> io::Result<&OsStr> {
    match component {
        Component::Normal(name) => Ok(name),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it has \"..\" in it",
        )),
    }
}

/// A name for a temporary file: the prefix, and twelve characters of which no file system takes two for one.
pub(super) fn random_name(prefix: &str) -> OsString {
    let random = RandomState::new().hash_one(0) & 0xFFFF_FFFF_FFFF;
    OsString::from(format!("{prefix}{random:012x}"))
}
