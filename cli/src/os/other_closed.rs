//! For systems on which it is not known whether a standard stream was closed from the start.

/// Whether standard input was closed from the start.
pub(super) fn is_stdin_closed() -> bool {
    false
}

/// Returns no error, because it is not known whether there is one.
pub(super) fn close_stdout_copy() -> std::io::Result<()> {
    Ok(())
}

/// Whether standard output was closed from the start.
pub(super) fn is_stdout_closed() -> bool {
    false
}
