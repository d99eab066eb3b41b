//! Recognises UTF-16 and UTF-32: UTF-32 by its byte order mark, both by their code units.

use super::ByteOrder;

/// The maximum number of code units that are read.
pub(super) const MAX_UNITS: usize = 2048;

/// The byte order if the bytes begin with UTF-32's byte order mark. That of UTF-32LE is also UTF-16LE's with a
/// NUL after it, so what follows must be UTF-32 as well.
pub(super) fn utf32_bom(bytes: &[u8]) -> Option<ByteOrder> {
    let (mark, rest) = bytes.split_first_chunk::<4>()?;
    let (order, unit): (_, fn([u8; 4]) -> u32) = match mark {
        [0xFF, 0xFE, 0, 0] => (ByteOrder::Little, u32::from_le_bytes),
        [0, 0, 0xFE, 0xFF] => (ByteOrder::Big, u32::from_be_bytes),
        _ => return None,
    };
    let (units, _) = rest.as_chunks::<4>();
    let mut units = units.iter().take(MAX_UNITS).map(|bytes| unit(*bytes));
    units
        .all(|unit| char::from_u32(unit).is_some())
        .then_some(order)
}

/// The order in which bytes without a mark are plausible UTF-32.
pub(super) fn utf32(bytes: &[u8], complete: bool) -> Option<ByteOrder> {
    // A long text may have been cut.
    if bytes.len() < 8 || complete && bytes.len() < 32 && !bytes.len().is_multiple_of(4) {
        return None;
    }
    let (units, _) = bytes.as_chunks::<4>();
    let is_text = |unit: fn([u8; 4]) -> u32| {
        let mut text = CharCounts::default();
        for bytes in trimmed(units, |bytes| unit(*bytes)).iter().take(MAX_UNITS) {
            match char::from_u32(unit(*bytes)) {
                Some(ch) => text.add(ch),
                None => return false,
            }
        }
        text.is_plausible(Width::Four)
    };
    // In the wrong order no unit but 0 is below 110000.
    if is_text(u32::from_le_bytes) {
        Some(ByteOrder::Little)
    } else if is_text(u32::from_be_bytes) {
        Some(ByteOrder::Big)
    } else {
        None
    }
}

/// The order in which bytes without a mark are plausible UTF-16, if only one is.
pub(super) fn utf16(bytes: &[u8], complete: bool) -> Option<ByteOrder> {
    // A long text may have lost half of its last unit.
    if bytes.len() < 4 || complete && bytes.len() < 32 && !bytes.len().is_multiple_of(2) {
        return None;
    }
    let (pairs, _) = bytes.as_chunks::<2>();
    let common = |unit: fn([u8; 2]) -> u16| {
        let all = trimmed(pairs, |pair| u32::from(unit(*pair)));
        let looked_at = all.get(..MAX_UNITS).unwrap_or(all);
        let last = looked_at.last().map(|pair| unit(*pair));
        // A surrogate pair cut at the end is not an error.
        let is_cut = !complete || looked_at.len() < all.len();
        let half = usize::from(is_cut && matches!(last, Some(0xD800..=0xDBFF)));
        let looked_at = &looked_at[..looked_at.len() - half];
        let units = looked_at.iter().map(|pair| unit(*pair));
        let mut text = CharCounts::default();
        for ch in char::decode_utf16(units) {
            match ch {
                Ok(ch) => text.add(ch),
                Err(_) => text.add_wrong(),
            }
        }
        text.is_plausible(Width::Two)
            .then_some(text.ascii + text.east_asian_marks)
    };
    match (common(u16::from_le_bytes), common(u16::from_be_bytes)) {
        (Some(little), Some(big)) if little > 2 * big => Some(ByteOrder::Little),
        (Some(little), Some(big)) if big > 2 * little => Some(ByteOrder::Big),
        (Some(little), None) if little > 0 => Some(ByteOrder::Little),
        (None, Some(big)) if big > 0 => Some(ByteOrder::Big),
        _ => None,
    }
}

/// Without NUL and Ctrl-Z at the end, which are padding.
fn trimmed<U>(units: &[U], value: impl Fn(&U) -> u32) -> &[U] {
    let is_text = |unit: &U| !matches!(value(unit), 0 | 0x1A);
    let end = units.iter().rposition(is_text).map_or(0, |last| last + 1);
    units.get(..end).unwrap_or_default()
}

