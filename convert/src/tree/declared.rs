//! `--fix-declarations`: changes what an output declares at its start to the encoding that it is in.
//!
//! The first bytes of an output are held back until all declarations in them are known. Labels are replaced,
//! and everything else is passed on unchanged. `--verify` puts the old labels back before it compares.

use std::io::{self, Cursor, Read, Write};
use std::path::Path;

use simdtext::Encoding;
use simdtext::sniff::{Format, LATE_META_LEN, declarations};

use crate::charset::Charset;
use crate::decide::format_of;

/// How many bytes of an output are searched for declarations. Browsers look at the first 1,024 bytes of a page
/// before they parse it, but also obey what they find then.
const HEAD: usize = LATE_META_LEN;

/// How many bytes show whether an output can declare anything later.
const TELLING: usize = 4096;

/// The endings of names of pages that need not begin with a tag.
const HTML: [&str; 5] = ["html", "htm", "xhtml", "shtml", "php"];

/// `Err` says why declarations can't be corrected in this encoding.
pub(super) fn refuse(to: &'static Encoding) -> Result<(), String> {
    if Charset::from(to).is_utf16() {
        return Err(format!(
            "--fix-declarations: nothing reads a declaration in {to}, which is known by its byte order \
             mark; leave this flag out, and use --output-bom"
        ));
    }
    Ok(())
}

/// A label that was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    /// The place of the new label in the output, in bytes.
    at: usize,
    old: Vec<u8>,
    new_len: usize,
}

/// Corrects an output while it is written.
pub(super) struct Corrector<W> {
    out: W,
    to: &'static Encoding,
    /// Whether its name says that it is HTML.
    is_html: bool,
    head: Vec<u8>,
    /// Whether the rest is passed on as it is.
    is_done: bool,
    edits: Vec<Edit>,
}

impl<W: Write> Corrector<W> {
    /// `path` is that of the output. Unless it `corrects`, everything is passed on as it is.
    pub(super) fn new(out: W, corrects: bool, to: &'static Encoding, path: &Path) -> Self {
        let is_html = path
            .extension()
            .is_some_and(|extension| HTML.iter().any(|html| extension.eq_ignore_ascii_case(html)));
        Self {
            out,
            to,
            is_html,
            head: Vec::new(),
            is_done: !corrects,
            edits: Vec::new(),
        }
    }

    /// Ends the output. Returns what it was written to, and what was replaced.
    pub(super) fn finish(mut self) -> io::Result<(W, Vec<Edit>)> {
        if !self.is_done {
            self.correct()?;
        }
        Ok((self.out, self.edits))
    }

    /// Whether a declaration may be after the first bytes.
    fn may_declare_later(&self) -> bool {
        let format = self.format_of(&self.head[mark_of(&self.head)..]);
        matches!(format, Format::Html | Format::Xml)
    }

    fn format_of(&self, document: &[u8]) -> Format {
        match format_of(document) {
            Format::Text | Format::Unknown if self.is_html => Format::Html,
            format => format,
        }
    }

    fn correct(&mut self) -> io::Result<()> {
        self.is_done = true;
        let head = std::mem::take(&mut self.head);
        let mark = mark_of(&head);
        let document = &head[mark..];
        let format = self.format_of(document);
        let label = self.to.name().to_ascii_lowercase();
        let mut corrected = head[..mark].to_vec();
        let mut done = 0;
        for declaration in declarations(document, format) {
            // The XML declaration is not a `meta` element, but nothing must be corrected twice.
            if declaration.encoding == self.to || declaration.range.start < done {
                continue;
            }
            corrected.extend_from_slice(&document[done..declaration.range.start]);
            self.edits.push(Edit {
                at: corrected.len(),
                old: document[declaration.range.clone()].to_vec(),
                new_len: label.len(),
            });
            corrected.extend_from_slice(label.as_bytes());
            done = declaration.range.end;
        }
        corrected.extend_from_slice(&document[done..]);
        self.out.write_all(&corrected)
    }
}

