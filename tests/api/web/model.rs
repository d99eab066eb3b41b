//! `TextDecoder` against the steps of section 7.2, written down over encoding_rs's decoders, with
//! an I/O queue that holds every byte.

use proptest::prelude::*;
use simdtext::web::{TextDecodeOptions, TextDecoder, TextDecoderOptions};

struct Model {
    encoding: &'static encoding_rs::Encoding,
    decoder: encoding_rs::Decoder,
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
            decoder: encoding.new_decoder_without_bom_handling(),
            io_queue: Vec::new(),
            options,
            bom_seen: false,
            do_not_flush: false,
        }
    }

    /// The decode(input, options) method steps. `None` for a throw.
    fn decode(&mut self, input: &[u8], stream: bool) -> Option<String> {
        // Step 1.
        if !self.do_not_flush {
            self.decoder = self.encoding.new_decoder_without_bom_handling();
            self.io_queue.clear();
            self.bom_seen = false;
        }
        // Steps 2 and 3.
        self.do_not_flush = stream;
        self.io_queue.extend_from_slice(input);
        // Steps 4 and 5.
        let mut output = String::with_capacity(16 + 4 * self.io_queue.len());
        let (fault, read) = if self.options.fatal {
            let (result, read) = self.decoder.decode_to_string_without_replacement(
                &self.io_queue,
                &mut output,
                !stream,
            );
            (result != encoding_rs::DecoderResult::InputEmpty, read)
        } else {
            let (result, read, _) =
                self.decoder
                    .decode_to_string(&self.io_queue, &mut output, !stream);
            (result != encoding_rs::CoderResult::InputEmpty, read)
        };
        self.io_queue.drain(..read);
        if fault {
            return None;
        }
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

/// Bytes that mean much to one decoder or another.
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
