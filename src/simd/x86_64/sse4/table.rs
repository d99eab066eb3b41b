//! The table for SSE4.2 and POPCNT, which every x86-64 processor since 2011 has.

use super::vector::Sse4;
use crate::simd::Kernels;
use crate::simd::generic::table::InstructionSet;
use crate::simd::scalar;
use crate::simd::tables::kernel_table;

kernel_table! {
    "sse4", requires ["sse4.2", "popcnt"], inherits super::vector;

    utf8_valid_prefix: |src| super::kernels::utf8_valid_prefix(src),
    utf8_to_utf8: |src, dst| match super::kernels::copy_short_text(src, dst) {
        Some(copied) => copied,
        None => scalar::utf8::utf8_to_utf8(&TABLE, src, dst),
    },
    utf8_to_utf8_lossy: |src, dst| match super::kernels::copy_short_text(src, dst) {
        Some(copied) => (copied, copied).into(),
        None => scalar::utf8::utf8_to_utf8_lossy(&TABLE, src, dst),
    },
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
