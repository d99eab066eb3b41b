//! The table of `simd128` kernels.
//!
//! These have no kernel of their own here, because the plain loops of `scalar/` become vectors when
//! they are compiled for this target: UTF-16 checked, copied, swapped and counted as units, lengths
//! and counts, and Latin-1 widened or narrowed to. Single-byte encodings become UTF-8 by look-ups of
//! bytes: by way of code units it took as long.

use super::{ascii, single_byte, utf8, utf8_lossy, utf8_to_utf16, utf16};
use crate::simd::kernels::Kernels;
use crate::simd::scalar;

pub(in crate::simd) static SIMD128: Kernels = Kernels {
    name: "simd128",
    ascii_prefix: ascii::ascii_prefix,
    unshifted_prefix: ascii::unshifted_prefix,
    ascii_to_utf8: ascii::ascii_to_utf8,
    ascii_to_utf16: ascii::ascii_to_utf16,
    utf16le_to_ascii: ascii::utf16_to_ascii::<false>,
    utf16be_to_ascii: ascii::utf16_to_ascii::<true>,
    utf8_valid_prefix: utf8::utf8_valid_prefix,
    utf8_to_utf8: utf8::utf8_to_utf8,
    utf8_to_utf8_lossy: utf8_lossy::utf8_to_utf8_lossy,
    utf8_to_utf16: utf8_to_utf16::utf8_to_utf16,
    utf8_to_utf16le: utf8_to_utf16::utf8_to_utf16_bytes::<false>,
    utf8_to_utf16be: utf8_to_utf16::utf8_to_utf16_bytes::<true>,
    utf8_to_utf16_lossy: utf8_to_utf16::utf8_to_utf16_lossy,
    utf16le_to_utf8: |src, dst| utf16::utf16_to_utf8::<false, false>(src, dst).counts(),
    utf16le_to_utf8_lossy: utf16::utf16_to_utf8::<false, true>,
    utf16be_to_utf8: |src, dst| utf16::utf16_to_utf8::<true, false>(src, dst).counts(),
    utf16be_to_utf8_lossy: utf16::utf16_to_utf8::<true, true>,
    two_byte_to_utf8: |index, src, dst| {
        scalar::two_byte::two_byte_to_utf8(&SIMD128, index, src, dst)
    },
    two_byte_to_utf16: |index, src, dst| {
        scalar::two_byte::two_byte_to_utf16(&SIMD128, index, src, dst)
    },
    utf16_to_two_byte: |cells, src, dst| {
        scalar::two_byte_encode::utf16_to_two_byte(&SIMD128, cells, src, dst)
    },
    utf8_to_two_byte: |cells, src, dst| {
        scalar::two_byte_encode::utf8_to_two_byte(&SIMD128, cells, src, dst)
    },
    single_byte_to_utf8: |table, src, dst| {
        scalar::single_byte::single_byte_to_utf8(&SIMD128, table, src, dst)
    },
    single_byte_to_utf16: single_byte::single_byte_to_utf16,
    utf8_to_single_byte: |table, src, dst| {
        scalar::single_byte::utf8_to_single_byte_by_script(&SIMD128, table, src, dst)
    },
    utf8_to_utf32: |src, dst| scalar::utf32::utf8_to_utf32(utf8::utf8_valid_prefix, src, dst),
    ..scalar::table::KERNELS
};
