//! EUC-JP (section 12.1).

use super::indexes::INDEXES;
use super::process::Step;
use super::queue::Queue;

#[derive(Clone, Debug)]
pub(crate) struct EucJpDecoder {
    jis0212: bool,
    leading: u8,
}

impl EucJpDecoder {
    pub(crate) fn new() -> Self {
        EucJpDecoder {
            jis0212: false,
            leading: 0,
        }
    }

    pub(crate) fn handler(&mut self, io_queue: &mut Queue<u8>, byte: Option<u8>) -> Step<char> {
        let Some(byte) = byte else {
            // 1. If byte is end-of-queue and EUC-JP leading is not 0x00, set EUC-JP leading to
            // 0x00, and return error.
            if self.leading != 0 {
                self.leading = 0;
                return Step::Error(None);
            }
            // 2. If byte is end-of-queue and EUC-JP leading is 0x00, return finished.
            return Step::Finished;
        };
        match (self.leading, byte) {
            // 3. If EUC-JP leading is 0x8E and byte is in the range 0xA1 to 0xDF, set EUC-JP
            // leading to 0x00 and return a code point whose value is 0xFF61 − 0xA1 + byte.
            (0x8E, 0xA1..=0xDF) => {
                self.leading = 0;
                return Step::code_point(0xFF61 - 0xA1 + u32::from(byte));
            }
            // 4. If EUC-JP leading is 0x8F and byte is in the range 0xA1 to 0xFE, set EUC-JP
            // jis0212 to true, set EUC-JP leading to byte, and return continue.
            (0x8F, 0xA1..=0xFE) => {
                self.jis0212 = true;
                self.leading = byte;
                return Step::Continue;
            }
            _ => {}
        }
        // 5. If EUC-JP leading is not 0x00:
        if self.leading != 0 {
            // 1. Let leading be EUC-JP leading. 2. Set EUC-JP leading to 0x00.
            let leading = self.leading;
            self.leading = 0;
            // 3. Let codePoint be null.
            let mut code_point = None;
            // 4. If leading and byte are both in the range 0xA1 to 0xFE, then set codePoint to the
            // index code point for (leading − 0xA1) × 94 + byte − 0xA1 in index jis0208 if EUC-JP
            // jis0212 is false and in index jis0212 otherwise.
            if (0xA1..=0xFE).contains(&leading) && (0xA1..=0xFE).contains(&byte) {
                let pointer = (u32::from(leading) - 0xA1) * 94 + u32::from(byte) - 0xA1;
                let index = if self.jis0212 {
                    &INDEXES.jis0212
                } else {
                    &INDEXES.jis0208
                };
                code_point = index.code_point(pointer);
            }
            // 5. Set EUC-JP jis0212 to false.
            self.jis0212 = false;
            // 6. If codePoint is non-null, return a code point whose value is codePoint.
            if let Some(code_point) = code_point {
                return Step::code_point(code_point);
            }
            // 7. If byte is an ASCII byte, restore byte to ioQueue.
            if byte <= 0x7F {
                io_queue.restore(&[byte]);
            }
            // 8. Return error.
            return Step::Error(None);
        }
        match byte {
            // 6. If byte is an ASCII byte, return a code point whose value is byte.
            0..=0x7F => Step::code_point(u32::from(byte)),
            // 7. If byte is 0x8E, 0x8F, or in the range 0xA1 to 0xFE, set EUC-JP leading to byte
            // and return continue.
            0x8E | 0x8F | 0xA1..=0xFE => {
                self.leading = byte;
                Step::Continue
            }
            // 8. Return error.
            _ => Step::Error(None),
        }
    }
}

/// EUC-JP's encoder's handler.
pub(crate) fn encode(code_point: Option<char>) -> Step<u8> {
    // 1. If codePoint is end-of-queue, return finished.
    let Some(c) = code_point else {
        return Step::Finished;
    };
    let mut code_point = u32::from(c);
    match code_point {
        // 2. If codePoint is an ASCII code point, return a byte whose value is codePoint.
        0..=0x7F => return step([code_point]),
        // 3. If codePoint is U+00A5, return byte 0x5C.
        0xA5 => return step([0x5C]),
        // 4. If codePoint is U+203E, return byte 0x7E.
        0x203E => return step([0x7E]),
        // 5. If codePoint is in the range U+FF61 to U+FF9F, return two bytes whose values are 0x8E
        // and codePoint − 0xFF61 + 0xA1.
        0xFF61..=0xFF9F => return step([0x8E, code_point - 0xFF61 + 0xA1]),
        // 6. If codePoint is U+2212, set it to U+FF0D.
        0x2212 => code_point = 0xFF0D,
        _ => {}
    }
    // 7. Let pointer be the index pointer for codePoint in index jis0208.
    // 8. If pointer is null, return error with codePoint.
    let Some(pointer) = INDEXES.jis0208.pointer(code_point) else {
        return Step::Error(char::from_u32(code_point));
    };
    // The note: "If pointer is non-null, it is less than 8836."
    assert!(pointer < 8836, "the nature of index jis0208");
    // 9. Let leading be pointer / 94 + 0xA1. 10. Let trailing be pointer % 94 + 0xA1.
    // 11. Return two bytes whose values are leading and trailing.
    step([pointer / 94 + 0xA1, pointer % 94 + 0xA1])
}

fn step<const N: usize>(values: [u32; N]) -> Step<u8> {
    Step::bytes(&values.map(|value| u8::try_from(value).expect("a byte")))
}
