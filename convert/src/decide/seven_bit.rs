//! Recognises text in seven-bit encodings, which looks like ASCII and would be taken for it because nothing declares it
//! to a browser.
//!
//! ISO-2022-KR (RFC 1557) and ISO-2022-CN (RFC 1922) designate their characters by an escape sequence and
//! shift to them with SO. HZ (RFC 1843) is ASCII with `~{` and `~}` in it. Other text may have these, too, so
//! it is taken for HZ only if a header says so. The standard maps all three to `replacement`. They, and ISO-2022-JP,
//! are ASCII until the first escape sequence, which may come late: an input that can be read only once is decided by
//! its first bytes. Tested here and in `cli/tests/cli/said_plainly.rs` and `auto.rs`.

use memchr::memmem;
use simdtext::{ISO_2022_JP, detect};

use crate::find::find;

/// How many bytes are kept from the first escape sequence on.
const SAMPLE: usize = 64 * 1024;

const ESC: u8 = 0x1B;

/// SO, which shifts to the characters that were designated.
const SO: u8 = 0x0E;

/// The name of the encoding, if bytes that look like ASCII are clearly in one of these.
pub(super) fn undecodable(ascii: &[u8]) -> Option<&'static str> {
    if ascii.contains(&SO) {
        let mut from = 0;
        while let Some(escape) = memmem::find(&ascii[from..], b"\x1B$)") {
            let escape = from + escape;
            from = escape + 3;
            let starts_line = escape == 0 || matches!(ascii[escape - 1], b'\n' | b'\r');
            match ascii.get(from) {
                Some(b'C') if starts_line => return Some("ISO-2022-KR"),
                Some(b'A' | b'G' | b'E') => return Some("ISO-2022-CN"),
                _ => {}
            }
        }
    }
    let is_hz = memmem::find(ascii, b"~{").is_some()
        && memmem::find(ascii, b"~}").is_some()
        && says_hz(ascii);
    is_hz.then_some("HZ")
}

/// Whether there is `charset=hz-gb-2312` in any case, as in the header of a mail.
fn says_hz(text: &[u8]) -> bool {
    const CHARSET: &[u8] = b"charset=";
    let mut windows = text.windows(CHARSET.len()).enumerate();
    windows.any(|(at, window)| {
        window.eq_ignore_ascii_case(CHARSET) && {
            let label = &text[at + CHARSET.len()..];
            let label = label.strip_prefix(b"\"").unwrap_or(label);
            (label.get(..10)).is_some_and(|label| label.eq_ignore_ascii_case(b"hz-gb-2312"))
        }
    })
}

/// Looks for escape sequences in an input that was taken for ASCII by its first bytes, or is said to be UTF-16.
#[derive(Default)]
pub(super) struct LateEscapes {
    /// The offset of the next byte.
    len: u64,
    /// The last three bytes: a sequence may be cut after two, and the one before it may end a line.
    last: Vec<u8>,
    is_not_ascii: bool,
    /// The offset of the first byte in `sample`.
    at: u64,
    /// Whether a line begins there.
    starts_line: bool,
    sample: Vec<u8>,
}

/// What was found: text in this encoding, from this offset on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Late {
    pub(crate) encoding: &'static str,
    pub(crate) offset: u64,
}

impl LateEscapes {
    /// Takes the next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.is_not_ascii |= !bytes.is_ascii();
        if self.is_not_ascii || bytes.is_empty() {
            return;
        }
        if self.sample.is_empty() {
            self.look_for_first(bytes);
        } else {
            self.keep(bytes);
        }
        self.len += bytes.len() as u64;
    }

    fn look_for_first(&mut self, bytes: &[u8]) {
        let mut joined = std::mem::take(&mut self.last);
        let before = joined.len();
        joined.extend_from_slice(&bytes[..bytes.len().min(2)]);
        let begins_line = |bytes: &[u8], at: usize| {
            let last = at.checked_sub(1).and_then(|last| bytes.get(last));
            last.is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
        };
        if let Some(at) = first(&joined) {
            self.at = self.len - before as u64 + at as u64;
            self.starts_line = begins_line(&joined, at);
            self.sample.extend_from_slice(&joined[at..before.max(at)]);
            self.keep(&bytes[at.saturating_sub(before)..]);
        } else if let Some(at) = first(bytes) {
            self.at = self.len + at as u64;
            self.starts_line = begins_line(bytes, at);
            self.keep(&bytes[at..]);
        } else {
            joined.extend_from_slice(bytes.get(2..).unwrap_or_default());
            self.last = joined.split_off(joined.len().saturating_sub(3));
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = SAMPLE - self.sample.len();
        self.sample
            .extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    /// What was found, after all of the input was fed. It begins with `head`.
    pub(super) fn finish(&self, head: &[u8]) -> Option<Late> {
        if self.is_not_ascii || self.sample.is_empty() {
            return None;
        }
        let found = |encoding| Late {
            encoding,
            offset: self.at,
        };
        // The encoding may be named in a header, or designated in the first line.
        let line: &[u8] = if self.starts_line { b"\n" } else { b"" };
        let whole = [head, line, &self.sample].concat();
        if let Some(encoding) = undecodable(&whole) {
            return Some(found(encoding));
        }
        let complete = self.sample.len() < SAMPLE;
        let guess = detect::detect(&self.sample, complete, &detect::Options::new());
        (guess.encoding == Some(ISO_2022_JP)).then(|| found(ISO_2022_JP.name()))
    }
}

/// The start of the first sequence that text in ASCII hardly has. Logs of terminals have others, such as
/// `ESC [` and `ESC ( B`. The last two bytes may begin one that is not found yet.
fn first(bytes: &[u8]) -> Option<usize> {
    let may_begin = |byte: u8, next: u8| {
        (byte == SO)
            | ((byte == ESC) & ((next == b'$') | (next == b'(')))
            | ((byte == b'~') & (next == b'{'))
    };
    let begins = |rest: &[u8]| {
        matches!(
            rest,
            [SO, ..] | [ESC, b'$', _, ..] | [ESC, b'(', b'I' | b'J', ..] | [b'~', b'{', ..]
        )
    };
    find(bytes, may_begin, begins)
}

#[cfg(test)]
mod tests {
    use super::LateEscapes;

    #[test]
    fn wherever_the_input_is_cut() {
        let plain = "plain ~/text \x1B[1m\x1B(B\n".repeat(20);
        for (escapes, encoding) in [
            (&b"\x1B$BF|K\\8l$N%F%-%9%H$G$9!#\x1B(B\n"[..], "ISO-2022-JP"),
            (b"\x1B$)C\n\x0E0!\x0F\n", "ISO-2022-KR"),
        ] {
            let text = [plain.as_bytes(), escapes].concat();
            for piece in 1..text.len() {
                let mut late = LateEscapes::default();
                text.chunks(piece).for_each(|bytes| late.feed(bytes));
                let found = late.finish(b"text").expect("it is there");
                assert_eq!(
                    (found.encoding, found.offset),
                    (encoding, plain.len() as u64)
                );
                assert!(late.sample == escapes, "{piece}");
            }
        }
        for other in [
            plain.as_bytes(),
            b"a\x1B$",
            b"",
            b"\x0E",
            b"~{",
            b"\x1B$B$\"\x1B(B \xC3\xA9",
        ] {
            let mut late = LateEscapes::default();
            late.feed(other);
            assert!(late.finish(other).is_none(), "{}", other.escape_ascii());
        }
    }
}
