//! Text in legacy encodings that is damaged, that is in another encoding, or that the encoding does not
//! have.
//!
//! The damage is random and the same in every run.

use simdtext::{Encoding, Unmappable};

use super::legacy::{bytes, decode, encode, mappable};
use super::{Case, Operation, Texts, damage, family};
use crate::corpus::Random;
use crate::timing::Pieces;

pub(super) const OPERATIONS: [Operation; 8] = family(
    "legacy-trouble",
    Texts::Legacy,
    [
        Operation::new(
            "legacy-to-utf8-0.1",
            "Old archives: 1 byte in 1000 damaged.",
            |case| decode::<u8>(case, |case, encoding| damaged(case, encoding, 10)),
        ),
        Operation::new(
            "legacy-to-utf8-1",
            "1 byte in 100 damaged: does the speed hold?",
            |case| decode::<u8>(case, |case, encoding| damaged(case, encoding, 100)),
        ),
        Operation::new(
            "legacy-to-utf16-1",
            "1 byte in 100 damaged, to UTF-16.",
            |case| decode::<u16>(case, |case, encoding| damaged(case, encoding, 100)),
        ),
        Operation::new(
            "utf8-as-legacy",
            "UTF-8 with a wrong label, which is how most damage comes about.",
            |case| decode::<u8>(case, |case, _| Ok(case.utf8())),
        ),
        Operation::new(
            "cyrillic-as-legacy",
            "windows-1251 with a wrong label: bytes from C0 up, one after the other.",
            |case| decode::<u8>(case, |case, _| Ok(cyrillic(case.utf8()))),
        ),
        Operation::new(
            "random-as-legacy",
            "The worst input: a file that is no text.",
            |case| decode::<u8>(case, |case, _| Ok(random(case.utf8()))),
        ),
        Operation::new(
            "utf8-to-legacy-1",
            "1 character in 100 that the encoding does not have: `&#9731;` in forms.",
            |case| encode::<u8>(case, unmappable),
        ),
        Operation::new(
            "utf16-to-legacy-1",
            "1 character in 100 that the encoding does not have, from UTF-16.",
            |case| encode::<u16>(case, unmappable),
        ),
    ],
);

/// The text in its encoding, with bytes that became others from 80 up.
fn damaged(
    case: &Case<'_>,
    encoding: &'static Encoding,
    per_10_000: u32,
) -> Result<Pieces<u8>, String> {
    Ok(bytes(case, encoding)?.edit(|bytes| {
        damage(bytes, per_10_000, |random| {
            0x80 | u8::try_from(random.below(0x80)).unwrap_or_default()
        });
    }))
}

/// Bytes that look like Russian in windows-1251, whose letters are C0 to FF.
fn cyrillic(text: Pieces<u8>) -> Pieces<u8> {
    text.edit(|bytes| {
        for byte in bytes {
            *byte |= if *byte < 0x80 { 0 } else { 0xC0 };
        }
    })
}

/// As many bytes of any kind.
fn random(text: Pieces<u8>) -> Pieces<u8> {
    let mut random = Random(0x5EED);
    text.edit(|bytes| {
        for byte in bytes {
            *byte = u8::try_from(random.below(0x100)).unwrap_or_default();
        }
    })
}

/// The text with characters among it that the encoding does not have. There are none in UTF-8 and its
/// like.
fn unmappable(case: &Case<'_>, encoding: &'static Encoding) -> Result<Vec<String>, String> {
    let lacks = |ch: &char| {
        let text = ch.to_string();
        encoding.encode(&text, Unmappable::Strict).is_err()
    };
    let Some(other) = ['\u{2603}', '\u{1F600}'].into_iter().find(lacks) else {
        return Err("the encoding has everything".to_owned());
    };
    let mut random = Random(0x5EED);
    let pieces = mappable(case, encoding).into_iter();
    let changed = pieces.map(|piece| {
        let chars = piece.chars();
        chars
            .map(|ch| if random.below(100) == 0 { other } else { ch })
            .collect()
    });
    Ok(changed.collect())
}
