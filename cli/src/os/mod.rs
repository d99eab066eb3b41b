//! What the standard library offers on one family of systems only: which file it really is, who
//! owns it, and the bytes of its name.

#[cfg(unix)]
#[path = "unix.rs"]
mod imp;
#[cfg(not(unix))]
#[path = "other.rs"]
mod imp;

pub(crate) use imp::{
    FileId, keep_owner_and_mode, name_bytes, new_file_permissions, standard_output, stdin_id,
    stdout_id,
};
