//! Hands libFuzzer's inputs to [`properties::chunked`].
#![no_main]

#[path = "../../tests/properties/mod.rs"]
#[expect(dead_code, reason = "each target calls one of them")]
mod properties;

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::chunked(data));
