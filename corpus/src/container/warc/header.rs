//! The header of a WARC record: a line with the version, named fields, an empty line.
//!
//! Read as ISO 28500 (WARC 1.0 and 1.1) says, but as leniently as writers of archives have been lax: lines
//! may end in LF alone, fields may be in any order and case, values may continue in a line that begins with a
//! space, and addresses may be in angle brackets.

/// The maximum length of a header that is read, in bytes.
pub(crate) const MAX_HEADER: usize = 48 * 1024;

/// The fields of a header that are used here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// `WARC-Type`, in lower case.
    pub kind: String,
    /// `Content-Length`: the length of the block that follows, in bytes.
    pub len: u64,
    /// `WARC-Target-URI`.
    pub uri: Option<String>,
    /// `WARC-Date`, unchanged.
    pub date: Option<String>,
    /// `Content-Type` of the block.
    pub content_type: Option<String>,
    /// Whether `WARC-Truncated` says that the block is incomplete, or the record is one of several segments.
    pub truncated: bool,
}

/// Why bytes are not a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// They do not begin with a version of WARC.
    Version,
    /// There is no empty line within 48 KiB, or before they end.
    Endless,
    /// There is no `WARC-Type`.
    NoType,
    /// There is no `Content-Length`, or it is not a number.
    NoLength,
    /// There are NUL bytes or runs of the byte FF in it, as where a disk has lost a block.
    Filled,
    /// A field is there twice, with different values.
    Repeated,
    /// Another record begins in it.
    Interrupted,
}

impl Malformed {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Version => "no record begins here",
            Self::Endless => "the header of the record has no end",
            Self::NoType => "the header of the record has no WARC-Type",
            Self::NoLength => "the header of the record has no Content-Length",
            Self::Filled => "the header of the record has NUL bytes or a run of bytes FF",
            Self::Repeated => "the header of the record has a field twice, with different values",
            Self::Interrupted => "another record begins in the header of the record",
        }
    }
}

/// Between two headers are at least as many bytes. If a disk lost them, they may be all ones.
const FILL: [u8; 16] = [0xFF; 16];
/// The length of a version, without the end of its line.
const VERSION: usize = b"WARC/1.0".len();

/// Returns whether bytes begin like a record.
pub(crate) fn begins_record(bytes: &[u8]) -> bool {
    matches!(bytes, [b'W', b'A', b'R', b'C', b'/', b'0'..=b'9', b'.', ..])
}

/// Returns whether bytes begin with a version and the end of its line, as only a record does, even in the middle of a
/// line.
pub(crate) fn begins_with_version(bytes: &[u8]) -> bool {
    bytes.get(..VERSION).is_some_and(is_version)
        && matches!(bytes[VERSION..], [b'\n', ..] | [b'\r', b'\n', ..])
}

fn is_version(bytes: &[u8]) -> bool {
    begins_record(bytes) && bytes.len() == VERSION && bytes[VERSION - 1].is_ascii_digit()
}

/// Fails if a line shows that bytes are missing: otherwise the fields after them, which may be those of another record,
/// would count as its own.
fn check(line: &[u8]) -> Result<(), Malformed> {
    let end = &line[line.len().saturating_sub(VERSION)..];
    if memchr::memchr(0, line).is_some() || memchr::memmem::find(line, &FILL).is_some() {
        return Err(Malformed::Filled);
    }
    if begins_record(line) || is_version(end) {
        return Err(Malformed::Interrupted);
    }
    Ok(())
}

/// Reads the header at the front of `bytes`, and returns it with its length in bytes, including the empty
/// line.
///
/// ```
/// use simdtext_corpus::warc::parse_header;
///
/// let record = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n";
/// let (header, len) = parse_header(record)?;
/// assert_eq!((&*header.kind, header.len), ("resource", 5));
/// assert_eq!(&record[len..][..5], b"hello");
/// # Ok::<(), simdtext_corpus::warc::Malformed>(())
/// ```
///
/// # Errors
///
/// [`Malformed`] if it is not a header, or not a complete one.
pub fn parse_header(bytes: &[u8]) -> Result<(Header, usize), Malformed> {
    if !begins_record(bytes) {
        return Err(Malformed::Version);
    }
    let bytes = bytes.get(..MAX_HEADER).unwrap_or(bytes);
    let mut header = Header::default();
    let mut rest = Rest::default();
    let mut at = next_line(bytes, 0).ok_or(Malformed::Endless)?.1;
    loop {
        let (line, next) = next_line(bytes, at).ok_or(Malformed::Endless)?;
        at = next;
        if line.is_empty() {
            break;
        }
        check(line)?;
        let mut value = Vec::new();
        let Some(colon) = memchr::memchr(b':', line) else {
            continue;
        };
        let name = line[..colon].trim_ascii();
        value.extend_from_slice(line[colon + 1..].trim_ascii());
        while let Some((more, next)) = next_line(bytes, at)
            && matches!(more.first(), Some(b' ' | b'\t'))
        {
            check(more)?;
            value.push(b' ');
            value.extend_from_slice(more.trim_ascii());
            at = next;
        }
        set(&mut header, &mut rest, name, &value)?;
    }
    if header.kind.is_empty() {
        return Err(Malformed::NoType);
    }
    header.len = rest.len.ok_or(Malformed::NoLength)?;
    Ok((header, at))
}

/// What a header must have once, apart from what [`Header`] has.
#[derive(Default)]
struct Rest {
    len: Option<u64>,
    id: Option<String>,
}

/// Returns the line at `at` without its end, and where the next one begins. `None` if it is incomplete.
fn next_line(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let rest = bytes.get(at..)?;
    let end = memchr::memchr(b'\n', rest)?;
    let line = &rest[..end];
    Some((line.strip_suffix(b"\r").unwrap_or(line), at + end + 1))
}

