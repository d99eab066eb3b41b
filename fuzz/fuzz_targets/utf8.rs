//! Hands libFuzzer's inputs to [`simdtext_fuzz::utf8`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| simdtext_fuzz::utf8(data));
