//! Kernels for AVX-512 with VBMI and VBMI2, which can move any byte of a vector to any place, and compress
//! the bytes that a mask selects.
//!
//! Bytes are compressed in a register and stored from there: compressing into memory is slow on Zen 4.
//!
//! A kernel is here only if it is at least 1.1 times as fast as the one that it would inherit (geometric mean of the
//! operation in the matrix, on an Intel or an AMD processor). Two-byte encodings to UTF-8 by blocks (1.01; whole texts 1.10) did not reach that.

pub(in crate::simd) mod code_units;
pub(in crate::simd) mod count;
pub(in crate::simd) mod latin1;
pub(in crate::simd) mod single_byte;
pub(in crate::simd) mod single_byte_encode;
pub(in crate::simd) mod single_byte_to_utf8;
pub(in crate::simd) mod table;
pub(in crate::simd) mod utf16;
mod utf16_block;
mod utf16_bytes;
mod utf16_out;
pub(in crate::simd) mod utf32_to_utf8;
mod utf8;
pub(in crate::simd) mod utf8_to_utf16;
mod utf8_to_utf16_short;
pub(in crate::simd) mod utf8_to_utf32;
mod utf8_units;
