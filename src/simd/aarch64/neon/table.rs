//! The table of NEON kernels.
//!
//! These have no kernel of their own here, because the plain loops of `scalar/` become NEON when they
//! are compiled for this target: UTF-16 checked, copied, swapped and counted as units
//! (`utf16…_to_utf16`, `utf16_swap`, `utf16_valid_prefix`, `utf8_len_from_utf16`,
//! `count_scalars_utf16`), the lengths and the valid prefix of UTF-32, and Latin-1 widened or narrowed
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
    ascii_to_utf8: |src, dst| unsafe { neon::ascii::ascii_to_utf8(src, dst) },
    // SAFETY: as above.
    ascii_to_utf16: |src, dst| unsafe { neon::ascii::ascii_to_utf16(src, dst) },
    // SAFETY: as above.
    utf16le_to_ascii: |src, dst| unsafe { neon::ascii::utf16_to_ascii::<false>(src, dst) },
    // SAFETY: as above.
    utf16be_to_ascii: |src, dst| unsafe { neon::ascii::utf16_to_ascii::<true>(src, dst) },
    // SAFETY: as above.
    utf8_valid_prefix: |src| unsafe { neon::utf8::utf8_valid_prefix(src) },
    // SAFETY: as above.
    utf8_to_utf8: |src, dst| unsafe { neon::utf8::utf8_to_utf8(src, dst) },
    // SAFETY: as above.
    utf8_to_utf8_lossy: |src, dst| unsafe { neon::utf8_lossy::utf8_to_utf8_lossy(src, dst) },
    // SAFETY: as above.
    utf8_to_utf16: |src, dst| unsafe { neon::utf8_to_utf16::utf8_to_utf16(src, dst) },
    // SAFETY: as above.
    utf8_to_utf16le: |src, dst| unsafe {
        neon::utf8_to_utf16::utf8_to_utf16_bytes::<false>(src, dst)
    },
    // SAFETY: as above.
    utf8_to_utf16be: |src, dst| unsafe {
        neon::utf8_to_utf16::utf8_to_utf16_bytes::<true>(src, dst)
    },
    // SAFETY: as above.
    utf8_to_utf16_lossy: |src, dst| unsafe { neon::utf8_to_utf16::utf8_to_utf16_lossy(src, dst) },
    // SAFETY: as above.
    utf16le_to_utf8: |src, dst| unsafe {
        neon::utf16::utf16_to_utf8::<false, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf16le_to_utf8_lossy: |src, dst| unsafe {
        neon::utf16::utf16_to_utf8::<false, true>(src, dst)
    },
    // SAFETY: as above.
    utf16be_to_utf8: |src, dst| unsafe {
        neon::utf16::utf16_to_utf8::<true, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf16be_to_utf8_lossy: |src, dst| unsafe { neon::utf16::utf16_to_utf8::<true, true>(src, dst) },
    few: Few::Some,
    two_byte_to_utf8: |index, src, dst| scalar::two_byte::two_byte_to_utf8(&NEON, index, src, dst),
    utf16_to_two_byte: |cells, src, dst| {
        scalar::two_byte_encode::utf16_to_two_byte(&NEON, cells, src, dst)
    },
    utf8_to_two_byte: |cells, src, dst| {
        scalar::two_byte_encode::utf8_to_two_byte(&NEON, cells, src, dst)
    },
    two_byte_to_utf16: |index, src, dst| {
        scalar::two_byte::two_byte_to_utf16(&NEON, index, src, dst)
    },
    single_byte_to_utf8: |table, src, dst| {
        scalar::single_byte::single_byte_to_utf8(&NEON, table, src, dst)
    },
    single_byte_to_utf16: scalar::single_byte::single_byte_to_utf16,
    utf16_to_single_byte: scalar::single_byte::utf16_to_single_byte,
    utf8_to_single_byte: |table, src, dst| {
        scalar::single_byte::utf8_to_single_byte_by_script(&NEON, table, src, dst)
    },
    // SAFETY: as above.
    latin1_to_utf8: |src, dst| unsafe { neon::latin1::latin1_to_utf8(src, dst) },
    // SAFETY: as above.
    utf8_to_latin1: |src, dst| unsafe { neon::latin1::utf8_to_latin1(src, dst) },
    // SAFETY: as above.
    utf8_to_utf32: |src, dst| unsafe { neon::utf32::utf8_to_utf32(src, dst) },
    // SAFETY: as above.
    utf16_to_utf32: |src, dst| unsafe { neon::utf32::utf16_to_utf32(src, dst) },
    // SAFETY: as above.
    utf32_to_utf8: |src, dst| unsafe { neon::utf32::utf32_to_utf8(src, dst) },
    // SAFETY: as above.
    utf32_to_utf16: |src, dst| unsafe { neon::utf32::utf32_to_utf16(src, dst) },
    // SAFETY: as above.
    utf16_len_from_utf8: |src| unsafe { neon::count::utf16_len_from_utf8(src) },
    // SAFETY: as above.
    count_scalars_utf8: |src| unsafe { neon::count::count_scalars_utf8(src) },
    // SAFETY: as above.
    utf8_len_from_latin1: |src| unsafe { neon::count::utf8_len_from_latin1(src) },
    ..scalar::table::KERNELS
};
