//! UTF-16BE and UTF-16LE (sections 14.2 to 14.4).

use super::process::Step;
use super::queue::Queue;

#[derive(Clone, Debug)]
pub(crate) struct Utf16Decoder {
    lead_byte: Option<u8>,
    leading_surrogate: Option<u16>,
    is_utf16be: bool,
}

impl Utf16Decoder {
    pub(crate) fn new(is_utf16be: bool) -> Self {
        Utf16Decoder {
            lead_byte: None,
            leading_surrogate: None,
            is_utf16be,
        }
    }

    pub(crate) fn handler(&mut self, io_queue: &mut Queue<u8>, byte: Option<u8>) -> Step<char> {
        let Some(byte) = byte else {
            // 1. If byte is end-of-queue and either UTF-16 lead byte or UTF-16 leading surrogate
            // is non-null, then set both to null, and return error.
            if self.lead_byte.is_some() || self.leading_surrogate.is_some() {
                self.lead_byte = None;
                self.leading_surrogate = None;
                return Step::Error(None);
            }
            // 2. If byte is end-of-queue and both are null, then return finished.
            return Step::Finished;
        };
        // 3. If UTF-16 lead byte is null, then set it to byte and return continue.
        // 5. Set UTF-16 lead byte to null.
        let Some(lead_byte) = self.lead_byte.take() else {
            self.lead_byte = Some(byte);
            return Step::Continue;
        };
        // 4. Let codeUnit be the result of:
        let code_unit = if self.is_utf16be {
            (u16::from(lead_byte) << 8) + u16::from(byte)
        } else {
            (u16::from(byte) << 8) + u16::from(lead_byte)
        };
        // 6. If UTF-16 leading surrogate is non-null:
        // 1, 2. Let leadingSurrogate be it, and set it to null.
        if let Some(leading_surrogate) = self.leading_surrogate.take() {
            // 3. If codeUnit is a trailing surrogate, then return a scalar value from surrogates.
            if (0xDC00..=0xDFFF).contains(&code_unit) {
                return Step::code_point(
                    0x10000
                        + ((u32::from(leading_surrogate) - 0xD800) << 10)
                        + (u32::from(code_unit) - 0xDC00),
                );
            }
            // 4 to 6. Let bytes be the two bytes of codeUnit, in the order of the encoding.
            let bytes = if self.is_utf16be {
                code_unit.to_be_bytes()
            } else {
                code_unit.to_le_bytes()
            };
            // 7. Restore bytes to ioQueue and return error.
            io_queue.restore(&bytes);
            return Step::Error(None);
        }
        match code_unit {
            // 7. If codeUnit is a leading surrogate, then set UTF-16 leading surrogate to codeUnit
            // and return continue.
            0xD800..=0xDBFF => {
                self.leading_surrogate = Some(code_unit);
                Step::Continue
            }
            // 8. If codeUnit is a trailing surrogate, then return error.
            0xDC00..=0xDFFF => Step::Error(None),
            // 9. Return code point codeUnit.
            _ => Step::code_point(u32::from(code_unit)),
        }
    }
}

/// An encoder that the standard does not have: the code units of each scalar value, in the byte
/// order of the encoding.
pub(crate) fn encode(is_utf16be: bool, code_point: Option<char>) -> Step<u8> {
    let Some(code_point) = code_point else {
        return Step::Finished;
    };
    let mut units = [0; 2];
    let mut bytes = Vec::new();
    for unit in code_point.encode_utf16(&mut units) {
        bytes.extend(if is_utf16be {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        });
    }
    Step::bytes(&bytes)
}
