//! The table of kernels for AVX-512 with VBMI and VBMI2.

use crate::simd::kernels::Kernels;
use crate::simd::x86_64::{avx512, avx512_vbmi2};

/// AVX-512 with VBMI and VBMI2, which processors since Ice Lake and Zen 4 have, and all of the
/// AVX-512 table. Selected only where they were detected: what the calls below rest on.
pub(in crate::simd) const KERNELS: Kernels = Kernels {
    name: "avx512_vbmi2",
    // SAFETY: this table is selected only where AVX-512 with VBMI and VBMI2 was detected.
    utf16le_to_utf8: |src, dst| unsafe {
        avx512_vbmi2::utf16::utf16_to_utf8::<false, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf16le_to_utf8_lossy: |src, dst| unsafe {
        avx512_vbmi2::utf16::utf16_to_utf8::<false, true>(src, dst)
    },
    // SAFETY: as above.
    utf16be_to_utf8: |src, dst| unsafe {
        avx512_vbmi2::utf16::utf16_to_utf8::<true, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf16be_to_utf8_lossy: |src, dst| unsafe {
        avx512_vbmi2::utf16::utf16_to_utf8::<true, true>(src, dst)
    },
    // SAFETY: as above.
    latin1_to_utf8: |src, dst| unsafe { avx512_vbmi2::latin1::latin1_to_utf8(src, dst) },
    // SAFETY: as above.
    utf8_to_latin1: |src, dst| unsafe { avx512_vbmi2::latin1::utf8_to_latin1(src, dst) },
    // SAFETY: as above.
    utf8_to_utf16: |src, dst| unsafe { avx512_vbmi2::utf8_to_utf16::utf8_to_utf16(src, dst) },
    // SAFETY: as above.
    utf8_to_utf16le: |src, dst| unsafe {
        avx512_vbmi2::utf8_to_utf16::utf8_to_utf16_bytes::<false>(src, dst)
    },
    // SAFETY: as above.
    utf8_to_utf16be: |src, dst| unsafe {
        avx512_vbmi2::utf8_to_utf16::utf8_to_utf16_bytes::<true>(src, dst)
    },
    // SAFETY: as above.
    utf8_to_utf16_lossy: |src, dst| unsafe {
        avx512_vbmi2::utf8_to_utf16::utf8_to_utf16_lossy(src, dst)
    },
    // SAFETY: as above.
    utf8_to_utf32: |src, dst| unsafe { avx512_vbmi2::utf8_to_utf32::utf8_to_utf32(src, dst) },
    // SAFETY: as above.
    utf32_to_utf8: |src, dst| unsafe { avx512_vbmi2::utf32_to_utf8::utf32_to_utf8(src, dst) },
    // SAFETY: as above.
    utf32_to_utf16: |src, dst| unsafe { avx512_vbmi2::utf32_to_utf16::utf32_to_utf16(src, dst) },
    // SAFETY: as above.
    utf8_valid_prefix: |src| unsafe { avx512_vbmi2::utf8::utf8_valid_prefix(src) },
    // SAFETY: as above.
    utf8_to_utf8: |src, dst| unsafe { avx512_vbmi2::utf8::utf8_to_utf8(src, dst) },
    // SAFETY: as above.
    two_byte_to_utf8: |index, src, dst| unsafe {
        avx512_vbmi2::two_byte_steps::two_byte_to_utf8(index, src, dst)
    },
    // SAFETY: as above.
    two_byte_to_utf16: |index, src, dst| unsafe {
        avx512_vbmi2::two_byte_steps::two_byte_to_utf16(index, src, dst)
    },
    // SAFETY: as above.
    single_byte_to_utf8: |table, src, dst| unsafe {
        avx512_vbmi2::single_byte::single_byte_to_utf8(table, src, dst)
    },
    // SAFETY: as above.
    single_byte_to_utf16: |table, src, dst| unsafe {
        avx512_vbmi2::single_byte::single_byte_to_utf16(table, src, dst)
    },
    // SAFETY: as above.
    utf16_to_single_byte: |table, src, dst| unsafe {
        avx512_vbmi2::single_byte_encode::utf16_to_single_byte(table, src, dst)
    },
    // SAFETY: as above.
    utf8_to_single_byte: |table, src, dst| unsafe {
        avx512_vbmi2::single_byte_encode::utf8_to_single_byte(table, src, dst)
    },
    // SAFETY: as above.
    utf8_to_utf8_lossy: |src, dst| unsafe {
        avx512_vbmi2::utf8_lossy::utf8_to_utf8_lossy(src, dst)
    },
    ..avx512::table::KERNELS
};

pub(crate) static AVX512_VBMI2: Kernels = KERNELS;
