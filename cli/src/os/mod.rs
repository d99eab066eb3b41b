//! What the standard library offers on one family of systems only: which file it really is, who
//! owns it, the bytes of its name, and signals.

#[cfg(unix)]
#[path = "unix.rs"]
mod imp;
#[cfg(not(unix))]
#[path = "other.rs"]
mod imp;

pub(crate) use imp::{
    FileId, Stamp, is_link_refused, keep_owner_and_mode, name_bytes, new_file_permissions,
    on_signals, open_regular, path_of_bytes, read_at, set_mode, standard_output, stdin_id,
    stdout_id, sync_folder,
};
