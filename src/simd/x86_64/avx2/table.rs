//! The table for AVX2, with POPCNT, BMI1 and BMI2, which every processor with AVX2 has.

use super::partial::Dwords;
use super::vector::Vectors256;
use super::{iso_2022_jp, single_byte_short, single_byte_to_utf8, two_byte_steps, vector};
use crate::simd::Kernels;
use crate::simd::generic::table::InstructionSet;
use crate::simd::scalar;
use crate::simd::tables::kernel_table;

kernel_table! {
    "avx2", requires ["avx2", "popcnt", "bmi1", "bmi2"], inherits vector;

    utf16_to_two_byte: |cells, src, dst| two_byte_steps::utf16_to_two_byte(cells, src, dst),
    utf8_to_two_byte: |cells, src, dst| two_byte_steps::utf8_to_two_byte(cells, src, dst),
    two_byte_to_utf16: |index, src, dst| two_byte_steps::two_byte_to_utf16(index, src, dst),
    two_byte_to_utf8: |index, src, dst| two_byte_steps::two_byte_to_utf8(index, src, dst),
    iso_2022_jp_to_utf8: |index, state, src, dst| iso_2022_jp::to_utf8(index, state, src, dst),
    iso_2022_jp_to_utf16: |index, state, src, dst| iso_2022_jp::to_utf16(index, state, src, dst),
    utf8_to_iso_2022_jp: |cells, pairs, src, dst| iso_2022_jp::of_utf8(cells, pairs, src, dst),
    utf16_to_iso_2022_jp: |cells, pairs, src, dst| iso_2022_jp::of_utf16(cells, pairs, src, dst),
    single_byte_to_utf8: |table, src, dst| single_byte_to_utf8::single_byte_to_utf8(table, src, dst),
    utf8_to_single_byte: |table, src, dst|
        scalar::single_byte::utf8_to_single_byte_by_script(&TABLE, table, src, dst),
    single_byte_to_utf16: |table, src, dst| single_byte_short::single_byte_to_utf16(table, src, dst),
    utf16_to_single_byte: |table, src, dst| single_byte_short::utf16_to_single_byte(table, src, dst),
}

impl InstructionSet for Vectors256<Dwords> {
    #[inline(always)]
    fn kernels() -> &'static Kernels {
        &TABLE
    }
}
