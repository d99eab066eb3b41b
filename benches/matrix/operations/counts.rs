//! The length of a text in another form.

use simdtext::unicode;

use super::latin1::latin1;
use super::{List, Texts};
use crate::peers::standard;
use crate::timing::Contest;

pub(super) fn list(list: &mut List) {
    list.about("How much to allocate before a conversion; columns of language servers.")
        .many("utf16-len-of-utf8", |case| {
            Contest::<u8, u8>::looking(case.utf8())
                .ours(|src, _| unicode::utf16_len_from_utf8(src))
                .peer("simdutf", |src, _| simdutf::utf16_length_from_utf8(src))
                .peer("std", |src, _| standard::utf16_len_from_utf8(src))
                .run(case.cell)
        });
    list.about("The length of a text in characters.")
        .usual("scalars-in-utf8", |case| {
            Contest::<u8, u8>::looking(case.utf8())
                .ours(|src, _| unicode::count_scalars_utf8(src))
                .peer("simdutf", |src, _| simdutf::count_utf8(src))
                .peer("std", |src, _| standard::count_scalars_utf8(src))
                .run(case.cell)
        });
    list.about("How much to allocate, the other way.")
        .usual("utf8-len-of-utf16", |case| {
            Contest::<u16, u8>::looking(case.utf16())
                .ours(|src, _| unicode::utf8_len_from_utf16(src))
                .peer("simdutf", |src, _| simdutf::utf8_length_from_utf16(src))
                .peer("std", |src, _| standard::utf8_len_from_utf16(src))
                .run(case.cell)
        });
    list.about("The length of a text in characters.")
        .usual("scalars-in-utf16", |case| {
            Contest::<u16, u8>::looking(case.utf16())
                .ours(|src, _| unicode::count_scalars_utf16(src))
                .peer("simdutf", |src, _| simdutf::count_utf16(src))
                .peer("std", |src, _| standard::count_scalars_utf16(src))
                .run(case.cell)
        });
    list.texts = Texts::Latin1;
    list.about("How much to allocate, from Latin-1.")
        .usual("utf8-len-of-latin1", |case| {
            Contest::<u8, u8>::looking(latin1(case))
                .ours(|src, _| unicode::utf8_len_from_latin1(src))
                .peer("simdutf", |src, _| simdutf::utf8_length_from_latin1(src))
                .peer("std", |src, _| standard::utf8_len_from_latin1(src))
                .run(case.cell)
        });
}
