//! Whether bytes without a byte order mark look like UTF-16.

use crate::encoding::{Encoding, UTF_16BE, UTF_16LE};

/// Code units that are looked at, at the most.
const MOST: usize = 2048;

/// UTF-16LE or UTF-16BE where the bytes are plausible in that and not in the other: no unpaired
/// surrogate, no character that is none, and most units in a row of 256 that is in use around them, as in
/// all scripts but those of Chinese, Japanese and Korean, or line ends and spaces in the right order.
pub(super) fn guess(bytes: &[u8], complete: bool) -> Option<&'static Encoding> {
    if bytes.len() < 4 || complete && !bytes.len().is_multiple_of(2) {
        return None;
    }
    let little = plausible(bytes, u16::from_le_bytes);
    let big = plausible(bytes, u16::from_be_bytes);
    match (little, big) {
        (Some(little), Some(big)) if little > 2 * big => Some(UTF_16LE),
        (Some(little), Some(big)) if big > 2 * little => Some(UTF_16BE),
        (Some(little), None) if little > 0 => Some(UTF_16LE),
        (None, Some(big)) if big > 0 => Some(UTF_16BE),
        _ => None,
    }
}

/// How many units of ASCII there are, if the bytes may be text in this order.
fn plausible(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<usize> {
    let (mut ascii, mut in_row, mut units) = (0, 0, 0);
    let (mut row, mut leads) = (0, false);
    let (pairs, _) = bytes.as_chunks::<2>();
    for pair in pairs.iter().take(MOST) {
        let unit = unit(*pair);
        let trails = matches!(unit, 0xDC00..=0xDFFF);
        if leads != trails {
            return None;
        }
        leads = matches!(unit, 0xD800..=0xDBFF);
        match unit {
            0x09 | 0x0A | 0x0D | 0x20..=0x7E => ascii += 1,
            0..=0x1F | 0x7F..=0x9F | 0xE000..=0xF8FF | 0xFDD0..=0xFDEF | 0xFFFE.. => return None,
            _ => {}
        }
        units += 1;
        // Ideographs share no row, but they are where no pairs of bytes of ASCII are.
        let dense = matches!(unit, 0x3000..=0x30FF | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3);
        let shares = unit >> 8 == row || unit < 0x80 || dense || leads || trails;
        in_row += usize::from(shares);
        row = if unit < 0x80 { row } else { unit >> 8 };
    }
    // Text that is no UTF-16 rarely gets by with so many, and ASCII is no text in the other order.
    let enough = 10 * in_row >= 8 * units && 50 * ascii >= units;
    enough.then_some(ascii)
}
