//! Messages: all of them go to standard error, and none of them can fail the run.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Write};

pub(crate) use simdtext_convert::message::{Counted, Escaped, bom_overrides, hexadecimal, plain};

/// Writes one message, at once, so that those of two processes don't mix. Nothing can be done where standard
/// error itself can't be written.
pub(crate) fn say(message: fmt::Arguments<'_>) {
    let line = format!("simdtext: {message}\n");
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// Says that standard output can't be written.
pub(crate) fn cannot_write_stdout(error: &io::Error) {
    say(format_args!("cannot write <stdout>: {}", plain(error)));
}

/// The names that `SIMDTEXT_ISA` may have. The library ignores any other, so that a library never
/// writes messages of its own.
const KNOWN_ISAS: [&str; 7] = [
    "none",
    "scalar",
    "sse4",
    "avx2",
    "avx512",
    "avx512_vbmi2",
    "neon",
];

/// Warns where `SIMDTEXT_ISA` has a value that nothing knows.
pub(crate) fn warn_about_isa(value: Option<&OsStr>) {
    if let Some(value) = value
        && !KNOWN_ISAS.iter().any(|known| value == *known)
        && !value.is_empty()
    {
        say(format_args!(
            "SIMDTEXT_ISA={} is not known and has no effect; use {}",
            Escaped(&value.to_string_lossy()),
            KNOWN_ISAS.join(", ")
        ));
    }
}
