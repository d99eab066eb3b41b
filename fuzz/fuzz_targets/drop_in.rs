//! Hands libFuzzer's inputs to [`simdtext_fuzz::drop_in`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| simdtext_fuzz::drop_in(data));
