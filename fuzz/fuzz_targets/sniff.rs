//! Hands libFuzzer's inputs to [`simdtext_fuzz::sniff`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| simdtext_fuzz::sniff(data));
