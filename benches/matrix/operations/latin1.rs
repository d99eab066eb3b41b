//! Latin-1 (true ISO-8859-1), to and from UTF-8 and UTF-16.

use encoding_rs::mem;
use simdtext::unicode;

use super::{Case, List};
use crate::peers::{simdutf, standard};
use crate::timing::{Contest, Pieces};

pub(super) fn list(list: &mut List) {
    list.about("Strings of JavaScript and Python engines, HTTP headers, old databases: out.")
        .many("latin1-to-utf8", |case| {
            Contest::<u8, u8>::converting(latin1(case), 2)
                .ours(|src, dst| unicode::latin1_to_utf8(src, dst).written)
                .peer("simdutf", |src, dst| simdutf::LATIN1_TO_UTF8.call(src, dst))
                .peer("encoding_rs", mem::convert_latin1_to_utf8)
                .peer("std", |src, dst| {
                    standard::write_utf8(src.iter().copied().map(char::from), dst)
                })
                .run(case.cell)
        });
    list.about(
        "Into one-byte strings. encoding_rs does not validate: it is told that all is well.",
    )
    .many("utf8-to-latin1", |case| {
        let src = case.within_latin1().into_iter().map(String::into_bytes);
        Contest::<u8, u8>::converting(Pieces::new(src), 1)
            .ours(|src, dst| unicode::utf8_to_latin1(src, dst).written)
            .peer("simdutf", |src, dst| simdutf::UTF8_TO_LATIN1.call(src, dst))
            .peer("encoding_rs", mem::convert_utf8_to_latin1_lossy)
            .peer("std", |src, dst| {
                let chars = str::from_utf8(src).unwrap_or("").chars();
                standard::write(chars.map(|ch| u8::try_from(ch).unwrap_or(b'?')), dst)
            })
            .run(case.cell)
    });
    list.about("A string that gets its first character above U+00FF. Stores are the limit.")
        .many("latin1-to-utf16", |case| {
            Contest::<u8, u16>::converting(latin1(case), 1)
                .ours(|src, dst| unicode::latin1_to_utf16(src, dst).written)
                .peer("simdutf", |src, dst| {
                    simdutf::LATIN1_TO_UTF16.call(src, dst)
                })
                .peer("encoding_rs", |src, dst| {
                    mem::convert_latin1_to_utf16(src, dst);
                    src.len()
                })
                .peer("std", |src, dst| {
                    standard::write(src.iter().copied().map(u16::from), dst)
                })
                .run(case.cell)
        });
    list.about("Can this string be stored in half the space? encoding_rs does not look whether.")
        .many("utf16-to-latin1", |case| {
            let pieces = case.within_latin1().into_iter();
            let src = Pieces::new(pieces.map(|piece| piece.encode_utf16().collect()));
            Contest::<u16, u8>::converting(src, 1)
                .ours(|src, dst| unicode::utf16_to_latin1(src, dst).written)
                .peer("simdutf", |src, dst| {
                    simdutf::UTF16_TO_LATIN1.call(src, dst)
                })
                .peer("encoding_rs", |src, dst| {
                    mem::convert_utf16_to_latin1_lossy(src, dst);
                    src.len()
                })
                .peer("std", |src, dst| {
                    let bytes = src.iter().map(|&unit| u8::try_from(unit).unwrap_or(b'?'));
                    standard::write(bytes, dst)
                })
                .run(case.cell)
        });
    list.about("One-byte strings as arrays of characters. Stores are the limit.")
        .usual("latin1-to-utf32", |case| {
            Contest::<u8, u32>::converting(latin1(case), 1)
                .ours(|src, dst| unicode::latin1_to_utf32(src, dst).written)
                .peer("simdutf", |src, dst| {
                    simdutf::LATIN1_TO_UTF32.call(src, dst)
                })
                .peer("std", |src, dst| {
                    standard::write(src.iter().copied().map(u32::from), dst)
                })
                .run(case.cell)
        });
}

/// The text in Latin-1, without the characters that Latin-1 lacks.
pub(super) fn latin1(case: &Case<'_>) -> Pieces<u8> {
    let pieces = case.within_latin1().into_iter();
    let byte = |ch| u8::try_from(ch).ok();
    Pieces::new(pieces.map(|piece| piece.chars().filter_map(byte).collect()))
}
