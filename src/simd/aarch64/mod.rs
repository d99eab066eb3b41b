//! Kernels for 64-bit Arm, little-endian. Compiled only if NEON is part of the target, as it is for every
//! target with an operating system, so nothing is detected.

pub(super) mod neon;
