//! Well-formed UTF-16: validated, converted to UTF-8, swapped. For little-endian machines.

use encoding_rs::{UTF_16BE, mem};
use simdtext::unicode;

use super::List;
use crate::peers::{simdutf, standard};
use crate::timing::{Contest, Role};

pub(super) fn list(list: &mut List) {
    list.about("Has this string of JavaScript or Windows a lone surrogate?")
        .usual("utf16-validate", |case| {
            Contest::<u16, u8>::looking(case.utf16())
                .ours(|src, _| usize::from(unicode::validate_utf16(src).is_ok()))
                .peer("simdutf", |src, _| ::simdutf::validate_utf16(src).into())
                .peer("encoding_rs", |src, _| {
                    usize::from(mem::utf16_valid_up_to(src) == src.len())
                })
                .run(case.cell)
        });
    list.about("From the strings of JavaScript, Java, C# and Windows to files and the network.")
        .all("utf16-to-utf8", |case| {
            Contest::<u16, u8>::converting(case.utf16(), 3)
                .ours(|src, dst| unicode::utf16_to_utf8(src, dst).written)
                .peer("simdutf", |src, dst| {
                    simdutf::UTF16LE_TO_UTF8.call(src, dst)
                })
                .peer("encoding_rs", mem::convert_utf16_to_utf8)
                .peer("std", |src, dst| {
                    standard::utf16_to_utf8(src, dst, |unit| unit)
                })
                .run(case.cell)
        });
    list.about("Files that Windows programs call \"Unicode\", as bytes.")
        .usual("utf16le-to-utf8", |case| {
            Contest::<u16, u8>::converting(case.utf16().map(u16::to_le), 3)
                .ours(|src, dst| unicode::utf16le_to_utf8(bytemuck::cast_slice(src), dst).written)
                .peer("simdutf", |src, dst| {
                    simdutf::UTF16LE_TO_UTF8.call(src, dst)
                })
                // On aligned code units, which bytes need not be.
                .peer("encoding_rs", mem::convert_utf16_to_utf8)
                .peer("std", |src, dst| {
                    standard::utf16_to_utf8(src, dst, u16::from_le)
                })
                .run(case.cell)
        });
    list.about("UTF-16 with the bytes swapped, in old files of Java and Mac OS.")
        .usual("utf16be-to-utf8", |case| {
            Contest::<u16, u8>::converting(case.utf16().map(u16::to_be), 3)
                .ours(|src, dst| unicode::utf16be_to_utf8(bytemuck::cast_slice(src), dst).written)
                .peer("simdutf", |src, dst| {
                    simdutf::UTF16BE_TO_UTF8.call(src, dst)
                })
                .peer("encoding_rs", |src, dst| {
                    let mut decoder = UTF_16BE.new_decoder_without_bom_handling();
                    let bytes = bytemuck::cast_slice(src);
                    decoder.decode_to_utf8(bytes, dst, true).2
                })
                .peer("std", |src, dst| {
                    standard::utf16_to_utf8(src, dst, u16::from_be)
                })
                .run(case.cell)
        });
    list.about("The other byte order. Memory is the limit.")
        .usual("utf16-swap", |case| {
            Contest::<u16, u16>::converting(case.utf16(), 1)
                .ours(unicode::swap_utf16)
                .peer("simdutf", simdutf::swap_utf16)
                .peer("std", |src, dst| {
                    standard::write(src.iter().copied().map(u16::swap_bytes), dst)
                })
                .enter(Role::Limit, "memcpy", standard::copy)
                .run(case.cell)
        });
}
