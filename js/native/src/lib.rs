//! The engine for Node: an addon. Only its JavaScript side, `../src/engine/native.js`, may call it: it makes
//! sure that arguments are of the right type, and that no memory that they point to is shared with another
//! thread. Even so, a wrong argument, or a panic, becomes a JavaScript error here.
#![expect(
    missing_docs,
    clippy::needless_pass_by_value,
    reason = "functions are called from JavaScript, which passes values"
)]

use std::alloc::System;
use std::cell::Cell;

use cap::Cap;
use napi::bindgen_prelude::{BufferSlice, Either, Env, Result, Utf16String};
use napi::{JsString, JsStringUtf16};
use napi_derive::napi;
use simdtext_js_engine::{self as engine, EncodeFailure, Hints, OnUnmappable, Setup, Text};

/// Counts allocated memory, most of it owned by strings.
#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Reports to V8 how much memory is allocated: it does not see what its strings own, and would not collect them
/// in time.
fn tell_memory(env: &Env) -> Result<()> {
    thread_local! {
        static TOLD: Cell<i64> = const { Cell::new(0) };
    }
    let allocated = i64::try_from(ALLOCATOR.allocated()).unwrap_or(i64::MAX);
    let told = TOLD.replace(allocated);
    env.adjust_external_memory(allocated - told)?;
    Ok(())
}

/// A string, or what failed ([`engine::Failure::numbers`]).
type Decoded<'a> = Result<Either<JsString<'a>, Vec<f64>>>;

fn decoded<'a>(
    env: &'a Env,
    result: std::result::Result<Text<'_>, engine::Failure>,
) -> Decoded<'a> {
    Ok(match result {
        Ok(Text::Ascii(bytes)) => Either::A(env.create_string_latin1(bytes)?),
        Ok(Text::Utf16(units)) => Either::A(env.create_string_utf16(units)?),
        Ok(Text::Owned(units)) if units.is_empty() => Either::A(env.create_string("")?),
        Ok(Text::Owned(units)) => {
            tell_memory(env)?;
            Either::A(JsStringUtf16::from_data(env, units)?.into_value())
        }
        Err(failure) => Either::B(failure.numbers()),
    })
}

#[napi(catch_unwind)]
pub fn encodings() -> String {
    engine::encodings()
}

#[napi(catch_unwind)]
pub fn decode<'a>(env: &'a Env, setup: u32, input: &[u8]) -> Decoded<'a> {
    engine::decode(Setup(setup), input, |result| decoded(env, result))
}

/// The decoder of a stream.
#[napi]
pub struct StreamDecoder(engine::TextDecoder);

#[napi]
impl StreamDecoder {
    #[napi(constructor, catch_unwind)]
    pub fn new(setup: u32) -> Self {
        StreamDecoder(engine::TextDecoder::new(Setup(setup)))
    }

    #[napi(catch_unwind)]
    pub fn decode<'a>(&mut self, env: &'a Env, input: &[u8], stream: bool) -> Decoded<'a> {
        self.0
            .decode(input, 0, stream, |result| decoded(env, result))
    }
}

/// The decoder that reports errors.
#[napi]
pub struct ReportDecoder(engine::Decoder);

#[napi]
impl ReportDecoder {
    #[napi(constructor, catch_unwind)]
    pub fn new(encoding: u32, bom: u32) -> Self {
        ReportDecoder(engine::Decoder::new(encoding, bom))
    }

    #[napi(catch_unwind)]
    pub fn encoding(&self) -> u32 {
        self.0.encoding()
    }

    #[napi(catch_unwind)]
    pub fn errors(&self) -> f64 {
        self.0.errors()
    }

    #[napi(catch_unwind)]
    pub fn take_malformed(&mut self) -> Vec<f64> {
        self.0.take_malformed()
    }

    #[napi(catch_unwind)]
    pub fn decode<'a>(
        &mut self,
        env: &'a Env,
        input: &[u8],
        stream: bool,
        keep: u32,
    ) -> Decoded<'a> {
        let keep = keep as usize;
        self.0
            .decode(input, stream, keep, |result| decoded(env, result))
    }

    #[napi(catch_unwind)]
    pub fn decode_to_utf8<'a>(
        &mut self,
        env: &'a Env,
        input: &[u8],
        stream: bool,
        keep: u32,
    ) -> Bytes<'a> {
        Ok(match self.0.decode_to_utf8(input, stream, keep as usize) {
            Ok(bytes) => Either::A(BufferSlice::copy_from(env, bytes)?),
            Err(failure) => Either::B(failure.numbers()),
        })
    }
}