/// One ASCII character (line end, space, digit, markup) in this number of characters is enough to take bytes
/// for UTF-16. In the wrong byte order ASCII is no text.
const PER_ASCII: usize = 50;
/// Without ASCII there must be this number of characters, nearly all of them Chinese, Japanese or Korean, and
/// enough marks ([`PER_MARK`]).
const EAST_ASIAN: usize = 16;
/// One character in this number must be a kana or an East Asian punctuation mark.
const PER_MARK: usize = 64;
/// One unit in this many may be something that text doesn't have.
const PER_WRONG: usize = 128;

/// Whether both bytes are printable ASCII. This is so for a quarter of the ideographs; punctuation and symbols
/// (U+2000 to U+27FF) and kana are excluded.
fn is_ascii_pair(ch: char) -> bool {
    let [a, b, high, low] = u32::from(ch).to_be_bytes();
    let is_bmp = a | b == 0;
    is_bmp && matches!(high, 0x28..=0x2F | 0x31..=0x7E) && matches!(low, b' '..=b'~')
}

/// The bytes of a code unit. For units of four bytes, being characters at all is proof enough.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Two,
    Four,
}

/// Counts of characters in what may be text.
#[derive(Default)]
struct CharCounts {
    len: usize,
    ascii: usize,
    /// Of Chinese, Japanese and Korean, and which of these are kana and punctuation.
    east_asian: usize,
    east_asian_marks: usize,
    /// Characters whose bytes are both ASCII.
    ascii_pairs: usize,
    /// Unpaired surrogates, control characters, private use and what is not a character.
    wrong: usize,
    /// Characters in a row of 256 that others nearby are in, as in all scripts but those of Chinese, Japanese
    /// and Korean.
    in_row: usize,
    row: u32,
}

impl CharCounts {
    fn add(&mut self, ch: char) {
        match ch {
            '\x07'..='\x0F' | '\x1B' | ' '..='\x7F' => {
                self.ascii += 1;
                self.in_row += 1;
            }
            '\0'..='\x1F' | '\u{80}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' => self.wrong += 1,
            '\u{FDD0}'..='\u{FDEF}' | '\u{FFFE}'..='\u{FFFF}' | '\u{E0080}'.. => self.wrong += 1,
            // These include the quotation marks and dashes of Chinese.
            '\u{2010}'..='\u{203F}' => {
                self.in_row += 1;
                self.east_asian += 1;
            }
            // Latin letters of three rows, and punctuation, are mixed with each other. Ideographs share no
            // row, but they are where no pairs of ASCII bytes are.
            '\u{A0}'..='\u{1FF}' | '\u{1E00}'..='\u{1EFF}' | '\u{2000}'..='\u{20FF}' => {
                self.in_row += 1
            }
            '\u{3000}'..='\u{30FF}' | '\u{FF00}'..='\u{FFEF}' => {
                self.in_row += 1;
                self.east_asian += 1;
                self.east_asian_marks += 1;
            }
            '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{20000}'..='\u{3FFFF}' => {
                self.in_row += 1;
                self.east_asian += 1;
            }
            '\u{10000}'.. => self.in_row += 1,
            _ => {
                let row = u32::from(ch) >> 8;
                self.in_row += usize::from(row == self.row);
                self.row = row;
            }
        }
        self.ascii_pairs += usize::from(is_ascii_pair(ch));
        self.len += 1;
    }

    fn add_wrong(&mut self) {
        self.len += 1;
        self.wrong += 1;
    }

    fn is_plausible(&self, width: Width) -> bool {
        let is_east_asian = self.len >= EAST_ASIAN
            && 20 * self.east_asian >= 19 * self.len
            && PER_MARK * self.east_asian_marks >= self.len;
        // ASCII with NULs at even distances is not UTF-16.
        let is_ascii = self.ascii_pairs > 1 && 2 * self.ascii_pairs > self.len - self.ascii;
        self.len > 0
            && !is_ascii
            && self.wrong * PER_WRONG <= self.len
            && 10 * self.in_row >= 8 * (self.len - self.wrong)
            && (width == Width::Four || PER_ASCII * self.ascii >= self.len || is_east_asian)
    }
}
