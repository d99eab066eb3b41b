//! UTF-32, from and to UTF-8 and UTF-16.

use simdtext::unicode;

use super::List;
use crate::peers::{simdutf, standard};
use crate::timing::Contest;

pub(super) fn list(list: &mut List) {
    list.about("Into arrays of characters: Python's strings, wchar_t, font and regex engines.")
        .many("utf8-to-utf32", |case| {
            Contest::<u8, u32>::converting(case.utf8(), 1)
                .ours(|src, dst| unicode::utf8_to_utf32(src, dst).written)
                .peer("simdutf", |src, dst| simdutf::UTF8_TO_UTF32.call(src, dst))
                .peer("std", standard::utf8_to_utf32)
                .run(case.cell)
        });
    list.about("From arrays of characters to files and the network.")
        .many("utf32-to-utf8", |case| {
            Contest::<u32, u8>::converting(case.utf32(), 4)
                .ours(|src, dst| unicode::utf32_to_utf8(src, dst).written)
                .peer("simdutf", |src, dst| simdutf::UTF32_TO_UTF8.call(src, dst))
                .peer("std", |src, dst| {
                    standard::write_utf8(standard::utf32_chars(src), dst)
                })
                .run(case.cell)
        });
    list.about("Are these scalar values? Memory is the limit.")
        .usual("utf32-validate", |case| {
            Contest::<u32, u8>::looking(case.utf32())
                .ours(|src, _| usize::from(unicode::validate_utf32(src).is_ok()))
                .peer("simdutf", |src, _| ::simdutf::validate_utf32(src).into())
                .peer("std", |src, _| {
                    src.iter()
                        .all(|&unit| char::from_u32(unit).is_some())
                        .into()
                })
                .run(case.cell)
        });
    list.about("From UTF-16 to arrays of characters; mostly a widening.")
        .usual("utf16-to-utf32", |case| {
            Contest::<u16, u32>::converting(case.utf16(), 1)
                .ours(|src, dst| unicode::utf16_to_utf32(src, dst).written)
                .peer("simdutf", |src, dst| simdutf::UTF16_TO_UTF32.call(src, dst))
                .peer("std", |src, dst| {
                    let chars = standard::utf16_chars(src.iter().copied());
                    standard::write(chars.map(u32::from), dst)
                })
                .run(case.cell)
        });
    list.about("From arrays of characters to UTF-16; mostly a narrowing.")
        .usual("utf32-to-utf16", |case| {
            Contest::<u32, u16>::converting(case.utf32(), 2)
                .ours(|src, dst| unicode::utf32_to_utf16(src, dst).written)
                .peer("simdutf", |src, dst| simdutf::UTF32_TO_UTF16.call(src, dst))
                .peer("std", |src, dst| {
                    standard::write_utf16(standard::utf32_chars(src), dst)
                })
                .run(case.cell)
        });
}
