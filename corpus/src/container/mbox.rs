//! Mail in the format mbox: messages that begin with a line `From …` after an empty one. Each part of a
//! message that does not consist of other parts is a document, in its own charset.
//!
//! The crate mailparse undoes MIME: it returns the bytes of a part before any charset is applied, which the
//! other well-known crate (mail-parser) does not do for text, and it limits how deeply parts can be nested.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io;

use mailparse::{MailHeaderMap, MailParseError, ParsedMail, parse_headers, parse_mail};

use super::{Contained, reason_of};
use crate::limits::Limits;
use crate::record::{Item, Origin, Record};
use crate::rejected::{Reason, Rejection};
use crate::stream::Stream;

/// The maximum size of the rest of a message, apart from its parts, in bytes.
const MORE: u64 = 1 << 20;
/// The maximum number of parts of a message that are read.
const MAX_PARTS: usize = 1000;
/// The maximum number of lines of a message that may separate parts. mailparse reads them all, and needs more than 200
/// bytes for each.
const MAX_SEPARATORS: usize = 100_000;

/// The maximum length of a header that mailparse decodes, in bytes: it needs forty times as much memory.
const MAX_HEADER: usize = 8 * 1024;
/// The maximum number of encoded words in such a header, which take time that grows with the square of their number.
const MAX_WORDS: usize = 64;
/// The maximum number of lines of headers of a message.
const MAX_LINES: usize = 250_000;
/// The maximum length of a Message-ID that is used: that of a line of mail.
const MAX_ID: usize = 998;

pub(crate) struct Mbox {
    stream: Stream,
    limits: Limits,
    /// The remaining parts of the message that was read last.
    parts: VecDeque<Item>,
    is_done: bool,
}

/// How the first line of a message begins.
const FROM: &[u8] = b"From ";

impl Mbox {
    pub(crate) fn new(stream: Stream, limits: Limits) -> Self {
        Self {
            stream,
            limits,
            parts: VecDeque::new(),
            is_done: false,
        }
    }

    /// Returns the next message without its first line, or its length if it is too long. `None` at the end.
    fn message(&mut self) -> io::Result<Option<Result<Vec<u8>, u64>>> {
        // Base64 has four bytes for three.
        let most = self.limits.max_record.saturating_mul(3) / 2 + MORE;
        let mut message = Vec::new();
        let mut len: u64 = 0;
        let mut is_line_start = true;
        let mut is_after_empty = true;
        let mut is_first = true;
        let mut is_from = false;
        loop {
            let shown = self.stream.peek_across(FROM.len(), |_| false)?;
            if shown.is_empty() {
                break;
            }
            if is_line_start {
                is_from = is_after_empty && shown.starts_with(FROM);
                if is_from && !is_first {
                    break;
                }
            }
            let end = memchr::memchr(b'\n', shown);
            let piece = &shown[..end.map_or(shown.len(), |end| end + 1)];
            let taken = piece.len();
            is_after_empty = is_line_start && matches!(piece, b"\n" | b"\r\n");
            len += taken as u64;
            if len > most {
                message = Vec::new();
            } else if !is_from {
                message.extend_from_slice(piece);
            }
            is_line_start = end.is_some();
            is_first &= !is_line_start;
            self.stream.consume(taken);
        }
        Ok(match len {
            0 => None,
            len if len > most => Some(Err(len)),
            _ => Some(Ok(message)),
        })
    }

    fn read_message(&mut self) {
        // The offset of the message in the decompressed file.
        let origin = Origin {
            offset: self.stream.position(),
            ..Origin::default()
        };
        match self.message() {
            Ok(None) => self.is_done = true,
            Ok(Some(Ok(message))) => self.parts = parts(&origin, &message, &self.limits),
            Ok(Some(Err(len))) => {
                let rejected = Record::rejected(origin, self.limits.too_large(len));
                self.parts.push_back(rejected);
            }
            Err(error) => {
                self.is_done = true;
                let reason = reason_of(&error, self.stream.packing());
                let detail = format!(
                    "{error}, after offset {} of the decompressed data",
                    origin.offset
                );
                let rejection = Rejection::new(reason, detail);
                self.parts.push_back(Record::rejected(origin, rejection));
            }
        }
    }
}

