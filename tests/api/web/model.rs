//! `TextDecoder` compared with the steps of section 7.2, transcribed with encoding_rs's decoders, and for
//! ISO-2022-JP, whose state outlives an error, with the steps of section 12.2.2. After an exception the I/O
//! queue is empty.

use std::collections::VecDeque;

use proptest::prelude::*;
use simdtext::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions};

/// The standard's decoders: a malformed sequence empties the queue and is `None`.
enum Handler {
    EncodingRs(encoding_rs::Decoder),
    Iso2022Jp(Iso2022Jp),
}

impl Handler {
    fn new(encoding: &'static encoding_rs::Encoding) -> Self {
        if encoding == encoding_rs::ISO_2022_JP {
            Handler::Iso2022Jp(Iso2022Jp::default())
        } else {
            Handler::EncodingRs(encoding.new_decoder_without_bom_handling())
        }
    }

    fn process(&mut self, queue: &mut Vec<u8>, last: bool, fatal: bool) -> Option<String> {
        let mut output = String::with_capacity(16 + 4 * queue.len());
        match self {
            Handler::Iso2022Jp(decoder) => {
                let mut left = VecDeque::from(std::mem::take(queue));
                loop {
                    match decoder.handle(&mut left, last) {
                        Handled::Continue => {}
                        Handled::Char(ch) => output.push(ch),
                        Handled::Error if fatal => return None,
                        Handled::Error => output.push('\u{FFFD}'),
                        Handled::Empty => return Some(output),
                    }
                }
            }
            Handler::EncodingRs(decoder) if fatal => {
                let (result, _) =
                    decoder.decode_to_string_without_replacement(queue, &mut output, last);
                queue.clear();
                if result != encoding_rs::DecoderResult::InputEmpty {
                    // After an error all of them are in their initial state. A new one has nothing of what
                    // was restored.
                    *decoder = decoder.encoding().new_decoder_without_bom_handling();
                    return None;
                }
                Some(output)
            }
            Handler::EncodingRs(decoder) => {
                let (result, read, _) = decoder.decode_to_string(queue, &mut output, last);
                assert_eq!(
                    (result, read),
                    (encoding_rs::CoderResult::InputEmpty, queue.len())
                );
                queue.clear();
                Some(output)
            }
        }
    }
}

enum Handled {
    Continue,
    Char(char),
    Error,
    /// The queue is empty, for now or finally.
    Empty,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    Ascii,
    Roman,
    Katakana,
    LeadByte,
    TrailByte,
    EscapeStart,
    Escape,
}

/// *ISO-2022-JP decoder*.
#[derive(Default)]
struct Iso2022Jp {
    state: State,
    output_state: State,
    lead: u8,
    output: bool,
}

impl Iso2022Jp {
    fn handle(&mut self, queue: &mut VecDeque<u8>, last: bool) -> Handled {
        let byte = match queue.pop_front() {
            None if !last => return Handled::Empty,
            byte => byte,
        };
        let code_point = |value: u32| Handled::Char(char::from_u32(value).unwrap());
        match (self.state, byte) {
            (State::Ascii | State::Roman | State::Katakana | State::LeadByte, Some(0x1B)) => {
                self.state = State::EscapeStart;
                Handled::Continue
            }
            (State::Ascii | State::Roman | State::Katakana | State::LeadByte, None) => {
                Handled::Empty
            }
            (State::Roman, Some(0x5C)) => self.emit(code_point(0xA5)),
            (State::Roman, Some(0x7E)) => self.emit(code_point(0x203E)),
            (State::Ascii | State::Roman, Some(byte))
                if byte <= 0x7F && byte != 0x0E && byte != 0x0F =>
            {
                self.emit(code_point(byte.into()))
            }
            (State::Katakana, Some(byte @ 0x21..=0x5F)) => {
                self.emit(code_point(0xFF61 - 0x21 + u32::from(byte)))
            }
            (State::LeadByte, Some(byte @ 0x21..=0x7E)) => {
                self.output = false;
                self.lead = byte;
                self.state = State::TrailByte;
                Handled::Continue
            }
            (State::Ascii | State::Roman | State::Katakana | State::LeadByte, Some(_)) => {
                self.output = false;
                Handled::Error
            }
            (State::TrailByte, Some(0x1B)) => {
                self.state = State::EscapeStart;
                Handled::Error
            }
            (State::TrailByte, Some(byte @ 0x21..=0x7E)) => {
                self.state = State::LeadByte;
                // The index is taken from EUC-JP.
                let bytes = [self.lead | 0x80, byte | 0x80];
                let text =
                    encoding_rs::EUC_JP.decode_without_bom_handling_and_without_replacement(&bytes);
                text.map_or(Handled::Error, |text| {
                    Handled::Char(text.chars().next().unwrap())
                })
            }
            // At end-of-queue, too.
            (State::TrailByte, _) => {
                self.state = State::LeadByte;
                Handled::Error
            }
            (State::EscapeStart, Some(byte @ (0x24 | 0x28))) => {
                self.lead = byte;
                self.state = State::Escape;
                Handled::Continue
            }
            (State::EscapeStart, byte) => {
                byte.into_iter().for_each(|byte| queue.push_front(byte));
                self.give_up()
            }
            (State::Escape, byte) => {
                let state = match (self.lead, byte) {
                    (0x28, Some(0x42)) => State::Ascii,
                    (0x28, Some(0x4A)) => State::Roman,
                    (0x28, Some(0x49)) => State::Katakana,
                    (0x24, Some(0x40 | 0x42)) => State::LeadByte,
                    _ => {
                        byte.into_iter().for_each(|byte| queue.push_front(byte));
                        queue.push_front(self.lead);
                        return self.give_up();
                    }
                };
                (self.state, self.output_state) = (state, state);
                if std::mem::replace(&mut self.output, true) {
                    Handled::Error
                } else {
                    Handled::Continue
                }
            }
        }
    }

