//! The table of AVX2 kernels.

use crate::simd::kernels::Kernels;
use crate::simd::scalar;
use crate::simd::two_byte::few::Few;
use crate::simd::x86_64::{avx2, sse4};

/// AVX2, which implies SSE4.2 and comes with POPCNT, BMI1 and BMI2. Selected only where they were detected: what
/// the calls below rest on.
pub(in crate::simd) const KERNELS: Kernels = Kernels {
    name: "avx2",
    // SAFETY: this table is selected only where AVX2, POPCNT, BMI1 and BMI2 were detected.
    ascii_prefix: |src| unsafe { avx2::ascii::ascii_prefix(src) },
    // SAFETY: as above.
    unshifted_prefix: |src| unsafe { avx2::ascii::unshifted_prefix(src) },
    // SAFETY: as above.
    textual_prefix: |src| unsafe { avx2::ascii::textual_prefix(src) },
    // SAFETY: as above.
    ascii_to_utf_8: |src, dst| unsafe { avx2::ascii::ascii_to_utf_8(src, dst) },
    // SAFETY: as above.
    ascii_to_utf_16: |src, dst| unsafe { avx2::ascii::ascii_to_utf_16(src, dst) },
    // SAFETY: as above.
    utf_16le_to_ascii: |src, dst| unsafe { avx2::ascii::utf_16_to_ascii::<false>(src, dst) },
    // SAFETY: as above.
    utf_16be_to_ascii: |src, dst| unsafe { avx2::ascii::utf_16_to_ascii::<true>(src, dst) },
    // SAFETY: as above.
    utf_8_valid_prefix: |src| unsafe { avx2::utf_8::utf_8_valid_prefix(src) },
    // SAFETY: as above.
    utf_8_to_utf_8: |src, dst| unsafe { avx2::utf_8::utf_8_to_utf_8(src, dst) },
    // SAFETY: as above.
    utf_8_to_utf_8_lossy: |src, dst| unsafe { avx2::utf_8_lossy::utf_8_to_utf_8_lossy(src, dst) },
    // SAFETY: as above.
    utf_8_to_utf_16: |src, dst| unsafe { avx2::utf_8_to_utf_16::utf_8_to_utf_16(src, dst) },
    // SAFETY: as above.
    utf_8_to_utf_16le: |src, dst| unsafe {
        avx2::utf_8_to_utf_16::utf_8_to_utf_16_bytes::<false>(src, dst)
    },
    // SAFETY: as above.
    utf_8_to_utf_16be: |src, dst| unsafe {
        avx2::utf_8_to_utf_16::utf_8_to_utf_16_bytes::<true>(src, dst)
    },
    // SAFETY: as above.
    utf_8_to_utf_16_lossy: |src, dst| unsafe {
        avx2::utf_8_to_utf_16::utf_8_to_utf_16_lossy(src, dst)
    },
    // SAFETY: as above.
    utf_16le_to_utf_8: |src, dst| unsafe {
        avx2::utf_16::utf_16_to_utf_8::<false, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf_16le_to_utf_8_lossy: |src, dst| unsafe {
        avx2::utf_16::utf_16_to_utf_8::<false, true>(src, dst)
    },
    // SAFETY: as above.
    utf_16be_to_utf_8: |src, dst| unsafe {
        avx2::utf_16::utf_16_to_utf_8::<true, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf_16be_to_utf_8_lossy: |src, dst| unsafe {
        avx2::utf_16::utf_16_to_utf_8::<true, true>(src, dst)
    },
    // SAFETY: as above.
    utf_16le_to_utf_16: |src, dst| unsafe {
        avx2::utf_16_units::utf_16_to_utf_16::<false>(src, dst)
    },
    // SAFETY: as above.
    utf_16le_to_utf_16_lossy: |src, dst| unsafe {
        avx2::utf_16_units::utf_16_to_utf_16_lossy::<false>(src, dst)
    },
    // SAFETY: as above.
    utf_16be_to_utf_16: |src, dst| unsafe {
        avx2::utf_16_units::utf_16_to_utf_16::<true>(src, dst)
    },
    // SAFETY: as above.
    utf_16be_to_utf_16_lossy: |src, dst| unsafe {
        avx2::utf_16_units::utf_16_to_utf_16_lossy::<true>(src, dst)
    },
    // SAFETY: as above.
    utf_16_swap: |src, dst| unsafe { avx2::utf_16_units::swap(src, dst) },
    // SAFETY: as above.
    utf_16_valid_prefix: |src| unsafe { avx2::utf_16_count::valid_prefix(src) },
    // SAFETY: as above.
    utf_8_len_of_utf_16: |src| unsafe { avx2::utf_16_count::utf_8_len(src) },
    // SAFETY: as above.
    scalars_in_utf_16: |src| unsafe { avx2::utf_16_count::scalars(src) },
    few: Few::Some,
    // SAFETY: as above.
    utf_16_to_two_byte: |cells, src, dst| unsafe {
        avx2::two_byte_steps::utf_16_to_two_byte(cells, src, dst)
    },
    // SAFETY: as above.
    utf_8_to_two_byte: |cells, src, dst| unsafe {
        avx2::two_byte_steps::utf_8_to_two_byte(cells, src, dst)
    },
    // SAFETY: as above.
    two_byte_to_utf_16: |index, src, dst| unsafe {
        avx2::two_byte_steps::two_byte_to_utf_16(index, src, dst)
    },
    // SAFETY: as above.
    two_byte_to_utf_8: |index, src, dst| unsafe {
        avx2::two_byte_steps::two_byte_to_utf_8(index, src, dst)
    },
    // SAFETY: as above.
    iso_2022_jp_to_utf_8: |index, state, src, dst| unsafe {
        avx2::iso_2022_jp::to_utf_8(index, state, src, dst)
    },
    // SAFETY: as above.
    iso_2022_jp_to_utf_16: |index, state, src, dst| unsafe {
        avx2::iso_2022_jp::to_utf_16(index, state, src, dst)
    },
    // SAFETY: as above.
    utf_8_to_iso_2022_jp: |cells, pairs, src, dst| unsafe {
        avx2::iso_2022_jp::of_utf_8(cells, pairs, src, dst)
    },
    // SAFETY: as above.
    utf_16_to_iso_2022_jp: |cells, pairs, src, dst| unsafe {
        avx2::iso_2022_jp::of_utf_16(cells, pairs, src, dst)
    },
    // SAFETY: as above.
    single_byte_to_utf_8: |table, src, dst| unsafe {
        avx2::single_byte_to_utf_8::single_byte_to_utf_8(&AVX2, table, src, dst)
    },
    utf_8_to_single_byte: |table, src, dst| {
        scalar::single_byte::utf_8_to_single_byte_by_script(&AVX2, table, src, dst)
    },
    // SAFETY: as above.
    user_defined_to_utf_16: |src, dst| unsafe {
        avx2::single_byte_short::user_defined_to_utf_16(src, dst)
    },
    // SAFETY: as above.
    single_byte_to_utf_16: |table, src, dst| unsafe {
        avx2::single_byte::single_byte_to_utf_16(table, src, dst)
    },
    // SAFETY: as above.
    utf_16_to_single_byte: |table, src, dst| unsafe {
        avx2::single_byte::utf_16_to_single_byte(table, src, dst)
    },
    // SAFETY: as above.
    latin_1_to_utf_8: |src, dst| unsafe { avx2::latin_1::latin_1_to_utf_8(src, dst) },
    // SAFETY: as above.
    utf_8_to_latin_1: |src, dst| unsafe { avx2::latin_1::utf_8_to_latin_1(src, dst) },
    // SAFETY: as above.
    utf_8_to_utf_32: |src, dst| unsafe { avx2::utf_8_to_utf_32::utf_8_to_utf_32(src, dst) },
    // SAFETY: as above.
    utf_32_to_utf_8: |src, dst| unsafe { avx2::utf_32_to_utf_8::utf_32_to_utf_8(src, dst) },
    // SAFETY: as above.
    utf_32_to_utf_16: |src, dst| unsafe { avx2::utf_32::utf_32_to_utf_16(src, dst) },
    // SAFETY: as above.
    utf_16_to_utf_32: |src, dst| unsafe { avx2::utf_32::utf_16_to_utf_32(src, dst) },
    // SAFETY: as above.
    utf_32_valid_prefix: |src| unsafe { avx2::utf_32::utf_32_valid_prefix(src) },
    // SAFETY: as above.
    latin_1_to_utf_16: |src, dst| unsafe { avx2::latin_1_units::latin_1_to_utf_16(src, dst) },
    // SAFETY: as above.
    latin_1_to_utf_32: |src, dst| unsafe { avx2::latin_1_units::latin_1_to_utf_32(src, dst) },
    // SAFETY: as above.
    utf_16_to_latin_1: |src, dst| unsafe { avx2::latin_1_units::utf_16_to_latin_1(src, dst) },
    // SAFETY: as above.
    utf_32_to_latin_1: |src, dst| unsafe { avx2::latin_1_units::utf_32_to_latin_1(src, dst) },
    // SAFETY: as above.
    utf_16_len_of_utf_8: |src| unsafe { avx2::count::utf_16_len_of_utf_8(src) },
    // SAFETY: as above.
    scalars_in_utf_8: |src| unsafe { avx2::count::scalars_in_utf_8(src) },
    // SAFETY: as above.
    line_ends: |src| unsafe { avx2::count::line_ends(src) },
    // SAFETY: as above.
    utf_8_len_of_latin_1: |src| unsafe { avx2::count::utf_8_len_of_latin_1(src) },
    // SAFETY: as above.
    utf_8_len_of_utf_32: |src| unsafe { avx2::count::utf_8_len_of_utf_32(src) },
    // SAFETY: as above.
    utf_16_len_of_utf_32: |src| unsafe { avx2::count::utf_16_len_of_utf_32(src) },
    ..sse4::table::KERNELS
};

pub(crate) static AVX2: Kernels = KERNELS;
