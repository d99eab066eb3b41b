//! Hands libFuzzer's inputs to [`simdtext_fuzz::utf16`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| simdtext_fuzz::utf16(data));
