//! UTF-32, from and to UTF-8 and UTF-16.

use simdtext::unicode;

use super::{Case, Operation};
use crate::peers::{simdutf, standard};
use crate::timing::{Contest, Measured};

pub(super) const OPERATIONS: [Operation; 4] = [
    Operation::new(
        "utf32",
        "utf8-to-utf32",
        "Into arrays of characters: Python's strings, wchar_t, font and regex engines.",
        from_utf_8,
    ),
    Operation::new("utf32", "utf32-to-utf8", "And back.", to_utf_8),
    Operation::new(
        "utf32",
        "utf16-to-utf32",
        "The same from UTF-16; mostly a widening.",
        from_utf_16,
    ),
    Operation::new(
        "utf32",
        "utf32-to-utf16",
        "And back; mostly a narrowing.",
        to_utf_16,
    ),
];

fn from_utf_8(case: &Case<'_>) -> Result<Measured, String> {
    Contest::<u8, u32>::converting(case.utf_8(), 1)
        .ours(|src, dst| unicode::utf_8_to_utf_32(src, dst).written)
        .peer("simdutf", simdutf::utf_8_to_utf_32)
        .peer("std", standard::utf_8_to_utf_32)
        .run(case.effort)
}

fn to_utf_8(case: &Case<'_>) -> Result<Measured, String> {
    Contest::<u32, u8>::converting(case.utf_32(), 4)
        .ours(|src, dst| unicode::utf_32_to_utf_8(src, dst).written)
        .peer("simdutf", simdutf::utf_32_to_utf_8)
        .peer("std", |src, dst| {
            standard::write_utf_8(standard::utf_32_chars(src), dst)
        })
        .run(case.effort)
}

fn from_utf_16(case: &Case<'_>) -> Result<Measured, String> {
    Contest::<u16, u32>::converting(case.utf_16(), 1)
        .ours(|src, dst| unicode::utf_16_to_utf_32(src, dst).written)
        .peer("simdutf", simdutf::utf_16_to_utf_32)
        .peer("std", |src, dst| {
            let chars = standard::utf_16_chars(src.iter().copied());
            standard::write(chars.map(u32::from), dst)
        })
        .run(case.effort)
}

fn to_utf_16(case: &Case<'_>) -> Result<Measured, String> {
    Contest::<u32, u16>::converting(case.utf_32(), 2)
        .ours(|src, dst| unicode::utf_32_to_utf_16(src, dst).written)
        .peer("simdutf", simdutf::utf_32_to_utf_16)
        .peer("std", |src, dst| {
            standard::write_utf_16(standard::utf_32_chars(src), dst)
        })
        .run(case.effort)
}
