//! Hands libFuzzer's inputs to [`simdtext_fuzz::offsets`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| simdtext_fuzz::offsets(data));
