//! ISO-2022-JP (section 12.2).

use super::indexes::INDEXES;
use super::process::Step;
use super::queue::Queue;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Ascii,
    Roman,
    Katakana,
    LeadByte,
    TrailByte,
    EscapeStart,
    Escape,
}

#[derive(Clone, Debug)]
pub(crate) struct Iso2022JpDecoder {
    state: State,
    output_state: State,
    leading: u8,
    output: bool,
}

impl Iso2022JpDecoder {
    pub(crate) fn new() -> Self {
        Iso2022JpDecoder {
            state: State::Ascii,
            output_state: State::Ascii,
            leading: 0,
            output: false,
        }
    }

    pub(crate) fn state(&self) -> State {
        self.state
    }

    pub(crate) fn handler(&mut self, io_queue: &mut Queue<u8>, byte: Option<u8>) -> Step<char> {
        match self.state {
            State::Ascii => self.ascii(byte),
            State::Roman => self.roman(byte),
            State::Katakana => self.katakana(byte),
            State::LeadByte => self.lead_byte(byte),
            State::TrailByte => self.trail_byte(byte),
            State::EscapeStart => self.escape_start(io_queue, byte),
            State::Escape => self.escape(io_queue, byte),
        }
    }

    fn ascii(&mut self, byte: Option<u8>) -> Step<char> {
        match byte {
            // 0x1B: set state to escape start and return continue.
            Some(0x1B) => self.start_escape(),
            // 0x00 to 0x7F, excluding 0x0E, 0x0F, and 0x1B: set output to false and return a code
            // point whose value is byte.
            Some(byte @ 0x00..=0x7F) if !matches!(byte, 0x0E | 0x0F) => self.put(u32::from(byte)),
            // End-of-queue: return finished.
            None => Step::Finished,
            // Otherwise: set output to false and return error.
            Some(_) => self.fail(),
        }
    }

    fn roman(&mut self, byte: Option<u8>) -> Step<char> {
        match byte {
            // 0x1B: set state to escape start and return continue.
            Some(0x1B) => self.start_escape(),
            // 0x5C: set output to false and return code point U+00A5.
            Some(0x5C) => self.put(0xA5),
            // 0x7E: set output to false and return code point U+203E.
            Some(0x7E) => self.put(0x203E),
            // 0x00 to 0x7F, excluding 0x0E, 0x0F, 0x1B, 0x5C, and 0x7E: set output to false and
            // return a code point whose value is byte.
            Some(byte @ 0x00..=0x7F) if !matches!(byte, 0x0E | 0x0F) => self.put(u32::from(byte)),
            // End-of-queue: return finished.
            None => Step::Finished,
            // Otherwise: set output to false and return error.
            Some(_) => self.fail(),
        }
    }

    fn katakana(&mut self, byte: Option<u8>) -> Step<char> {
        match byte {
            // 0x1B: set state to escape start and return continue.
            Some(0x1B) => self.start_escape(),
            // 0x21 to 0x5F: set output to false and return a code point whose value is
            // 0xFF61 − 0x21 + byte.
            Some(byte @ 0x21..=0x5F) => self.put(0xFF61 - 0x21 + u32::from(byte)),
            // End-of-queue: return finished.
            None => Step::Finished,
            // Otherwise: set output to false and return error.
            Some(_) => self.fail(),
        }
    }

    fn lead_byte(&mut self, byte: Option<u8>) -> Step<char> {
        match byte {
            // 0x1B: set state to escape start and return continue.
            Some(0x1B) => self.start_escape(),
            // 0x21 to 0x7E: set output to false, leading to byte, state to trail byte, and return
            // continue.
            Some(byte @ 0x21..=0x7E) => {
                self.output = false;
                self.leading = byte;
                self.state = State::TrailByte;
                Step::Continue
            }
            // End-of-queue: return finished.
            None => Step::Finished,
            // Otherwise: set output to false and return error.
            Some(_) => self.fail(),
        }
    }

