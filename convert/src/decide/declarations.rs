//! Declarations that browsers don't know: in a comment, as Python and Emacs read it, in a statement, in the header of a
//! mail or of a catalogue of messages (`.po`), or of an encoding that the standard does not have, such as IBM850, for
//! which a guess would be wrong for certain.
//!
//! Tested in `cli/tests/cli/undeclared.rs`.

use std::fmt;

use memchr::{memchr2_iter, memmem};
use simdtext::sniff::{Format, declarations};
use simdtext::{Encoding, ISO_2022_JP, REPLACEMENT, UTF_8, UTF_16BE, UTF_16LE};

use super::{format_of, statements};
use crate::charset::Charset;
use crate::labels;

/// The longest label that is recognised, in bytes.
const LONGEST: usize = 40;

/// How many unknown labels are looked at.
const MOST: usize = 16;

/// A label in a document that no encoding has.
#[derive(Clone, Copy)]
pub(crate) struct UnknownLabel {
    bytes: [u8; LONGEST],
    len: usize,
}

impl UnknownLabel {
    /// `None` if it does not look like a label.
    fn new(label: &[u8]) -> Option<Self> {
        let is_part = |byte: &u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':' | b'+')
        };
        let looks_right = label.iter().all(is_part) && label.iter().any(u8::is_ascii_alphanumeric);
        let mut bytes = [0; LONGEST];
        bytes.get_mut(..label.len())?.copy_from_slice(label);
        looks_right.then_some(Self {
            bytes,
            len: label.len(),
        })
    }

    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

impl fmt::Debug for UnknownLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for UnknownLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The label of a document that declares an encoding which is not in the standard, and no other.
pub(super) fn unknown_label(head: &[u8]) -> Option<UnknownLabel> {
    match format_of(head) {
        Format::Text | Format::Unknown => {}
        format => {
            if let Some(label) = in_markup(head, format) {
                return Some(label);
            }
        }
    }
    in_program(head)
}

/// In HTML, XML and CSS. With a label that is known in its place, it is found where browsers find declarations.
fn in_markup(head: &[u8], format: Format) -> Option<UnknownLabel> {
    const KNOWN: &[u8] = b"ibm866";
    let unknown = labels_after(head, b"charset").chain(labels_after(head, b"encoding"));
    let unknown = unknown.filter(|(_, label)| Encoding::for_label(label).is_none());
    unknown.take(MOST).find_map(|(at, label)| {
        let found = UnknownLabel::new(label)?;
        let known = [&head[..at], KNOWN, &head[at + label.len()..]].concat();
        let mut declared = declarations(&known, format);
        declared
            .any(|declaration| declaration.range.start == at)
            .then_some(found)
    })
}

/// What may be a label after each occurrence of a word, with its place.
pub(super) fn labels_after<'a>(
    head: &'a [u8],
    word: &'static [u8],
) -> impl Iterator<Item = (usize, &'a [u8])> {
    let places = memchr2_iter(word[0], word[0].to_ascii_uppercase(), head);
    places.filter_map(move |at| {
        let (found, rest) = head[at..].split_at_checked(word.len())?;
        if !found.eq_ignore_ascii_case(word) {
            return None;
        }
        let before =
            |byte: &&u8| matches!(byte, b'=' | b'"' | b'\'' | b' ' | b'\t' | b'\r' | b'\n');
        let skipped = rest.iter().take_while(before).count();
        let label = &rest[skipped..];
        let ends = |byte: &u8| matches!(byte, b'"' | b'\'' | b';' | b'>' | b'?' | b'/' | 0..=b' ');
        let len = label.iter().position(ends).unwrap_or(label.len());
        (len > 0 && skipped > 0).then_some((at + word.len() + skipped, &label[..len]))
    })
}

/// In a comment or a statement. Programs have names of their own for many encodings of the standard, so only names of
/// others are found.
fn in_program(head: &[u8]) -> Option<UnknownLabel> {
    let label = label_in_comment(head).or_else(|| statements::label(head))?;
    let found = UnknownLabel::new(label)?;
    labels::is_outside(found.as_str()).then_some(found)
}

