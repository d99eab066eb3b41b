//! For systems whose extended attributes are not supported here.

#![cfg_attr(
    not(unix),
    allow(
        dead_code,
        reason = "where there are no access control lists either, few are called"
    )
)]

use std::ffi::CStr;
use std::fs::File;
use std::io;

/// The attribute that holds a POSIX access control list.
pub(super) const ACCESS_LIST: &CStr = c"system.posix_acl_access";

/// There are no attributes, so none can be lost.
pub(super) fn copy(_from: &File, _to: &File) -> io::Result<(Option<Vec<u8>>, Option<String>)> {
    Ok((None, None))
}

/// There are no attributes.
pub(super) fn get(_file: &File, _name: &CStr) -> io::Result<Option<Vec<u8>>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// No file has any.
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
