//! Big5 (section 11.1).

use super::indexes::{INDEXES, big5_pointer};
use super::process::Step;
use super::queue::Queue;

#[derive(Clone, Debug)]
pub(crate) struct Big5Decoder {
    leading: u8,
}

impl Big5Decoder {
    pub(crate) fn new() -> Self {
        Big5Decoder { leading: 0 }
    }

    pub(crate) fn handler(&mut self, io_queue: &mut Queue<u8>, byte: Option<u8>) -> Step<char> {
        let Some(byte) = byte else {
            // 1. If byte is end-of-queue and Big5 leading is not 0x00, set it to 0x00 and return
            // error.
            if self.leading != 0 {
                self.leading = 0;
                return Step::Error(None);
            }
            // 2. If byte is end-of-queue and Big5 leading is 0x00, return finished.
            return Step::Finished;
        };
        // 3. If Big5 leading is not 0x00:
        if self.leading != 0 {
            // 1. Let leading be Big5 leading. 2. Set Big5 leading to 0x00.
            let leading = self.leading;
            self.leading = 0;
            // 3. Let pointer be null.
            let mut pointer = None;
            // 4. Let offset be 0x40 if byte is less than 0x7F, otherwise 0x62.
            let offset = if byte < 0x7F { 0x40 } else { 0x62 };
            // 5. If byte is in the range 0x40 to 0x7E or 0xA1 to 0xFE, set pointer to
            // (leading − 0x81) × 157 + (byte − offset).
            if matches!(byte, 0x40..=0x7E | 0xA1..=0xFE) {
                pointer = Some((u32::from(leading) - 0x81) * 157 + (u32::from(byte) - offset));
            }
            // 6. If there is a row in the table below whose first column is pointer, return the
            // two code points listed in its second column.
            match pointer {
                Some(1133) => return Step::two_code_points('\u{CA}', '\u{304}'),
                Some(1135) => return Step::two_code_points('\u{CA}', '\u{30C}'),
                Some(1164) => return Step::two_code_points('\u{EA}', '\u{304}'),
                Some(1166) => return Step::two_code_points('\u{EA}', '\u{30C}'),
                _ => {}
            }
            // 7. Let codePoint be null if pointer is null, otherwise the index code point for
            // pointer in index Big5.
            let code_point = pointer.and_then(|pointer| INDEXES.big5.code_point(pointer));
            // 8. If codePoint is non-null, return a code point whose value is codePoint.
            if let Some(code_point) = code_point {
                return Step::code_point(code_point);
            }
            // 9. If byte is an ASCII byte, restore byte to ioQueue.
            if byte <= 0x7F {
                io_queue.restore(&[byte]);
            }
            // 10. Return error.
            return Step::Error(None);
        }
        match byte {
            // 4. If byte is an ASCII byte, return a code point whose value is byte.
            0..=0x7F => Step::code_point(u32::from(byte)),
            // 5. If byte is in the range 0x81 to 0xFE, set Big5 leading to byte and return
            // continue.
            0x81..=0xFE => {
                self.leading = byte;
                Step::Continue
            }
            // 6. Return error.
            0x80 | 0xFF => Step::Error(None),
        }
    }
}

/// Big5's encoder's handler.
pub(crate) fn encode(code_point: Option<char>) -> Step<u8> {
    // 1. If codePoint is end-of-queue, return finished.
    let Some(c) = code_point else {
        return Step::Finished;
    };
    // 2. If codePoint is an ASCII code point, return a byte whose value is codePoint.
    if let Ok(byte @ 0..=0x7F) = u8::try_from(c) {
        return Step::bytes(&[byte]);
    }
    // 3. Let pointer be the index Big5 pointer for codePoint.
    // 4. If pointer is null, return error with codePoint.
    let Some(pointer) = big5_pointer(u32::from(c)) else {
        return Step::Error(Some(c));
    };
    // 5. Let leading be pointer / 157 + 0x81. 6. Let trailing be pointer % 157.
    let leading = pointer / 157 + 0x81;
    let trailing = pointer % 157;
    // 7. Let offset be 0x40 if trailing is less than 0x3F, otherwise 0x62.
    let offset = if trailing < 0x3F { 0x40 } else { 0x62 };
    // 8. Return two bytes whose values are leading and trailing + offset.
    Step::bytes(&[leading, trailing + offset].map(|value| u8::try_from(value).expect("a byte")))
}
