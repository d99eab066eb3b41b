//! The engine for browsers and other runtimes: WebAssembly. Its JavaScript side is `../src/engine/wasm.js`.
//! Results are not returned, but passed to `results.js`, which makes JavaScript values from views of this
//! module's memory while these are valid. (The reason is V8 11.3, that of Node 20: if it discards code that
//! it has optimised for a call while that call runs, and the call returns anything but a number or nothing,
//! it ends the process.)
#![expect(missing_docs, reason = "functions are called from JavaScript")]

use std::hint::black_box;

use simdtext_js_engine::{
    self as engine, EncodeFailure, Failure, Hints, OnUnmappable, Setup, Text,
};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(raw_module = "simdtext-results")]
extern "C" {
    /// Passes the string that consists of these code units.
    #[wasm_bindgen(js_name = giveString)]
    fn give_string(units: &[u16]);

    /// Says that the input is ASCII, from which JavaScript can make the string itself.
    #[wasm_bindgen(js_name = giveAscii)]
    fn give_ascii();

    /// Passes these code units as a view that is valid until the next call into this module.
    #[wasm_bindgen(js_name = giveView)]
    fn give_view(units: &[u16]);

    /// Passes an array of these numbers.
    #[wasm_bindgen(js_name = giveNumbers)]
    fn give_numbers(numbers: &[f64]);

    /// Passes a copy of these bytes.
    #[wasm_bindgen(js_name = giveBytes)]
    fn give_bytes(bytes: &[u8]);
}

/// Passes on a string, or an array that says what failed ([`Failure::numbers`]).
fn give_text(result: Result<Text<'_>, Failure>) {
    match result {
        Ok(Text::Ascii(_)) => give_ascii(),
        Ok(Text::Utf16(units)) => give_string(units),
        Ok(Text::Owned(units)) => give_string(&units),
        Err(failure) => give_numbers(&failure.numbers()),
    }
}

/// Passes on a view of the code units instead of a string, or an array that says what failed.
fn give_units(result: Result<Text<'_>, Failure>) {
    match result {
        Ok(Text::Utf16(units)) => give_view(units),
        // Stream decoders return no other kind of text here.
        Ok(Text::Ascii(_) | Text::Owned(_)) => give_view(&[]),
        Err(failure) => give_numbers(&failure.numbers()),
    }
}

#[wasm_bindgen]
pub fn encodings() -> String {
    engine::encodings()
}

#[wasm_bindgen]
pub fn decode(setup: u32, input: &[u8]) {
    engine::decode(Setup(setup), input, give_text);
}

#[wasm_bindgen(js_name = isUtf16le)]
pub fn is_utf16le(bytes: &[u8]) -> bool {
    engine::is_utf16le(bytes)
}

/// The decoder of a stream.
#[wasm_bindgen]
pub struct StreamDecoder(engine::TextDecoder);

#[wasm_bindgen]
impl StreamDecoder {
    #[wasm_bindgen(constructor)]
    pub fn new(setup: u32) -> Self {
        StreamDecoder(engine::TextDecoder::new(Setup(setup)))
    }

    pub fn decode(&mut self, input: &[u8], stream: bool) {
        self.0.decode(input, 0, stream, give_text);
    }

    /// Decodes a piece of a call, after which `rest` bytes of the call's input follow.
    #[wasm_bindgen(js_name = decodeUnits)]
    pub fn decode_units(&mut self, input: &[u8], rest: f64, stream: bool) {
        self.0.decode(input, rest as u64, stream, give_units);
    }
}

/// The decoder that reports errors.
#[wasm_bindgen]
pub struct ReportDecoder(engine::Decoder);

#[wasm_bindgen]
impl ReportDecoder {
    #[wasm_bindgen(constructor)]
    pub fn new(encoding: u32, bom: u32) -> Self {
        ReportDecoder(engine::Decoder::new(encoding, bom))
    }

    pub fn encoding(&self) -> u32 {
        self.0.encoding()
    }

    pub fn errors(&self) -> f64 {
        self.0.errors()
    }

    #[wasm_bindgen(js_name = takeMalformed)]
    pub fn take_malformed(&mut self) {
        give_numbers(&self.0.take_malformed());
    }

    pub fn decode(&mut self, input: &[u8], stream: bool, keep: u32) {
        self.0.decode(input, stream, keep as usize, give_text);
    }

    #[wasm_bindgen(js_name = decodeUnits)]
    pub fn decode_units(&mut self, input: &[u8], stream: bool, keep: u32) {
        self.0.decode(input, stream, keep as usize, give_units);
    }

    #[wasm_bindgen(js_name = decodeToUtf8)]
    pub fn decode_to_utf8(&mut self, input: &[u8], stream: bool, keep: u32) {
        match self.0.decode_to_utf8(input, stream, keep as usize) {
            Ok(bytes) => give_bytes(&bytes),
            Err(failure) => give_numbers(&failure.numbers()),
        }
    }
}

