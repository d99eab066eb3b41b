//! Kernels for x86-64.

pub(super) mod avx2;
#[cfg(feature = "avx512")]
pub(super) mod avx512;
#[cfg(feature = "avx512")]
pub(super) mod avx512_vbmi2;
mod count;
pub(super) mod sse4;
mod unit_vector;
mod utf16_pairs;
mod utf16_units;
mod utf32_valid;
mod utf8_tables;
mod utf8_to_utf32;

use super::generic::utf8_errors;
use super::shared::as_bytes;
