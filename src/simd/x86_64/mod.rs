//! Kernels for x86-64.

pub(super) mod avx2;
pub(super) mod avx512;
pub(super) mod sse4;
mod utf_8_errors;
mod utf_8_lossy;
