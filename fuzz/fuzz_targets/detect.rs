//! Hands libFuzzer's inputs to [`simdtext_fuzz::detect`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| simdtext_fuzz::detect(data));
