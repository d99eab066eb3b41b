//! The engine for browsers and other runtimes: WebAssembly. Its JavaScript side is
//! `../src/engine/wasm.js`. It hands strings over by calling `strings.js`, which makes them from views of
//! this module's memory while they are valid.
#![expect(missing_docs, reason = "functions are called from JavaScript")]

use simdtext_js_engine::{self as engine, Failure, Hints, Setup, Text};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen(module = "/strings.js")]
extern "C" {
    /// The string that consists of these code units.
    #[wasm_bindgen(js_name = stringOf)]
    fn string_of(units: &[u16]) -> JsValue;

    /// These code units where they are: a view that is valid until the next call into this module.
    #[wasm_bindgen(js_name = viewOf)]
    fn view_of(units: &[u16]) -> JsValue;

    /// An array of these numbers.
    #[wasm_bindgen(js_name = arrayOf)]
    fn array_of(numbers: &[f64]) -> JsValue;

    /// A copy of these bytes.
    #[wasm_bindgen(js_name = bytesOf)]
    fn bytes_of(bytes: &[u8]) -> JsValue;
}

/// A string; `true` where the input is ASCII, from which JavaScript makes a string itself; or an array of
/// what failed ([`Failure::numbers`]).
fn decoded(result: Result<Text<'_>, Failure>) -> JsValue {
    match result {
        Ok(Text::Ascii(_)) => JsValue::TRUE,
        Ok(Text::Utf16(units)) => string_of(units),
        Ok(Text::Owned(units)) => string_of(&units),
        Err(failure) => array_of(&failure.numbers()),
    }
}

/// The same, but the code units ([`view_of`]) instead of a string.
fn decoded_units(result: Result<Text<'_>, Failure>) -> JsValue {
    match result {
        Ok(Text::Utf16(units)) => view_of(units),
        // Decoders of streams make no others here.
        Ok(Text::Ascii(_) | Text::Owned(_)) => view_of(&[]),
        Err(failure) => array_of(&failure.numbers()),
    }
}

#[wasm_bindgen]
pub fn encodings() -> String {
    engine::encodings()
}

#[wasm_bindgen]
pub fn decode(setup: u32, input: &[u8]) -> JsValue {
    engine::decode(Setup(setup), input, decoded)
}

#[wasm_bindgen(js_name = isUtf16le)]
pub fn is_utf_16le(bytes: &[u8]) -> bool {
    engine::is_utf_16le(bytes)
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

    pub fn decode(&mut self, input: &[u8], stream: bool) -> JsValue {
        self.0.decode(input, stream, decoded)
    }

    #[wasm_bindgen(js_name = decodeUnits)]
    pub fn decode_units(&mut self, input: &[u8], stream: bool) -> JsValue {
        self.0.decode(input, stream, decoded_units)
    }
}

/// The decoder of tools.
#[wasm_bindgen]
pub struct Decoder(engine::Decoder);

#[wasm_bindgen]
impl Decoder {
    #[wasm_bindgen(constructor)]
    pub fn new(encoding: u32, bom: u32, keep: u32) -> Self {
        Decoder(engine::Decoder::new(encoding, bom, keep as usize))
    }

    pub fn encoding(&self) -> u32 {
        self.0.encoding()
    }

    pub fn errors(&self) -> f64 {
        self.0.errors()
    }

    #[wasm_bindgen(js_name = takeMalformed)]
    pub fn take_malformed(&mut self) -> JsValue {
        array_of(&self.0.take_malformed())
    }

    pub fn decode(&mut self, input: &[u8], stream: bool) -> JsValue {
        self.0.decode(input, stream, decoded)
    }

    #[wasm_bindgen(js_name = decodeUnits)]
    pub fn decode_units(&mut self, input: &[u8], stream: bool) -> JsValue {
        self.0.decode(input, stream, decoded_units)
    }

    #[wasm_bindgen(js_name = decodeToUtf8)]
    pub fn decode_to_utf8(&mut self, input: &[u8], stream: bool) -> JsValue {
        match self.0.decode_to_utf8(input, stream) {
            Ok(bytes) => bytes_of(&bytes),
            Err(failure) => array_of(&failure.numbers()),
        }
    }
}

/// The bytes, or the code point that is not in the encoding, and its index.
#[wasm_bindgen]
pub fn encode(encoding: u32, unmappable: u32, replacement: u32, string: &[u16]) -> JsValue {
    match engine::encode(encoding, unmappable, replacement, string) {
        Ok(bytes) => bytes_of(&bytes),
        Err((ch, index)) => array_of(&[f64::from(ch), index as f64]),
    }
}

/// The code units that were read, and the bytes.
#[wasm_bindgen(js_name = encodeInto)]
pub fn encode_into(string: &[u16], room: f64) -> Box<[JsValue]> {
    let (read, bytes) = engine::encode_into(string, room as usize);
    Box::new([JsValue::from(read as f64), bytes_of(&bytes)])
}

#[wasm_bindgen(js_name = percentEncode)]
pub fn percent_encode(encoding: u32, set: u32, space_as_plus: bool, string: &[u16]) -> String {
    engine::percent_encode(encoding, set, space_as_plus, string)
}

#[wasm_bindgen]
#[expect(clippy::too_many_arguments, reason = "an object would need a class")]
pub fn detect(
    bytes: &[u8],
    content_type: Option<String>,
    format: u32,
    override_label: Option<String>,
    environment: Option<u32>,
    tld: Option<String>,
    partial: bool,
    utf_16: bool,
) -> String {
    let hints = Hints {
        content_type,
        format,
        override_label,
        environment,
        tld,
        partial,
        utf_16,
    };
    engine::detect(bytes, &hints)
}
