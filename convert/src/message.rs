//! The parts of messages, for programs that write their own: names that can't control the terminal, the
//! system's error texts, plurals, bytes and characters.

use std::fmt;
use std::io;
use std::path::Path;

use crate::charset::Charset;

/// Says that a byte order mark has overridden the encoding that was named.
#[must_use]
pub fn bom_overrides(marked: Charset, named: Charset) -> String {
    format!(
        "its byte order mark says {marked}, which overrides --from={named}; --bom=keep decodes it as \
         {named} all the same"
    )
}

/// An error in the system's words, without its number: "No such file or directory".
#[must_use]
pub fn plain(error: &io::Error) -> String {
    if error.raw_os_error().is_none() && error.get_ref().is_none() {
        // It has only a kind, for which the standard library has other words than the system.
        match error.kind() {
            io::ErrorKind::NotFound => return String::from("No such file or directory"),
            io::ErrorKind::NotADirectory => return String::from("Not a directory"),
            io::ErrorKind::AlreadyExists => return String::from("File exists"),
            _ => {}
        }
    }
    let mut words = error.to_string();
    if let Some(number) = words.find(" (os error ") {
        words.truncate(number);
    }
    words
}

/// The end of a message about a file that can't be replaced because something may be mounted at its path.
pub(crate) fn if_mounted(error: &io::Error) -> &'static str {
    if error.kind() == io::ErrorKind::ResourceBusy {
        ". A file that is mounted at its path, as in containers, can't be replaced: convert it where it is \
         mounted from, or write to another file"
    } else {
        ""
    }
}

/// What the standard does with labels such as iso-2022-kr, and what converts text in these encodings.
pub const NOT_DECODED: &str = "the standard reads iso-2022-kr, iso-2022-cn and hz-gb-2312 as the encoding \
     \"replacement\", which decodes nothing: all of the input is one malformed sequence. `uconv -f HZ -t \
     UTF-8` or `iconv -f ISO-2022-KR -t UTF-8` converts it";

/// Bytes as "E4 BD".
#[must_use]
pub fn hexadecimal(bytes: &[u8]) -> String {
    let pairs: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    pairs.join(" ")
}

/// A number of things whose plural ends in s: "1 file", "2 files".
#[derive(Clone, Copy, Debug)]
pub struct Counted(pub u64, pub &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number, noun) = self;
        let plural = if *number == 1 { "" } else { "s" };
        write!(f, "{number} {noun}{plural}")
    }
}

/// A text with its control characters escaped, so that a file name can't control the terminal, and with characters
/// that are invisible or change the direction of what follows, so that it shows what it is.
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ch in self.0.chars() {
            if ch.is_control() || is_invisible(ch) {
                write!(f, "{}", ch.escape_default())?;
            } else {
                write!(f, "{ch}")?;
            }
        }
        Ok(())
    }
}

/// A path as messages name it.
pub(crate) fn shown(path: impl AsRef<Path>) -> String {
    Escaped(&path.as_ref().to_string_lossy()).to_string()
}

/// Some of `total` paths, each on a line of its own.
pub(crate) fn shown_below(paths: impl IntoIterator<Item = impl AsRef<Path>>, total: u64) -> String {
    let lines = paths.into_iter().map(|path| format!("\n  {}", shown(path)));
    let lines: Vec<String> = lines.collect();
    let more = if total > lines.len() as u64 {
        "\n  and more"
    } else {
        ""
    };
    lines.concat() + more
}

/// Line separators, marks and overrides of the direction, and characters without width but for those that join or
/// separate letters in names.
fn is_invisible(ch: char) -> bool {
    matches!(
        ch,
        '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
    )
}

/// A character and its number: `'★' (U+2605)`, or only the number if it can't be shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown(pub char);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} (U+{:04X})", self.0, u32::from(self.0))
    }
}

/// Receives the messages.
pub(crate) type Voice<'a> = &'a mut (dyn FnMut(fmt::Arguments<'_>) + Send);
