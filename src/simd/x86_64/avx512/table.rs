//! The table for AVX-512 F, BW, DQ and VL, which every processor with AVX-512 since Skylake-X has.

use super::{single_byte, vector};
use crate::simd::tables::kernel_table;

kernel_table! {
    "avx512", requires [
        "avx512f", "avx512bw", "avx512dq", "avx512vl",
        "avx2", "popcnt", "bmi1", "bmi2"
    ], inherits vector;

    utf16_to_single_byte: |table, src, dst| single_byte::utf16_to_single_byte(table, src, dst),
    single_byte_to_utf16: |table, src, dst| single_byte::single_byte_to_utf16(table, src, dst),
}
