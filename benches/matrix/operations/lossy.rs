//! UTF-8 and UTF-16 that may be malformed, with U+FFFD for each malformed sequence.
//!
//! The damage is random, but the same in every run: some bytes become others from 80 to FF, and some code
//! units become surrogates.

use encoding_rs::{UTF_8, mem};
use simdtext::unicode;

use super::{Case, List, Outcome, damage, high_byte};
use crate::peers::standard;
use crate::timing::{Contest, Pieces};
use simdtext_bench::corpus::Random;

pub(super) fn list(list: &mut List) {
    list.about("What browsers, logs and command lines do with UTF-8, here all well-formed.")
        .many("utf8-lossy", |case| to_utf8(case, 0));
    list.about("UTF-8 with 1 byte in 1000 damaged, as in old archives.")
        .usual("utf8-lossy-0.1", |case| to_utf8(case, 10));
    list.about("UTF-8 with 1 byte in 100 damaged: does the speed hold?")
        .many("utf8-lossy-1", |case| to_utf8(case, 100));
    list.about("How browsers read pages in UTF-8, here all well-formed.")
        .usual("utf8-lossy-to-utf16", |case| to_utf16(case, 0));
    list.about("UTF-8 with 1 byte in 1000 damaged, to UTF-16.")
        .usual("utf8-lossy-to-utf16-0.1", |case| to_utf16(case, 10));
    list.about("UTF-8 with 1 byte in 100 damaged, to UTF-16.")
        .usual("utf8-lossy-to-utf16-1", |case| to_utf16(case, 100));
    list.about("Strings of JavaScript and names of files on Windows, all well-formed.")
        .usual("utf16le-lossy", |case| from_utf16(case, 0));
    list.about("UTF-16 with 1 code unit in 1000 turned into a surrogate.")
        .usual("utf16le-lossy-0.1", |case| from_utf16(case, 10));
    list.about("UTF-16 with 1 code unit in 100 turned into a surrogate.")
        .usual("utf16le-lossy-1", |case| from_utf16(case, 100));
}

fn damaged_utf8(case: &Case<'_>, per_10_000: u32) -> Pieces<u8> {
    case.utf8().map(damage(per_10_000, high_byte))
}

fn to_utf8(case: &Case<'_>, per_10_000: u32) -> Outcome {
    Contest::<u8, u8>::converting(damaged_utf8(case, per_10_000), 3)
        .ours(|src, dst| unicode::utf8_to_utf8_lossy(src, dst).written)
        .peer("encoding_rs", |src, dst| {
            let mut decoder = UTF_8.new_decoder_without_bom_handling();
            decoder.decode_to_utf8(src, dst, true).2
        })
        .peer("std", standard::utf8_to_utf8_lossy)
        .run(case.cell)
}

fn to_utf16(case: &Case<'_>, per_10_000: u32) -> Outcome {
    Contest::<u8, u16>::converting(damaged_utf8(case, per_10_000), 2)
        .ours(|src, dst| unicode::utf8_to_utf16_lossy(src, dst).written)
        .peer("encoding_rs", mem::convert_utf8_to_utf16)
        .peer("std", standard::utf8_to_utf16_lossy)
        .run(case.cell)
}

fn from_utf16(case: &Case<'_>, per_10_000: u32) -> Outcome {
    let surrogate = |random: &mut Random| {
        let number = random.below(0x800);
        0xD800 | u16::try_from(number).unwrap_or_default()
    };
    let src = case.utf16().map(damage(per_10_000, surrogate));
    Contest::<u16, u8>::converting(src.map(u16::to_le), 3)
        .ours(|src, dst| unicode::utf16le_to_utf8_lossy(bytemuck::cast_slice(src), dst).written)
        .peer("encoding_rs", mem::convert_utf16_to_utf8)
        .peer("std", |src, dst| {
            standard::utf16_to_utf8(src, dst, u16::from_le)
        })
        .run(case.cell)
}
