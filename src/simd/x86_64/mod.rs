//! Kernels for x86-64.

pub(super) mod avx2;
pub(super) mod avx512;
pub(super) mod avx512_vbmi2;
pub(super) mod sse4;
mod two_byte_blocks;
mod utf16_pairs;
mod utf8_tables;

use super::shared::{as_bytes, utf8_copy, utf8_errors, utf8_lossy, utf8_starts, utf8_valid};
