//! Kernels for 64-bit Arm, little-endian. Compiled only where NEON is part of the target, as it is of
//! all with an operating system: nothing is detected.

pub(super) mod neon;
