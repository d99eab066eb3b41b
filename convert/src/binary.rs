//! Recognises input that is not text: by its bytes (the library's `BinaryScan`), or by the format that it
//! begins with.

use std::fmt;

use simdtext::detect::{Binary, Options, Reason, detect, is_binary_control};
use simdtext::{Encoding, UTF_16LE};

use crate::format::Format;

/// Why an input is not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotText {
    /// It has control characters that text does not have.
    Signs(Binary),
    /// It is compressed in this format.
    Packed(Format),
    /// It is UTF-16 in this byte order, by the units at its beginning, and is read as another encoding.
    Utf16(&'static Encoding),
    /// It begins as files of this media type do.
    Magic(&'static str),
    /// It has units that UTF-16 or UTF-32 does not have: `count` of them, the first one at `offset`, in
    /// bytes.
    Units { count: u64, offset: u64 },
    /// It is not plausible as text in any encoding.
    Implausible,
}

impl NotText {
    /// Whether the input is certainly binary, and not only unlike any text.
    pub(crate) fn is_binary(self) -> bool {
        self != Self::Implausible
    }

    /// Says it better if an input that is not text begins with `head`.
    pub(crate) fn or_packed(self, head: &[u8]) -> Self {
        match Format::of(head) {
            Some(format) => Self::Packed(format),
            None => self,
        }
    }

    /// Says it better if an input with control characters begins with `head`.
    pub(crate) fn or_utf16(self, head: &[u8]) -> Self {
        let guess = detect(head, false, &Options::new());
        match (self, guess.encoding) {
            (Self::Signs(_), Some(order)) if guess.reason == Reason::CodeUnits => {
                Self::Utf16(order)
            }
            _ => self,
        }
    }

    /// What the user should do first, as a part of a message. With `unpacked`, this is what was compressed.
    pub(crate) fn advice(self, unpacked: bool) -> &'static str {
        match self {
            Self::Packed(_) if !unpacked => "-z reads what is compressed; ",
            Self::Utf16(order) if order == UTF_16LE => "--from=utf-16le converts it; ",
            Self::Utf16(_) => "--from=utf-16be converts it; ",
            _ => "",
        }
    }

    /// What the input is, as the beginning of a message.
    pub(crate) fn in_words(self) -> String {
        match self {
            Self::Implausible | Self::Utf16(_) => self.to_string(),
            _ => format!("it is binary ({self})"),
        }
    }
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signs(signs) => signs.fmt(f),
            Self::Utf16(order) => write!(f, "it is {order} without a byte order mark"),
            Self::Packed(format) => write!(f, "compressed with {}", format.name()),
            Self::Magic(format) => write!(f, "it begins as a file of type {format} does"),
            Self::Units { count, offset } => write!(
                f,
                "{count} malformed units close together, from offset {offset} on"
            ),
            Self::Implausible => f.write_str("it is not plausible as text in any encoding"),
        }
    }
}

/// How many bytes at the start [`format_of`] looks at.
pub(crate) const HEAD: usize = 1024;

/// Formats that `infer` recognises by fewer than four bytes, or only by bytes that text may have: text may
/// begin with "MZ", "BM", "GIF" or "BZh". Files of these formats are recognised by other bytes in them.
const NOT_TOLD_BY_MAGIC: [&str; 22] = [
    "exe", "dll", "obj", "der", "crt", "pem", "jpg", "gif", "bmp", "jxr", "mpg", "mp3", "aac",
    "gz", "bz2", "swf", "rtf", "ps", "Z", "eot", "dcm", "pdf",
];

/// The media type of a file that begins with `head`, if there is no doubt.
///
/// A text about some format may begin with its magic number. So there must also be a byte that text does not
/// have.
pub(crate) fn format_of(head: &[u8]) -> Option<&'static str> {
    if is_pdf(head) {
        return Some("application/pdf");
    }
    if is_netpbm(head) {
        return Some("image/x-portable-anymap");
    }
    // Checks all bytes of a chunk without an early exit, so that the compiler vectorises this.
    let has_sign = |some: &[u8]| {
        some.iter()
            .fold(false, |any, byte| any | is_binary_control(*byte))
    };
    if !head.chunks(64).any(has_sign) {
        return None;
    }
    let format = infer::get(head)?;
    let is_told = format.matcher_type() != infer::MatcherType::Text
        && !NOT_TOLD_BY_MAGIC.contains(&format.extension());
    is_told.then(|| format.mime_type())
}

