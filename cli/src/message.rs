//! Messages: all of them go to standard error, and none of them can fail the run.

use std::ffi::OsStr;
use std::fmt;
use std::io::{self, Write};

use crate::charset::Charset;

/// Writes one message. Nothing can be done where standard error itself can't be written.
pub(crate) fn say(message: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "simdtext: {message}");
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

/// Says that a byte order mark won over the encoding that was named.
pub(crate) fn bom_overrides(marked: Charset, named: Charset) -> String {
    format!(
        "its byte order mark says {marked}, which overrides --from={named}; --bom=keep decodes it as \
         {named} all the same"
    )
}

/// What went wrong in the words of the system, without its number.
pub(crate) fn plain(error: &io::Error) -> String {
    let mut words = error.to_string();
    if let Some(number) = words.find(" (os error ") {
        words.truncate(number);
    }
    words
}

/// Bytes as "E4 BD".
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let pairs: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    pairs.join(" ")
}

/// "1 file", "2 files".
pub(crate) struct Counted(pub(crate) u64, pub(crate) &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number, noun) = self;
        let plural = if *number == 1 { "" } else { "s" };
        write!(f, "{number} {noun}{plural}")
    }
}

/// A text with its control characters escaped, so that a file name can't steer the terminal.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ch in self.0.chars() {
            if ch.is_control() {
                write!(f, "{}", ch.escape_default())?;
            } else {
                write!(f, "{ch}")?;
            }
        }
        Ok(())
    }
}

/// A character as itself, where it can be shown, and as its number: `'★' (U+2605)`.
pub(crate) struct Shown(pub(crate) char);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} (U+{:04X})", self.0, u32::from(self.0))
    }
}
