//! Looks for lines in UTF-8 in an input that is read as another encoding, which a program that only writes UTF-8 has
//! appended. Hardly anything is malformed in a single-byte encoding, so they would be converted a second time.
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

/// How many letters with accents after a small letter of ASCII make lines UTF-8 in a single-byte encoding,
const AFTER_LETTERS: usize = 3;
/// and how many if all are the same. In German or French, few lines have four different ones. Text in these encodings
/// has no small letter, capital letter with an accent and symbol in a row, which their bytes would be.
const SAME_AFTER_LETTERS: usize = 6;

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

#[derive(Default)]
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
    /// The number of letters after others in lines that are UTF-8, the last of them, and where their first line begins.
    after_letters: usize,
    last: Option<[u8; 2]>,
    differ: bool,
    first: u64,
}

impl Utf8Lines {
    pub(super) fn new(said: &'static Encoding) -> Self {
        Self {
            least: if said.is_single_byte() {
                LEAST
            } else {
                LEAST_OF_MULTI_BYTE
            },
            ..Self::default()
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
                self.look_at(&piece[..len.min(LONGEST)]);
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
        let line = std::mem::take(&mut self.line);
        if self.found.is_none() {
            self.look_at(&line);
        }
        self.line = line;
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
        has_mark != 0 || characters >= self.least || may_have_letter_after_letter(lines)
    }

    /// Decides about a line that begins at `start`.
    fn look_at(&mut self, line: &[u8]) {
        // Most lines in another encoding are malformed from their first such character on.
        let valid = match std::str::from_utf8(line) {
            Ok(text) => text,
            // What is looked at may end within a character.
            Err(error) if error.error_len().is_none() && line.len() == LONGEST => {
                let valid = &line[..error.valid_up_to()];
                std::str::from_utf8(valid).unwrap_or_default()
            }
            Err(_) => return,
        };
        if valid.is_ascii() {
            return;
        }
        let is_marked = self.start > 0 && line.starts_with(MARK);
        let others: BTreeSet<char> = valid.chars().filter(|ch| !ch.is_ascii()).collect();
        if is_marked || others.len() >= self.least {
            self.found = Some(self.start);
        } else if self.least == LEAST {
            self.look_at_words(valid.as_bytes());
        }
    }

    /// Counts letters with accents after other letters.
    fn look_at_words(&mut self, line: &[u8]) {
        for near in line.windows(3) {
            let [b'a'..=b'z', lead @ 0xC3..=0xC5, second] = *near else {
                continue;
            };
            if self.after_letters == 0 {
                self.first = self.start;
            }
            let letter = [lead, second];
            self.after_letters += 1;
            self.differ |= self.last.replace(letter).is_some_and(|last| last != letter);
        }
        let least = match self.differ {
            true => AFTER_LETTERS,
            false => SAME_AFTER_LETTERS,
        };
        if self.after_letters >= least && self.found.is_none() {
            self.found = Some(self.first);
        }
    }
}

/// Whether there may be a letter with an accent after a small letter in UTF-8.
fn may_have_letter_after_letter(lines: &[u8]) -> bool {
    let leads = lines.get(1..).unwrap_or_default();
    let seconds = lines.get(2..).unwrap_or_default();
    let triples = lines.iter().zip(leads).zip(seconds);
    // Without an early exit, so that the compiler vectorises it.
    triples.fold(false, |any, ((before, lead), second)| {
        any | ((before.wrapping_sub(b'a') < 26)
            & (lead.wrapping_sub(0xC3) < 3)
            & (second & 0xC0 == 0x80))
    })
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

    /// German and French, of which no line has many different letters with accents.
    #[test]
    fn letters_after_letters() {
        let other =
            b"Gr\xFC\xDFe aus M\xFCnchen\nplain\nCAF\xC9\x92s \xC9\x85\nna\xEFve\n".repeat(40);
        for (lines, is_utf8) in [
            ("für\nschön\nfür\n", true),
            ("légal, même\nplain\ndès\n", true),
            ("für\nschön\n", false),
            ("für\nfür\nfür\nfür\nfür\n", false),
            ("doué\nnée et née\nlégal\ndignité\nété\n", true),
            ("É\nÀ\nÖl\nfür\nCafé\n", false),
        ] {
            let at = other.len() as u64;
            let bytes = [&other[..], lines.as_bytes(), &other].concat();
            for piece in [1, 7, 100, 1024, 100_000] {
                assert_eq!(found(&bytes, piece), is_utf8.then_some(at), "{lines}");
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
