//! The table of kernels for AVX-512 with VBMI and VBMI2.

use crate::simd::kernels::Kernels;
use crate::simd::x86_64::{avx512, avx512_vbmi2};

/// AVX-512 with VBMI and VBMI2, which processors since Ice Lake and Zen 4 have, and all of the
/// AVX-512 table. Selected only where they were detected: what the calls below rest on.
pub(in crate::simd) const KERNELS: Kernels = Kernels {
    name: "avx512_vbmi2",
    // SAFETY: this table is selected only where AVX-512 with VBMI and VBMI2 was detected.
    utf_16le_to_utf_8: |src, dst| unsafe {
        avx512_vbmi2::utf_16::utf_16_to_utf_8::<false, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf_16le_to_utf_8_lossy: |src, dst| unsafe {
        avx512_vbmi2::utf_16::utf_16_to_utf_8::<false, true>(src, dst)
    },
    // SAFETY: as above.
    utf_16be_to_utf_8: |src, dst| unsafe {
        avx512_vbmi2::utf_16::utf_16_to_utf_8::<true, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf_16be_to_utf_8_lossy: |src, dst| unsafe {
        avx512_vbmi2::utf_16::utf_16_to_utf_8::<true, true>(src, dst)
    },
    // SAFETY: as above.
    latin_1_to_utf_8: |src, dst| unsafe { avx512_vbmi2::latin_1::latin_1_to_utf_8(src, dst) },
    // SAFETY: as above.
    utf_8_to_latin_1: |src, dst| unsafe { avx512_vbmi2::latin_1::utf_8_to_latin_1(src, dst) },
    // SAFETY: as above.
    utf_8_to_utf_16: |src, dst| unsafe { avx512_vbmi2::utf_8_to_utf_16::utf_8_to_utf_16(src, dst) },
    // SAFETY: as above.
    utf_8_to_utf_16le: |src, dst| unsafe {
        avx512_vbmi2::utf_8_to_utf_16::utf_8_to_utf_16_bytes::<false>(src, dst)
    },
    // SAFETY: as above.
    utf_8_to_utf_16be: |src, dst| unsafe {
        avx512_vbmi2::utf_8_to_utf_16::utf_8_to_utf_16_bytes::<true>(src, dst)
    },
    // SAFETY: as above.
    utf_8_to_utf_16_lossy: |src, dst| unsafe {
        avx512_vbmi2::utf_8_to_utf_16::utf_8_to_utf_16_lossy(src, dst)
    },
    // SAFETY: as above.
    utf_8_to_utf_32: |src, dst| unsafe { avx512_vbmi2::utf_8_to_utf_32::utf_8_to_utf_32(src, dst) },
    // SAFETY: as above.
    utf_32_to_utf_8: |src, dst| unsafe { avx512_vbmi2::utf_32_to_utf_8::utf_32_to_utf_8(src, dst) },
    // SAFETY: as above.
    utf_32_to_utf_16: |src, dst| unsafe {
        avx512_vbmi2::utf_32_to_utf_16::utf_32_to_utf_16(src, dst)
    },
    // SAFETY: as above.
    utf_8_valid_prefix: |src| unsafe { avx512_vbmi2::utf_8::utf_8_valid_prefix(src) },
    // SAFETY: as above.
    utf_8_to_utf_8: |src, dst| unsafe { avx512_vbmi2::utf_8::utf_8_to_utf_8(src, dst) },
    // SAFETY: as above.
    two_byte_to_utf_8: |index, src, dst| unsafe {
        avx512_vbmi2::two_byte_steps::two_byte_to_utf_8(index, src, dst)
    },
    // SAFETY: as above.
    two_byte_to_utf_16: |index, src, dst| unsafe {
        avx512_vbmi2::two_byte_steps::two_byte_to_utf_16(index, src, dst)
    },
    // SAFETY: as above.
    single_byte_to_utf_8: |table, src, dst| unsafe {
        avx512_vbmi2::single_byte::single_byte_to_utf_8(table, src, dst)
    },
    // SAFETY: as above.
    single_byte_to_utf_16: |table, src, dst| unsafe {
        avx512_vbmi2::single_byte::single_byte_to_utf_16(table, src, dst)
    },
    // SAFETY: as above.
    utf_16_to_single_byte: |table, src, dst| unsafe {
        avx512_vbmi2::single_byte_encode::utf_16_to_single_byte(table, src, dst)
    },
    // SAFETY: as above.
    utf_8_to_single_byte: |table, src, dst| unsafe {
        avx512_vbmi2::single_byte_encode::utf_8_to_single_byte(table, src, dst)
    },
    // SAFETY: as above.
    utf_8_to_utf_8_lossy: |src, dst| unsafe {
        avx512_vbmi2::utf_8_lossy::utf_8_to_utf_8_lossy(src, dst)
    },
    ..avx512::table::KERNELS
};

pub(crate) static AVX512_VBMI2: Kernels = KERNELS;
