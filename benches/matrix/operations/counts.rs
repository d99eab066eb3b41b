//! How long a text is in another form.

use simdtext::unicode;

use super::{Case, Operation, Sizes, Texts};
use crate::peers::standard;
use crate::timing::{Contest, Measured, Pieces};

pub(super) const OPERATIONS: [Operation; 5] = [
    Operation::new(
        "counts",
        "utf16-len-of-utf8",
        "How much to allocate before a conversion; columns of language servers.",
        utf_16_len_of_utf_8,
    )
    .sizes(Sizes::Many),
    Operation::new(
        "counts",
        "scalars-in-utf8",
        "The length of a text in characters.",
        scalars_in_utf_8,
    ),
    Operation::new(
        "counts",
        "utf8-len-of-utf16",
        "How much to allocate, the other way.",
        utf_8_len_of_utf_16,
    ),
    Operation::new(
        "counts",
        "scalars-in-utf16",
        "The length of a text in characters.",
        scalars_in_utf_16,
    ),
    Operation::new(
        "counts",
        "utf8-len-of-latin1",
        "How much to allocate, from Latin-1.",
        utf_8_len_of_latin_1,
    )
    .on(Texts::Latin1),
];

fn utf_16_len_of_utf_8(case: &Case<'_>) -> Result<Measured, String> {
    Contest::<u8, u8>::looking(case.utf_8())
        .ours(|src, _| unicode::utf_16_len_of_utf_8(src))
        .peer("simdutf", |src, _| simdutf::utf16_length_from_utf8(src))
        .peer("std", |src, _| standard::utf_16_len_of_utf_8(src))
        .run(case.effort)
}

fn scalars_in_utf_8(case: &Case<'_>) -> Result<Measured, String> {
    Contest::<u8, u8>::looking(case.utf_8())
        .ours(|src, _| unicode::scalars_in_utf_8(src))
        .peer("simdutf", |src, _| simdutf::count_utf8(src))
        .peer("std", |src, _| standard::scalars_in_utf_8(src))
        .run(case.effort)
}

fn utf_8_len_of_utf_16(case: &Case<'_>) -> Result<Measured, String> {
    Contest::<u16, u8>::looking(case.utf_16())
        .ours(|src, _| unicode::utf_8_len_of_utf_16(src))
        .peer("simdutf", |src, _| simdutf::utf8_length_from_utf16(src))
        .peer("std", |src, _| standard::utf_8_len_of_utf_16(src))
        .run(case.effort)
}

fn scalars_in_utf_16(case: &Case<'_>) -> Result<Measured, String> {
    Contest::<u16, u8>::looking(case.utf_16())
        .ours(|src, _| unicode::scalars_in_utf_16(src))
        .peer("simdutf", |src, _| simdutf::count_utf16(src))
        .peer("std", |src, _| standard::scalars_in_utf_16(src))
        .run(case.effort)
}

fn utf_8_len_of_latin_1(case: &Case<'_>) -> Result<Measured, String> {
    let bytes = |piece: String| {
        piece
            .chars()
            .filter_map(|ch| u8::try_from(ch).ok())
            .collect()
    };
    let src = Pieces::new(case.within_latin_1().into_iter().map(bytes));
    Contest::<u8, u8>::looking(src)
        .ours(|src, _| unicode::utf_8_len_of_latin_1(src))
        .peer("simdutf", |src, _| simdutf::utf8_length_from_latin1(src))
        .peer("std", |src, _| standard::utf_8_len_of_latin_1(src))
        .run(case.effort)
}