    fn trail_byte(&mut self, byte: Option<u8>) -> Step<char> {
        match byte {
            // 0x1B: set state to escape start and return error.
            Some(0x1B) => {
                self.state = State::EscapeStart;
                Step::Error(None)
            }
            Some(byte @ 0x21..=0x7E) => {
                // 1. Set state to lead byte.
                self.state = State::LeadByte;
                // 2. Let pointer be (leading − 0x21) × 94 + byte − 0x21.
                let pointer = (u32::from(self.leading) - 0x21) * 94 + u32::from(byte) - 0x21;
                // 3. Let codePoint be the index code point for pointer in index jis0208.
                match INDEXES.jis0208.code_point(pointer) {
                    // 4. If codePoint is null, return error.
                    None => Step::Error(None),
                    // 5. Return a code point whose value is codePoint.
                    Some(code_point) => Step::code_point(code_point),
                }
            }
            // End-of-queue: set state to lead byte and return error.
            // Otherwise: set state to lead byte and return error.
            None | Some(_) => {
                self.state = State::LeadByte;
                Step::Error(None)
            }
        }
    }

    fn escape_start(&mut self, io_queue: &mut Queue<u8>, byte: Option<u8>) -> Step<char> {
        // 1. If byte is either 0x24 or 0x28, set leading to byte, state to escape, and return
        // continue.
        if let Some(byte @ (0x24 | 0x28)) = byte {
            self.leading = byte;
            self.state = State::Escape;
            return Step::Continue;
        }
        // 2. If byte is not end-of-queue, then restore byte to ioQueue.
        if let Some(byte) = byte {
            io_queue.restore(&[byte]);
        }
        // 3. Set output to false, state to output state, and return error.
        self.output = false;
        self.state = self.output_state;
        Step::Error(None)
    }

    fn escape(&mut self, io_queue: &mut Queue<u8>, byte: Option<u8>) -> Step<char> {
        // 1. Let leading be ISO-2022-JP leading and set ISO-2022-JP leading to 0x00.
        let leading = self.leading;
        self.leading = 0;
        // 2. Let state be null.
        let state = match (leading, byte) {
            // 3. If leading is 0x28 and byte is 0x42, set state to ASCII.
            (0x28, Some(0x42)) => Some(State::Ascii),
            // 4. If leading is 0x28 and byte is 0x4A, set state to Roman.
            (0x28, Some(0x4A)) => Some(State::Roman),
            // 5. If leading is 0x28 and byte is 0x49, set state to katakana.
            (0x28, Some(0x49)) => Some(State::Katakana),
            // 6. If leading is 0x24 and byte is either 0x40 or 0x42, set state to lead byte.
            (0x24, Some(0x40 | 0x42)) => Some(State::LeadByte),
            _ => None,
        };
        // 7. If state is non-null, then:
        if let Some(state) = state {
            // 1. Set state and output state to state.
            self.state = state;
            self.output_state = state;
            // 2. Let output be the value of ISO-2022-JP output.
            let output = self.output;
            // 3. Set ISO-2022-JP output to true.
            self.output = true;
            // 4. Return continue, if output is false, and error otherwise.
            return if output {
                Step::Error(None)
            } else {
                Step::Continue
            };
        }
        // 8. If byte is end-of-queue, then restore leading to ioQueue; otherwise restore
        // « leading, byte » to ioQueue.
        match byte {
            None => io_queue.restore(&[leading]),
            Some(byte) => io_queue.restore(&[leading, byte]),
        }
        // 9. Set output to false, state to output state and return error.
        self.output = false;
        self.state = self.output_state;
        Step::Error(None)
    }

    fn start_escape(&mut self) -> Step<char> {
        self.state = State::EscapeStart;
        Step::Continue
    }

    fn put(&mut self, code_point: u32) -> Step<char> {
        self.output = false;
        Step::code_point(code_point)
    }

