//! Looks for lines in UTF-8 in an input that is read as another encoding, as a program appends them that knows nothing
//! else. Hardly anything is malformed in a single-byte encoding, so that they would be converted once more.
//!
//! Tested here and in `cli/tests/cli/joined.rs`.

use std::collections::BTreeSet;

use memchr::{memchr, memrchr};
use simdtext::Encoding;

/// How many different characters that are not ASCII a line must have in UTF-8, because a word is valid by chance now
/// and then: in a single-byte encoding,
const LEAST: usize = 4;
/// and in the others.
const LEAST_OF_MULTI_BYTE: usize = 8;

/// How many bytes of a line are looked at.
const LONGEST: usize = 4096;

/// How many bytes are looked at together, to find out whether any line in them can be in UTF-8,
const WINDOW: usize = 1024;
/// if the first line is shorter than this. A single look at the beginning of a long line takes less time.
const SHORT: usize = 256;

/// How many bytes can be counted in a byte.
const PIECE: usize = 240;

/// The byte order mark, which begins a file that was appended to another.
const MARK: &[u8] = b"\xEF\xBB\xBF";

pub(super) struct Utf8Lines {
    least: usize,
    /// The offset of the next byte.
    len: u64,
    /// The beginning of a line that does not end in the block.
    line: Vec<u8>,
    /// Where that line begins.
    start: u64,
    /// Where the first line in UTF-8 begins.
    found: Option<u64>,
}

impl Utf8Lines {
    pub(super) fn new(said: &'static Encoding) -> Self {
        Self {
            least: if said.is_single_byte() {
                LEAST
            } else {
                LEAST_OF_MULTI_BYTE
            },
            len: 0,
            line: Vec::new(),
            start: 0,
            found: None,
        }
    }

    /// Takes the next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        if self.found.is_some() {
            return;
        }
        let mut rest = bytes;
        // How many bytes have to be looked at line by line.
        let mut doubtful = 0;
        while !rest.is_empty() && self.found.is_none() {
            let starts_line = self.start == self.len;
            let len = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            if starts_line && doubtful == 0 && len < SHORT && self.least == LEAST {
                let window = &rest[..rest.len().min(WINDOW)];
                doubtful = memrchr(b'\n', window).map_or(len, |at| at + 1);
                let (lines, after) = rest.split_at(doubtful);
                if lines.ends_with(b"\n") && !self.may_have(lines) {
                    self.len += doubtful as u64;
                    self.start = self.len;
                    (doubtful, rest) = (0, after);
                    continue;
                }
            }
            let piece;
            (piece, rest) = rest.split_at(len);
            doubtful = doubtful.saturating_sub(len);
            self.len += len as u64;
            if !piece.ends_with(b"\n") {
                self.keep(piece);
            } else if starts_line {
                if self.is_utf8(&piece[..len.min(LONGEST)]) {
                    self.found = Some(self.start);
                }
                self.start = self.len;
            } else {
                self.keep(piece);
                self.end_line();
            }
        }
    }

    /// The offset of what was found, after all of the input was fed.
    pub(super) fn finish(&mut self) -> Option<u64> {
        self.end_line();
        self.found
    }

    fn keep(&mut self, piece: &[u8]) {
        let room = LONGEST - self.line.len();
        self.line.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    /// Decides about the line that was kept, which ends here.
    fn end_line(&mut self) {
        if self.found.is_none() && self.is_utf8(&self.line) {
            self.found = Some(self.start);
        }
        self.line.clear();
        self.start = self.len;
    }

    /// Whether these lines have enough pairs of bytes that begin a character in UTF-8, or a byte order mark. Most
    /// texts in single-byte encodings have hardly any.
    fn may_have(&self, lines: &[u8]) -> bool {
        let mut characters = 0;
        let mut has_mark = 0;
        for (leads, seconds) in lines.chunks(PIECE).zip(lines[1..].chunks(PIECE)) {
            // Sums and unions of bytes are computed in vectors.
            let mut sum = 0_u8;
            for (lead, second) in leads.iter().zip(seconds) {
                let begins = (*lead >= 0xC2) & (second & 0xC0 == 0x80);
                sum = sum.wrapping_add(u8::from(begins));
                has_mark |= u8::from((*lead == MARK[0]) & (*second == MARK[1]));
            }
            characters += usize::from(sum);
        }
        has_mark != 0 || characters >= self.least
    }

    fn is_utf8(&self, line: &[u8]) -> bool {
        // Most lines in another encoding are malformed from their first such character on.
        let valid = match std::str::from_utf8(line) {
            Ok(text) => text,
            // What is looked at may end within a character.
            Err(error) if error.error_len().is_none() && line.len() == LONGEST => {
                let valid = &line[..error.valid_up_to()];
                std::str::from_utf8(valid).unwrap_or_default()
            }
            Err(_) => return false,
        };
        if valid.is_ascii() {
            return false;
        }
        if self.start > 0 && line.starts_with(MARK) {
            return true;
        }
        let others: BTreeSet<char> = valid.chars().filter(|ch| !ch.is_ascii()).collect();
        others.len() >= self.least
    }
}