fn set(header: &mut Header, rest: &mut Rest, name: &[u8], value: &[u8]) -> Result<(), Malformed> {
    let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
    let text = || String::from_utf8_lossy(value).into_owned();
    if is("WARC-Type") {
        let kind = text().to_ascii_lowercase();
        if !header.kind.is_empty() && header.kind != kind {
            return Err(Malformed::Repeated);
        }
        header.kind = kind;
        Ok(())
    } else if is("Content-Length") {
        let value = std::str::from_utf8(value).map_err(|_| Malformed::NoLength)?;
        once(
            &mut rest.len,
            value.parse().map_err(|_| Malformed::NoLength)?,
        )
    } else if is("WARC-Target-URI") {
        let uri = text();
        let bare = uri.strip_prefix('<').and_then(|it| it.strip_suffix('>'));
        once(&mut header.uri, bare.map(String::from).unwrap_or(uri))
    } else if is("WARC-Record-ID") {
        once(&mut rest.id, text())
    } else if is("WARC-Date") {
        once(&mut header.date, text())
    } else if is("Content-Type") {
        once(&mut header.content_type, text())
    } else {
        header.truncated |= is("WARC-Truncated") || is("WARC-Segment-Number");
        Ok(())
    }
}

/// Sets a field that can't be repeated: where it is, bytes between two headers have been lost.
fn once<T: PartialEq>(field: &mut Option<T>, value: T) -> Result<(), Malformed> {
    match field.replace(value) {
        before if before.is_some() && before != *field => Err(Malformed::Repeated),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Header, MAX_HEADER, Malformed, parse_header};

    #[test]
    fn lax_and_strict_forms() {
        let expected = Header {
            kind: String::from("response"),
            len: 12,
            uri: Some(String::from("http://example.org/a b")),
            date: Some(String::from("2024-05-06T07:08:09.123Z")),
            content_type: Some(String::from("application/http; msgtype=response")),
            truncated: false,
        };
        for text in [
            "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 12\r\nWARC-Target-URI: http://example.org/a b\r\n\
             WARC-Date: 2024-05-06T07:08:09.123Z\r\nContent-Type: application/http; msgtype=response\r\n\r\n",
            "WARC/1.0\nwarc-type:RESPONSE\ncontent-length:12\nWARC-Target-URI: <http://example.org/a b>\n\
             nonsense\nContent-Length: 12\nwarc-date:\t2024-05-06T07:08:09.123Z \n\
             Content-Type: application/http;\n  msgtype=response\n\n",
        ] {
            assert_eq!(
                parse_header(text.as_bytes()),
                Ok((expected.clone(), text.len()))
            );
        }
    }

    #[test]
    fn malformed() {
        let endless = format!("WARC/1.0\r\n{}", "a: b\r\n".repeat(MAX_HEADER));
        for (text, error) in [
            ("", Malformed::Version),
            ("WARC/", Malformed::Version),
            ("HTTP/1.1 200 OK\r\n\r\n", Malformed::Version),
            ("WARC/1.0", Malformed::Endless),
            ("WARC/1.0\r\nWARC-Type: resource\r\n", Malformed::Endless),
            (&endless, Malformed::Endless),
            ("WARC/1.0\r\nContent-Length: 1\r\n\r\n", Malformed::NoType),
            (
                "WARC/1.0\r\nWARC-T\0\0\0\0: a\r\nWARC-Type: resource\r\nContent-Length: 1\r\n\r\n",
                Malformed::Filled,
            ),
            (
                "WARC/1.0\r\nWARC-Type: resource\r\nX: y\r\n \0\r\nContent-Length: 1\r\n\r\n",
                Malformed::Filled,
            ),
            (
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC/1.1\r\nContent-Length: 1\r\n\r\n",
                Malformed::Interrupted,
            ),
            (
                "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TarWARC/1.0\r\nContent-Length: 1\r\n\r\n",
                Malformed::Interrupted,
            ),
            (
                "WARC/1.0\r\nWARC-Record-ID: <a>\r\nWARC-Record-ID: <b>\r\n\r\n",
                Malformed::Repeated,
            ),
            (
                "WARC/1.0\r\nWARC-Type: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                Malformed::Repeated,
            ),
            (
                "WARC/1.0\r\nContent-Length: 1\r\nWARC-Type: resource\r\nWARC-Type: request\r\n\r\n",
                Malformed::Repeated,
            ),
            (
                "WARC/1.0\r\nWARC-Target-URI: a:b\r\nWARC-Target-URI: a:c\r\n\r\n",
                Malformed::Repeated,
            ),
            (
                "WARC/1.0\r\nWARC-Type: resource\r\n\r\n",
                Malformed::NoLength,
            ),
            (
                "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: -1\r\n\r\n",
                Malformed::NoLength,
            ),
            (
                "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 99999999999999999999\r\n\r\n",
                Malformed::NoLength,
            ),
        ] {
            assert_eq!(parse_header(text.as_bytes()), Err(error), "{text:.60}");
        }
        // Addresses may have some bytes that are not UTF-8.
        for (len, is_damaged) in [(3, false), (16, true), (500, true)] {
            let head = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: a:";
            let text = [
                &head[..],
                &vec![0xFF; len],
                b"th: 1\r\nContent-Length: 1\r\n\r\n",
            ]
            .concat();
            let found = parse_header(&text).map(|it| it.1);
            let expected = if is_damaged {
                Err(Malformed::Filled)
            } else {
                Ok(text.len())
            };
            assert_eq!(found, expected, "{len}");
        }
    }
}
