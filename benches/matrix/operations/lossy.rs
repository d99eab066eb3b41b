//! UTF-8 and UTF-16 that may be malformed, with U+FFFD in place of what is.
//!
//! The damage is random and the same in every run: bytes that become other bytes from 80 up, code
//! units that become surrogates.

use encoding_rs::{UTF_8, mem};
use simdtext::unicode;

use super::{Case, Operation, Sizes, Texts, damage, family};
use crate::peers::standard;
use crate::timing::{Contest, Measured, Pieces};

pub(super) const OPERATIONS: [Operation; 9] = family(
    "lossy",
    Texts::Every,
    [
        Operation::new(
            "utf8-lossy",
            "What browsers, logs and command lines do with UTF-8, here all well-formed.",
            |case| to_utf8(case, 0),
        )
        .sizes(Sizes::Many),
        Operation::new(
            "utf8-lossy-0.1",
            "UTF-8 with 1 byte in 1000 damaged, as in old archives.",
            |case| to_utf8(case, 10),
        ),
        Operation::new(
            "utf8-lossy-1",
            "UTF-8 with 1 byte in 100 damaged: does the speed hold?",
            |case| to_utf8(case, 100),
        )
        .sizes(Sizes::Many),
        Operation::new(
            "utf8-lossy-to-utf16",
            "How browsers read pages in UTF-8, here all well-formed.",
            |case| to_utf16(case, 0),
        ),
        Operation::new(
            "utf8-lossy-to-utf16-0.1",
            "UTF-8 with 1 byte in 1000 damaged, to UTF-16.",
            |case| to_utf16(case, 10),
        ),
        Operation::new(
            "utf8-lossy-to-utf16-1",
            "UTF-8 with 1 byte in 100 damaged, to UTF-16.",
            |case| to_utf16(case, 100),
        ),
        Operation::new(
            "utf16le-lossy",
            "Strings of JavaScript and names of files on Windows, all well-formed.",
            |case| from_utf16(case, 0),
        ),
        Operation::new(
            "utf16le-lossy-0.1",
            "UTF-16 with 1 code unit in 1000 turned into a surrogate.",
            |case| from_utf16(case, 10),
        ),
        Operation::new(
            "utf16le-lossy-1",
            "UTF-16 with 1 code unit in 100 turned into a surrogate.",
            |case| from_utf16(case, 100),
        ),
    ],
);

fn damaged_utf8(case: &Case<'_>, per_10_000: u32) -> Pieces<u8> {
    case.utf8().edit(|bytes| {
        damage(bytes, per_10_000, |random| {
            0x80 | u8::try_from(random.below(0x80)).unwrap_or_default()
        });
    })
}

fn to_utf8(case: &Case<'_>, per_10_000: u32) -> Result<Measured, String> {
    Contest::<u8, u8>::converting(damaged_utf8(case, per_10_000), 3)
        .ours(|src, dst| unicode::utf8_to_utf8_lossy(src, dst).written)
        .peer("encoding_rs", |src, dst| {
            let mut decoder = UTF_8.new_decoder_without_bom_handling();
            decoder.decode_to_utf8(src, dst, true).2
        })
        .peer("std", standard::utf8_to_utf8_lossy)
        .run(case.effort)
}

fn to_utf16(case: &Case<'_>, per_10_000: u32) -> Result<Measured, String> {
    Contest::<u8, u16>::converting(damaged_utf8(case, per_10_000), 2)
        .ours(|src, dst| unicode::utf8_to_utf16_lossy(src, dst).written)
        .peer("encoding_rs", mem::convert_utf8_to_utf16)
        .peer("std", standard::utf8_to_utf16_lossy)
        .run(case.effort)
}

fn from_utf16(case: &Case<'_>, per_10_000: u32) -> Result<Measured, String> {
    let src = case.utf16().edit(|units| {
        damage(units, per_10_000, |random| {
            0xD800 | u16::try_from(random.below(0x800)).unwrap_or_default()
        });
    });
    Contest::<u16, u8>::converting(src.map(u16::to_le), 3)
        .ours(|src, dst| unicode::utf16le_to_utf8_lossy(bytemuck::cast_slice(src), dst).written)
        .peer("encoding_rs", mem::convert_utf16_to_utf8)
        .peer("std", |src, dst| {
            let units = src.iter().copied().map(u16::from_le);
            standard::write_utf8(standard::utf16_chars(units), dst)
        })
        .run(case.effort)
}