    fn fail(&mut self) -> Step<char> {
        self.output = false;
        Step::Error(None)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EncoderState {
    Ascii,
    Roman,
    Jis0208,
}

#[derive(Clone, Debug)]
pub(crate) struct Iso2022JpEncoder {
    state: EncoderState,
}

impl Iso2022JpEncoder {
    pub(crate) fn new() -> Self {
        Iso2022JpEncoder {
            state: EncoderState::Ascii,
        }
    }

    pub(crate) fn handler(&mut self, io_queue: &mut Queue<char>, item: Option<char>) -> Step<u8> {
        use EncoderState::{Ascii, Jis0208, Roman};

        let Some(mut code_point) = item else {
            // 1. If codePoint is end-of-queue and state is not ASCII, set state to ASCII and
            // return three bytes 0x1B 0x28 0x42.
            if self.state != Ascii {
                self.state = Ascii;
                return Step::bytes(&[0x1B, 0x28, 0x42]);
            }
            // 2. If codePoint is end-of-queue and state is ASCII, return finished.
            return Step::Finished;
        };
        // 3. If state is ASCII or Roman, and codePoint is U+000E, U+000F, or U+001B, return error
        // with U+FFFD.
        if matches!(self.state, Ascii | Roman) && matches!(code_point, '\u{E}' | '\u{F}' | '\u{1B}')
        {
            return Step::Error(Some('\u{FFFD}'));
        }
        let value = u32::from(code_point);
        // 4. If state is ASCII and codePoint is an ASCII code point, return a byte whose value is
        // codePoint.
        if self.state == Ascii && code_point.is_ascii() {
            return step([value]);
        }
        // 5. If state is Roman and codePoint is an ASCII code point, excluding U+005C and U+007E,
        // or is U+00A5 or U+203E, then:
        if self.state == Roman {
            match code_point {
                '\\' | '~' => {}
                // 1. If codePoint is an ASCII code point, return a byte whose value is codePoint.
                '\0'..='\u{7F}' => return step([value]),
                // 2. If codePoint is U+00A5, return byte 0x5C.
                '\u{A5}' => return step([0x5C]),
                // 3. If codePoint is U+203E, return byte 0x7E.
                '\u{203E}' => return step([0x7E]),
                _ => {}
            }
        }
        // 6. If codePoint is an ASCII code point, and state is not ASCII, restore codePoint to
        // ioQueue, set state to ASCII, and return three bytes 0x1B 0x28 0x42.
        if code_point.is_ascii() && self.state != Ascii {
            io_queue.restore(&[code_point]);
            self.state = Ascii;
            return Step::bytes(&[0x1B, 0x28, 0x42]);
        }
        // 7. If codePoint is either U+00A5 or U+203E, and state is not Roman, restore codePoint to
        // ioQueue, set state to Roman, and return three bytes 0x1B 0x28 0x4A.
        if matches!(code_point, '\u{A5}' | '\u{203E}') && self.state != Roman {
            io_queue.restore(&[code_point]);
            self.state = Roman;
            return Step::bytes(&[0x1B, 0x28, 0x4A]);
        }
        // 8. If codePoint is U+2212, set it to U+FF0D.
        if code_point == '\u{2212}' {
            code_point = '\u{FF0D}';
        }
        // 9. If codePoint is in the range U+FF61 to U+FF9F, set it to the index code point for
        // codePoint − 0xFF61 in index ISO-2022-JP katakana.
        if let '\u{FF61}'..='\u{FF9F}' = code_point {
            code_point = INDEXES
                .iso_2022_jp_katakana
                .code_point(value - 0xFF61)
                .and_then(char::from_u32)
                .expect("the index has 63 entries");
        }
        // 10. Let pointer be the index pointer for codePoint in index jis0208.
        let Some(pointer) = INDEXES.jis0208.pointer(u32::from(code_point)) else {
            // 11. If pointer is null, then:
            // 1. If state is jis0208, then restore codePoint to ioQueue, set state to ASCII, and
            // return three bytes 0x1B 0x28 0x42.
            if self.state == Jis0208 {
                io_queue.restore(&[code_point]);
                self.state = Ascii;
                return Step::bytes(&[0x1B, 0x28, 0x42]);
            }
            // 2. Return error with codePoint.
            return Step::Error(Some(code_point));
        };
        // The note: "If pointer is non-null, it is less than 8836."
        assert!(pointer < 8836, "the nature of index jis0208");
        // 12. If state is not jis0208, restore codePoint to ioQueue, set state to jis0208, and
        // return three bytes 0x1B 0x24 0x42.
        if self.state != Jis0208 {
            io_queue.restore(&[code_point]);
            self.state = Jis0208;
            return Step::bytes(&[0x1B, 0x24, 0x42]);
        }
        // 13. Let leading be pointer / 94 + 0x21. 14. Let trailing be pointer % 94 + 0x21.
        // 15. Return two bytes whose values are leading and trailing.
        step([pointer / 94 + 0x21, pointer % 94 + 0x21])
    }
}

fn step<const N: usize>(values: [u32; N]) -> Step<u8> {
    Step::bytes(&values.map(|value| u8::try_from(value).expect("a byte")))
}
