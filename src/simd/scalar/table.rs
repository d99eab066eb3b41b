//! The table of scalar kernels.

use super::blocks::convert_all;
use super::fill::{DamagedUtf8Source, Utf8Source, fill};
use super::{ascii, count, latin1, single_byte, two_byte, utf8, utf16, utf16_units, utf32};
use crate::simd::kernels::{Entries, Kernels, Transcoded};
use crate::simd::tables::Candidate;
use crate::simd::two_byte::decode::{OneByOne, ToUtf8, ToUtf16, three};
use crate::simd::two_byte::encode::{FromUtf8, FromUtf16};
use crate::simd::two_byte::iso_2022_jp::{self, put_unshifted, put_unshifted_bytes};

pub(in crate::simd) const NAME: &str = "scalar";

pub(in crate::simd) const ENTRIES: Entries = Entries {
    ascii_prefix: ascii::ascii_prefix,
    unshifted_prefix: ascii::unshifted_prefix,
    textual_prefix: ascii::textual_prefix,
    ascii_to_utf8: ascii::ascii_to_utf8,
    ascii_to_utf16: ascii::ascii_to_utf16,
    utf16le_to_ascii: utf16::utf16_to_ascii::<false>,
    utf16be_to_ascii: utf16::utf16_to_ascii::<true>,
    utf16le_to_utf16: utf16_units::utf16_to_utf16::<false>,
    utf16be_to_utf16: utf16_units::utf16_to_utf16::<true>,
    utf16le_to_utf16_lossy: utf16_units::utf16_to_utf16_lossy::<false>,
    utf16be_to_utf16_lossy: utf16_units::utf16_to_utf16_lossy::<true>,
    utf16_swap: |src, dst| convert_all(src, dst, u16::swap_bytes),
    utf16_valid_prefix: utf16_units::native_valid_prefix,
    utf8_len_from_utf16: utf16_units::utf8_len,
    count_scalars_utf16: utf16_units::scalars,
    utf8_valid_prefix: utf8::utf8_valid_prefix,
    utf8_to_utf8: |src, dst| utf8::utf8_to_utf8(&SCALAR, src, dst),
    utf8_to_utf8_lossy: |src, dst| utf8::utf8_to_utf8_lossy(&SCALAR, src, dst),
    utf8_to_utf16: |src, dst| Transcoded::from(fill(Utf8Source, src, dst)).counts(),
    utf16le_to_utf8: |src, dst| utf16::utf16_to_utf8(src, dst, false, false).counts(),
    utf16le_to_utf8_lossy: |src, dst| utf16::utf16_to_utf8(src, dst, false, true),
    utf16be_to_utf8: |src, dst| utf16::utf16_to_utf8(src, dst, true, false).counts(),
    utf16be_to_utf8_lossy: |src, dst| utf16::utf16_to_utf8(src, dst, true, true),
    utf8_to_utf16_lossy: |src, dst| fill(DamagedUtf8Source, src, dst).into(),
    inline_short: true,
    masks_ends: false,
    two_byte_to_utf8: |index, src, dst| two_byte::two_byte_to_utf8(&SCALAR, index, src, dst),
    utf16_to_two_byte: |cells, src, dst| two_byte::utf16_to_two_byte(&SCALAR, cells, src, dst),
    utf8_to_two_byte: |cells, src, dst| two_byte::utf8_to_two_byte(&SCALAR, cells, src, dst),
    two_byte_to_utf16: |index, src, dst| two_byte::two_byte_to_utf16(&SCALAR, index, src, dst),
    iso_2022_jp_to_utf8: |index, state, src, dst| {
        let ascii = put_unshifted_bytes::<u8>;
        iso_2022_jp::decode(
            ToUtf8 {
                ascii,
                three,
                threes: OneByOne,
            },
            index,
            state,
            src,
            dst,
        )
    },
    iso_2022_jp_to_utf16: |index, state, src, dst| {
        let ascii = put_unshifted_bytes::<u16>;
        iso_2022_jp::decode(ToUtf16 { ascii }, index, state, src, dst)
    },
    utf8_to_iso_2022_jp: |cells, pairs, src, dst| {
        let ascii = put_unshifted_bytes::<u8>;
        iso_2022_jp::encode(
            FromUtf8 {
                ascii,
                threes: OneByOne,
            },
            cells,
            pairs,
            src,
            dst,
        )
    },
    utf16_to_iso_2022_jp: |cells, pairs, src, dst| {
        let ascii = put_unshifted::<u16, u8>;
        iso_2022_jp::encode(FromUtf16 { ascii }, cells, pairs, src, dst)
    },
    single_byte_to_utf8: single_byte::single_byte_to_utf8,
    single_byte_to_utf16: single_byte::single_byte_to_utf16,
    utf8_to_single_byte: |table, src, dst| {
        single_byte::utf8_to_single_byte(&SCALAR, table, src, dst)
    },
    utf16_to_single_byte: single_byte::utf16_to_single_byte,
    user_defined_to_utf16: |src, dst| single_byte::user_defined_to_utf16(src, dst),
    utf16_to_user_defined: single_byte::utf16_to_user_defined,
    latin1_to_utf8: latin1::latin1_to_utf8,
    utf8_to_latin1: latin1::utf8_to_latin1,
    latin1_to_utf16: |src, dst| convert_all(src, dst, u16::from),
    latin1_to_utf32: |src, dst| convert_all(src, dst, u32::from),
    utf16_to_latin1: latin1::utf16_to_latin1,
    utf32_to_latin1: latin1::utf32_to_latin1,
    utf8_to_utf32: utf32::utf8_to_utf32,
    utf16_to_utf32: utf32::utf16_to_utf32,
    utf32_to_utf8: utf32::utf32_to_utf8,
    utf32_to_utf16: utf32::utf32_to_utf16,
    utf32_valid_prefix: utf32::utf32_valid_prefix,
    utf16_len_from_utf8: count::utf16_len_from_utf8,
    count_scalars_utf8: count::count_scalars_utf8,
    line_ends: count::line_ends,
    utf8_len_from_latin1: count::utf8_len_from_latin1,
    utf8_len_from_utf32: count::utf8_len_from_utf32,
    utf16_len_from_utf32: count::utf16_len_from_utf32,
};

// SAFETY: each kernel writes by way of slices and arrays, so it counts what it has written, and writes whole
// characters; std finds the prefixes of text.
pub(in crate::simd) static SCALAR: Kernels = unsafe { Kernels::new(NAME, ENTRIES) };

// SAFETY: plain Rust, which every machine can run.
pub(in crate::simd) static CANDIDATE: Candidate = unsafe { Candidate::new(&SCALAR, || true) };

/// The scalar kernels, for tables that inherit them.
#[allow(dead_code, reason = "only tables with vectors inherit them")]
pub(in crate::simd) fn kernels() -> &'static Kernels {
    &SCALAR
}
