//! The form of the lines of a journal, by which a missing or altered line is noticed.
//!
//! Each line is preceded by its number and followed by a checksum of itself and all lines before it. The
//! third line says how many lines there were when all of them had last been written. It is the only line that
//! is ever changed, and keeps its length.

use std::fmt::{self, Write as _};
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::os::{self, Stamp};

pub(super) const MAGIC: &str = "simdtext journal ";
pub(super) const VERSION: &str = "2";

/// No line is longer than this, in bytes. A path has a few thousand bytes at most, each of which takes up to
/// three.
pub(super) const LONGEST_LINE: usize = 64 * 1024;

/// How many lines, at the beginning, have no number and no checksum.
pub(super) const HEADER_LINES: u64 = 3;

/// The state of a journal: how far it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) lines: u64,
    /// The checksum of the last line.
    pub(super) sum: u64,
}

impl End {
    /// The state of a journal without any numbered line.
    pub(super) fn first(run: &str) -> Self {
        Self {
            lines: HEADER_LINES,
            sum: xxh3_64(first_lines(run).as_bytes()),
        }
    }

    /// The third line. It always has the same length.
    pub(super) fn line(self) -> String {
        format!("end {:020} {:016x}\n", self.lines, self.sum)
    }

    pub(super) fn read(line: &str) -> Option<Self> {
        let (lines, sum) = line.strip_prefix("end ")?.split_once(' ')?;
        let end = Self {
            lines: lines.parse().ok()?,
            sum: u64::from_str_radix(sum, 16).ok()?,
        };
        (end.line().trim_end() == line).then_some(end)
    }

    /// Appends `text` as the next line to `lines`.
    pub(super) fn append(&mut self, text: &str, lines: &mut String) {
        self.lines += 1;
        let line = format!("{} {text}", self.lines);
        self.sum = chained(self.sum, &line);
        // Writing to a string does not fail.
        let _ = writeln!(lines, "{line} {:016x}", self.sum);
    }

    /// Takes the next line, without its line feed. `Err` says what is wrong with it.
    pub(super) fn follow<'l>(&mut self, line: &'l str) -> Result<&'l str, Damage> {
        let number = self.lines + 1;
        let (body, sum) = line.rsplit_once(' ').ok_or(Damage::Changed)?;
        let (own, text) = body.split_once(' ').ok_or(Damage::Changed)?;
        let own: u64 = own.parse().map_err(|_| Damage::Changed)?;
        if own != number {
            return Err(Damage::Missing { found: own });
        }
        let chained = chained(self.sum, body);
        if sum != format!("{chained:016x}") {
            return Err(Damage::Changed);
        }
        *self = Self {
            lines: number,
            sum: chained,
        };
        Ok(text)
    }
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Damage {
    Changed,
    /// Another line stands in its place.
    Missing {
        found: u64,
    },
    Endless,
    Unknown,
    /// The journal ends before it, and once had this many lines.
    Cut {
        lines: u64,
    },
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed => f.write_str("it is not as it was written"),
            Self::Missing { found } => {
                write!(f, "line {found} is in its place, and others are missing")
            }
            Self::Endless => write!(f, "it is longer than {LONGEST_LINE} bytes"),
            Self::Unknown => f.write_str("this is not a line in this version's format"),
            Self::Cut { lines } => write!(
                f,
                "it and what followed are missing, there were {lines} lines"
            ),
        }
    }
}

/// The first two lines.
pub(super) fn first_lines(run: &str) -> String {
    format!("{MAGIC}{VERSION}\nrun {run}\n")
}

fn chained(before: u64, line: &str) -> u64 {
    let mut bytes = before.to_le_bytes().to_vec();
    bytes.extend_from_slice(line.as_bytes());
    xxh3_64(&bytes)
}

/// What a line says about one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record<'a> {
    pub(crate) result: &'a str,
    /// The name of the encoding that a list gives for the file; empty if it gives none.
    pub(crate) listed: &'a str,
    pub(crate) input: Stamp,
    pub(crate) output: Stamp,
    /// A hash of all bytes of the output.
    pub(crate) content: Option<u128>,
    /// What existed at the place of the output before, if that is not the input.
    pub(crate) over: Option<Stamp>,
    /// The place of the output, as one word; with in-place conversion, that of the input.
    pub(crate) place: String,
    /// The input, as one word, if it is at another place.
    pub(crate) path: Option<String>,
}

impl<'a> Record<'a> {
    pub(super) fn text(&self) -> String {
        let or_none = |word: Option<String>| word.unwrap_or_else(|| String::from("-"));
        format!(
            "file {}{}{} {} {} {} {} {} {}",
            self.result,
            if self.listed.is_empty() { "" } else { ":" },
            self.listed,
            word(self.input),
            word(self.output),
            or_none(self.content.map(|content| format!("{content:032x}"))),
            or_none(self.over.map(word)),
            self.place,
            or_none(self.path.clone()),
        )
    }

    /// Reads what follows "file ".
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let mut words = text.split(' ');
        let mut next = || words.next().filter(|word| !word.is_empty());
        let optional = |word: &'a str| (word != "-").then_some(word);
        let result = next()?;
        let (result, listed) = result.split_once(':').unwrap_or((result, ""));
        let (input, output) = (stamp(next()?)?, stamp(next()?)?);
        let (content, over, place, path) = (next()?, next()?, next()?, next()?);
        let content = optional(content).map(|word| u128::from_str_radix(word, 16));
        let record = Self {
            result,
            listed,
            input,
            output,
            content: content.transpose().ok()?,
            over: match optional(over) {
                Some(word) => Some(stamp(word)?),
                None => None,
            },
            place: String::from(place),
            path: optional(path).map(String::from),
        };
        words.next().is_none().then_some(record)
    }
}

fn word(stamp: Stamp) -> String {
    let Stamp {
        device,
        inode,
        size,
        modified,
    } = stamp;
    format!("{device}:{inode}:{size}:{modified}")
}

fn stamp(word: &str) -> Option<Stamp> {
    let mut numbers = word.split(':');
    let stamp = Stamp {
        device: numbers.next()?.parse().ok()?,
        inode: numbers.next()?.parse().ok()?,
        size: numbers.next()?.parse().ok()?,
        modified: numbers.next()?.parse().ok()?,
    };
    numbers.next().is_none().then_some(stamp)
}

/// A path as one word of ASCII: other bytes, spaces and "%" as "%XX".
pub(super) fn escaped(path: &Path) -> String {
    let mut word = String::new();
    for byte in os::name_bytes(path) {
        if byte.is_ascii_graphic() && byte != b'%' {
            word.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(word, "%{byte:02X}");
        }
    }
    word
}

/// A folder that was converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JournalRoot {
    pub(super) device: u64,
    pub(super) inode: u64,
    /// The path, as one word.
    pub(super) path: String,
}

impl JournalRoot {
    pub(super) fn text(&self) -> String {
        format!("root {}:{} {}", self.device, self.inode, self.path)
    }

    /// Reads what follows "root ".
    pub(super) fn read(text: &str) -> Option<Self> {
        let (numbers, path) = text.split_once(' ')?;
        let (device, inode) = numbers.split_once(':')?;
        Some(Self {
            device: device.parse().ok()?,
            inode: inode.parse().ok()?,
            path: String::from(path),
        })
    }
}

/// The path from which [`escaped`] made a word.
pub(super) fn unescaped(word: &str) -> io::Result<PathBuf> {
    os::path_of_bytes(os::unescaped(word.as_bytes(), b'%', 2, 16))
}