/// Passes on bytes, or an array that says what failed ([`EncodeFailure::numbers`]).
fn give_encoded(result: Result<Vec<u8>, EncodeFailure>) {
    match result {
        Ok(bytes) => give_bytes(&bytes),
        Err(failure) => give_numbers(&failure.numbers()),
    }
}

/// The encoder that reports errors, also used for long strings.
#[wasm_bindgen]
pub struct ReportEncoder(engine::Encoder);

#[wasm_bindgen]
impl ReportEncoder {
    #[wasm_bindgen(constructor)]
    pub fn new(encoding: u32) -> Self {
        ReportEncoder(engine::Encoder::new(encoding))
    }

    pub fn errors(&self) -> f64 {
        self.0.errors()
    }

    #[wasm_bindgen(js_name = takeUnmappable)]
    pub fn take_unmappable(&mut self) {
        give_numbers(&self.0.take_unmappable());
    }

    pub fn encode(
        &mut self,
        string: &[u16],
        stream: bool,
        unmappable: u32,
        replacement: u32,
        keep: u32,
    ) {
        let unmappable = OnUnmappable::new(unmappable, replacement, keep);
        give_encoded(self.0.encode(string, stream, unmappable));
    }
}

#[wasm_bindgen]
pub fn encode(encoding: u32, unmappable: u32, replacement: u32, string: &[u16]) {
    give_encoded(engine::encode(encoding, unmappable, replacement, string));
}

/// Passes on the bytes, and returns how many code units were read.
#[wasm_bindgen(js_name = encodeInto)]
pub fn encode_into(string: &[u16], room: f64) -> f64 {
    let (read, bytes) = engine::encode_into(string, room as usize);
    give_bytes(&bytes);
    read as f64
}

#[wasm_bindgen(js_name = percentEncode)]
pub fn percent_encode(encoding: u32, set: u32, space_as_plus: bool, string: &[u16]) -> String {
    engine::percent_encode(encoding, set, space_as_plus, string)
}

// The macros of napi and of wasm-bindgen each read this signature, so it is written in both bindings.
#[wasm_bindgen]
pub fn detect(
    bytes: &[u8],
    content_type: Option<String>,
    format: u32,
    chosen: Option<u32>,
    environment: Option<u32>,
    tld: Option<String>,
    partial: bool,
) -> String {
    let hints = Hints {
        content_type,
        format,
        chosen,
        environment,
        tld,
        partial,
    };
    engine::detect(bytes, &hints)
}

/// Returns whether there is memory for an argument of this length in bytes. Without it, a call would trap.
#[wasm_bindgen(js_name = hasRoom)]
pub fn has_room(length: f64) -> bool {
    let mut block = Vec::<u8>::new();
    let fits = block.try_reserve_exact(length as usize).is_ok();
    // An allocation that nobody sees may be left out.
    black_box(&block);
    fits
}

/// Makes the map of a document that comes in pieces.
#[wasm_bindgen]
pub struct OffsetMapper(engine::OffsetMapper);

#[wasm_bindgen]
impl OffsetMapper {
    #[wasm_bindgen(constructor)]
    pub fn new(encoding: u32, bom: u32) -> Self {
        OffsetMapper(engine::OffsetMapper::new(encoding, bom))
    }

    pub fn feed(&mut self, bytes: &[u8]) {
        self.0.feed(bytes);
    }

    /// Passes on the map, in the library's stored form.
    pub fn finish(&mut self) {
        give_bytes(&self.0.finish());
    }
}

#[wasm_bindgen(js_name = readMap)]
pub fn read_map(map: &[u8]) {
    give_numbers(&engine::read_map(map));
}

#[wasm_bindgen(js_name = sourceRange)]
pub fn source_range(map: &[u8], source: &[u8], start: f64, end: f64) {
    give_numbers(&engine::source_range(map, source, start, end));
}

#[wasm_bindgen(js_name = textOffset)]
pub fn text_offset(map: &[u8], source: &[u8], offset: f64) {
    give_numbers(&engine::text_offset(map, source, offset));
}

/// Finds the first encoding of a list in which bytes that come in pieces are not malformed.
#[wasm_bindgen]
pub struct FirstValid(engine::FirstValid);

#[wasm_bindgen]
impl FirstValid {
    #[wasm_bindgen(constructor)]
    pub fn new(list: &[u8]) -> Self {
        FirstValid(engine::FirstValid::new(list))
    }

    pub fn feed(&mut self, bytes: &[u8]) -> bool {
        self.0.feed(bytes)
    }

    /// Returns -1 if there is none.
    pub fn finish(&mut self) -> f64 {
        self.0.finish().map_or(-1.0, f64::from)
    }
}

#[wasm_bindgen]
pub fn segments(list: &[u8], otherwise: u32, iso_2022_jp: bool, bytes: &[u8]) {
    give_numbers(&engine::segments(list, otherwise, iso_2022_jp, bytes));
}
