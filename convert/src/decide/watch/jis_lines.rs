//! Looks for lines in ISO-2022-JP in an input that is read as another encoding. Their bytes are all ASCII, so that they
//! are valid in UTF-8, Shift_JIS and so on, too. Lines that are damaged count as well.
//!
//! Tested here and in `cli/tests/cli/auto.rs`.

use simdtext::{Bom, ISO_2022_JP, MIN_UTF8, Status};

/// How many characters make a line ISO-2022-JP although something in it is malformed or it does not return to ASCII,
/// and how many there must be for each malformed sequence.
const CHARACTERS: usize = 2;

use crate::find::find;

/// How much of a line is decoded, in bytes from its first escape sequence on.
const LONGEST: usize = 4096;

/// How long the escape sequences are that select a set.
const SEQUENCE: usize = 3;

const ESC: u8 = 0x1B;

#[derive(Default)]
pub(super) struct JisLines {
    /// The offset of the next byte.
    len: u64,
    /// The last bytes, fewer than a sequence has, unless they are in `line`.
    last: Vec<u8>,
    /// A line from an escape sequence on, up to a byte that is not ASCII. Empty until there is one.
    line: Vec<u8>,
    /// The offset of the first escape sequence whose line is in ISO-2022-JP.
    found: Option<u64>,
}

impl JisLines {
    /// Takes the next bytes.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        if self.found.is_some() {
            return;
        }
        let mut joined = std::mem::take(&mut self.last);
        let before = joined.len();
        joined.extend_from_slice(&bytes[..bytes.len().min(SEQUENCE - 1)]);
        if let Some(at) = first(&joined).filter(|at| *at < before) {
            self.line.extend_from_slice(&joined[at..before]);
        }
        let mut rest = bytes;
        while self.found.is_none() && !rest.is_empty() {
            if self.line.is_empty() {
                let Some(at) = first(rest) else {
                    break;
                };
                self.skip(&mut rest, at);
            }
            let room = rest.len().min(LONGEST - self.line.len());
            let end = rest[..room].iter().position(|byte| ends(*byte));
            let taken = end.unwrap_or(room);
            self.line.extend_from_slice(&rest[..taken]);
            self.skip(&mut rest, taken);
            if end.is_some() || self.line.len() == LONGEST {
                self.decide(end.is_some());
            }
        }
        self.len += rest.len() as u64;
        if self.line.is_empty() {
            let most = SEQUENCE - 1;
            let seen = if bytes.len() < most {
                &joined[..]
            } else {
                bytes
            };
            self.last
                .extend_from_slice(&seen[seen.len().saturating_sub(most)..]);
        }
    }

    /// The offset of what was found, after all of the input was fed.
    pub(super) fn finish(&mut self) -> Option<u64> {
        if self.found.is_none() {
            self.decide(true);
        }
        self.found
    }

    fn skip(&mut self, rest: &mut &[u8], count: usize) {
        *rest = &rest[count..];
        self.len += count as u64;
    }

    /// Decides about the line, of which nothing is missing if it `is_whole`.
    fn decide(&mut self, is_whole: bool) {
        let start = self.len - self.line.len() as u64;
        let line = std::mem::take(&mut self.line);
        let returns = |line: &[u8]| line.windows(2).skip(1).any(|it| it == b"\x1B(");
        if !selects_a_set(&line) {
            return;
        }
        let mut text = String::with_capacity(3 * LONGEST + MIN_UTF8);
        let mut decoder = ISO_2022_JP.decoder(Bom::Keep);
        let progress = decoder.decode_to_string(&line, &mut text, is_whole);
        debug_assert_eq!(progress.status, Status::InputEmpty, "there is room");
        let others = text.chars().filter(|ch| !ch.is_ascii()).count();
        let characters = others.saturating_sub(progress.errors);
        let is_sound = progress.errors == 0 && (!is_whole || returns(&line));
        let least = if is_sound { 1 } else { CHARACTERS };
        if characters >= least.max(CHARACTERS * progress.errors) {
            self.found = Some(start);
        }
    }
}

/// The start of the first sequence that [selects a set](selects_a_set). Terminals have others.
fn first(bytes: &[u8]) -> Option<usize> {
    let may_begin = |byte: u8, next: u8| (byte == ESC) & ((next == b'$') | (next == b'('));
    find(bytes, may_begin, selects_a_set)
}

/// Whether it begins with a sequence that selects JIS X 0208 or its katakana.
fn selects_a_set(rest: &[u8]) -> bool {
    matches!(rest, [ESC, b'$', b'@' | b'B', ..] | [ESC, b'(', b'I', ..])
}

/// Whether it ends a line, or can't be in ISO-2022-JP.
fn ends(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | 0x80..)
}

#[cfg(test)]
mod tests {
    use super::{JisLines, LONGEST};

    const LINE: &[u8] = b"\x1B$BF|K\\8l\x1B(B\n";

    fn found(bytes: &[u8], piece: usize) -> Option<u64> {
        let mut lines = JisLines::default();
        bytes.chunks(piece).for_each(|bytes| lines.feed(bytes));
        lines.finish()
    }

    #[test]
    fn wherever_the_input_is_cut() {
        let other = "\x1B[1mcaf\u{E9}\x1B[0m \x1B(B\x1B\n\x1B$B\u{E9}\n".repeat(20);
        let long = [b"\x1B$B", &b"F|K\\8l"[..].repeat(LONGEST)[..], b"\x1B(B"].concat();
        let mixed = [
            other.as_bytes(),
            b"\x1B[1m \xC3\xA9",
            LINE,
            other.as_bytes(),
        ]
        .concat();
        for piece in 1..300 {
            assert_eq!(found(&mixed, piece), Some(other.len() as u64 + 7));
            assert_eq!(found(LINE, piece), Some(0));
            assert_eq!(found(&LINE[..LINE.len() - 1], piece), Some(0));
            assert_eq!(found(&long, piece), Some(0));
            assert_eq!(found(b"\x1B\x1B$BF|\x1B(B", piece), Some(1));
            assert_eq!(found(b"a\x1B(I1\x1B(B", piece), Some(1));
            // A byte of it was lost, or the way back to ASCII.
            assert_eq!(found(b"\x1B$BF|K8l$G$9\x1B(B", piece), Some(0));
            assert_eq!(found(b"a\x1B$BF|K\\8l\n", piece), Some(1));
            assert_eq!(found(b"\x1B$BF|K\\8l$G)!)\"\x1B(B", piece), Some(0));
        }
    }

    #[test]
    fn other_text_with_escape_characters() {
        for other in [
            &b"\x1B"[..],
            b"\x1B$B",
            b"\x1B$BF|\n\x1B(B",
            b"\x1B$BF\x1B(B",
            b"\x1B$B\x1B(B",
            b"\x1B(Jtext\\\x1B(B",
            b"\x1B$)C\n\x0E0!\x0F\n",
            b"\x1B$\xC3\xA9\x1B(B",
            // As much of it is malformed as is not.
            b"\x1B$BF|K\\)!)\"\x1B(B",
            b"",
        ] {
            for piece in 1..10 {
                assert_eq!(found(other, piece), None, "{}", other.escape_ascii());
            }
        }
    }
}
