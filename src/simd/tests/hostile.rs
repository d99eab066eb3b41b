//! UTF-8 as bad as it gets: text of every script mixed with malformed sequences of every kind, by a seed.

use std::vec::Vec;

/// Characters whose first, last or only byte is next to a limit, and some of real text.
const CHARACTERS: [&str; 24] = [
    "a",
    "\0",
    "\u{7F}",
    "\u{80}",
    "é",
    "\u{7FF}",
    "\u{800}",
    "ש",
    "ж",
    "ا",
    "ก",
    "अ",
    "日",
    "한",
    "\u{FFF}",
    "\u{1000}",
    "\u{D7FF}",
    "\u{E000}",
    "\u{FFFD}",
    "\u{FFFF}",
    "\u{10000}",
    "💩",
    "\u{40000}",
    "\u{10FFFF}",
];

/// Sequences that are malformed whatever precedes and follows them.
const MALFORMED: [&[u8]; 26] = [
    b"\x80",
    b"\xBF",
    b"\x80\x80\x80\x80",
    b"\xC0",
    b"\xC0\x80",
    b"\xC1\xBF",
    b"\xC2",
    b"\xDF",
    b"\xE0",
    b"\xE0\x80\x80",
    b"\xE0\x9F\xBF",
    b"\xE0\xA0",
    b"\xE4\xC3\xA9",
    b"\xED\xA0\x80",
    b"\xED\xBF\xBF",
    b"\xEF\xBF",
    b"\xF0",
    b"\xF0\x80\x80\x80",
    b"\xF0\x8F\xBF\xBF",
    b"\xF0\x90\x80",
    b"\xF1\x80",
    b"\xF4\x8F\xBF",
    b"\xF4\x90\x80\x80",
    b"\xF5\x80\x80\x80",
    b"\xFE",
    b"\xFF\xFF",
];

/// A generator of pseudo-random numbers.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit
    }
}

/// Returns `len` bytes: runs of text of one script, or of all, with one malformed sequence for about every
/// `rarity` characters (none if it is 0). The last character or sequence may be cut.
pub(super) fn text(seed: u64, len: usize, rarity: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut bytes = Vec::with_capacity(len + 4);
    while bytes.len() < len {
        let mixed = random.below(3) == 0;
        let script = random.below(CHARACTERS.len());
        for _ in 0..random.below(70) {
            let character = if mixed {
                random.below(CHARACTERS.len())
            } else {
                script
            };
            bytes.extend_from_slice(CHARACTERS[character].as_bytes());
            if rarity > 0 && random.below(rarity) == 0 {
                bytes.extend_from_slice(MALFORMED[random.below(MALFORMED.len())]);
            }
        }
    }
    bytes.truncate(len);
    bytes
}

/// Returns ASCII in which about one byte in `rarity` is replaced with one from 80 to FF.
pub(super) fn damaged_ascii(seed: u64, len: usize, rarity: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let byte = |_| match random.below(rarity) {
        0 => 0x80 + random.below(0x80) as u8,
        _ => random.below(0x80) as u8,
    };
    (0..len).map(byte).collect()
}

/// Returns random bytes, most of them in the ranges that UTF-8 uses for sequences of several bytes.
pub(super) fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let byte = |_| match random.below(8) {
        0 => random.below(0x100) as u8,
        1 => b'a',
        2 => 0xC0 + random.below(0x40) as u8,
        3 => [0xE0, 0xED, 0xF0, 0xF4][random.below(4)],
        _ => 0x80 + random.below(0x40) as u8,
    };
    (0..len).map(byte).collect()
}

/// Returns text that repeats a character, with each malformed sequence at `at`, or after the character there.
pub(super) fn with_each_error(
    character: &str,
    len: usize,
    at: usize,
) -> impl Iterator<Item = Vec<u8>> {
    let count = len / character.len();
    let before = character.repeat((at / character.len()).min(count));
    let after = character.repeat(count - before.len() / character.len());
    MALFORMED.iter().map(move |malformed| {
        let padding = &b"xyz"[..(at - before.len()).min(3)];
        [before.as_bytes(), padding, malformed, after.as_bytes()].concat()
    })
}
