//! Whether bytes look like UTF-16 or UTF-32: by a byte order mark of UTF-32, or without one by their
//! code units.

use super::ByteOrder;

/// Code units that are looked at, at the most.
const MOST: usize = 2048;

/// Whether it begins with UTF-32's byte order mark. That of UTF-32LE is also UTF-16LE's with a NUL behind
/// it; so what follows must be UTF-32 as well.
pub(super) fn utf_32_bom(bytes: &[u8]) -> Option<ByteOrder> {
    let (mark, rest) = bytes.split_first_chunk::<4>()?;
    let (order, unit): (_, fn([u8; 4]) -> u32) = match mark {
        [0xFF, 0xFE, 0, 0] => (ByteOrder::Little, u32::from_le_bytes),
        [0, 0, 0xFE, 0xFF] => (ByteOrder::Big, u32::from_be_bytes),
        _ => return None,
    };
    let (units, _) = rest.as_chunks::<4>();
    let mut units = units.iter().take(MOST).map(|bytes| unit(*bytes));
    units
        .all(|unit| char::from_u32(unit).is_some())
        .then_some(order)
}

/// The order in which bytes without a mark are plausible UTF-32.
pub(super) fn utf_32(bytes: &[u8], complete: bool) -> Option<ByteOrder> {
    if bytes.len() < 8 || complete && !bytes.len().is_multiple_of(4) {
        return None;
    }
    let (units, _) = bytes.as_chunks::<4>();
    let text = |unit: fn([u8; 4]) -> u32| {
        let mut text = Text::default();
        for bytes in units.iter().take(MOST) {
            text.add(char::from_u32(unit(*bytes))?)?;
        }
        text.is_plausible(0).then_some(())
    };
    // No unit but 0 is below 110000 in both orders.
    if text(u32::from_le_bytes).is_some() {
        Some(ByteOrder::Little)
    } else if text(u32::from_be_bytes).is_some() {
        Some(ByteOrder::Big)
    } else {
        None
    }
}

/// The order in which bytes without a mark are plausible UTF-16, and not in the other.
pub(super) fn utf_16(bytes: &[u8], complete: bool) -> Option<ByteOrder> {
    if bytes.len() < 4 || complete && !bytes.len().is_multiple_of(2) {
        return None;
    }
    let (pairs, _) = bytes.as_chunks::<2>();
    let looked_at = pairs.get(..MOST).unwrap_or(pairs);
    let is_cut = !complete || looked_at.len() < pairs.len();
    let ascii = |unit: fn([u8; 2]) -> u16| {
        let last = looked_at.last().map(|pair| unit(*pair));
        let cuts = is_cut && matches!(last, Some(0xD800..=0xDBFF));
        let looked_at = &looked_at[..looked_at.len() - usize::from(cuts)];
        let units = looked_at.iter().map(|pair| unit(*pair));
        let mut text = Text::default();
        for ch in char::decode_utf16(units) {
            text.add(ch.ok()?)?;
        }
        text.is_plausible(50).then_some(text.ascii)
    };
    match (ascii(u16::from_le_bytes), ascii(u16::from_be_bytes)) {
        (Some(little), Some(big)) if little > 2 * big => Some(ByteOrder::Little),
        (Some(little), Some(big)) if big > 2 * little => Some(ByteOrder::Big),
        (Some(little), None) if little > 0 => Some(ByteOrder::Little),
        (None, Some(big)) if big > 0 => Some(ByteOrder::Big),
        _ => None,
    }
}

/// Characters of what may be text.
#[derive(Default)]
struct Text {
    len: usize,
    ascii: usize,
    /// Those in a row of 256 that is in use around them, as in all scripts but those of Chinese, Japanese
    /// and Korean.
    in_row: usize,
    row: u32,
}

impl Text {
    /// `None` for a character that text does not have.
    fn add(&mut self, ch: char) -> Option<()> {
        let is_ascii = ch.is_ascii();
        match ch {
            '\x08'..='\r' | '\x1B' | ' '..='~' => self.ascii += 1,
            '\0'..='\x1F' | '\x7F'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' => return None,
            '\u{FDD0}'..='\u{FDEF}' | '\u{FFFE}'..='\u{FFFF}' | '\u{E0080}'.. => return None,
            _ => {}
        }
        self.len += 1;
        // Ideographs share no row, but they are where no pairs of bytes of ASCII are.
        let is_dense = matches!(ch, '\u{3000}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{10000}'..);
        let row = u32::from(ch) >> 8;
        self.in_row += usize::from(is_ascii || is_dense || row == self.row);
        self.row = if is_ascii { self.row } else { row };
        Some(())
    }

    /// Text that is no UTF-16 rarely gets by with so many in rows, and ASCII is no text in the other order:
    /// one in `per_ascii` characters must be of it, if that is not 0.
    fn is_plausible(&self, per_ascii: usize) -> bool {
        10 * self.in_row >= 8 * self.len && (per_ascii == 0 || per_ascii * self.ascii >= self.len)
    }
}
