//! Kernels for x86-64.

pub(super) mod avx2;
#[cfg(feature = "avx512")]
pub(super) mod avx512;
#[cfg(feature = "avx512")]
pub(super) mod avx512_vbmi2;
pub(super) mod sse4;
mod unit_vector;
mod utf16_pairs;
mod utf16_units;
mod utf32_valid;
mod utf8_tables;
mod utf8_to_utf32;

use super::generic::utf8_errors;
use super::shared::as_bytes;

/// Declares the methods of `Vector` that fill a vector.
macro_rules! splats {
    ($($method:ident($lane:ty) = $instruction:ident),+ $(,)?) => {$(
        #[inline(always)]
        fn $method(self, lane: $lane) -> Self::V {
            // SAFETY: `self` is the proof that the processor has the instruction.
            unsafe { $instruction(lane.cast_signed()) }
        }
    )+};
}
use splats;

/// Declares the methods of `Vector` that shift lanes by a constant.
macro_rules! shifts {
    ($($method:ident = $instruction:ident),+ $(,)?) => {$(
        #[inline(always)]
        fn $method<const BITS: i32>(self, v: Self::V) -> Self::V {
            // SAFETY: `self` is the proof that the processor has the instruction.
            unsafe { $instruction::<BITS>(v) }
        }
    )+};
}
use shifts;
