//! The table for SSE4.2 and POPCNT, which every x86-64 processor since 2011 has.

use super::{ascii, utf8, utf16};
use crate::simd::scalar;
use crate::simd::tables::kernel_table;

kernel_table! {
    "sse4", requires ["sse4.2", "popcnt"], inherits scalar::table;

    ascii_prefix: |src| ascii::ascii_prefix(src),
    ascii_to_utf8: |src, dst| ascii::ascii_to_utf8(src, dst),
    ascii_to_utf16: |src, dst| ascii::ascii_to_utf16(src, dst),
    utf16le_to_ascii: |src, dst| ascii::utf16_to_ascii::<false>(src, dst),
    utf16be_to_ascii: |src, dst| ascii::utf16_to_ascii::<true>(src, dst),
    utf8_valid_prefix: |src| utf8::utf8_valid_prefix(src),
    utf8_to_utf8: |src, dst| scalar::utf8::utf8_to_utf8(&TABLE, src, dst),
    utf8_to_utf8_lossy: |src, dst| scalar::utf8::utf8_to_utf8_lossy(&TABLE, src, dst),
    utf8_to_utf16: |src, dst| scalar::utf8::utf8_to_utf16(&TABLE, src, dst),
    utf8_to_utf16le: |src, dst| scalar::utf8::utf8_to_utf16_bytes::<false>(&TABLE, src, dst),
    utf8_to_utf16be: |src, dst| scalar::utf8::utf8_to_utf16_bytes::<true>(&TABLE, src, dst),
    utf8_to_utf16_lossy: |src, dst| scalar::utf8::utf8_to_utf16_lossy(&TABLE, src, dst),
    utf16le_to_utf8: |src, dst| utf16::utf16_to_utf8::<false, false>(&TABLE, src, dst).counts(),
    utf16le_to_utf8_lossy: |src, dst| utf16::utf16_to_utf8::<false, true>(&TABLE, src, dst),
    utf16be_to_utf8: |src, dst| utf16::utf16_to_utf8::<true, false>(&TABLE, src, dst).counts(),
    utf16be_to_utf8_lossy: |src, dst| utf16::utf16_to_utf8::<true, true>(&TABLE, src, dst),
    utf8_to_single_byte: |table, src, dst|
        scalar::single_byte::utf8_to_single_byte(&TABLE, table, src, dst),
    utf16_to_two_byte: |cells, src, dst|
        scalar::two_byte_encode::utf16_to_two_byte(&TABLE, cells, src, dst),
    utf8_to_two_byte: |cells, src, dst|
        scalar::two_byte_encode::utf8_to_two_byte(&TABLE, cells, src, dst),
    two_byte_to_utf8: |index, src, dst| scalar::two_byte::two_byte_to_utf8(&TABLE, index, src, dst),
    two_byte_to_utf16: |index, src, dst|
        scalar::two_byte::two_byte_to_utf16(&TABLE, index, src, dst),
}
