//! The table of `simd128` kernels.
//!
//! These have no kernel of their own here, because the plain loops of `scalar/` become vectors when
//! they are compiled for this target: UTF-16 checked, copied, swapped and counted as units, lengths
//! and counts, and Latin-1 widened or narrowed to. Single-byte encodings become UTF-8 by look-ups of
//! bytes: by way of code units it took as long.

use super::{ascii, single_byte, utf_8, utf_8_lossy, utf_8_to_utf_16, utf_16};
use crate::simd::kernels::Kernels;
use crate::simd::scalar;

pub(in crate::simd) static SIMD128: Kernels = Kernels {
    name: "simd128",
    ascii_prefix: ascii::ascii_prefix,
    unshifted_prefix: ascii::unshifted_prefix,
    ascii_to_utf_8: ascii::ascii_to_utf_8,
    ascii_to_utf_16: ascii::ascii_to_utf_16,
    utf_16le_to_ascii: ascii::utf_16_to_ascii::<false>,
    utf_16be_to_ascii: ascii::utf_16_to_ascii::<true>,
    utf_8_valid_prefix: utf_8::utf_8_valid_prefix,
    utf_8_to_utf_8: utf_8::utf_8_to_utf_8,
    utf_8_to_utf_8_lossy: utf_8_lossy::utf_8_to_utf_8_lossy,
    utf_8_to_utf_16: utf_8_to_utf_16::utf_8_to_utf_16,
    utf_8_to_utf_16le: utf_8_to_utf_16::utf_8_to_utf_16_bytes::<false>,
    utf_8_to_utf_16be: utf_8_to_utf_16::utf_8_to_utf_16_bytes::<true>,
    utf_8_to_utf_16_lossy: utf_8_to_utf_16::utf_8_to_utf_16_lossy,
    utf_16le_to_utf_8: |src, dst| utf_16::utf_16_to_utf_8::<false, false>(src, dst).counts(),
    utf_16le_to_utf_8_lossy: utf_16::utf_16_to_utf_8::<false, true>,
    utf_16be_to_utf_8: |src, dst| utf_16::utf_16_to_utf_8::<true, false>(src, dst).counts(),
    utf_16be_to_utf_8_lossy: utf_16::utf_16_to_utf_8::<true, true>,
    two_byte_to_utf_8: |index, src, dst| {
        scalar::two_byte::two_byte_to_utf_8(&SIMD128, index, src, dst)
    },
    two_byte_to_utf_16: |index, src, dst| {
        scalar::two_byte::two_byte_to_utf_16(&SIMD128, index, src, dst)
    },
    utf_16_to_two_byte: |cells, src, dst| {
        scalar::two_byte_encode::utf_16_to_two_byte(&SIMD128, cells, src, dst)
    },
    utf_8_to_two_byte: |cells, src, dst| {
        scalar::two_byte_encode::utf_8_to_two_byte(&SIMD128, cells, src, dst)
    },
    single_byte_to_utf_8: |table, src, dst| {
        scalar::single_byte::single_byte_to_utf_8(&SIMD128, table, src, dst)
    },
    single_byte_to_utf_16: single_byte::single_byte_to_utf_16,
    utf_8_to_single_byte: |table, src, dst| {
        scalar::single_byte::utf_8_to_single_byte_by_script(&SIMD128, table, src, dst)
    },
    utf_8_to_utf_32: |src, dst| {
        scalar::utf_32::utf_8_to_utf_32(utf_8::utf_8_valid_prefix, src, dst)
    },
    ..scalar::table::KERNELS
};