#[cfg(test)]
mod tests {
    use simdtext::{GBK, WINDOWS_1251};

    use super::{LONGEST, Utf8Lines};

    fn found(bytes: &[u8], piece: usize) -> Option<u64> {
        let mut lines = Utf8Lines::new(WINDOWS_1251);
        bytes.chunks(piece).for_each(|bytes| lines.feed(bytes));
        lines.finish()
    }

    #[test]
    fn wherever_the_input_is_cut() {
        let other = b"\xCC\xE8\xF0, \xEC\xE0\xE9 caf\xC3\xA9\nplain\n\xD0\xBC\n";
        let line = "мир, май\r\n".as_bytes();
        let long = "мир, май ".repeat(LONGEST);
        let half = [&[b'a'; LONGEST - 13][..], "мир, май".as_bytes()].concat();
        for piece in (1..50).chain([LONGEST, 100_000]) {
            assert_eq!(found(&other.repeat(9), piece), None);
            assert_eq!(found(&[&other.repeat(2), line].concat(), piece), Some(48));
            assert_eq!(found(&[&other[..], line, other].concat(), piece), Some(24));
            assert_eq!(found(&line[..line.len() - 2], piece), Some(0));
            assert_eq!(found(long.as_bytes(), piece), Some(0));
            // A line that is cut within a character is no line in UTF-8.
            assert_eq!(found(&line[..line.len() - 3], piece), None);
            assert_eq!(found(&half, piece), Some(0));
        }
    }

    #[test]
    fn among_lines_that_are_passed_over_together() {
        let other = b"\xCC\xE8\xF0, \xEC\xE0\xE9 \xD1\xD8\xC0\xBB\n".repeat(200);
        let line = "мир, май\r\n".as_bytes();
        let marked = "\u{FEFF}plain\n".as_bytes();
        for lines in (0..200).map(|lines| lines * 14) {
            for wanted in [line, marked] {
                let bytes = [&other[..lines], wanted, &other[lines..]].concat();
                let is_mark_of_all = lines == 0 && wanted == marked;
                let wanted = (!is_mark_of_all).then_some(lines as u64);
                for piece in [7, 333, 1024, 4096, 100_000] {
                    assert_eq!(found(&bytes, piece), wanted, "{piece}");
                }
            }
        }
    }

    #[test]
    fn multi_byte_encodings_need_more() {
        let mut lines = Utf8Lines::new(GBK);
        lines.feed("мир, май".as_bytes());
        assert_eq!(lines.finish(), None);
        lines.feed("мир, труд, май".as_bytes());
        assert!(lines.finish().is_some());
    }
}
