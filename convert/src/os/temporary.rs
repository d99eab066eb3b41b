//! Temporary files: written under names of their own, and put into place when they are complete.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io;
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

impl Folder {
    /// Creates a file with a random name that begins with `prefix`. If `is_private`, nobody else may open it
    /// until its permissions are set; otherwise the umask decides who may.
    pub(crate) fn create_temporary(
        self: &Arc<Self>,
        prefix: &str,
        is_private: bool,
    ) -> io::Result<Temporary> {
        // Twelve characters of which no file system takes two for one.
        let random = RandomState::new().hash_one(0) & 0xFFFF_FFFF_FFFF;
        let name = OsString::from(format!("{prefix}{random:012x}"));
        let file = self.make_file(&name, is_private)?;
        Ok(Temporary {
            folder: Arc::clone(self),
            name,
            file,
            is_placed: false,
        })
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