    fn emit(&mut self, ch: Handled) -> Handled {
        self.output = false;
        ch
    }

    /// The state when no escape sequence is being read.
    fn give_up(&mut self) -> Handled {
        self.output = false;
        self.state = self.output_state;
        Handled::Error
    }
}

struct Model {
    encoding: &'static encoding_rs::Encoding,
    decoder: Handler,
    io_queue: Vec<u8>,
    options: TextDecoderOptions,
    bom_seen: bool,
    do_not_flush: bool,
}

impl Model {
    fn new(label: &str, options: TextDecoderOptions) -> Self {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        Model {
            encoding,
            decoder: Handler::new(encoding),
            io_queue: Vec::new(),
            options,
            bom_seen: false,
            do_not_flush: false,
        }
    }

    /// The decode(input, options) method steps. `None` stands for an exception.
    fn decode(&mut self, input: &[u8], stream: bool) -> Option<String> {
        // Step 1.
        if !self.do_not_flush {
            self.decoder = Handler::new(self.encoding);
            self.io_queue.clear();
            self.bom_seen = false;
        }
        // Steps 2 and 3.
        self.do_not_flush = stream;
        self.io_queue.extend_from_slice(input);
        // Steps 4 and 5.
        let fatal = self.options.fatal;
        let output = self.decoder.process(&mut self.io_queue, !stream, fatal)?;
        // Serialize I/O queue.
        let mut text = String::new();
        for item in output.chars() {
            let unicode = self.encoding == encoding_rs::UTF_8
                || self.encoding == encoding_rs::UTF_16BE
                || self.encoding == encoding_rs::UTF_16LE;
            if unicode && !self.options.ignore_bom && !self.bom_seen {
                self.bom_seen = true;
                if item == '\u{FEFF}' {
                    continue;
                }
            }
            text.push(item);
        }
        Some(text)
    }
}

/// Bytes with a meaning in some encodings.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let sequence = prop::sample::select(vec![
        &b"a"[..],
        b"\xEF\xBB\xBF",
        b"\xFE\xFF",
        b"\xFF\xFE",
        b"\xE2\x82",
        b"\xAC",
        b"\xF0\x9F",
        b"\x92\xA9",
        b"\0",
        b"\xD8",
        b"\xDC",
        b"\x1B",
        b"$B",
        b"(B",
        b"(J",
        b"\x1B$B",
        b"\x1B(I",
        b"F|",
        b"\x0E",
        b"\x81",
        b"\x30",
        b"\x81\x30",
        b"\x84\x31\x95\x33",
        b"\x8F\xA2",
        b"\x80",
        b"\xA0",
        b"\xFF",
    ]);
    prop::collection::vec(sequence, 0..5).prop_map(|sequences| sequences.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_calls_give_what_the_steps_give(
        label in prop::sample::select(vec![
            "utf-8", "utf-16le", "utf-16be", "gb18030", "iso-2022-jp", "shift_jis", "euc-jp",
            "big5", "euc-kr", "windows-1253", "x-user-defined",
        ]),
        fatal: bool,
        ignore_bom: bool,
        calls in prop::collection::vec((bytes(), prop::bool::weighted(0.8)), 1..12),
    ) {
        let options = TextDecoderOptions::new().fatal(fatal).ignore_bom(ignore_bom);
        let mut decoder = TextDecoder::new(label, options).unwrap();
        let mut to_units = decoder.clone();
        let mut buffer = Vec::new();
        let mut model = Model::new(label, options);
        for (input, stream) in &calls {
            let call = TextDecodeOptions::new().stream(*stream);
            let text = decoder.decode(input, call);
            let units = to_units.decode_to_utf16(input, call, &mut buffer, usize::MAX);
            let of_units = units.map(|units| String::from_utf16(&buffer[units]).unwrap());
            prop_assert_eq!(&of_units, &text);
            prop_assert_eq!(text.ok(), model.decode(input, *stream));
        }
    }
}
