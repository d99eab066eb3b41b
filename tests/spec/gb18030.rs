//! GBK (section 10.1) and gb18030 (section 10.2).

use super::indexes::{INDEXES, gb18030_ranges_code_point, gb18030_ranges_pointer};
use super::process::Step;
use super::queue::Queue;

#[derive(Clone, Debug)]
pub(crate) struct Gb18030Decoder {
    first: u8,
    second: u8,
    third: u8,
}

impl Gb18030Decoder {
    pub(crate) fn new() -> Self {
        Gb18030Decoder {
            first: 0,
            second: 0,
            third: 0,
        }
    }

    pub(crate) fn handler(&mut self, io_queue: &mut Queue<u8>, byte: Option<u8>) -> Step<char> {
        let Some(byte) = byte else {
            // 1. If byte is end-of-queue and gb18030 first, gb18030 second, and gb18030 third are
            // 0x00, return finished.
            if (self.first, self.second, self.third) == (0, 0, 0) {
                return Step::Finished;
            }
            // 2. If byte is end-of-queue, and one of them is not 0x00, set all to 0x00, and
            // return error.
            *self = Gb18030Decoder::new();
            return Step::Error(None);
        };
        // 3. If gb18030 third is not 0x00, then:
        if self.third != 0 {
            // 1. If byte is not in the range 0x30 to 0x39, inclusive, then:
            if !(0x30..=0x39).contains(&byte) {
                // 1. Restore « gb18030 second, gb18030 third, byte » to ioQueue.
                io_queue.restore(&[self.second, self.third, byte]);
                // 2. Set all three to 0x00. 3. Return error.
                *self = Gb18030Decoder::new();
                return Step::Error(None);
            }
            // 2. Let codePoint be the index gb18030 ranges code point for …
            let code_point = gb18030_ranges_code_point(
                ((u32::from(self.first) - 0x81) * (10 * 126 * 10))
                    + ((u32::from(self.second) - 0x30) * (10 * 126))
                    + ((u32::from(self.third) - 0x81) * 10)
                    + u32::from(byte)
                    - 0x30,
            );
            // 3. Set all three to 0x00.
            *self = Gb18030Decoder::new();
            return match code_point {
                // 4. If codePoint is null, return error.
                None => Step::Error(None),
                // 5. Return a code point whose value is codePoint.
                Some(code_point) => Step::code_point(code_point),
            };
        }
        // 4. If gb18030 second is not 0x00, then:
        if self.second != 0 {
            // 1. If byte is in the range 0x81 to 0xFE, set gb18030 third to byte and return
            // continue.
            if (0x81..=0xFE).contains(&byte) {
                self.third = byte;
                return Step::Continue;
            }
            // 2. Restore « gb18030 second, byte » to ioQueue, set gb18030 first and gb18030 second
            // to 0x00, and return error.
            io_queue.restore(&[self.second, byte]);
            self.first = 0;
            self.second = 0;
            return Step::Error(None);
        }
        // 5. If gb18030 first is not 0x00, then:
        if self.first != 0 {
            // 1. If byte is in the range 0x30 to 0x39, set gb18030 second to byte and return
            // continue.
            if (0x30..=0x39).contains(&byte) {
                self.second = byte;
                return Step::Continue;
            }
            // 2. Let leading be gb18030 first. 3. Set gb18030 first to 0x00.
            let leading = self.first;
            self.first = 0;
            // 4. Let pointer be null.
            let mut pointer = None;
            // 5. Let offset be 0x40 if byte is less than 0x7F, otherwise 0x41.
            let offset = if byte < 0x7F { 0x40 } else { 0x41 };
            // 6. If byte is in the range 0x40 to 0x7E or 0x80 to 0xFE, set pointer to
            // (leading − 0x81) × 190 + (byte − offset).
            if matches!(byte, 0x40..=0x7E | 0x80..=0xFE) {
                pointer = Some((u32::from(leading) - 0x81) * 190 + (u32::from(byte) - offset));
            }
            // 7. Let codePoint be null if pointer is null, otherwise the index code point for
            // pointer in index gb18030.
            let code_point = pointer.and_then(|pointer| INDEXES.gb18030.code_point(pointer));
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
            // 6. If byte is an ASCII byte, return a code point whose value is byte.
            0..=0x7F => Step::code_point(u32::from(byte)),
            // 7. If byte is 0x80, return code point U+20AC.
            0x80 => Step::code_point(0x20AC),
            // 8. If byte is in the range 0x81 to 0xFE, set gb18030 first to byte and return
            // continue.
            0x81..=0xFE => {
                self.first = byte;
                Step::Continue
            }
            // 9. Return error.
            0xFF => Step::Error(None),
        }
    }
}

