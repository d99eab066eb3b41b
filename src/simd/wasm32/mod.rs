//! Kernels for 32-bit WebAssembly. Compiled only if `simd128` is part of the target, so nothing is detected,
//! and functions that use it need no attribute.

pub(super) mod simd128;
