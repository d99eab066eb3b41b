//! Hands libFuzzer's inputs to [`simdtext_fuzz::encode`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| simdtext_fuzz::encode(data));
