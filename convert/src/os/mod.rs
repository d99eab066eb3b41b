//! What the standard library offers on some systems only: the identity of files, access rights, folders that
//! can't be replaced, and the bytes of names.

#[cfg(unix)]
mod access;
#[cfg(unix)]
mod acl;
#[cfg_attr(
    not(any(target_os = "linux", target_os = "android", target_vendor = "apple")),
    path = "no_attributes.rs"
)]
mod attributes;

#[cfg_attr(not(unix), path = "folder_by_path.rs")]
mod folder;

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(not(unix), path = "other.rs")]
mod imp;

mod notes;
mod status;
mod temporary;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};

use crate::read_fn::ReadFn;
#[cfg(unix)]
pub(crate) use access::{keep_access, limit_access};
pub(crate) use folder::{Folder, is_link_impossible, is_link_refused};
pub use imp::standard_output;
pub(crate) use imp::{
    FileId, is_readable, most_open, name_bytes, path_of_bytes, read_at, stdin_file, stream_id,
    write_all_at,
};
#[cfg(not(unix))]
pub(crate) use imp::{keep_access, limit_access};
pub(crate) use notes::{NotedBackup, note_backup, note_encoding, noted_backup, noted_encoding};
pub(crate) use status::{Kind, Stamp, Status};
pub(crate) use temporary::Temporary;

impl Folder {
    /// Opens the folder at `relative`; creates it and the folders above it if they are missing. Calls `made`
    /// for each folder that has a new name in it.
    pub(crate) fn make_beneath(
        &self,
        relative: &Path,
        made: &mut dyn FnMut(Self),
    ) -> io::Result<Self> {
        match self.open_beneath(relative) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return opened,
        }
        let mut folder = self.open_beneath(Path::new(""))?;
        for component in relative.components() {
            let name = plain_name(component)?;
            folder = match folder.open_beneath(Path::new(name)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    match folder.make_folder(name) {
                        // Another process was faster.
                        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                        done => done?,
                    }
                    let below = folder.open_beneath(Path::new(name))?;
                    made(folder);
                    below
                }
                opened => opened?,
            };
        }
        Ok(folder)
    }
}

/// The plain name in a component of a path. `..` and similar would lead out of the folder.
fn plain_name(component: Component<'_>) -> io::Result<&OsStr> {
    match component {
        Component::Normal(name) => Ok(name),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it has \"..\" in it",
        )),
    }
}

/// Reads a file by offset, from its start, so that several readers of one file do not disturb each other.
pub(crate) fn reader(file: &File) -> impl Read + Send + '_ {
    let mut offset = 0;
    ReadFn(move |buffer: &mut [u8]| {
        let n = read_at(file, buffer, offset)?;
        offset += n as u64;
        Ok(n)
    })
}

/// Decodes a name in which some bytes are written as a mark and a number of so many digits.
pub(crate) fn unescaped(name: &[u8], mark: u8, digits: usize, radix: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name;
    while let [first, after @ ..] = rest {
        let code = (after.get(..digits))
            .and_then(|number| std::str::from_utf8(number).ok())
            .and_then(|number| u8::from_str_radix(number, radix).ok());
        match code.filter(|_| *first == mark) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[digits..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

/// The prefix of the names of temporary files. The rest is random and short, so that such a name fits
/// wherever the name of the output does.
pub(crate) const TEMPORARY_PREFIX: &str = ".simdtext-";

/// Whether this is the name of a temporary file of some run: a number of sixteen digits, and more after it.
pub(crate) fn is_temporary_name(name: &str) -> bool {
    let Some(rest) = name.strip_prefix(TEMPORARY_PREFIX) else {
        return false;
    };
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let Some((number, rest)) = rest.split_once('-') else {
        return false;
    };
    number.len() == 16
        && number.bytes().all(is_digit)
        && !rest.is_empty()
        && rest
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
