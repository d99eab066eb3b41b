//! The table of NEON kernels.
//!
//! These have no kernel of their own here, because the plain loops of `scalar/` become NEON when they
//! are compiled for this target: UTF-16 checked, copied, swapped and counted as units
//! (`utf_16…_to_utf_16`, `utf_16_swap`, `utf_16_valid_prefix`, `utf_8_len_of_utf_16`,
//! `scalars_in_utf_16`), the lengths and the valid prefix of UTF-32, and Latin-1 widened or narrowed
//! to. The single-byte encodings are the scalar ones, with this table's ASCII kernels.

use crate::simd::aarch64::neon;
use crate::simd::kernels::Kernels;
use crate::simd::scalar;
use crate::simd::two_byte::few::Few;

/// Exists only where NEON is part of the target: what the calls below rest on.
pub(in crate::simd) static NEON: Kernels = Kernels {
    name: "neon",
    // SAFETY: this module is compiled only for targets with NEON.
    ascii_prefix: |src| unsafe { neon::ascii::ascii_prefix(src) },
    // SAFETY: as above.
    unshifted_prefix: |src| unsafe { neon::ascii::unshifted_prefix(src) },
    // SAFETY: as above.
    ascii_to_utf_8: |src, dst| unsafe { neon::ascii::ascii_to_utf_8(src, dst) },
    // SAFETY: as above.
    ascii_to_utf_16: |src, dst| unsafe { neon::ascii::ascii_to_utf_16(src, dst) },
    // SAFETY: as above.
    utf_16le_to_ascii: |src, dst| unsafe { neon::ascii::utf_16_to_ascii::<false>(src, dst) },
    // SAFETY: as above.
    utf_16be_to_ascii: |src, dst| unsafe { neon::ascii::utf_16_to_ascii::<true>(src, dst) },
    // SAFETY: as above.
    utf_8_valid_prefix: |src| unsafe { neon::utf_8::utf_8_valid_prefix(src) },
    // SAFETY: as above.
    utf_8_to_utf_8: |src, dst| unsafe { neon::utf_8::utf_8_to_utf_8(src, dst) },
    // SAFETY: as above.
    utf_8_to_utf_8_lossy: |src, dst| unsafe { neon::utf_8_lossy::utf_8_to_utf_8_lossy(src, dst) },
    // SAFETY: as above.
    utf_8_to_utf_16: |src, dst| unsafe { neon::utf_8_to_utf_16::utf_8_to_utf_16(src, dst) },
    // SAFETY: as above.
    utf_8_to_utf_16le: |src, dst| unsafe {
        neon::utf_8_to_utf_16::utf_8_to_utf_16_bytes::<false>(src, dst)
    },
    // SAFETY: as above.
    utf_8_to_utf_16be: |src, dst| unsafe {
        neon::utf_8_to_utf_16::utf_8_to_utf_16_bytes::<true>(src, dst)
    },
    // SAFETY: as above.
    utf_8_to_utf_16_lossy: |src, dst| unsafe {
        neon::utf_8_to_utf_16::utf_8_to_utf_16_lossy(src, dst)
    },
    // SAFETY: as above.
    utf_16le_to_utf_8: |src, dst| unsafe {
        neon::utf_16::utf_16_to_utf_8::<false, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf_16le_to_utf_8_lossy: |src, dst| unsafe {
        neon::utf_16::utf_16_to_utf_8::<false, true>(src, dst)
    },
    // SAFETY: as above.
    utf_16be_to_utf_8: |src, dst| unsafe {
        neon::utf_16::utf_16_to_utf_8::<true, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf_16be_to_utf_8_lossy: |src, dst| unsafe {
        neon::utf_16::utf_16_to_utf_8::<true, true>(src, dst)
    },
    few: Few::Some,
    two_byte_to_utf_8: |index, src, dst| {
        scalar::two_byte::two_byte_to_utf_8(&NEON, index, src, dst)
    },
    utf_16_to_two_byte: |cells, src, dst| {
        scalar::two_byte_encode::utf_16_to_two_byte(&NEON, cells, src, dst)
    },
    utf_8_to_two_byte: |cells, src, dst| {
        scalar::two_byte_encode::utf_8_to_two_byte(&NEON, cells, src, dst)
    },
    two_byte_to_utf_16: |index, src, dst| {
        scalar::two_byte::two_byte_to_utf_16(&NEON, index, src, dst)
    },
    single_byte_to_utf_8: |table, src, dst| {
        scalar::single_byte::single_byte_to_utf_8(&NEON, table, src, dst)
    },
    single_byte_to_utf_16: scalar::single_byte::single_byte_to_utf_16,
    utf_16_to_single_byte: scalar::single_byte::utf_16_to_single_byte,
    utf_8_to_single_byte: |table, src, dst| {
        scalar::single_byte::utf_8_to_single_byte_by_script(&NEON, table, src, dst)
    },
    // SAFETY: as above.
    latin_1_to_utf_8: |src, dst| unsafe { neon::latin_1::latin_1_to_utf_8(src, dst) },
    // SAFETY: as above.
    utf_8_to_latin_1: |src, dst| unsafe { neon::latin_1::utf_8_to_latin_1(src, dst) },
    // SAFETY: as above.
    utf_8_to_utf_32: |src, dst| unsafe { neon::utf_32::utf_8_to_utf_32(src, dst) },
    // SAFETY: as above.
    utf_16_to_utf_32: |src, dst| unsafe { neon::utf_32::utf_16_to_utf_32(src, dst) },
    // SAFETY: as above.
    utf_32_to_utf_8: |src, dst| unsafe { neon::utf_32::utf_32_to_utf_8(src, dst) },
    // SAFETY: as above.
    utf_32_to_utf_16: |src, dst| unsafe { neon::utf_32::utf_32_to_utf_16(src, dst) },
    // SAFETY: as above.
    utf_16_len_of_utf_8: |src| unsafe { neon::count::utf_16_len_of_utf_8(src) },
    // SAFETY: as above.
    scalars_in_utf_8: |src| unsafe { neon::count::scalars_in_utf_8(src) },
    // SAFETY: as above.
    utf_8_len_of_latin_1: |src| unsafe { neon::count::utf_8_len_of_latin_1(src) },
    ..scalar::table::KERNELS
};
