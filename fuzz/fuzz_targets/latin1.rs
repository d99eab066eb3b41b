//! Hands libFuzzer's inputs to [`simdtext_fuzz::latin1`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| simdtext_fuzz::latin1(data));
