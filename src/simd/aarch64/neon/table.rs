//! The table of NEON kernels.

use super::Neon;
use crate::simd::Kernels;
use crate::simd::generic::table::InstructionSet;
use crate::simd::tables::kernel_table;

kernel_table! {
    "neon", requires ["neon"], inherits super;
}

impl InstructionSet for Neon {
    #[inline(always)]
    fn kernels() -> &'static Kernels {
        &TABLE
    }
}
