//! Hands libFuzzer's inputs to [`properties::warc_header`].
#![no_main]

#[path = "../../tests/properties/mod.rs"]
#[expect(dead_code, reason = "each target calls one of them")]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::warc_header(data));
