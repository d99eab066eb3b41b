//! Looks for lines in UTF-8 in an input that is read as another encoding, as a program appends them that knows nothing
//! else. Hardly anything is malformed in a single-byte encoding, so that they would be converted once more.
//!
//! Tested here and in `cli/tests/cli/joined.rs`.

use std::collections::BTreeSet;

use memchr::memchr;
use simdtext::Encoding;

/// How many different characters that are not ASCII a line must have in UTF-8, because a word is valid by chance now
/// and then: in a single-byte encoding,
const LEAST: usize = 4;
/// and in the others.
const LEAST_OF_MULTI_BYTE: usize = 8;

/// How many bytes of a line are looked at.
const LONGEST: usize = 4096;

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
        while !rest.is_empty() {
            let len = memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
            let piece;
            (piece, rest) = rest.split_at(len);
            if !piece.ends_with(b"\n") {
                self.keep(piece);
            } else if self.line.is_empty() && self.start == self.len {
                if self.is_utf8(&piece[..piece.len().min(LONGEST)]) {
                    self.found = Some(self.start);
                    return;
                }
                self.start += piece.len() as u64;
            } else {
                self.keep(piece);
                self.end_line(self.len + piece.len() as u64);
            }
            self.len += piece.len() as u64;
        }
    }

    /// The offset of what was found, after all of the input was fed.
    pub(super) fn finish(&mut self) -> Option<u64> {
        self.end_line(self.len);
        self.found
    }

    fn keep(&mut self, piece: &[u8]) {
        let room = LONGEST - self.line.len();
        self.line.extend_from_slice(&piece[..piece.len().min(room)]);
    }

    /// Decides about the line that was kept, after which the next begins at `next`.
    fn end_line(&mut self, next: u64) {
        if self.found.is_none() && self.is_utf8(&self.line) {
            self.found = Some(self.start);
        }
        self.line.clear();
        self.start = next;
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
    fn multi_byte_encodings_need_more() {
        let mut lines = Utf8Lines::new(GBK);
        lines.feed("мир, май".as_bytes());
        assert_eq!(lines.finish(), None);
        lines.feed("мир, труд, май".as_bytes());
        assert!(lines.finish().is_some());
    }
}
