//! Kernels for AVX-512 with VBMI and VBMI2: any byte of a vector to any place, and bytes packed
//! together by a mask.
//!
//! Bytes are packed in a register and stored from there: packing into memory is slow on Zen 4.

pub(in crate::simd) mod table;
pub(in crate::simd) mod two_byte;