/// In a comment in the first two lines, as Python (PEP 263) and Emacs read it.
fn label_in_comment(head: &[u8]) -> Option<&[u8]> {
    let head = &head[..head.len().min(1024)];
    let lines = head.split(|byte| *byte == b'\n').take(2);
    lines.into_iter().find_map(|line| {
        let is_comment = line.trim_ascii_start().starts_with(b"#");
        if !is_comment && memmem::find(line, b"-*-").is_none() {
            return None;
        }
        let at = memmem::find(line, b"coding")? + b"coding".len();
        let (b':' | b'=', label) = line[at..].split_first()? else {
            return None;
        };
        Some(without_line_end(name_of(label.trim_ascii_start())))
    })
}

/// The name of an encoding in Emacs, without that of a line end.
pub(super) fn without_line_end(label: &[u8]) -> &[u8] {
    let ends: [&[u8]; 3] = [b"-unix", b"-dos", b"-mac"];
    let mut bare = ends.iter().filter_map(|end| label.strip_suffix(*end));
    bare.next().unwrap_or(label)
}

/// The charset of the Content-Type in the header of a mail, or in that of a catalogue of messages (`.po`), where it is
/// in quotation marks. That of a part of a mail, or of one mail in a mailbox, says nothing about the others.
fn label_in_header(head: &[u8]) -> Option<&[u8]> {
    const FIELD: &[u8] = b"content-type:";
    let mut lines = head.split(|byte| *byte == b'\n');
    let (name, _) = head.split_at(head.iter().position(|byte| *byte == b':')?);
    let is_mail = name
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    let is_field = |line: &[u8]| {
        let start = line.get(..FIELD.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(FIELD))
    };
    let mut value = if is_mail {
        let header = lines
            .by_ref()
            .take_while(|line| !line.trim_ascii().is_empty());
        let field = header.skip_while(|line| !is_field(line));
        let folded = |(number, line): &(usize, &[u8])| {
            *number == 0 || matches!(line.first(), Some(b' ' | b'\t'))
        };
        field
            .enumerate()
            .take_while(folded)
            .map(|(_, line)| line)
            .collect()
    } else {
        let field = lines.filter_map(|line| line.strip_prefix(b"\""));
        field
            .filter(|line| is_field(line))
            .take(1)
            .collect::<Vec<_>>()
    }
    .into_iter();
    value.find_map(|line| Some(name_of(labels_after(line, b"charset").next()?.1)))
}

/// The bytes at the start that may be in the name of an encoding.
pub(super) fn name_of(label: &[u8]) -> &[u8] {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    &label[..label.iter().take_while(is_part).count()]
}

/// The encoding that a comment, a header or a statement declares, if bytes that are neither ASCII nor UTF-8 may be text
/// in it.
pub(super) fn declared_elsewhere(head: &[u8]) -> Option<&'static Encoding> {
    let label = label_in_comment(head)
        .or_else(|| label_in_header(head))
        .or_else(|| statements::label(head))?;
    let label = std::str::from_utf8(label).ok()?.to_ascii_lowercase();
    if label.contains("ascii") {
        return None;
    }
    let none = [UTF_8, UTF_16LE, UTF_16BE, ISO_2022_JP, REPLACEMENT];
    labels::encoding_named(&label).filter(|encoding| !none.contains(encoding))
}

/// What to say about a guess at the encoding of such a document.
pub(super) fn in_words(label: UnknownLabel) -> String {
    format!("it declares {label}, which is not an encoding of the standard")
}

/// What to do about it.
pub(super) fn advice(label: UnknownLabel, charset: Charset) -> String {
    let elsewhere =
        labels::advice(label.as_str()).map_or(String::new(), |hint| format!("; {hint}"));
    format!(
        "--from=LABEL names its encoding, --force converts it from {charset}, which is a guess{elsewhere}"
    )
}
