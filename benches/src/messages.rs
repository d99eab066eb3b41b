//! Long prose for the legacy encodings: too long for branch predictors to learn.
//!
//! It is made from the messages of LibreOffice, which describes each of its functions in whole sentences, in
//! all the languages that legacy encodings were made for. Debian and Ubuntu have them in packages
//! `libreoffice-l10n-LANGUAGE`, which `apt-get download` fetches once, into the folder `target`; nothing is
//! installed.
//!
//! Prose is found by counting. A line of a message is kept if nine in ten of its characters, apart from
//! spaces, are letters (or, in languages that are not written in Latin letters, not ASCII), if it has 32
//! bytes or more, and if it did not occur before.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::corpus::LANGUAGES;
use crate::tsv::root;

/// The maximum number of characters in a text, with which input and output stay within a second-level cache
/// of 1 MiB.
const LONGEST: usize = 128 * 1024;

/// The minimum number of bytes in a line.
const SHORTEST_LINE: usize = 32;

/// The number of lines in a paragraph.
const PARAGRAPH: usize = 8;

/// The folder that has a subfolder for each package.
fn folder() -> PathBuf {
    root().join("target/corpus/messages")
}

/// Fetches the missing packages of all languages. Without Debian's programs, package lists or a network, a
/// message says so, and the texts are missing.
pub(crate) fn fetch() {
    let packages = LANGUAGES.iter().map(|language| language.messages);
    let missing: Vec<&str> = packages
        .filter(|suffix| !suffix.is_empty() && !folder().join(suffix).is_dir())
        .collect();
    if missing.is_empty() {
        return;
    }
    let count = missing.len();
    eprintln!("no long texts: fetching {count} packages of Debian's, 16 MB in all");
    let mut script = Command::new("bash");
    script
        .args(["-c", FETCH, "fetch"])
        .arg(folder())
        .args(missing);
    if !script.status().is_ok_and(|status| status.success()) {
        eprintln!(
            "long texts come from `apt-get download`, which needs Debian or Ubuntu, `apt-get update` \
             before it, and a network; without them shorter texts serve"
        );
    }
}

const FETCH: &str = include_str!("messages.sh");

/// The version of the package that was fetched for a language.
pub(crate) fn version(suffix: &str) -> Option<String> {
    fs::read_to_string(folder().join(suffix).join("version")).ok()
}

/// The text of the language whose package has this name.
pub(crate) fn text(suffix: &str) -> Option<String> {
    if suffix.is_empty() {
        return None;
    }
    let resources = folder()
        .join(suffix)
        .join("usr/lib/libreoffice/program/resource");
    // The only folder there has LibreOffice's name for the language.
    let language = fs::read_dir(resources).ok()?.next()?.ok()?.path();
    let files = fs::read_dir(language.join("LC_MESSAGES")).ok()?;
    let mut files: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    files.sort_unstable();
    let mut messages = String::new();
    for file in files {
        let file = fs::read(file).ok()?;
        for message in translations(&file) {
            // Removes the marks of shortcut keys.
            messages.push_str(&message.replace(['_', '~'], ""));
            messages.push('\n');
        }
    }
    Some(prose(&messages))
}

/// The translations in a GNU gettext file (`.mo`), in order; plural forms are on lines of their own.
/// <https://www.gnu.org/software/gettext/manual/html_node/MO-Files.html>
fn translations(file: &[u8]) -> impl Iterator<Item = &str> {
    let number = |at: usize| {
        let bytes = file.get(at..)?.first_chunk::<4>()?;
        usize::try_from(u32::from_le_bytes(*bytes)).ok()
    };
    let little_endian = number(0) == Some(0x9504_12DE);
    let count = number(8).filter(|_| little_endian).unwrap_or(0);
    let table = number(16).unwrap_or(0);
    // The first message is a header.
    let messages = (1..count).filter_map(move |index| {
        let (len, start) = (number(table + 8 * index)?, number(table + 8 * index + 4)?);
        str::from_utf8(file.get(start..)?.get(..len)?).ok()
    });
    messages.flat_map(|message| message.split('\0'))
}

/// The lines that are prose, as paragraphs.
fn prose(messages: &str) -> String {
    let ascii = messages.chars().filter(char::is_ascii_alphabetic).count();
    let others = messages.chars().filter(|ch| !ch.is_ascii()).count();
    let latin = ascii > others;
    let dense = |line: &&str| {
        let chars = || line.chars().filter(|ch| !ch.is_whitespace());
        let counts = |ch: &char| match latin {
            true => ch.is_alphabetic(),
            false => !ch.is_ascii(),
        };
        line.len() >= SHORTEST_LINE && 10 * chars().filter(counts).count() >= 9 * chars().count()
    };
    let mut seen = HashSet::new();
    let lines = messages.lines().map(str::trim).filter(dense);
    let lines: Vec<&str> = lines.filter(|line| seen.insert(*line)).collect();
    // Chinese and Japanese have no spaces between words, so lines are joined without one.
    let count = |test: fn(char) -> bool| {
        let chars = lines.iter().flat_map(|line| line.chars());
        chars.filter(|&ch| test(ch)).count()
    };
    let spaced = 50 * count(char::is_whitespace) > count(|_| true);
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        text.push_str(line);
        text.push_str(match (index + 1) % PARAGRAPH {
            0 => "\n",
            _ if spaced => " ",
            _ => "",
        });
    }
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
    }
    text
}
