//! Hands libFuzzer's inputs to [`simdtext_fuzz::hooks`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| simdtext_fuzz::hooks(data));
