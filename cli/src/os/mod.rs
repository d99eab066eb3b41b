//! What the standard library offers on one family of systems only: which file it really is, who
//! owns it, the bytes of its name, and signals.

#[cfg(unix)]
#[path = "unix.rs"]
mod imp;
#[cfg(not(unix))]
#[path = "other.rs"]
mod imp;

#[cfg(unix)]
mod signals;
#[cfg(not(unix))]
#[path = "other_signals.rs"]
mod signals;

pub(crate) use imp::{
    FileId, Stamp, is_link_refused, keep_owner_and_mode, name_bytes, new_file_permissions,
    open_regular, path_of_bytes, read_at, set_mode, standard_output, stdin_id, stdout_id,
    sync_folder,
};
pub(crate) use signals::{file_size_signal, on_signals};
