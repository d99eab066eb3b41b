//! Temporary files without a name, for what has to be read twice and can be read only once.

use std::env;
use std::fs::File;
use std::io::{self, Write};

use crate::message::{plain, shown};

/// A temporary file in the folder that TMPDIR names. Its errors say that it is this file that failed, and not
/// what is copied to it.
pub(crate) struct Scratch(File);

impl Scratch {
    pub(crate) fn new() -> io::Result<Self> {
        match tempfile::tempfile() {
            Ok(file) => Ok(Self(file)),
            Err(error) => Err(failed("made", &error)),
        }
    }

    pub(crate) fn file(&self) -> &File {
        &self.0
    }

    pub(crate) fn into_file(self) -> File {
        self.0
    }
}

impl Write for Scratch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .write(bytes)
            .map_err(|error| failed("written", &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn failed(what: &str, error: &io::Error) -> io::Error {
    let folder = env::temp_dir();
    io::Error::new(
        error.kind(),
        format!(
            "a temporary file for it can't be {what} in {}: {}; TMPDIR can name another folder",
            shown(folder),
            plain(error)
        ),
    )
}
