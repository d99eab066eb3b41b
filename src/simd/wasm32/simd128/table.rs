//! The table of `simd128` kernels.

use super::Simd128;
use crate::simd::Kernels;
use crate::simd::generic::table::InstructionSet;
use crate::simd::tables::kernel_table;

kernel_table! {
    "simd128", requires ["simd128"], inherits super;
}

impl InstructionSet for Simd128 {
    #[inline(always)]
    fn kernels() -> &'static Kernels {
        &TABLE
    }
}
