//! The table of scalar kernels.

use crate::simd::kernels::Kernels;
use crate::simd::two_byte::few::Few;

pub(in crate::simd) const KERNELS: Kernels = Kernels {
    name: "scalar",
    ascii_prefix: super::ascii::ascii_prefix,
    unshifted_prefix: super::ascii::unshifted_prefix,
    textual_prefix: super::ascii::textual_prefix,
    ascii_to_utf_8: super::ascii::ascii_to_utf_8,
    ascii_to_utf_16: super::ascii::ascii_to_utf_16,
    utf_16le_to_ascii: super::utf_16::utf_16_to_ascii::<false>,
    utf_16be_to_ascii: super::utf_16::utf_16_to_ascii::<true>,
    utf_16le_to_utf_16: super::utf_16_units::utf_16_to_utf_16::<false>,
    utf_16be_to_utf_16: super::utf_16_units::utf_16_to_utf_16::<true>,
    utf_16le_to_utf_16_lossy: super::utf_16_units::utf_16_to_utf_16_lossy::<false>,
    utf_16be_to_utf_16_lossy: super::utf_16_units::utf_16_to_utf_16_lossy::<true>,
    utf_16_swap: super::utf_16_units::swap,
    utf_16_valid_prefix: super::utf_16_units::native_valid_prefix,
    utf_8_len_of_utf_16: super::utf_16_units::utf_8_len,
    scalars_in_utf_16: super::utf_16_units::scalars,
    utf_8_valid_prefix: super::utf_8::utf_8_valid_prefix,
    utf_8_to_utf_8: |src, dst| super::utf_8::utf_8_to_utf_8(&SCALAR, src, dst),
    utf_8_to_utf_8_lossy: |src, dst| super::utf_8::utf_8_to_utf_8_lossy(&SCALAR, src, dst),
    utf_8_to_utf_16: |src, dst| super::utf_8::utf_8_to_utf_16(&SCALAR, src, dst),
    utf_16le_to_utf_8: |src, dst| {
        super::utf_16::utf_16_to_utf_8::<false, false>(&SCALAR, src, dst).counts()
    },
    utf_16le_to_utf_8_lossy: |src, dst| {
        super::utf_16::utf_16_to_utf_8::<false, true>(&SCALAR, src, dst)
    },
    utf_16be_to_utf_8: |src, dst| {
        super::utf_16::utf_16_to_utf_8::<true, false>(&SCALAR, src, dst).counts()
    },
    utf_16be_to_utf_8_lossy: |src, dst| {
        super::utf_16::utf_16_to_utf_8::<true, true>(&SCALAR, src, dst)
    },
    utf_8_to_utf_16le: |src, dst| super::utf_8::utf_8_to_utf_16_bytes::<false>(&SCALAR, src, dst),
    utf_8_to_utf_16be: |src, dst| super::utf_8::utf_8_to_utf_16_bytes::<true>(&SCALAR, src, dst),
    utf_8_to_utf_16_lossy: |src, dst| super::utf_8::utf_8_to_utf_16_lossy(&SCALAR, src, dst),
    few: Few::Some,
    two_byte_to_utf_8: |index, src, dst| {
        super::two_byte::two_byte_to_utf_8(&SCALAR, index, src, dst)
    },
    utf_16_to_two_byte: |cells, src, dst| {
        super::two_byte_encode::utf_16_to_two_byte(&SCALAR, cells, src, dst)
    },
    utf_8_to_two_byte: |cells, src, dst| {
        super::two_byte_encode::utf_8_to_two_byte(&SCALAR, cells, src, dst)
    },
    two_byte_to_utf_16: |index, src, dst| {
        super::two_byte::two_byte_to_utf_16(&SCALAR, index, src, dst)
    },
    iso_2022_jp_to_utf_8: super::iso_2022_jp::to_utf_8,
    iso_2022_jp_to_utf_16: super::iso_2022_jp::to_utf_16,
    utf_8_to_iso_2022_jp: super::iso_2022_jp::of_utf_8,
    utf_16_to_iso_2022_jp: super::iso_2022_jp::of_utf_16,
    single_byte_to_utf_8: |table, src, dst| {
        super::single_byte::single_byte_to_utf_8(&SCALAR, table, src, dst)
    },
    single_byte_to_utf_16: super::single_byte::single_byte_to_utf_16,
    utf_8_to_single_byte: |table, src, dst| {
        super::single_byte::utf_8_to_single_byte(&SCALAR, table, src, dst)
    },
    utf_16_to_single_byte: super::single_byte::utf_16_to_single_byte,
    user_defined_to_utf_16: super::single_byte::user_defined_to_utf_16,
    utf_16_to_user_defined: super::single_byte::utf_16_to_user_defined,
    latin_1_to_utf_8: super::latin_1::latin_1_to_utf_8,
    utf_8_to_latin_1: super::latin_1::utf_8_to_latin_1,
    latin_1_to_utf_16: super::latin_1::latin_1_to_utf_16,
    latin_1_to_utf_32: super::latin_1::latin_1_to_utf_32,
    utf_16_to_latin_1: super::latin_1::utf_16_to_latin_1,
    utf_32_to_latin_1: super::latin_1::utf_32_to_latin_1,
    utf_8_to_utf_32: |src, dst| {
        super::utf_32::utf_8_to_utf_32(super::utf_8::utf_8_valid_prefix, src, dst)
    },
    utf_16_to_utf_32: super::utf_32::utf_16_to_utf_32,
    utf_32_to_utf_8: super::utf_32::utf_32_to_utf_8,
    utf_32_to_utf_16: super::utf_32::utf_32_to_utf_16,
    utf_32_valid_prefix: super::utf_32::utf_32_valid_prefix,
    utf_16_len_of_utf_8: super::count::utf_16_len_of_utf_8,
    scalars_in_utf_8: super::count::scalars_in_utf_8,
    line_ends: super::count::line_ends,
    utf_8_len_of_latin_1: super::count::utf_8_len_of_latin_1,
    utf_8_len_of_utf_32: super::count::utf_8_len_of_utf_32,
    utf_16_len_of_utf_32: super::count::utf_16_len_of_utf_32,
};
pub(crate) static SCALAR: Kernels = KERNELS;
