//! The table of NEON kernels.
//!
//! These have no kernel of their own here, because the plain loops of `scalar/` become NEON when they
//! are compiled for this target: UTF-16 checked, copied, swapped and counted as units
//! (`utf16…_to_utf16`, `utf16_swap`, `utf16_valid_prefix`, `utf8_len_from_utf16`,
//! `count_scalars_utf16`), the lengths and the valid prefix of UTF-32, and Latin-1 widened or narrowed
//! to. The single-byte encodings are the scalar ones, with this table's ASCII kernels.

use super::{ascii, count, latin1, utf8, utf8_lossy, utf8_to_utf16, utf16, utf32};
use crate::simd::scalar;
use crate::simd::tables::kernel_table;

kernel_table! {
    "neon", requires ["neon"], inherits scalar::table;

    ascii_prefix: |src| ascii::ascii_prefix(src),
    unshifted_prefix: |src| ascii::unshifted_prefix(src),
    ascii_to_utf8: |src, dst| ascii::ascii_to_utf8(src, dst),
    ascii_to_utf16: |src, dst| ascii::ascii_to_utf16(src, dst),
    utf16le_to_ascii: |src, dst| ascii::utf16_to_ascii::<false>(src, dst),
    utf16be_to_ascii: |src, dst| ascii::utf16_to_ascii::<true>(src, dst),
    utf8_valid_prefix: |src| utf8::utf8_valid_prefix(src),
    utf8_to_utf8: |src, dst| utf8::utf8_to_utf8(src, dst),
    utf8_to_utf8_lossy: |src, dst| utf8_lossy::utf8_to_utf8_lossy(src, dst),
    utf8_to_utf16: |src, dst| utf8_to_utf16::utf8_to_utf16(src, dst),
    utf8_to_utf16le: |src, dst| utf8_to_utf16::utf8_to_utf16_bytes::<false>(src, dst),
    utf8_to_utf16be: |src, dst| utf8_to_utf16::utf8_to_utf16_bytes::<true>(src, dst),
    utf8_to_utf16_lossy: |src, dst| utf8_to_utf16::utf8_to_utf16_lossy(src, dst),
    utf16le_to_utf8: |src, dst| utf16::utf16_to_utf8::<false, false>(src, dst).counts(),
    utf16le_to_utf8_lossy: |src, dst| utf16::utf16_to_utf8::<false, true>(src, dst),
    utf16be_to_utf8: |src, dst| utf16::utf16_to_utf8::<true, false>(src, dst).counts(),
    utf16be_to_utf8_lossy: |src, dst| utf16::utf16_to_utf8::<true, true>(src, dst),
    two_byte_to_utf8: |index, src, dst| scalar::two_byte::two_byte_to_utf8(&TABLE, index, src, dst),
    utf16_to_two_byte: |cells, src, dst|
        scalar::two_byte_encode::utf16_to_two_byte(&TABLE, cells, src, dst),
    utf8_to_two_byte: |cells, src, dst|
        scalar::two_byte_encode::utf8_to_two_byte(&TABLE, cells, src, dst),
    two_byte_to_utf16: |index, src, dst|
        scalar::two_byte::two_byte_to_utf16(&TABLE, index, src, dst),
    utf8_to_single_byte: |table, src, dst|
        scalar::single_byte::utf8_to_single_byte_by_script(&TABLE, table, src, dst),
    latin1_to_utf8: |src, dst| latin1::latin1_to_utf8(src, dst),
    utf8_to_latin1: |src, dst| latin1::utf8_to_latin1(src, dst),
    utf8_to_utf32: |src, dst| utf32::utf8_to_utf32(src, dst),
    utf16_to_utf32: |src, dst| utf32::utf16_to_utf32(src, dst),
    utf32_to_utf8: |src, dst| utf32::utf32_to_utf8(src, dst),
    utf32_to_utf16: |src, dst| utf32::utf32_to_utf16(src, dst),
    utf16_len_from_utf8: |src| count::utf16_len_from_utf8(src),
    count_scalars_utf8: |src| count::count_scalars_utf8(src),
    utf8_len_from_latin1: |src| count::utf8_len_from_latin1(src),
}
