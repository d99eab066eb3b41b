//! Text in legacy encodings that is damaged, that is really in another encoding, or that has characters which
//! the encoding lacks.
//!
//! The damage is random, but the same in every run.

use simdtext::Encoding;

use super::legacy::{bytes, decode, encode, mappable, strict};
use super::{Case, List, damage, high_byte};
use crate::timing::Pieces;
use simdtext_bench::corpus::Random;

pub(super) fn list(list: &mut List) {
    list.about("Old archives: 1 byte in 1000 damaged.")
        .usual("legacy-to-utf8-0.1", |case| {
            decode::<u8>(case, |case, it| damaged(case, it, 10))
        });
    list.about("1 byte in 100 damaged: does the speed hold?")
        .usual("legacy-to-utf8-1", |case| {
            decode::<u8>(case, |case, it| damaged(case, it, 100))
        });
    list.about("1 byte in 100 damaged, to UTF-16.")
        .usual("legacy-to-utf16-1", |case| {
            decode::<u16>(case, |case, it| damaged(case, it, 100))
        });
    list.about("UTF-8 with a wrong label, which is how most damage comes about.")
        .usual("utf8-as-legacy", |case| {
            decode::<u8>(case, |case, _| Ok(case.utf8()))
        });
    list.about("windows-1251 with a wrong label: bytes from C0 up, one after the other.")
        .usual("cyrillic-as-legacy", |case| decode::<u8>(case, cyrillic));
    list.about("The worst input: a file that is no text.")
        .usual("random-as-legacy", |case| decode::<u8>(case, random));
    list.about("1 character in 100 that the encoding does not have: `&#9731;` in forms.")
        .usual("utf8-to-legacy-1", |case| encode::<u8>(case, unmappable));
    list.about("1 character in 100 that the encoding does not have, from UTF-16.")
        .usual("utf16-to-legacy-1", |case| encode::<u16>(case, unmappable));
}

/// The text in its encoding, with some bytes changed to others from 80 to FF.
fn damaged(
    case: &Case<'_>,
    encoding: &'static Encoding,
    per_10_000: u32,
) -> Result<Pieces<u8>, String> {
    Ok(bytes(case, encoding)?.map(damage(per_10_000, high_byte)))
}

/// Bytes that look like Russian in windows-1251, whose letters are C0 to FF.
fn cyrillic(case: &Case<'_>, _: &'static Encoding) -> Result<Pieces<u8>, String> {
    let letter = |byte| if byte < 0x80 { byte } else { byte | 0xC0 };
    Ok(case.utf8().map(letter))
}

/// The same number of arbitrary bytes.
fn random(case: &Case<'_>, _: &'static Encoding) -> Result<Pieces<u8>, String> {
    let mut random = Random(0x5EED);
    let mut byte = |_| u8::try_from(random.below(0x100)).unwrap_or_default();
    Ok(case.utf8().map(&mut byte))
}

/// The text with some characters that the encoding lacks, unless it has all of Unicode.
fn unmappable(case: &Case<'_>, encoding: &'static Encoding) -> Option<Vec<String>> {
    let lacks = |ch: &char| strict(encoding, &ch.to_string()).is_err();
    let other = ['\u{2603}', '\u{1F600}'].into_iter().find(lacks)?;
    let mut random = Random(0x5EED);
    let mut changed = |ch| if random.below(100) == 0 { other } else { ch };
    let pieces = mappable(case, encoding).into_iter();
    let pieces = pieces.map(|piece| piece.chars().map(&mut changed).collect());
    Some(pieces.collect())
}