impl<W: Write> Write for Corrector<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut rest = bytes;
        if !self.is_done {
            let held;
            (held, rest) = bytes.split_at(bytes.len().min(HEAD - self.head.len()));
            self.head.extend_from_slice(held);
            if self.head.len() < TELLING || self.head.len() < HEAD && self.may_declare_later() {
                return Ok(bytes.len());
            }
            self.correct()?;
        }
        self.out.write_all(rest)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The length of the byte order mark.
fn mark_of(head: &[u8]) -> usize {
    if head.starts_with(b"\xEF\xBB\xBF") {
        3
    } else {
        0
    }
}

/// Reads an output as it would be without these edits.
pub(super) fn undone<'a>(
    edits: &[Edit],
    mut output: Box<dyn Read + Send + 'a>,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let Some(last) = edits.last() else {
        return Ok(output);
    };
    let mut head = Vec::new();
    let len = last.at + last.new_len;
    output.by_ref().take(len as u64).read_to_end(&mut head)?;
    let mut old = Vec::with_capacity(head.len());
    let mut done = 0;
    for edit in edits {
        old.extend_from_slice(head.get(done..edit.at).unwrap_or_default());
        old.extend_from_slice(&edit.old);
        done = edit.at + edit.new_len;
    }
    Ok(Box::new(Cursor::new(old).chain(output)))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read, Write};
    use std::path::Path;

    use simdtext::{KOI8_R, UTF_8};

    use super::{Corrector, HEAD, undone};

    #[test]
    fn however_it_is_written() {
        let page = [
            &b"\xEF\xBB\xBF<?xml version='1.0' encoding=\"GBK\"?><html><meta charset = gb2312 >"[..],
            b"<meta charset=utf-8><META content=\"text/html; charset='koi8-r'\" http-equiv=Content-Type>",
            &b"x".repeat(2 * HEAD),
        ]
        .concat();
        let wanted = [
            &b"\xEF\xBB\xBF<?xml version='1.0' encoding=\"utf-8\"?><html><meta charset = utf-8 >"[..],
            b"<meta charset=utf-8><META content=\"text/html; charset='utf-8'\" http-equiv=Content-Type>",
            &b"x".repeat(2 * HEAD),
        ]
        .concat();
        for (page, wanted) in [
            (&page[..], &wanted[..]),
            (
                &page[..page.len() - 2 * HEAD],
                &wanted[..wanted.len() - 2 * HEAD],
            ),
            (b"", b""),
        ] {
            for piece in [1, 7, 4095, 4096, 4097, page.len().max(1)] {
                let mut corrector = Corrector::new(Vec::new(), true, UTF_8, Path::new("a"));
                for piece in page.chunks(piece) {
                    corrector.write_all(piece).unwrap();
                }
                let (written, edits) = corrector.finish().unwrap();
                assert!(written == wanted, "{piece}: {}", written.escape_ascii());
                let mut back = Vec::new();
                let output = Box::new(Cursor::new(written));
                undone(&edits, output)
                    .unwrap()
                    .read_to_end(&mut back)
                    .unwrap();
                assert!(back == page, "{piece}");
            }
        }
    }

    #[test]
    fn what_is_no_declaration() {
        for (path, text, wanted) in [
            ("a.txt", "see <meta charset=gbk>", "see <meta charset=gbk>"),
            (
                "a.HTM",
                "see <meta charset=gbk>",
                "see <meta charset=koi8-r>",
            ),
            (
                "a",
                "<!-- <meta charset=gbk> --><p>",
                "<!-- <meta charset=gbk> --><p>",
            ),
            ("a", "<p><meta charset=koi8>", "<p><meta charset=koi8>"),
            ("a", "<p><meta charset=x-none>", "<p><meta charset=x-none>"),
            ("a", "@charset \"gbk\"; a {}", "@charset \"koi8-r\"; a {}"),
            (
                "a",
                "<?xml encoding='gbk'?><a><meta charset=gbk>",
                "<?xml encoding='koi8-r'?><a><meta charset=gbk>",
            ),
        ] {
            let mut corrector = Corrector::new(Vec::new(), true, KOI8_R, Path::new(path));
            corrector.write_all(text.as_bytes()).unwrap();
            let (written, _) = corrector.finish().unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), wanted);
        }
    }
}
