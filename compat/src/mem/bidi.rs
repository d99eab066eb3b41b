//! Text that is written from right to left.
//!
//! The blocks of Hebrew, Arabic and the other scripts that are written from right to left count, whether or
//! not a code point in them is assigned, and so do the four controls whose names begin with RIGHT-TO-LEFT.
//! Controls that have an effect only together with these do not count, nor does U+FEFF at the end of its
//! block.

use super::ascii::all_below;
use super::latin1::{str_latin1_up_to, utf8_latin1_up_to};

/// The result of a check for Latin-1 and for text from right to left.
#[must_use]
#[derive(Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Latin1Bidi {
    /// All code points are up to U+00FF.
    Latin1 = 0,
    /// Some are above, and none is written from right to left.
    LeftToRight = 1,
    /// Some are written from right to left.
    Bidi = 2,
}

/// Whether a character is written from right to left.
#[inline]
pub fn is_char_bidi(c: char) -> bool {
    matches!(
        c,
        '\u{590}'..='\u{8FF}'
            | '\u{200F}' | '\u{202B}' | '\u{202E}' | '\u{2067}'
            | '\u{FB1D}'..='\u{FDFF}'
            | '\u{FE70}'..='\u{FEFE}'
            | '\u{10800}'..='\u{10FFF}'
            | '\u{1E800}'..='\u{1EFFF}'
    )
}

/// Whether a code unit is a character that is written from right to left, or the leading surrogate of one,
/// even if that is unpaired.
#[inline]
pub fn is_utf16_code_unit_bidi(u: u16) -> bool {
    // Without branches, so that the compiler vectorises it.
    let is_in = |first: u16, last: u16| u.wrapping_sub(first) <= last - first;
    is_in(0x0590, 0x08FF)
        | is_in(0xFB1D, 0xFDFF)
        | is_in(0xFE70, 0xFEFE)
        | is_in(0xD802, 0xD803)
        | is_in(0xD83A, 0xD83B)
        | (u == 0x200F)
        | (u == 0x202B)
        | (u == 0x202E)
        | (u == 0x2067)
}

/// Whether [this](is_utf16_code_unit_bidi) is true of any code unit.
pub fn is_utf16_bidi(buffer: &[u16]) -> bool {
    let (chunks, rest) = buffer.as_chunks::<32>();
    chunks.iter().any(|chunk| {
        let is_bidi = |any, &unit| any | is_utf16_code_unit_bidi(unit);
        chunk.iter().fold(false, is_bidi)
    }) || rest.iter().any(|unit| is_utf16_code_unit_bidi(*unit))
}

/// Whether any character is written from right to left.
pub fn is_str_bidi(buffer: &str) -> bool {
    let bytes = buffer.as_bytes();
    let (chunks, rest) = bytes.as_chunks::<64>();
    let may_be = |any, &byte| any | may_lead_to_bidi(byte);
    let within = |start: usize, len: usize| (start..start + len).any(|at| is_bidi_at(bytes, at));
    for (i, chunk) in chunks.iter().enumerate() {
        if chunk.iter().fold(false, may_be) && within(64 * i, 64) {
            return true;
        }
    }
    within(bytes.len() - rest.len(), rest.len())
}

/// Whether the bytes are not well-formed UTF-8, or any character in them is written from right to left.
pub fn is_utf8_bidi(buffer: &[u8]) -> bool {
    simdtext::unicode::from_utf8(buffer).map_or(true, is_str_bidi)
}

/// Whether a character that is written from right to left may start with this byte of UTF-8.
#[inline]
fn may_lead_to_bidi(byte: u8) -> bool {
    // D6 and D7 to DF: U+0580 to U+07FF. E0: to U+0FFF. E2: the controls. EF and F0: the other blocks.
    (byte.wrapping_sub(0xD6) <= 0xE0 - 0xD6)
        | (byte == 0xE2)
        | (byte.wrapping_sub(0xEF) <= 0xF0 - 0xEF)
}

/// Whether a character that is written from right to left starts at `at` in well-formed UTF-8.
#[inline]
fn is_bidi_at(bytes: &[u8], at: usize) -> bool {
    match bytes[at..] {
        [byte, ..] if !may_lead_to_bidi(byte) => false,
        // From U+0590 on.
        [0xD6, second, ..] => second >= 0x90,
        [0xD7..=0xDF, ..] => true,
        // To U+08FF.
        [0xE0, second, ..] => second <= 0xA3,
        [0xE2, 0x80, third, ..] => matches!(third, 0x8F | 0xAB | 0xAE),
        [0xE2, 0x81, third, ..] => third == 0xA7,
        // From U+FB1D on.
        [0xEF, 0xAC, third, ..] => third >= 0x9D,
        [0xEF, 0xAD..=0xB7, ..] => true,
        // From U+FE70 to U+FEFE.
        [0xEF, 0xB9, third, ..] => third >= 0xB0,
        [0xEF, 0xBA, ..] => true,
        [0xEF, 0xBB, third, ..] => third <= 0xBE,
        // U+10800 to U+10FFF and U+1E800 to U+1EFFF.
        [0xF0, 0x90 | 0x9E, third, ..] => third >= 0xA0,
        _ => false,
    }
}

/// [`Latin1Bidi`] for bytes. If they are not well-formed UTF-8, they count as written from right to left.
pub fn check_utf8_for_latin1_and_bidi(buffer: &[u8]) -> Latin1Bidi {
    let latin1 = utf8_latin1_up_to(buffer);
    if latin1 == buffer.len() {
        Latin1Bidi::Latin1
    } else if is_utf8_bidi(&buffer[latin1..]) {
        Latin1Bidi::Bidi
    } else {
        Latin1Bidi::LeftToRight
    }
}

/// [`Latin1Bidi`] for text.
pub fn check_str_for_latin1_and_bidi(buffer: &str) -> Latin1Bidi {
    let latin1 = str_latin1_up_to(buffer);
    if latin1 == buffer.len() {
        Latin1Bidi::Latin1
    } else if is_str_bidi(&buffer[latin1..]) {
        Latin1Bidi::Bidi
    } else {
        Latin1Bidi::LeftToRight
    }
}

/// [`Latin1Bidi`] for code units, which need not be well-formed.
pub fn check_utf16_for_latin1_and_bidi(buffer: &[u16]) -> Latin1Bidi {
    if all_below::<0x100>(buffer) {
        Latin1Bidi::Latin1
    } else if is_utf16_bidi(buffer) {
        Latin1Bidi::Bidi
    } else {
        Latin1Bidi::LeftToRight
    }
}
