//! Well-formed UTF-8: looked at, copied, converted to UTF-16.

use encoding_rs::{Encoding, mem};
use simdtext::unicode;

use super::{Operation, Sizes, Texts, family};
use crate::peers::{simdutf, standard};
use crate::timing::Contest;

pub(super) const OPERATIONS: [Operation; 3] = family(
    "utf8",
    Texts::Every,
    [
        Operation::new(
            "utf8-validate",
            "Is this UTF-8? What every reader of text asks first; it bounds all that follows.",
            |case| {
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
                    .run(case.effort)
            },
        )
        .sizes(Sizes::All),
        Operation::new(
            "utf8-copy",
            "Validate and copy: decoding UTF-8 into a buffer of one's own. memcpy is the limit.",
            |case| {
                Contest::<u8, u8>::converting(case.utf8(), 1)
                    .ours(|src, dst| unicode::utf8_to_utf8(src, dst).written)
                    .peer("simdutf8, memcpy", |src, dst| {
                        let text = simdutf8::basic::from_utf8(src).unwrap_or("");
                        dst[..text.len()].copy_from_slice(text.as_bytes());
                        text.len()
                    })
                    .peer("encoding_rs", |src, dst| {
                        let mut decoder = encoding_rs::UTF_8.new_decoder_without_bom_handling();
                        decoder.decode_to_utf8(src, dst, true).2
                    })
                    .peer("std", standard::utf8_copy)
                    .limit("memcpy", |src, dst| {
                        dst[..src.len()].copy_from_slice(src);
                        src.len()
                    })
                    .run(case.effort)
            },
        )
        .sizes(Sizes::All),
        Operation::new(
            "utf8-to-utf16",
            "From files and the network into the strings of JavaScript, Java, C# and Windows.",
            |case| {
                Contest::<u8, u16>::converting(case.utf8(), 1)
                    .ours(|src, dst| unicode::utf8_to_utf16(src, dst).written)
                    .peer("simdutf", |src, dst| simdutf::UTF8_TO_UTF16.call(src, dst))
                    .peer("encoding_rs", |src, dst| {
                        mem::convert_utf8_to_utf16_without_replacement(src, dst).unwrap_or(0)
                    })
                    .peer("std", standard::utf8_to_utf16)
                    .run(case.effort)
            },
        )
        .sizes(Sizes::All),
    ],
);
