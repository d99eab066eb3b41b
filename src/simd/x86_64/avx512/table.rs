//! The table of AVX-512 kernels.

use crate::simd::kernels::Kernels;
use crate::simd::scalar;
use crate::simd::x86_64::{avx2, avx512};

/// AVX-512 F, BW, DQ and VL, which every processor with AVX-512 since Skylake-X has; they imply
/// AVX2. Selected only where they were detected, with POPCNT, BMI1 and BMI2: what the calls below
/// rest on.
pub(in crate::simd) const KERNELS: Kernels = Kernels {
    name: "avx512",
    // SAFETY: this table is selected only where AVX-512 F, BW, DQ and VL were detected.
    textual_prefix: |src| unsafe { avx512::ascii::textual_prefix(src) },
    // SAFETY: as above.
    ascii_to_utf_8: |src, dst| unsafe { avx512::ascii::ascii_to_utf_8(src, dst) },
    // SAFETY: as above.
    utf_8_valid_prefix: |src| unsafe { avx512::utf_8::utf_8_valid_prefix(src) },
    // SAFETY: as above.
    utf_8_to_utf_8: |src, dst| unsafe { avx512::utf_8::utf_8_to_utf_8(src, dst) },
    // SAFETY: as above.
    utf_8_to_utf_8_lossy: |src, dst| unsafe { avx512::utf_8_lossy::utf_8_to_utf_8_lossy(src, dst) },
    // SAFETY: as above.
    utf_16le_to_utf_8: |src, dst| unsafe {
        avx512::utf_16::utf_16_to_utf_8::<false, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf_16le_to_utf_8_lossy: |src, dst| unsafe {
        avx512::utf_16::utf_16_to_utf_8::<false, true>(src, dst)
    },
    // SAFETY: as above.
    utf_16be_to_utf_8: |src, dst| unsafe {
        avx512::utf_16::utf_16_to_utf_8::<true, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf_16be_to_utf_8_lossy: |src, dst| unsafe {
        avx512::utf_16::utf_16_to_utf_8::<true, true>(src, dst)
    },
    // SAFETY: as above.
    utf_16le_to_utf_16: |src, dst| unsafe {
        avx512::utf_16_units::utf_16_to_utf_16::<false>(src, dst)
    },
    // SAFETY: as above.
    utf_16le_to_utf_16_lossy: |src, dst| unsafe {
        avx512::utf_16_units::utf_16_to_utf_16_lossy::<false>(src, dst)
    },
    // SAFETY: as above.
    utf_16be_to_utf_16: |src, dst| unsafe {
        avx512::utf_16_units::utf_16_to_utf_16::<true>(src, dst)
    },
    // SAFETY: as above.
    utf_16be_to_utf_16_lossy: |src, dst| unsafe {
        avx512::utf_16_units::utf_16_to_utf_16_lossy::<true>(src, dst)
    },
    // SAFETY: as above.
    utf_16_swap: |src, dst| unsafe { avx2::utf_16_units::swap(src, dst) },
    // SAFETY: as above.
    utf_16_valid_prefix: |src| unsafe { avx512::utf_16_count::valid_prefix(src) },
    // SAFETY: as above.
    utf_8_len_of_utf_16: |src| unsafe { avx512::utf_16_count::utf_8_len(src) },
    // SAFETY: as above.
    scalars_in_utf_16: |src| unsafe { avx512::utf_16_count::scalars(src) },
    // SAFETY: as above.
    utf_8_to_utf_16: |src, dst| unsafe { avx512::utf_8_to_utf_16::utf_8_to_utf_16(src, dst) },
    // SAFETY: as above.
    utf_8_to_utf_16le: |src, dst| unsafe {
        avx512::utf_8_to_utf_16::utf_8_to_utf_16_bytes::<false>(src, dst)
    },
    // SAFETY: as above.
    utf_8_to_utf_16be: |src, dst| unsafe {
        avx512::utf_8_to_utf_16::utf_8_to_utf_16_bytes::<true>(src, dst)
    },
    // SAFETY: as above.
    utf_8_to_utf_16_lossy: |src, dst| unsafe {
        avx512::utf_8_to_utf_16::utf_8_to_utf_16_lossy(src, dst)
    },
    // SAFETY: as above.
    utf_8_to_utf_32: |src, dst| unsafe { avx512::utf_8_to_utf_32::utf_8_to_utf_32(src, dst) },
    // SAFETY: as above.
    utf_32_to_utf_8: |src, dst| unsafe { avx512::utf_32_to_utf_8::utf_32_to_utf_8(src, dst) },
    // SAFETY: as above.
    utf_32_to_utf_16: |src, dst| unsafe { avx512::utf_32::utf_32_to_utf_16(src, dst) },
    // SAFETY: as above.
    utf_16_to_utf_32: |src, dst| unsafe { avx512::utf_32::utf_16_to_utf_32(src, dst) },
    // SAFETY: as above.
    utf_16_len_of_utf_8: |src| unsafe { avx512::count::utf_16_len_of_utf_8(src) },
    // SAFETY: as above.
    scalars_in_utf_8: |src| unsafe { avx512::count::scalars_in_utf_8(src) },
    // SAFETY: as above.
    utf_8_len_of_latin_1: |src| unsafe { avx512::count::utf_8_len_of_latin_1(src) },
    // SAFETY: as above.
    utf_8_len_of_utf_32: |src| unsafe { avx512::count::utf_8_len_of_utf_32(src) },
    // SAFETY: as above.
    utf_16_len_of_utf_32: |src| unsafe { avx512::count::utf_16_len_of_utf_32(src) },
    // SAFETY: as above.
    utf_32_to_latin_1: |src, dst| unsafe { avx512::utf_32::utf_32_to_latin_1(src, dst) },
    // SAFETY: as above.
    utf_32_valid_prefix: |src| unsafe { avx512::utf_32::utf_32_valid_prefix(src) },
    // SAFETY: as above.
    single_byte_to_utf_16: |table, src, dst| unsafe {
        avx512::single_byte::single_byte_to_utf_16(table, src, dst)
    },
    // SAFETY: as above.
    single_byte_to_utf_8: |table, src, dst| unsafe {
        avx512::single_byte::single_byte_to_utf_8(&AVX512, table, src, dst)
    },
    // SAFETY: as above.
    utf_16_to_single_byte: |table, src, dst| unsafe {
        avx512::single_byte::utf_16_to_single_byte(table, src, dst)
    },
    utf_8_to_single_byte: |table, src, dst| {
        scalar::single_byte::utf_8_to_single_byte_by_script(&AVX512, table, src, dst)
    },
    // SAFETY: as above.
    latin_1_to_utf_8: |src, dst| unsafe { avx512::latin_1::latin_1_to_utf_8(src, dst) },
    // SAFETY: as above.
    utf_8_to_latin_1: |src, dst| unsafe { avx512::latin_1::utf_8_to_latin_1(src, dst) },
    ..avx2::table::KERNELS
};

pub(crate) static AVX512: Kernels = KERNELS;
