//! Well-formed UTF-8: validated, copied, converted to UTF-16.

use encoding_rs::{Encoding, mem};
use simdtext::unicode;

use super::List;
use crate::peers::{simdutf, standard};
use crate::timing::{Contest, Role};

pub(super) fn list(list: &mut List) {
    list.about("Is this UTF-8? What every reader of text asks first; it bounds all that follows.")
        .all("utf8-validate", |case| {
            Contest::<u8, u8>::looking(case.utf8())
                .ours(|src, _| usize::from(unicode::validate_utf8(src).is_ok()))
                .peer("simdutf8", |src, _| {
                    simdutf8::basic::from_utf8(src).is_ok().into()
                })
                .peer("simdutf", |src, _| ::simdutf::validate_utf8(src).into())
                .peer("encoding_rs", |src, _| {
                    usize::from(Encoding::utf8_valid_up_to(src) == src.len())
                })
                .peer("std", |src, _| str::from_utf8(src).is_ok().into())
                .run(case.cell)
        });
    list.about(
        "Validate and copy: decoding UTF-8 into a buffer of one's own. memcpy is the limit.",
    )
    .all("utf8-copy", |case| {
        Contest::<u8, u8>::converting(case.utf8(), 1)
            .ours(|src, dst| unicode::utf8_to_utf8(src, dst).written)
            .peer("simdutf8, memcpy", |src, dst| {
                standard::copy(
                    simdutf8::basic::from_utf8(src).unwrap_or("").as_bytes(),
                    dst,
                )
            })
            .peer("encoding_rs", |src, dst| {
                let mut decoder = encoding_rs::UTF_8.new_decoder_without_bom_handling();
                decoder.decode_to_utf8(src, dst, true).2
            })
            .peer("std", standard::utf8_copy)
            .enter(Role::Limit, "memcpy", standard::copy)
            .run(case.cell)
    });
    list.about("From files and the network into the strings of JavaScript, Java, C# and Windows.")
        .all("utf8-to-utf16", |case| {
            Contest::<u8, u16>::converting(case.utf8(), 1)
                .ours(|src, dst| unicode::utf8_to_utf16(src, dst).written)
                .peer("simdutf", |src, dst| simdutf::UTF8_TO_UTF16.call(src, dst))
                .peer("encoding_rs", |src, dst| {
                    mem::convert_utf8_to_utf16_without_replacement(src, dst).unwrap_or(0)
                })
                .peer("std", standard::utf8_to_utf16)
                .run(case.cell)
        });
}
