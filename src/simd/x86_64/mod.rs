//! Kernels for x86-64.

pub(super) mod avx2;
pub(super) mod avx512;
pub(super) mod avx512_vbmi2;
pub(super) mod sse4;
mod two_byte_blocks;
mod utf_16_pairs;
mod utf_8_tables;

use super::shared::{as_bytes, utf_8_copy, utf_8_errors, utf_8_lossy, utf_8_starts, utf_8_valid};
