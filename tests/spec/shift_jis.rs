//! Shift_JIS (section 12.3).

use super::indexes::{INDEXES, shift_jis_pointer};
use super::process::Step;
use super::queue::Queue;

#[derive(Clone, Debug)]
pub(crate) struct ShiftJisDecoder {
    leading: u8,
}

impl ShiftJisDecoder {
    pub(crate) fn new() -> Self {
        ShiftJisDecoder { leading: 0 }
    }

    pub(crate) fn handler(&mut self, io_queue: &mut Queue<u8>, byte: Option<u8>) -> Step<char> {
        let Some(byte) = byte else {
            // 1. If byte is end-of-queue and Shift_JIS leading is not 0x00, set it to 0x00 and
            // return error.
            if self.leading != 0 {
                self.leading = 0;
                return Step::Error(None);
            }
            // 2. If byte is end-of-queue and Shift_JIS leading is 0x00, return finished.
            return Step::Finished;
        };
        // 3. If Shift_JIS leading is not 0x00:
        if self.leading != 0 {
            // 1. Let leading be Shift_JIS leading. 2. Set Shift_JIS leading to 0x00.
            let leading = self.leading;
            self.leading = 0;
            // 3. Let pointer be null.
            let mut pointer = None;
            // 4. Let offset be 0x40 if byte is less than 0x7F, otherwise 0x41.
            let offset = if byte < 0x7F { 0x40 } else { 0x41 };
            // 5. Let leadingOffset be 0x81 if leading is less than 0xA0, otherwise 0xC1.
            let leading_offset = if leading < 0xA0 { 0x81 } else { 0xC1 };
            // 6. If byte is in the range 0x40 to 0x7E or 0x80 to 0xFC, set pointer to
            // (leading − leadingOffset) × 188 + byte − offset.
            if matches!(byte, 0x40..=0x7E | 0x80..=0xFC) {
                pointer =
                    Some((u32::from(leading) - leading_offset) * 188 + (u32::from(byte) - offset));
            }
            // 7. If pointer is in the range 8836 to 10715, return a code point whose value is
            // 0xE000 − 8836 + pointer.
            if let Some(pointer @ 8836..=10715) = pointer {
                return Step::code_point(0xE000 - 8836 + pointer);
            }
            // 8. Let codePoint be null if pointer is null, otherwise the index code point for
            // pointer in index jis0208.
            let code_point = pointer.and_then(|pointer| INDEXES.jis0208.code_point(pointer));
            // 9. If codePoint is non-null, return a code point whose value is codePoint.
            if let Some(code_point) = code_point {
                return Step::code_point(code_point);
            }
            // 10. If byte is an ASCII byte, restore byte to ioQueue.
            if byte <= 0x7F {
                io_queue.restore(&[byte]);
            }
            // 11. Return error.
            return Step::Error(None);
        }
        match byte {
            // 4. If byte is an ASCII byte or 0x80, return a code point whose value is byte.
            0..=0x80 => Step::code_point(u32::from(byte)),
            // 5. If byte is in the range 0xA1 to 0xDF, return a code point whose value is
            // 0xFF61 − 0xA1 + byte.
            0xA1..=0xDF => Step::code_point(0xFF61 - 0xA1 + u32::from(byte)),
            // 6. If byte is in the range 0x81 to 0x9F or 0xE0 to 0xFC, set Shift_JIS leading to
            // byte and return continue.
            0x81..=0x9F | 0xE0..=0xFC => {
                self.leading = byte;
                Step::Continue
            }
            // 7. Return error.
            0xA0 | 0xFD..=0xFF => Step::Error(None),
        }
    }
}

/// Shift_JIS's encoder's handler.
pub(crate) fn encode(code_point: Option<char>) -> Step<u8> {
    // 1. If codePoint is end-of-queue, return finished.
    let Some(c) = code_point else {
        return Step::Finished;
    };
    let mut code_point = u32::from(c);
    match code_point {
        // 2. If codePoint is an ASCII code point or U+0080, return a byte whose value is codePoint.
        0..=0x80 => return step([code_point]),
        // 3. If codePoint is U+00A5, return byte 0x5C.
        0xA5 => return step([0x5C]),
        // 4. If codePoint is U+203E, return byte 0x7E.
        0x203E => return step([0x7E]),
        // 5. If codePoint is in the range U+FF61 to U+FF9F, return a byte whose value is
        // codePoint − 0xFF61 + 0xA1.
        0xFF61..=0xFF9F => return step([code_point - 0xFF61 + 0xA1]),
        // 6. If codePoint is U+2212, set it to U+FF0D.
        0x2212 => code_point = 0xFF0D,
        _ => {}
    }
    // 7. Let pointer be the index Shift_JIS pointer for codePoint.
    // 8. If pointer is null, return error with codePoint.
    let Some(pointer) = shift_jis_pointer(code_point) else {
        return Step::Error(char::from_u32(code_point));
    };
    // 9. Let leading be pointer / 188.
    let leading = pointer / 188;
    // 10. Let leadingOffset be 0x81 if leading is less than 0x1F, otherwise 0xC1.
    let leading_offset = if leading < 0x1F { 0x81 } else { 0xC1 };
    // 11. Let trailing be pointer % 188.
    let trailing = pointer % 188;
    // 12. Let offset be 0x40 if trailing is less than 0x3F, otherwise 0x41.
    let offset = if trailing < 0x3F { 0x40 } else { 0x41 };
    // 13. Return two bytes whose values are leading + leadingOffset and trailing + offset.
    step([leading + leading_offset, trailing + offset])
}

fn step<const N: usize>(values: [u32; N]) -> Step<u8> {
    Step::bytes(&values.map(|value| u8::try_from(value).expect("a byte")))
}
