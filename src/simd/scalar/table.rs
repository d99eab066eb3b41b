//! The table of scalar kernels.

use crate::simd::kernels::Kernels;
use crate::simd::two_byte::few::Few;

pub(in crate::simd) const KERNELS: Kernels = Kernels {
    name: "scalar",
    ascii_prefix: super::ascii::ascii_prefix,
    unshifted_prefix: super::ascii::unshifted_prefix,
    textual_prefix: super::ascii::textual_prefix,
    ascii_to_utf8: super::ascii::ascii_to_utf8,
    ascii_to_utf16: super::ascii::ascii_to_utf16,
    utf16le_to_ascii: super::utf16::utf16_to_ascii::<false>,
    utf16be_to_ascii: super::utf16::utf16_to_ascii::<true>,
    utf16le_to_utf16: super::utf16_units::utf16_to_utf16::<false>,
    utf16be_to_utf16: super::utf16_units::utf16_to_utf16::<true>,
    utf16le_to_utf16_lossy: super::utf16_units::utf16_to_utf16_lossy::<false>,
    utf16be_to_utf16_lossy: super::utf16_units::utf16_to_utf16_lossy::<true>,
    utf16_swap: super::utf16_units::swap,
    utf16_valid_prefix: super::utf16_units::native_valid_prefix,
    utf8_len_from_utf16: super::utf16_units::utf8_len,
    count_scalars_utf16: super::utf16_units::scalars,
    utf8_valid_prefix: super::utf8::utf8_valid_prefix,
    utf8_to_utf8: |src, dst| super::utf8::utf8_to_utf8(&SCALAR, src, dst),
    utf8_to_utf8_lossy: |src, dst| super::utf8::utf8_to_utf8_lossy(&SCALAR, src, dst),
    utf8_to_utf16: |src, dst| super::utf8::utf8_to_utf16(&SCALAR, src, dst),
    utf16le_to_utf8: |src, dst| {
        super::utf16::utf16_to_utf8::<false, false>(&SCALAR, src, dst).counts()
    },
    utf16le_to_utf8_lossy: |src, dst| super::utf16::utf16_to_utf8::<false, true>(&SCALAR, src, dst),
    utf16be_to_utf8: |src, dst| {
        super::utf16::utf16_to_utf8::<true, false>(&SCALAR, src, dst).counts()
    },
    utf16be_to_utf8_lossy: |src, dst| super::utf16::utf16_to_utf8::<true, true>(&SCALAR, src, dst),
    utf8_to_utf16le: |src, dst| super::utf8::utf8_to_utf16_bytes::<false>(&SCALAR, src, dst),
    utf8_to_utf16be: |src, dst| super::utf8::utf8_to_utf16_bytes::<true>(&SCALAR, src, dst),
    utf8_to_utf16_lossy: |src, dst| super::utf8::utf8_to_utf16_lossy(&SCALAR, src, dst),
    few: Few::Some,
    two_byte_to_utf8: |index, src, dst| super::two_byte::two_byte_to_utf8(&SCALAR, index, src, dst),
    utf16_to_two_byte: |cells, src, dst| {
        super::two_byte_encode::utf16_to_two_byte(&SCALAR, cells, src, dst)
    },
    utf8_to_two_byte: |cells, src, dst| {
        super::two_byte_encode::utf8_to_two_byte(&SCALAR, cells, src, dst)
    },
    two_byte_to_utf16: |index, src, dst| {
        super::two_byte::two_byte_to_utf16(&SCALAR, index, src, dst)
    },
    iso_2022_jp_to_utf8: super::iso_2022_jp::to_utf8,
    iso_2022_jp_to_utf16: super::iso_2022_jp::to_utf16,
    utf8_to_iso_2022_jp: super::iso_2022_jp::of_utf8,
    utf16_to_iso_2022_jp: super::iso_2022_jp::of_utf16,
    single_byte_to_utf8: |table, src, dst| {
        super::single_byte::single_byte_to_utf8(&SCALAR, table, src, dst)
    },
    single_byte_to_utf16: super::single_byte::single_byte_to_utf16,
    utf8_to_single_byte: |table, src, dst| {
        super::single_byte::utf8_to_single_byte(&SCALAR, table, src, dst)
    },
    utf16_to_single_byte: super::single_byte::utf16_to_single_byte,
    user_defined_to_utf16: super::single_byte::user_defined_to_utf16,
    utf16_to_user_defined: super::single_byte::utf16_to_user_defined,
    latin1_to_utf8: super::latin1::latin1_to_utf8,
    utf8_to_latin1: super::latin1::utf8_to_latin1,
    latin1_to_utf16: super::latin1::latin1_to_utf16,
    latin1_to_utf32: super::latin1::latin1_to_utf32,
    utf16_to_latin1: super::latin1::utf16_to_latin1,
    utf32_to_latin1: super::latin1::utf32_to_latin1,
    utf8_to_utf32: |src, dst| super::utf32::utf8_to_utf32(super::utf8::utf8_valid_prefix, src, dst),
    utf16_to_utf32: super::utf32::utf16_to_utf32,
    utf32_to_utf8: super::utf32::utf32_to_utf8,
    utf32_to_utf16: super::utf32::utf32_to_utf16,
    utf32_valid_prefix: super::utf32::utf32_valid_prefix,
    utf16_len_from_utf8: super::count::utf16_len_from_utf8,
    count_scalars_utf8: super::count::count_scalars_utf8,
    line_ends: super::count::line_ends,
    utf8_len_from_latin1: super::count::utf8_len_from_latin1,
    utf8_len_from_utf32: super::count::utf8_len_from_utf32,
    utf16_len_from_utf32: super::count::utf16_len_from_utf32,
};
pub(crate) static SCALAR: Kernels = KERNELS;
