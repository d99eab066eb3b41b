//! Kernels for 32-bit WebAssembly. Compiled only where `simd128` is part of the target: nothing is
//! detected, and functions that use it need no attribute.

pub(super) mod simd128;
