//! Extended attributes of open files.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;

use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
use rustix::io::Errno;

use super::notes::{BACKUP, ENCODING};

/// The attribute that holds a POSIX access control list.
pub(super) const ACCESS_LIST: &CStr = c"system.posix_acl_access";

/// Attributes that do not carry over to a converted file: seals over the old bytes, capabilities of programs, which the
/// system removes whenever a file is written, and what is said about an earlier conversion.
const NEVER: [&CStr; 5] = [
    c"security.ima",
    c"security.evm",
    c"security.capability",
    BACKUP,
    ENCODING,
];

/// Copies the attributes of `from` to `to`, except the access control list, which is returned, together with
/// the names of attributes that could not be copied.
pub(super) fn copy(from: &File, to: &File) -> io::Result<(Option<Vec<u8>>, Option<String>)> {
    let (mut list, mut lost) = (None, None);
    for name in names(from)? {
        if *name == *ACCESS_LIST {
            list = value(from, &name)?;
            continue;
        }
        if NEVER.contains(&&*name) {
            continue;
        }
        let value = match value(from, &name) {
            Ok(Some(value)) => value,
            // It was removed just now.
            Ok(None) => continue,
            Err(error) => {
                lost = Some(described(&name, &error));
                continue;
            }
        };
        if let Err(error) = set(to, &name, &value) {
            // If the system gave both files the same label, nothing is lost.
            let is_there = self::value(to, &name).is_ok_and(|there| there == Some(value));
            if !is_there {
                lost = Some(described(&name, &error));
            }
        }
    }
    Ok((list, lost))
}

fn described(name: &CStr, error: &io::Error) -> String {
    let error = crate::message::plain(error);
    format!("its attribute {} ({error})", name.to_string_lossy())
}

/// The names of all attributes that can be listed.
fn names(file: &File) -> io::Result<Vec<CString>> {
    let names = match with_room(|list| flistxattr(file, list)) {
        Err(error) if has_none(error) => Vec::new(),
        names => names?,
    };
    Ok(names
        .split_inclusive(|&byte| byte == 0)
        .filter_map(|name| CStr::from_bytes_with_nul(name).ok())
        .map(CStr::to_owned)
        .collect())
}

/// Calls `fill` with more room until there is enough. Returns what it filled.
fn with_room(fill: impl Fn(&mut [u8]) -> Result<usize, Errno>) -> Result<Vec<u8>, Errno> {
    let mut room = vec![0; 256];
    loop {
        match fill(&mut room) {
            Ok(length) => {
                room.truncate(length);
                return Ok(room);
            }
            Err(Errno::RANGE) => room.resize(room.len() * 4, 0),
            Err(error) => return Err(error),
        }
    }
}

/// The value of an attribute; `None` if the file does not have it, or can have none.
pub(super) fn value(file: &File, name: &CStr) -> io::Result<Option<Vec<u8>>> {
    match get(file, name) {
        Err(error) if Errno::from_io_error(&error).is_some_and(has_none) => Ok(None),
        got => got,
    }
}

/// The value of an attribute; `None` if the file does not have it. It is an error if it can have none.
pub(super) fn get(file: &File, name: &CStr) -> io::Result<Option<Vec<u8>>> {
    match with_room(|value| fgetxattr(file, name, value)) {
        Err(NONE) => Ok(None),
        value => Ok(Some(value?)),
    }
}

pub(super) fn set(file: &File, name: &CStr, value: &[u8]) -> io::Result<()> {
    Ok(fsetxattr(file, name, value, XattrFlags::empty())?)
}

/// Removes an attribute, if the file has it.
pub(super) fn remove(file: &File, name: &CStr) -> io::Result<()> {
    // Looking first is much cheaper, because file systems record a removal in their journal even if there is
    // nothing to remove.
    if value(file, name)?.is_none() {
        return Ok(());
    }
    match fremovexattr(file, name) {
        Err(error) if !has_none(error) => Err(error.into()),
        _ => Ok(()),
    }
}

/// Whether the attribute does not exist, or the file system has no attributes at all.
fn has_none(error: Errno) -> bool {
    [NONE, Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP].contains(&error)
}

#[cfg(target_vendor = "apple")]
const NONE: Errno = Errno::NOATTR;
#[cfg(not(target_vendor = "apple"))]
const NONE: Errno = Errno::NODATA;
