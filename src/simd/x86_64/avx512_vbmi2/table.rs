//! The table for AVX-512 with VBMI and VBMI2, which processors since Ice Lake and Zen 4 have.

use super::{
    code_units, count, latin1, single_byte, single_byte_encode, single_byte_to_utf8, utf8, utf16,
    utf32_to_utf8,
};
use crate::simd::tables::kernel_table;

kernel_table! {
    "avx512_vbmi2", requires [
        "avx512vbmi", "avx512vbmi2", "avx512f", "avx512bw", "avx512dq", "avx512vl",
        "avx2", "popcnt", "bmi1", "bmi2"
    ], inherits utf8, sets [masks_ends];

    utf16le_to_utf8: |src, dst| utf16::utf16_to_utf8::<false>(src, dst),
    utf16le_to_utf8_lossy: |src, dst| utf16::utf16_to_utf8_lossy::<false>(src, dst),
    utf16be_to_utf8: |src, dst| utf16::utf16_to_utf8::<true>(src, dst),
    utf16be_to_utf8_lossy: |src, dst| utf16::utf16_to_utf8_lossy::<true>(src, dst),
    latin1_to_utf8: |src, dst| latin1::latin1_to_utf8(src, dst),
    latin1_to_utf16: |src, dst| code_units::latin1_to_utf16(src, dst),
    latin1_to_utf32: |src, dst| code_units::latin1_to_utf32(src, dst),
    utf16_valid_prefix: |src| code_units::utf16_valid_prefix(src),
    utf16_to_utf32: |src, dst| code_units::utf16_to_utf32(src, dst),
    utf16_to_latin1: |src, dst| code_units::utf16_to_latin1(src, dst),
    utf8_len_from_latin1: |src| count::utf8_len_from_latin1(src),
    utf16_len_from_utf8: |src| count::utf16_len_from_utf8(src),
    utf8_to_latin1: |src, dst| latin1::utf8_to_latin1(src, dst),
    utf32_to_utf8: |src, dst| utf32_to_utf8::utf32_to_utf8(src, dst),
    single_byte_to_utf8: |table, src, dst| single_byte_to_utf8::single_byte_to_utf8(table, src, dst),
    single_byte_to_utf16: |table, src, dst| single_byte::single_byte_to_utf16(table, src, dst),
    utf8_to_single_byte: |table, src, dst|
        single_byte_encode::utf8_to_single_byte(&TABLE, table, src, dst),
}
