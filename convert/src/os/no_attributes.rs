//! Unix systems whose extended attributes nothing here knows.

use std::ffi::CStr;
use std::fs::File;
use std::io;

/// The attribute that holds a POSIX access control list.
pub(super) const ACCESS_LIST: &CStr = c"system.posix_acl_access";

/// There is nothing to lose.
pub(super) fn copy(_from: &File, _to: &File) -> io::Result<(Option<Vec<u8>>, Option<String>)> {
    Ok((None, None))
}

/// There is none.
pub(super) fn value(_file: &File, _name: &CStr) -> io::Result<Option<Vec<u8>>> {
    Ok(None)
}

pub(super) fn set(_file: &File, _name: &CStr, _value: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// There is none to take away.
pub(super) fn remove(_file: &File, _name: &CStr) -> io::Result<()> {
    Ok(())
}
