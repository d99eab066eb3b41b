//! Messages: all of them go to standard error, and a failure to write one never fails the run.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, IsTerminal, Write};

use simdtext_convert::Input;

pub(crate) use simdtext_convert::message::{
    Counted, Escaped, NOT_DECODED, bom_overrides, hexadecimal, plain,
};

/// Writes one message in one piece, so that the messages of two processes don't mix. If standard error can't
/// be written, nothing can be done about it.
pub(crate) fn say(message: fmt::Arguments<'_>) {
    let line = format!("simdtext: {message}\n");
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// The name of an input in a report on standard output: its bytes, for other programs. It is escaped as in
/// messages if somebody looks at it, or if it could end the line or control a terminal.
pub(crate) fn reported_name(input: &Input) -> Vec<u8> {
    if io::stdout().is_terminal() || input.name_text().chars().any(char::is_control) {
        input.to_string().into_bytes()
    } else {
        input.name_bytes()
    }
}

/// Reports that standard output can't be written.
pub(crate) fn cannot_write_stdout(error: &io::Error) {
    say(format_args!("cannot write <stdout>: {}", plain(error)));
}

/// The names that `SIMDTEXT_ISA` may have. The library ignores all others, because a library should not write
/// messages.
const KNOWN_ISAS: [&str; 7] = [
    "none",
    "scalar",
    "sse4",
    "avx2",
    "avx512",
    "avx512_vbmi2",
    "neon",
];

/// Warns if `SIMDTEXT_ISA` has an unknown value.
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
