//! EUC-KR (section 13.1).

use super::indexes::INDEXES;
use super::process::Step;
use super::queue::Queue;

#[derive(Clone, Debug)]
pub(crate) struct EucKrDecoder {
    leading: u8,
}

impl EucKrDecoder {
    pub(crate) fn new() -> Self {
        EucKrDecoder { leading: 0 }
    }

    pub(crate) fn handler(&mut self, io_queue: &mut Queue<u8>, byte: Option<u8>) -> Step<char> {
        let Some(byte) = byte else {
            // 1. If byte is end-of-queue and EUC-KR leading is not 0x00, set it to 0x00 and return
            // error.
            if self.leading != 0 {
                self.leading = 0;
                return Step::Error(None);
            }
            // 2. If byte is end-of-queue and EUC-KR leading is 0x00, return finished.
            return Step::Finished;
        };
        // 3. If EUC-KR leading is not 0x00:
        if self.leading != 0 {
            // 1. Let leading be EUC-KR leading. 2. Set EUC-KR leading to 0x00.
            let leading = self.leading;
            self.leading = 0;
            // 3. Let pointer be null.
            let mut pointer = None;
            // 4. If byte is in the range 0x41 to 0xFE, set pointer to
            // (leading − 0x81) × 190 + (byte − 0x41).
            if (0x41..=0xFE).contains(&byte) {
                pointer = Some((u32::from(leading) - 0x81) * 190 + (u32::from(byte) - 0x41));
            }
            // 5. Let codePoint be null if pointer is null, otherwise the index code point for
            // pointer in index EUC-KR.
            let code_point = pointer.and_then(|pointer| INDEXES.euc_kr.code_point(pointer));
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
            // 4. If byte is an ASCII byte, return a code point whose value is byte.
            0..=0x7F => Step::code_point(u32::from(byte)),
            // 5. If byte is in the range 0x81 to 0xFE, set EUC-KR leading to byte and return
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

/// EUC-KR's encoder's handler.
pub(crate) fn encode(code_point: Option<char>) -> Step<u8> {
    // 1. If codePoint is end-of-queue, return finished.
    let Some(c) = code_point else {
        return Step::Finished;
    };
    // 2. If codePoint is an ASCII code point, return a byte whose value is codePoint.
    if let Ok(byte @ 0..=0x7F) = u8::try_from(c) {
        return Step::bytes(&[byte]);
    }
    // 3. Let pointer be the index pointer for codePoint in index EUC-KR.
    // 4. If pointer is null, return error with codePoint.
    let Some(pointer) = INDEXES.euc_kr.pointer(u32::from(c)) else {
        return Step::Error(Some(c));
    };
    // 5. Let leading be pointer / 190 + 0x81. 6. Let trailing be pointer % 190 + 0x41.
    let leading = pointer / 190 + 0x81;
    let trailing = pointer % 190 + 0x41;
    // 7. Return two bytes whose values are leading and trailing.
    Step::bytes(&[leading, trailing].map(|value| u8::try_from(value).expect("a byte")))
}
