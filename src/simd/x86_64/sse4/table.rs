//! The table for SSE4.2 and POPCNT, which every x86-64 processor since 2011 has.

use super::vector::Sse4;
use crate::simd::Kernels;
use crate::simd::generic::table::InstructionSet;
use crate::simd::tables::kernel_table;

kernel_table! {
    "sse4", requires ["sse4.2", "popcnt"], inherits super::vector;
}

impl InstructionSet for Sse4 {
    #[inline(always)]
    fn kernels() -> &'static Kernels {
        &TABLE
    }
}
