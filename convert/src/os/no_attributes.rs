//! For Unix systems whose extended attributes are not supported here.

use std::ffi::CStr;
use std::fs::File;
use std::io;

use super::{NotedBackup, Stamp};

/// The attribute that holds a POSIX access control list.
pub(super) const ACCESS_LIST: &CStr = c"system.posix_acl_access";

/// There are no attributes, so none can be lost.
pub(super) fn copy(_from: &File, _to: &File) -> io::Result<(Option<Vec<u8>>, Option<String>)> {
    Ok((None, None))
}

/// There are no attributes.
pub(super) fn value(_file: &File, _name: &CStr) -> io::Result<Option<Vec<u8>>> {
    Ok(None)
}

pub(super) fn set(_file: &File, _name: &CStr, _value: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// There are no attributes to remove.
pub(super) fn remove(_file: &File, _name: &CStr) -> io::Result<()> {
    Ok(())
}

/// There is nothing to note it in.
pub(crate) fn note_encoding(_file: &File, _name: &str, _content: u128) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Nothing was noted.
pub(crate) fn noted_encoding(_file: &File) -> Option<(String, u128)> {
    None
}

/// There is nothing to note it in.
pub(crate) fn note_backup(_file: &File, _backup: &Stamp, _content: u128) {}

/// Nothing was noted.
pub(crate) fn noted_backup(_file: &File, _backup: &Stamp) -> NotedBackup {
    NotedBackup::Unknown
}