/// gb18030's encoder's handler.
pub(crate) fn encode(is_gbk: bool, code_point: Option<char>) -> Step<u8> {
    // 1. If codePoint is end-of-queue, return finished.
    let Some(c) = code_point else {
        return Step::Finished;
    };
    let code_point = u32::from(c);
    // 2. If codePoint is an ASCII code point, return a byte whose value is codePoint.
    if c.is_ascii() {
        return step([code_point]);
    }
    // 3. If codePoint is U+E5E5, return error with codePoint.
    if code_point == 0xE5E5 {
        return Step::Error(Some(c));
    }
    // 4. If is GBK is true and codePoint is U+20AC, return byte 0x80.
    if is_gbk && code_point == 0x20AC {
        return Step::bytes(&[0x80]);
    }
    // 5. If there is a row in the table below whose first column is codePoint, return the two
    // bytes of its second column.
    if let Some((_, bytes)) = SIDE_TABLE.iter().find(|(first, _)| *first == code_point) {
        return Step::bytes(bytes);
    }
    // 6. Let pointer be the index pointer for codePoint in index gb18030.
    // 7. If pointer is non-null:
    if let Some(pointer) = INDEXES.gb18030.pointer(code_point) {
        // 1. Let leading be pointer / 190 + 0x81. 2. Let trailing be pointer % 190.
        let leading = pointer / 190 + 0x81;
        let trailing = pointer % 190;
        // 3. Let offset be 0x40 if trailing is less than 0x3F, otherwise 0x41.
        let offset = if trailing < 0x3F { 0x40 } else { 0x41 };
        // 4. Return two bytes whose values are leading and trailing + offset.
        return step([leading, trailing + offset]);
    }
    // 8. If is GBK is true, return error with codePoint.
    if is_gbk {
        return Step::Error(Some(c));
    }
    // 9. Set pointer to the index gb18030 ranges pointer for codePoint.
    let pointer = gb18030_ranges_pointer(code_point);
    // 10. Let byte1 be pointer / (10 × 126 × 10).
    let byte1 = pointer / (10 * 126 * 10);
    // 11. Set pointer to pointer % (10 × 126 × 10).
    let pointer = pointer % (10 * 126 * 10);
    // 12. Let byte2 be pointer / (10 × 126).
    let byte2 = pointer / (10 * 126);
    // 13. Set pointer to pointer % (10 × 126).
    let pointer = pointer % (10 * 126);
    // 14. Let byte3 be pointer / 10. 15. Let byte4 be pointer % 10.
    let byte3 = pointer / 10;
    let byte4 = pointer % 10;
    // 16. Return four bytes.
    step([byte1 + 0x81, byte2 + 0x30, byte3 + 0x81, byte4 + 0x30])
}

fn step<const N: usize>(values: [u32; N]) -> Step<u8> {
    Step::bytes(&values.map(|value| u8::try_from(value).expect("a byte")))
}

/// The table in step 5 of the encoder, which keeps the bytes of GB18030-2005 for the private-use
/// code points that GB18030-2022 moved.
const SIDE_TABLE: [(u32, [u8; 2]); 18] = [
    (0xE78D, [0xA6, 0xD9]),
    (0xE78E, [0xA6, 0xDA]),
    (0xE78F, [0xA6, 0xDB]),
    (0xE790, [0xA6, 0xDC]),
    (0xE791, [0xA6, 0xDD]),
    (0xE792, [0xA6, 0xDE]),
    (0xE793, [0xA6, 0xDF]),
    (0xE794, [0xA6, 0xEC]),
    (0xE795, [0xA6, 0xED]),
    (0xE796, [0xA6, 0xF3]),
    (0xE81E, [0xFE, 0x59]),
    (0xE826, [0xFE, 0x61]),
    (0xE82B, [0xFE, 0x66]),
    (0xE82C, [0xFE, 0x67]),
    (0xE832, [0xFE, 0x6D]),
    (0xE843, [0xFE, 0x7E]),
    (0xE854, [0xFE, 0x90]),
    (0xE864, [0xFE, 0xA0]),
];
