//! The table of `simd128` kernels.
//!
//! These have no kernel of their own here, because the plain loops of `scalar/` become vectors when
//! they are compiled for this target: UTF-16 checked, copied, swapped and counted as units, lengths
//! and counts, and Latin-1 widened or narrowed to. Single-byte encodings become UTF-8 by look-ups of
//! bytes: by way of code units it took as long.

use super::{ascii, single_byte, utf8, utf8_lossy, utf8_to_utf16, utf16};
use crate::simd::scalar;
use crate::simd::tables::kernel_table;

kernel_table! {
    "simd128", requires ["simd128"], inherits scalar::table;

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
    two_byte_to_utf16: |index, src, dst|
        scalar::two_byte::two_byte_to_utf16(&TABLE, index, src, dst),
    utf16_to_two_byte: |cells, src, dst|
        scalar::two_byte_encode::utf16_to_two_byte(&TABLE, cells, src, dst),
    utf8_to_two_byte: |cells, src, dst|
        scalar::two_byte_encode::utf8_to_two_byte(&TABLE, cells, src, dst),
    single_byte_to_utf16: |table, src, dst| single_byte::single_byte_to_utf16(table, src, dst),
    utf8_to_single_byte: |table, src, dst|
        scalar::single_byte::utf8_to_single_byte_by_script(&TABLE, table, src, dst),
    utf8_to_utf32: |src, dst| scalar::utf32::utf8_to_utf32(utf8::utf8_valid_prefix, src, dst),
}
