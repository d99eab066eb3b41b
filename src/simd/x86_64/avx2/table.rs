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
    ascii_to_utf8: |src, dst| unsafe { avx2::ascii::ascii_to_utf8(src, dst) },
    // SAFETY: as above.
    ascii_to_utf16: |src, dst| unsafe { avx2::ascii::ascii_to_utf16(src, dst) },
    // SAFETY: as above.
    utf16le_to_ascii: |src, dst| unsafe { avx2::ascii::utf16_to_ascii::<false>(src, dst) },
    // SAFETY: as above.
    utf16be_to_ascii: |src, dst| unsafe { avx2::ascii::utf16_to_ascii::<true>(src, dst) },
    // SAFETY: as above.
    utf8_valid_prefix: |src| unsafe { avx2::utf8::utf8_valid_prefix(src) },
    // SAFETY: as above.
    utf8_to_utf8: |src, dst| unsafe { avx2::utf8::utf8_to_utf8(src, dst) },
    // SAFETY: as above.
    utf8_to_utf8_lossy: |src, dst| unsafe { avx2::utf8_lossy::utf8_to_utf8_lossy(src, dst) },
    // SAFETY: as above.
    utf8_to_utf16: |src, dst| unsafe { avx2::utf8_to_utf16::utf8_to_utf16(src, dst) },
    // SAFETY: as above.
    utf8_to_utf16le: |src, dst| unsafe {
        avx2::utf8_to_utf16::utf8_to_utf16_bytes::<false>(src, dst)
    },
    // SAFETY: as above.
    utf8_to_utf16be: |src, dst| unsafe {
        avx2::utf8_to_utf16::utf8_to_utf16_bytes::<true>(src, dst)
    },
    // SAFETY: as above.
    utf8_to_utf16_lossy: |src, dst| unsafe { avx2::utf8_to_utf16::utf8_to_utf16_lossy(src, dst) },
    // SAFETY: as above.
    utf16le_to_utf8: |src, dst| unsafe {
        avx2::utf16::utf16_to_utf8::<false, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf16le_to_utf8_lossy: |src, dst| unsafe {
        avx2::utf16::utf16_to_utf8::<false, true>(src, dst)
    },
    // SAFETY: as above.
    utf16be_to_utf8: |src, dst| unsafe {
        avx2::utf16::utf16_to_utf8::<true, false>(src, dst).counts()
    },
    // SAFETY: as above.
    utf16be_to_utf8_lossy: |src, dst| unsafe { avx2::utf16::utf16_to_utf8::<true, true>(src, dst) },
    // SAFETY: as above.
    utf16le_to_utf16: |src, dst| unsafe { avx2::utf16_units::utf16_to_utf16::<false>(src, dst) },
    // SAFETY: as above.
    utf16le_to_utf16_lossy: |src, dst| unsafe {
        avx2::utf16_units::utf16_to_utf16_lossy::<false>(src, dst)
    },
    // SAFETY: as above.
    utf16be_to_utf16: |src, dst| unsafe { avx2::utf16_units::utf16_to_utf16::<true>(src, dst) },
    // SAFETY: as above.
    utf16be_to_utf16_lossy: |src, dst| unsafe {
        avx2::utf16_units::utf16_to_utf16_lossy::<true>(src, dst)
    },
    // SAFETY: as above.
    utf16_swap: |src, dst| unsafe { avx2::utf16_units::swap(src, dst) },
    // SAFETY: as above.
    utf16_valid_prefix: |src| unsafe { avx2::utf16_count::valid_prefix(src) },
    // SAFETY: as above.
    utf8_len_from_utf16: |src| unsafe { avx2::utf16_count::utf8_len(src) },
    // SAFETY: as above.
    count_scalars_utf16: |src| unsafe { avx2::utf16_count::scalars(src) },
    few: Few::Some,
    // SAFETY: as above.
    utf16_to_two_byte: |cells, src, dst| unsafe {
        avx2::two_byte_steps::utf16_to_two_byte(cells, src, dst)
    },
    // SAFETY: as above.
    utf8_to_two_byte: |cells, src, dst| unsafe {
        avx2::two_byte_steps::utf8_to_two_byte(cells, src, dst)
    },
    // SAFETY: as above.
    two_byte_to_utf16: |index, src, dst| unsafe {
        avx2::two_byte_steps::two_byte_to_utf16(index, src, dst)
    },
    // SAFETY: as above.
    two_byte_to_utf8: |index, src, dst| unsafe {
        avx2::two_byte_steps::two_byte_to_utf8(index, src, dst)
    },
    // SAFETY: as above.
    iso_2022_jp_to_utf8: |index, state, src, dst| unsafe {
        avx2::iso_2022_jp::to_utf8(index, state, src, dst)
    },
    // SAFETY: as above.
    iso_2022_jp_to_utf16: |index, state, src, dst| unsafe {
        avx2::iso_2022_jp::to_utf16(index, state, src, dst)
    },
    // SAFETY: as above.
    utf8_to_iso_2022_jp: |cells, pairs, src, dst| unsafe {
        avx2::iso_2022_jp::of_utf8(cells, pairs, src, dst)
    },
    // SAFETY: as above.
    utf16_to_iso_2022_jp: |cells, pairs, src, dst| unsafe {
        avx2::iso_2022_jp::of_utf16(cells, pairs, src, dst)
    },
    // SAFETY: as above.
    single_byte_to_utf8: |table, src, dst| unsafe {
        avx2::single_byte_to_utf8::single_byte_to_utf8(&AVX2, table, src, dst)
    },
    utf8_to_single_byte: |table, src, dst| {
        scalar::single_byte::utf8_to_single_byte_by_script(&AVX2, table, src, dst)
    },
    // SAFETY: as above.
    user_defined_to_utf16: |src, dst| unsafe {
        avx2::single_byte_short::user_defined_to_utf16(src, dst)
    },
    // SAFETY: as above.
    single_byte_to_utf16: |table, src, dst| unsafe {
        avx2::single_byte::single_byte_to_utf16(table, src, dst)
    },
    // SAFETY: as above.
    utf16_to_single_byte: |table, src, dst| unsafe {
        avx2::single_byte::utf16_to_single_byte(table, src, dst)
    },
    // SAFETY: as above.
    latin1_to_utf8: |src, dst| unsafe { avx2::latin1::latin1_to_utf8(src, dst) },
    // SAFETY: as above.
    utf8_to_latin1: |src, dst| unsafe { avx2::latin1::utf8_to_latin1(src, dst) },
    // SAFETY: as above.
    utf8_to_utf32: |src, dst| unsafe { avx2::utf8_to_utf32::utf8_to_utf32(src, dst) },
    // SAFETY: as above.
    utf32_to_utf8: |src, dst| unsafe { avx2::utf32_to_utf8::utf32_to_utf8(src, dst) },
    // SAFETY: as above.
    utf32_to_utf16: |src, dst| unsafe { avx2::utf32::utf32_to_utf16(src, dst) },
    // SAFETY: as above.
    utf16_to_utf32: |src, dst| unsafe { avx2::utf32::utf16_to_utf32(src, dst) },
    // SAFETY: as above.
    utf32_valid_prefix: |src| unsafe { avx2::utf32::utf32_valid_prefix(src) },
    // SAFETY: as above.
    latin1_to_utf16: |src, dst| unsafe { avx2::latin1_units::latin1_to_utf16(src, dst) },
    // SAFETY: as above.
    latin1_to_utf32: |src, dst| unsafe { avx2::latin1_units::latin1_to_utf32(src, dst) },
    // SAFETY: as above.
    utf16_to_latin1: |src, dst| unsafe { avx2::latin1_units::utf16_to_latin1(src, dst) },
    // SAFETY: as above.
    utf32_to_latin1: |src, dst| unsafe { avx2::latin1_units::utf32_to_latin1(src, dst) },
    // SAFETY: as above.
    utf16_len_from_utf8: |src| unsafe { avx2::count::utf16_len_from_utf8(src) },
    // SAFETY: as above.
    count_scalars_utf8: |src| unsafe { avx2::count::count_scalars_utf8(src) },
    // SAFETY: as above.
    line_ends: |src| unsafe { avx2::count::line_ends(src) },
    // SAFETY: as above.
    utf8_len_from_latin1: |src| unsafe { avx2::count::utf8_len_from_latin1(src) },
    // SAFETY: as above.
    utf8_len_from_utf32: |src| unsafe { avx2::count::utf8_len_from_utf32(src) },
    // SAFETY: as above.
    utf16_len_from_utf32: |src| unsafe { avx2::count::utf16_len_from_utf32(src) },
    ..sse4::table::KERNELS
};

pub(crate) static AVX2: Kernels = KERNELS;