/// The encoder that reports errors.
#[napi]
pub struct ReportEncoder(engine::Encoder);

#[napi]
impl ReportEncoder {
    #[napi(constructor, catch_unwind)]
    pub fn new(encoding: u32) -> Self {
        ReportEncoder(engine::Encoder::new(encoding))
    }

    #[napi(catch_unwind)]
    pub fn errors(&self) -> f64 {
        self.0.errors()
    }

    #[napi(catch_unwind)]
    pub fn take_unmappable(&mut self) -> Vec<f64> {
        self.0.take_unmappable()
    }

    #[napi(catch_unwind)]
    pub fn encode<'a>(
        &mut self,
        env: &'a Env,
        string: Utf16String,
        stream: bool,
        unmappable: u32,
        replacement: u32,
        keep: u32,
    ) -> Bytes<'a> {
        let unmappable = OnUnmappable::new(unmappable, replacement, keep);
        encoded(env, self.0.encode(&string, stream, unmappable))
    }
}

/// Bytes, or what failed ([`EncodeFailure::numbers`]).
type Bytes<'a> = Result<Either<BufferSlice<'a>, Vec<f64>>>;

fn encoded<'a>(env: &'a Env, result: std::result::Result<Vec<u8>, EncodeFailure>) -> Bytes<'a> {
    Ok(match result {
        Ok(bytes) => Either::A(BufferSlice::copy_from(env, bytes)?),
        Err(failure) => Either::B(failure.numbers()),
    })
}

#[napi(catch_unwind)]
pub fn encode<'a>(
    env: &'a Env,
    encoding: u32,
    unmappable: u32,
    replacement: u32,
    string: Utf16String,
) -> Bytes<'a> {
    encoded(
        env,
        engine::encode(encoding, unmappable, replacement, &string),
    )
}

/// The number of code units that were read, and the bytes.
#[napi(catch_unwind)]
pub fn encode_into<'a>(
    env: &'a Env,
    string: Utf16String,
    room: f64,
) -> Result<(f64, BufferSlice<'a>)> {
    let (read, bytes) = engine::encode_into(&string, room as usize);
    Ok((read as f64, BufferSlice::copy_from(env, bytes)?))
}

#[napi(catch_unwind)]
pub fn percent_encode(encoding: u32, set: u32, space_as_plus: bool, string: Utf16String) -> String {
    engine::percent_encode(encoding, set, space_as_plus, &string)
}

// The macros of napi and of wasm-bindgen each read this signature, so it is written in both bindings.
#[napi(catch_unwind)]
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

/// The map of a document, in the library's stored form.
#[napi(catch_unwind)]
pub fn map_offsets<'a>(
    env: &'a Env,
    encoding: u32,
    bom: u32,
    source: &[u8],
) -> Result<BufferSlice<'a>> {
    BufferSlice::copy_from(env, engine::map_offsets(encoding, bom, source))
}

#[napi(catch_unwind)]
pub fn read_map(map: &[u8]) -> Vec<f64> {
    engine::read_map(map)
}

#[napi(catch_unwind)]
pub fn source_range(map: &[u8], source: &[u8], start: f64, end: f64) -> Vec<f64> {
    engine::source_range(map, source, start, end)
}

#[napi(catch_unwind)]
pub fn text_offset(map: &[u8], source: &[u8], offset: f64) -> Vec<f64> {
    engine::text_offset(map, source, offset)
}

#[napi(catch_unwind)]
pub fn first_valid(list: &[u8], bytes: &[u8]) -> Option<u32> {
    engine::first_valid(list, bytes)
}

#[napi(catch_unwind)]
pub fn segments(list: &[u8], otherwise: u32, iso_2022_jp: bool, bytes: &[u8]) -> Vec<f64> {
    engine::segments(list, otherwise, iso_2022_jp, bytes)
}
