//! UTF-8 (section 8.1).

use super::process::Step;
use super::queue::Queue;

#[derive(Clone, Debug)]
pub(crate) struct Utf8Decoder {
    code_point: u32,
    bytes_seen: u32,
    bytes_needed: u32,
    lower_boundary: u8,
    upper_boundary: u8,
}

impl Utf8Decoder {
    pub(crate) fn new() -> Self {
        Utf8Decoder {
            code_point: 0,
            bytes_seen: 0,
            bytes_needed: 0,
            lower_boundary: 0x80,
            upper_boundary: 0xBF,
        }
    }

    pub(crate) fn handler(&mut self, io_queue: &mut Queue<u8>, byte: Option<u8>) -> Step<char> {
        let Some(byte) = byte else {
            // 1. If byte is end-of-queue and UTF-8 bytes needed is not 0, set UTF-8 bytes needed
            // to 0 and return error.
            if self.bytes_needed != 0 {
                self.bytes_needed = 0;
                return Step::Error(None);
            }
            // 2. If byte is end-of-queue, return finished.
            return Step::Finished;
        };
        // 3. If UTF-8 bytes needed is 0, based on byte:
        if self.bytes_needed == 0 {
            match byte {
                // Return a code point whose value is byte.
                0x00..=0x7F => return Step::code_point(u32::from(byte)),
                // Set UTF-8 bytes needed to 1, UTF-8 code point to byte & 0x1F.
                0xC2..=0xDF => {
                    self.bytes_needed = 1;
                    self.code_point = u32::from(byte & 0x1F);
                }
                0xE0..=0xEF => {
                    // 1. If byte is 0xE0, set UTF-8 lower boundary to 0xA0.
                    if byte == 0xE0 {
                        self.lower_boundary = 0xA0;
                    }
                    // 2. If byte is 0xED, set UTF-8 upper boundary to 0x9F.
                    if byte == 0xED {
                        self.upper_boundary = 0x9F;
                    }
                    // 3, 4.
                    self.bytes_needed = 2;
                    self.code_point = u32::from(byte & 0xF);
                }
                0xF0..=0xF4 => {
                    // 1. If byte is 0xF0, set UTF-8 lower boundary to 0x90.
                    if byte == 0xF0 {
                        self.lower_boundary = 0x90;
                    }
                    // 2. If byte is 0xF4, set UTF-8 upper boundary to 0x8F.
                    if byte == 0xF4 {
                        self.upper_boundary = 0x8F;
                    }
                    // 3, 4.
                    self.bytes_needed = 3;
                    self.code_point = u32::from(byte & 0x7);
                }
                _ => return Step::Error(None),
            }
            // Return continue.
            return Step::Continue;
        }
        // 4. If byte is not in the range UTF-8 lower boundary to UTF-8 upper boundary, then:
        if !(self.lower_boundary..=self.upper_boundary).contains(&byte) {
            // 1. Reset.
            *self = Utf8Decoder::new();
            // 2. Restore byte to ioQueue.
            io_queue.restore(&[byte]);
            // 3. Return error.
            return Step::Error(None);
        }
        // 5. Set UTF-8 lower boundary to 0x80 and UTF-8 upper boundary to 0xBF.
        self.lower_boundary = 0x80;
        self.upper_boundary = 0xBF;
        // 6. Set UTF-8 code point to (UTF-8 code point << 6) | (byte & 0x3F).
        self.code_point = (self.code_point << 6) | u32::from(byte & 0x3F);
        // 7. Increase UTF-8 bytes seen by one.
        self.bytes_seen += 1;
        // 8. If UTF-8 bytes seen is not equal to UTF-8 bytes needed, return continue.
        if self.bytes_seen != self.bytes_needed {
            return Step::Continue;
        }
        // 9. Let codePoint be UTF-8 code point.
        let code_point = self.code_point;
        // 10. Set UTF-8 code point, UTF-8 bytes needed and UTF-8 bytes seen to 0.
        self.code_point = 0;
        self.bytes_needed = 0;
        self.bytes_seen = 0;
        // 11. Return a code point whose value is codePoint.
        Step::code_point(code_point)
    }
}

/// The UTF-8 encoder's handler.
pub(crate) fn encode(code_point: Option<char>) -> Step<u8> {
    // 1. If codePoint is end-of-queue, return finished.
    let Some(code_point) = code_point else {
        return Step::Finished;
    };
    let code_point = u32::from(code_point);
    // 2. If codePoint is an ASCII code point, return a byte whose value is codePoint.
    // 3. Set count and offset based on the range codePoint is in.
    let (mut count, offset) = match code_point {
        0..=0x7F => return Step::bytes(&[low_byte(code_point)]),
        0x80..=0x7FF => (1, 0xC0),
        0x800..=0xFFFF => (2, 0xE0),
        _ => (3, 0xF0),
    };
    // 4. Let bytes be a byte sequence whose first byte is (codePoint >> (6 × count)) + offset.
    let mut bytes = vec![low_byte((code_point >> (6 * count)) + offset)];
    // 5. While count is greater than 0:
    while count > 0 {
        // 1. Set temp to codePoint >> (6 × (count − 1)).
        let temp = code_point >> (6 * (count - 1));
        // 2. Append to bytes 0x80 | (temp & 0x3F).
        bytes.push(low_byte(0x80 | (temp & 0x3F)));
        // 3. Decrease count by one.
        count -= 1;
    }
    // 6. Return bytes, in order.
    Step::bytes(&bytes)
}

fn low_byte(value: u32) -> u8 {
    u8::try_from(value).expect("a byte")
}