/// A text about PDF may begin with the first line of a PDF document. In a document an object follows, because
/// its table of contents gives the offsets of objects in bytes.
fn is_pdf(head: &[u8]) -> bool {
    let Some([major, b'.', minor, rest @ ..]) = head.strip_prefix(b"%PDF-") else {
        return false;
    };
    // groff leaves a space before the line end.
    let line_end = rest.iter().find(|byte| **byte != b' ');
    major.is_ascii_digit()
        && minor.is_ascii_digit()
        && matches!(line_end, Some(b'\r' | b'\n'))
        && (rest
            .windows(7)
            .any(|window| window == b" 0 obj\n" || window == b" 0 obj\r")
            || rest.windows(8).any(|window| window == b" 0 obj<<")
            || rest
                .windows(6)
                .any(|window| window.starts_with(b"\n%") && !window.is_ascii()))
}

/// An image of Netpbm: `P4`, `P5` or `P6` in a line, two or three numbers, and then bytes, which may be plausible as text
/// if most of them are upper ones, as in icons.
fn is_netpbm(head: &[u8]) -> bool {
    let (numbers, rest) = match head {
        [b'P', b'4', rest @ ..] => (2, rest),
        [b'P', b'5' | b'6', rest @ ..] => (3, rest),
        _ => return false,
    };
    let after = (0..numbers).try_fold(rest, |rest, _| after_number(rest));
    rest.starts_with(b"\n")
        && after.is_some_and(|pixels| pixels.first().is_some_and(u8::is_ascii_whitespace))
        && !head.is_ascii()
}

/// What follows white space, comments and a number.
fn after_number(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes.trim_ascii_start();
    while rest.starts_with(b"#") {
        let line_end = rest.iter().position(|byte| *byte == b'\n')?;
        rest = rest[line_end..].trim_ascii_start();
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0).then(|| &rest[digits..])
}

#[cfg(test)]
mod tests {
    use super::format_of;

    #[test]
    fn text_that_begins_as_a_format_does() {
        for text in [
            &b"BMW builds cars"[..],
            b"MZ",
            b"MZ is the mark of Mark Zbikowski",
            b"MZ \x01",
            b"BZhang",
            b"BZh9 is how bzip2 files begin",
            b"PK",
            b"PK\x03",
            b"GIF",
            b"GIF89a is what they begin with",
            b"ID3 tags",
            b"8BPS",
            b"OggS",
            b"fLaC",
            b"wOF2 is a font",
            b"!<arch>\n is how archives begin",
            b"{\\rtf1 {\\fonttbl}}",
            b"%!PS-Adobe-3.0\n",
            b"%PDF-1.4 is what documents begin with",
            b"%PDF-1.4\nis what documents begin with\n",
            b"P4\n16 16\n",
            b"P4\nGr\xF6\xDFe",
            b"P6 is 12 13 255 Gr\xF6\xDFe",
            b"P5\n12 13\n255Gr\xF6\xDFe",
            b"RIFF and RAFF",
            b"Rar!",
            b"7z",
            b"<html>\x01",
            b"#!/bin/sh\n\x02",
            b"\xFF\xFEa\0",
            b"",
        ] {
            assert_eq!(format_of(text), None, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn formats() {
        let mut tar = vec![b'a'; 257];
        tar.extend_from_slice(b"ustar\x0000");
        for (head, format) in [
            (&b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"[..], "image/png"),
            (b"RIFF\x24\x08\0\0WAVEfmt \x10\0", "audio/x-wav"),
            (b"PK\x03\x04\x14\0\0\0\x08\0", "application/zip"),
            (b"SQLite format 3\0", "application/vnd.sqlite3"),
            (b"7z\xBC\xAF\x27\x1C\0\x04", "application/x-7z-compressed"),
            (b"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj\n", "application/pdf"),
            (b"%PDF-1.4\n1 0 obj\n<<", "application/pdf"),
            (b"%PDF-1.4 \n1 0 obj\n<<", "application/pdf"),
            (b"P4\n16 16\n\xFB\x7F\xF1\xBF", "image/x-portable-anymap"),
            (
                b"P6\n# XV 3.10\n# x\n2 1\n255\n\xFF\xFE\xFD\xFF\xFF\xFF",
                "image/x-portable-anymap",
            ),
            (&tar, "application/x-tar"),
        ] {
            assert_eq!(format_of(head), Some(format), "{}", head.escape_ascii());
        }
    }
}
