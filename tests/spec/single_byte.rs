//! The single-byte encodings (section 9), x-user-defined (14.5) and replacement (14.1).

use super::indexes::Index;
use super::process::Step;

/// The single-byte decoder's handler.
pub(crate) fn decode(index: &Index, byte: Option<u8>) -> Step<char> {
    // 1. If byte is end-of-queue, return finished.
    let Some(byte) = byte else {
        return Step::Finished;
    };
    // 2. If byte is an ASCII byte, return a code point whose value is byte.
    if byte <= 0x7F {
        return Step::code_point(u32::from(byte));
    }
    // 3. Let codePoint be the index code point for byte − 0x80 in index single-byte.
    match index.code_point(u32::from(byte) - 0x80) {
        // 4. If codePoint is null, return error.
        None => Step::Error(None),
        // 5. Return a code point whose value is codePoint.
        Some(code_point) => Step::code_point(code_point),
    }
}

/// The single-byte encoder's handler.
pub(crate) fn encode(index: &Index, code_point: Option<char>) -> Step<u8> {
    // 1. If codePoint is end-of-queue, return finished.
    let Some(code_point) = code_point else {
        return Step::Finished;
    };
    // 2. If codePoint is an ASCII code point, return a byte whose value is codePoint.
    if let Ok(byte @ 0..=0x7F) = u8::try_from(code_point) {
        return Step::bytes(&[byte]);
    }
    // 3. Let pointer be the index pointer for codePoint in index single-byte.
    match index.pointer(u32::from(code_point)) {
        // 4. If pointer is null, return error with codePoint.
        None => Step::Error(Some(code_point)),
        // 5. Return a byte whose value is pointer + 0x80.
        Some(pointer) => Step::bytes(&[u8::try_from(pointer + 0x80).expect("a byte")]),
    }
}

/// x-user-defined's decoder's handler.
pub(crate) fn decode_x_user_defined(byte: Option<u8>) -> Step<char> {
    match byte {
        // 1. If byte is end-of-queue, return finished.
        None => Step::Finished,
        // 2. If byte is an ASCII byte, return a code point whose value is byte.
        Some(byte @ 0..=0x7F) => Step::code_point(u32::from(byte)),
        // 3. Return a code point whose value is 0xF780 + byte − 0x80.
        Some(byte) => Step::code_point(0xF780 + u32::from(byte) - 0x80),
    }
}

/// x-user-defined's encoder's handler.
pub(crate) fn encode_x_user_defined(code_point: Option<char>) -> Step<u8> {
    let value = match code_point {
        // 1. If codePoint is end-of-queue, return finished.
        None => return Step::Finished,
        // 2. If codePoint is an ASCII code point, return a byte whose value is codePoint.
        Some(c) if c.is_ascii() => u32::from(c),
        // 3. If codePoint is in the range U+F780 to U+F7FF, return a byte whose value is
        // codePoint − 0xF780 + 0x80.
        Some(c @ '\u{F780}'..='\u{F7FF}') => u32::from(c) - 0xF780 + 0x80,
        // 4. Return error with codePoint.
        Some(_) => return Step::Error(code_point),
    };
    Step::bytes(&[u8::try_from(value).expect("a byte")])
}

#[derive(Clone, Debug)]
pub(crate) struct ReplacementDecoder {
    error_returned: bool,
}

impl ReplacementDecoder {
    pub(crate) fn new() -> Self {
        ReplacementDecoder {
            error_returned: false,
        }
    }

    pub(crate) fn handler(&mut self, byte: Option<u8>) -> Step<char> {
        // 1. If byte is end-of-queue, return finished.
        if byte.is_none() {
            return Step::Finished;
        }
        // 2. If replacement error returned is false, set it to true and return error.
        if !self.error_returned {
            self.error_returned = true;
            return Step::Error(None);
        }
        // 3. Return finished.
        Step::Finished
    }
}
