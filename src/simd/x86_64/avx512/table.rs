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
    ascii_to_utf8: |src, dst| unsafe { avx512::ascii::ascii_to_utf8(src, dst) },
    // SAFETY: as above.
    utf8_valid_prefix: |src| unsafe { avx512::utf8::utf8_valid_prefix(src) },
    // SAFETY: as above.
    utf8_to_utf8: |src, dst| unsafe { avx512::utf8::utf8_to_utf8(src, dst) },
    // SAFETY: as above.
    utf8_to_utf8_lossy: |src, dst| unsafe { avx512::utf8_lossy::utf8_to_utf8_lossy(src, dst) },
    // SAFETY: as above.
    utf16le_to_utf16: |src, dst| unsafe { avx512::utf16_units::utf16_to_utf16::<false>(src, dst) },
    // SAFETY: as above.
    utf16le_to_utf16_lossy: |src, dst| unsafe {
        avx512::utf16_units::utf16_to_utf16_lossy::<false>(src, dst)
    },
    // SAFETY: as above.
    utf16be_to_utf16: |src, dst| unsafe { avx512::utf16_units::utf16_to_utf16::<true>(src, dst) },
    // SAFETY: as above.
    utf16be_to_utf16_lossy: |src, dst| unsafe {
        avx512::utf16_units::utf16_to_utf16_lossy::<true>(src, dst)
    },
    // SAFETY: as above.
    utf16_valid_prefix: |src| unsafe { avx512::utf16_count::valid_prefix(src) },
    // SAFETY: as above.
    utf8_len_from_utf16: |src| unsafe { avx512::utf16_count::utf8_len(src) },
    // SAFETY: as above.
    count_scalars_utf16: |src| unsafe { avx512::utf16_count::scalars(src) },
    // SAFETY: as above.
    utf8_to_utf16: |src, dst| unsafe { avx512::utf8_to_utf16::utf8_to_utf16(src, dst) },
    // SAFETY: as above.
    utf8_to_utf16le: |src, dst| unsafe {
        avx512::utf8_to_utf16::utf8_to_utf16_bytes::<false>(src, dst)
    },
    // SAFETY: as above.
    utf8_to_utf16be: |src, dst| unsafe {
        avx512::utf8_to_utf16::utf8_to_utf16_bytes::<true>(src, dst)
    },
    // SAFETY: as above.
    utf8_to_utf16_lossy: |src, dst| unsafe { avx512::utf8_to_utf16::utf8_to_utf16_lossy(src, dst) },
    // SAFETY: as above.
    utf8_to_utf32: |src, dst| unsafe { avx512::utf8_to_utf32::utf8_to_utf32(src, dst) },
    // SAFETY: as above.
    utf32_to_utf16: |src, dst| unsafe { avx512::utf32::utf32_to_utf16(src, dst) },
    // SAFETY: as above.
    utf16_to_utf32: |src, dst| unsafe { avx512::utf32::utf16_to_utf32(src, dst) },
    // SAFETY: as above.
    utf16_len_from_utf8: |src| unsafe { avx512::count::utf16_len_from_utf8(src) },
    // SAFETY: as above.
    utf32_to_latin1: |src, dst| unsafe { avx512::utf32::utf32_to_latin1(src, dst) },
    // SAFETY: as above.
    utf32_valid_prefix: |src| unsafe { avx512::utf32::utf32_valid_prefix(src) },
    // SAFETY: as above.
    single_byte_to_utf16: |table, src, dst| unsafe {
        avx512::single_byte::single_byte_to_utf16(table, src, dst)
    },
    // SAFETY: as above.
    utf16_to_single_byte: |table, src, dst| unsafe {
        avx512::single_byte::utf16_to_single_byte(table, src, dst)
    },
    utf8_to_single_byte: |table, src, dst| {
        scalar::single_byte::utf8_to_single_byte_by_script(&AVX512, table, src, dst)
    },
    ..avx2::table::KERNELS
};

pub(crate) static AVX512: Kernels = KERNELS;