/// Returns the documents of a message: at least one, which may be rejected.
fn parts(origin: &Origin, message: &[u8], limits: &Limits) -> VecDeque<Item> {
    let rejected = |what: String| {
        let detail = format!("{what}, in the message at offset {}", origin.offset);
        let rejection = Rejection::new(Reason::Damaged, detail);
        VecDeque::from([Record::rejected(origin.clone(), rejection)])
    };
    let too_large = |what: String| {
        let detail = format!("{what}, in the message at offset {}", origin.offset);
        Record::rejected(origin.clone(), Rejection::new(Reason::TooLarge, detail))
    };
    if memchr::memmem::find_iter(message, "\n--").count() > MAX_SEPARATORS {
        let what = format!("more than {MAX_SEPARATORS} lines that begin with --");
        return VecDeque::from([too_large(what)]);
    }
    if let Some(what) = excess_of_headers(message) {
        return VecDeque::from([too_large(what)]);
    }
    let message = with_body(message);
    let mail = match parse_mail(&message) {
        Ok(mail) => mail,
        Err(error) => return rejected(error.to_string()),
    };
    // It has no encoded words.
    let id = mail.headers.get_first_header("Message-ID");
    let id = id.map_or(&[][..], |it| it.get_value_raw());
    let id = String::from_utf8_lossy(id.get(..MAX_ID).unwrap_or(id));
    let id = id
        .trim()
        .trim_start_matches('<')
        .trim_end_matches('>')
        .to_owned();
    let leaves = mail.parts().filter(|part| part.subparts.is_empty());
    let mut items: VecDeque<_> = leaves
        .take(MAX_PARTS + 1)
        .enumerate()
        .map(|(number, part)| {
            let origin = Origin {
                name: format!("mid:{id}#{number}"),
                content_type: part.headers.get_first_value("Content-Type"),
                ..origin.clone()
            };
            Item::Record(Record::new(origin, body(part, limits)))
        })
        .collect();
    if items.len() > MAX_PARTS {
        items.pop_back();
        items.push_back(too_large(format!("more than {MAX_PARTS} parts")));
    }
    if items.is_empty() {
        return rejected(String::from("there is no part"));
    }
    items
}

/// Says what exceeds the limits of headers. Lines after one that may separate parts may be headers.
fn excess_of_headers(message: &[u8]) -> Option<String> {
    let mut is_header = true;
    let mut lines = 0;
    // The length of the header so far, if it is one that is decoded, and the number of encoded words in it.
    let mut header: Option<(usize, usize)> = None;
    for line in message.split_inclusive(|byte| *byte == b'\n') {
        let words = || memchr::memmem::find_iter(line, "=?").count();
        header = match line {
            b"\n" | b"\r\n" => {
                is_header = false;
                None
            }
            [b'-', b'-', ..] => {
                is_header = true;
                None
            }
            [b' ' | b'\t', ..] => header.map(|it| (it.0 + line.len(), it.1 + words())),
            _ => {
                let begins = |name: &[u8]| {
                    let begin = line.get(..name.len());
                    begin.is_some_and(|it| it.eq_ignore_ascii_case(name))
                };
                let is_decoded = begins(b"Content-Type") || begins(b"Content-Transfer-Encoding");
                is_decoded.then(|| (line.len(), words()))
            }
        };
        if header.is_some_and(|(len, words)| len > MAX_HEADER || words > MAX_WORDS) {
            let most = format!("{MAX_HEADER} bytes or {MAX_WORDS} encoded words");
            return Some(format!(
                "a Content-Type or -Transfer-Encoding of more than {most}"
            ));
        }
        lines += usize::from(is_header);
        if lines > MAX_LINES {
            return Some(format!("more than {MAX_LINES} lines of headers"));
        }
    }
    None
}

/// Ends the headers of a message, or of a part of one, before the first line that is not one, so that none of its text is lost.
fn with_body(message: &[u8]) -> Cow<'_, [u8]> {
    let mut at = 0;
    for line in message.split_inclusive(|byte| *byte == b'\n') {
        let is_header = match line {
            b"\n" | b"\r\n" => break,
            [b' ' | b'\t', ..] => at > 0,
            _ => memchr::memchr(b':', line).is_some_and(|colon| {
                colon > 0 && line[..colon].iter().all(|byte| matches!(byte, b'!'..=b'~'))
            }),
        };
        if !is_header {
            return [&message[..at], b"\n", &message[at..]].concat().into();
        }
        at += line.len();
    }
    message.into()
}

/// Returns the bytes of a part that has no parts.
fn bytes_of(part: &ParsedMail<'_>) -> Result<Vec<u8>, MailParseError> {
    if part.ctype.mimetype.starts_with("multipart/") {
        // None of the lines that should separate its parts is there.
        let (_, begin) = parse_headers(part.raw_bytes)?;
        return Ok(part.raw_bytes.get(begin..).unwrap_or_default().to_vec());
    }
    match with_body(part.raw_bytes) {
        Cow::Borrowed(_) => part.get_body_raw(),
        Cow::Owned(with_body) => parse_mail(&with_body)?.get_body_raw(),
    }
}

fn body(part: &ParsedMail<'_>, limits: &Limits) -> Result<Vec<u8>, Rejection> {
    let bytes = bytes_of(part);
    let bytes = bytes.map_err(|error| Rejection::new(Reason::Damaged, error.to_string()))?;
    match bytes.len() as u64 {
        len if len > limits.max_record => Err(limits.too_large(len)),
        _ => Ok(bytes),
    }
}

impl Iterator for Mbox {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if self.parts.is_empty() && !self.is_done {
            self.read_message();
        }
        self.parts.pop_front()
    }
}

impl Contained for Mbox {
    fn read_of_file(&self) -> u64 {
        self.stream.read_of_file()
    }
}
