//! Characters that do not have two bytes in their encoding, at which the two-byte kernels stop.
//!
//! | encoding | rare characters |
//! |---|---|
//! | gb18030 | four bytes: characters of names, of CJK Extensions A and B |
//! | Big5 | pairs that are characters above U+FFFF (Hong Kong's), or two characters |
//! | EUC-JP | three bytes: the kanji of JIS X 0212 |
//! | Shift_JIS | one byte: half-width katakana, in words of five |
//!
//! They replace characters of prose at random positions, which are the same in every run.

use encoding_rs::Encoding as Peer;
use simdtext::Encoding;

use super::legacy::{decode, encodings, mappable, strict};
use super::{Case, List};
use crate::timing::Pieces;
use simdtext_bench::corpus::Random;

pub(super) fn list(list: &mut List) {
    list.about("Lists of names: 2 in 100 that are not two bytes (Big5: not one unit of UTF-16).")
        .usual("legacy-rare-2-to-utf8", |case| {
            decode::<u8>(case, |case, _| bytes(case, 2))
        });
    list.about("Lists of names, to UTF-16.")
        .usual("legacy-rare-2-to-utf16", |case| {
            decode::<u16>(case, |case, _| bytes(case, 2))
        });
    list.about("Text that is full of rare characters: 20 in 100.")
        .usual("legacy-rare-20-to-utf8", |case| {
            decode::<u8>(case, |case, _| bytes(case, 20))
        });
    list.about("Text that is full of rare characters, to UTF-16.")
        .usual("legacy-rare-20-to-utf16", |case| {
            decode::<u16>(case, |case, _| bytes(case, 20))
        });
}

pub(super) const TEXTS: [(&str, &str); 4] = [
    ("gb18030", "zh"),
    ("Big5", "zh-tw"),
    ("EUC-JP", "ja"),
    ("Shift_JIS", "ja"),
];

/// The rare characters of an encoding, as bytes, and how many of them follow each other.
fn rare(encoding: &'static Encoding, peer: &'static Peer) -> (Vec<Vec<u8>>, u32) {
    // The code units that the bytes decode to, if they are well-formed.
    let units = |bytes: &[u8]| {
        let text = peer.decode_without_bom_handling_and_without_replacement(bytes);
        text.map(|text| text.encode_utf16().count())
    };
    match encoding.name() {
        "gb18030" => {
            let chars = ('\u{3400}'..='\u{4DB5}').chain('\u{20000}'..='\u{203FF}');
            let encoded = chars.filter_map(|ch| strict(encoding, &ch.to_string()).ok());
            (encoded.filter(|bytes| bytes.len() == 4).collect(), 1)
        }
        "Big5" => {
            let pairs =
                (0x87..=0xFE).flat_map(|lead| (0x40..=0xFE).map(move |trail| [lead, trail]));
            let long = |pair: &[u8; 2]| units(pair) == Some(2);
            let pairs = pairs.filter(long);
            (pairs.map(Vec::from).collect(), 1)
        }
        "EUC-JP" => {
            let kanji = (0xB0..=0xED).flat_map(|lead| (0xA1..=0xFE).map(move |t| [0x8F, lead, t]));
            let kanji = kanji.filter(|bytes| units(bytes).is_some());
            (kanji.map(Vec::from).collect(), 1)
        }
        _ => ((0xA6..=0xDF).map(|katakana| vec![katakana]).collect(), 5),
    }
}

/// The text in its encoding, with some characters replaced by rare ones.
fn bytes(case: &Case<'_>, per_100: u32) -> Result<Pieces<u8>, String> {
    let (encoding, peer) = encodings(case)?;
    let (rare, run) = rare(encoding, peer);
    let count = u32::try_from(rare.len()).unwrap_or_default();
    let mut random = Random(0x5EED);
    let mut pieces = Vec::new();
    for piece in mappable(case, encoding) {
        let mut bytes = Vec::new();
        let mut left = 0;
        for ch in piece.chars() {
            if left == 0 && random.below(100 * run) < per_100 {
                left = run;
            }
            if left > 0 && !ch.is_ascii() {
                left -= 1;
                let one = usize::try_from(random.below(count)).unwrap_or_default();
                bytes.extend_from_slice(&rare[one]);
            } else {
                bytes.extend(strict(encoding, &ch.to_string())?);
            }
        }
        pieces.push(bytes);
    }
    Ok(Pieces::new(pieces))
}
