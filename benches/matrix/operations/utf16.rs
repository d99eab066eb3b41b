//! Well-formed UTF-16: looked at, converted to UTF-8, swapped.

use encoding_rs::{UTF_16BE, UTF_16LE, mem};
use simdtext::unicode;

use super::{Case, Operation, Sizes, Texts, family};
use crate::peers::{simdutf, standard};
use crate::timing::{Contest, Measured};

pub(super) const OPERATIONS: [Operation; 5] = family(
    "utf16",
    Texts::Every,
    [
        Operation::new(
            "utf16-validate",
            "Has this string of JavaScript or Windows a lone surrogate?",
            validate,
        ),
        Operation::new(
            "utf16-to-utf8",
            "From the strings of JavaScript, Java, C# and Windows to files and the network.",
            to_utf8,
        )
        .sizes(Sizes::All),
        Operation::new(
            "utf16le-to-utf8",
            "Files that Windows programs call \"Unicode\", as bytes.",
            le_to_utf8,
        ),
        Operation::new(
            "utf16be-to-utf8",
            "UTF-16 with the bytes swapped, in old files of Java and Mac OS.",
            be_to_utf8,
        ),
        Operation::new(
            "utf16-swap",
            "The other byte order. Memory is the limit.",
            swap,
        ),
    ],
);

fn validate(case: &Case<'_>) -> Result<Measured, String> {
    Contest::<u16, u8>::looking(case.utf16())
        .ours(|src, _| match unicode::validate_utf16(src) {
            Ok(()) => src.len(),
            Err(error) => error.offset,
        })
        .peer("simdutf", |src, _| {
            if ::simdutf::validate_utf16(src) {
                src.len()
            } else {
                0
            }
        })
        .peer("encoding_rs", |src, _| mem::utf16_valid_up_to(src))
        .run(case.effort)
}

fn to_utf8(case: &Case<'_>) -> Result<Measured, String> {
    Contest::<u16, u8>::converting(case.utf16(), 3)
        .ours(|src, dst| unicode::utf16_to_utf8(src, dst).written)
        .peer(
            "simdutf",
            if cfg!(target_endian = "big") {
                simdutf::utf16be_to_utf8
            } else {
                simdutf::utf16le_to_utf8
            },
        )
        .peer("encoding_rs", mem::convert_utf16_to_utf8)
        .peer("std", |src, dst| {
            standard::write_utf8(standard::utf16_chars(src.iter().copied()), dst)
        })
        .run(case.effort)
}

fn le_to_utf8(case: &Case<'_>) -> Result<Measured, String> {
    let src = case.utf16().map(u16::to_le);
    Contest::<u16, u8>::converting(src, 3)
        .ours(|src, dst| unicode::utf16le_to_utf8(bytemuck::cast_slice(src), dst).written)
        .peer("simdutf", simdutf::utf16le_to_utf8)
        .peer(
            "encoding_rs",
            // On units that lie as the machine wants them, which bytes need not.
            if cfg!(target_endian = "little") {
                mem::convert_utf16_to_utf8
            } else {
                |src: &[u16], dst: &mut [u8]| {
                    let mut decoder = UTF_16LE.new_decoder_without_bom_handling();
                    let bytes = bytemuck::cast_slice(src);
                    decoder.decode_to_utf8(bytes, dst, true).2
                }
            },
        )
        .peer("std", |src, dst| {
            let units = src.iter().copied().map(u16::from_le);
            standard::write_utf8(standard::utf16_chars(units), dst)
        })
        .run(case.effort)
}

fn be_to_utf8(case: &Case<'_>) -> Result<Measured, String> {
    let src = case.utf16().map(u16::to_be);
    Contest::<u16, u8>::converting(src, 3)
        .ours(|src, dst| unicode::utf16be_to_utf8(bytemuck::cast_slice(src), dst).written)
        .peer("simdutf", simdutf::utf16be_to_utf8)
        .peer("encoding_rs", |src, dst| {
            let mut decoder = UTF_16BE.new_decoder_without_bom_handling();
            decoder
                .decode_to_utf8(bytemuck::cast_slice(src), dst, true)
                .2
        })
        .peer("std", |src, dst| {
            let units = src.iter().copied().map(u16::from_be);
            standard::write_utf8(standard::utf16_chars(units), dst)
        })
        .run(case.effort)
}

fn swap(case: &Case<'_>) -> Result<Measured, String> {
    Contest::<u16, u16>::converting(case.utf16(), 1)
        .ours(unicode::swap_utf16)
        .peer("simdutf", simdutf::swap_utf16)
        .peer("std", |src, dst| {
            standard::write(src.iter().copied().map(u16::swap_bytes), dst)
        })
        .limit("memcpy", |src, dst| {
            dst[..src.len()].copy_from_slice(src);
            src.len()
        })
        .run(case.effort)
}
