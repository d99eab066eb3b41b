//! The table for SSE4.2 and POPCNT, which every x86-64 processor since 2011 has.

use super::vector::Sse4;
use crate::simd::Kernels;
use crate::simd::generic::table::InstructionSet;
use crate::simd::tables::kernel_table;

kernel_table! {
    "sse4", requires ["sse4.2", "popcnt"], inherits super::vector;

    utf16le_to_utf8: |src, dst| super::kernels::utf16_to_utf8(src, dst, false, false).counts(),
    utf16le_to_utf8_lossy: |src, dst| super::kernels::utf16_to_utf8(src, dst, false, true),
    utf16be_to_utf8: |src, dst| super::kernels::utf16_to_utf8(src, dst, true, false).counts(),
    utf16be_to_utf8_lossy: |src, dst| super::kernels::utf16_to_utf8(src, dst, true, true),
}

impl InstructionSet for Sse4 {
    #[inline(always)]
    fn kernels() -> &'static Kernels {
        &TABLE
    }
}
