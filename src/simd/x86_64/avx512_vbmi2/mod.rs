//! Kernels for AVX-512 with VBMI and VBMI2: any byte of a vector to any place, and bytes packed
//! together by a mask.
//!
//! Bytes are packed in a register and stored from there: packing into memory is slow on Zen 4.

pub(in crate::simd) mod latin_1;
pub(in crate::simd) mod single_byte;
pub(in crate::simd) mod single_byte_encode;
pub(in crate::simd) mod table;
mod two_byte;
pub(in crate::simd) mod two_byte_steps;
pub(in crate::simd) mod utf_16;
mod utf_16_block;
mod utf_16_bytes;
mod utf_16_out;
pub(in crate::simd) mod utf_32_to_utf_16;
pub(in crate::simd) mod utf_32_to_utf_8;
mod utf_8;
mod utf_8_lossy;
pub(in crate::simd) mod utf_8_to_utf_16;
mod utf_8_to_utf_16_short;
pub(in crate::simd) mod utf_8_to_utf_32;
mod utf_8_units;
