//! Standard input and standard output, which are refused if they were closed from the start. Tested in
//! `tests/cli/closed.rs`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::closed;

/// Refuses to read from a standard input that was closed from the start, if one of the paths names it. The
/// message is complete.
pub(crate) fn refuse_closed_input<'a>(
    paths: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<(), String> {
    if paths.into_iter().any(|path| names_stdin(path)) && closed::is_stdin_closed() {
        return Err(String::from(
            "cannot read <stdin>: standard input is closed",
        ));
    }
    Ok(())
}

/// Refuses to write to a standard output that was closed from the start.
pub(crate) fn refuse_closed_output() -> io::Result<()> {
    if closed::is_stdout_closed() {
        Err(io::Error::other("standard output is closed"))
    } else {
        Ok(())
    }
}

/// The error of standard output that shows only when everything is written, if there is one.
pub(crate) fn end_output() -> io::Result<()> {
    closed::close_stdout_copy()
}

/// Standard output without a buffer, unless it was closed from the start.
pub(crate) fn standard_output() -> io::Result<Box<dyn Write + Send>> {
    refuse_closed_output()?;
    simdtext_convert::standard_output()
}

/// Standard output; one that was closed from the start is refused now if something `is_certain` to be written, and
/// otherwise when it is.
pub(crate) fn standard_output_if(is_certain: bool) -> io::Result<Box<dyn Write + Send>> {
    if is_certain || !closed::is_stdout_closed() {
        return standard_output();
    }
    Ok(Box::new(Closed))
}

/// A standard output that was closed from the start.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
        refuse_closed_output().map(|()| 0)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether this is standard input, by any of its names.
fn names_stdin(path: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]
        .map(Path::new)
        .contains(&path)
}

/// Whether this is standard output, by any of its names.
pub(crate) fn names_stdout(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"]
        .map(Path::new)
        .contains(&path)
}
