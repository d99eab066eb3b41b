//! The indexes, made by means of encoding_rs: what it decodes each byte or pair of bytes to.
//!
//! This relies on encoding_rs for data only, and `index_files` checks the data if it can.

use std::collections::HashMap;

use encoding_rs::Encoding;

use super::indexes::{Index, Indexes};
use super::labels::{ENCODINGS, SINGLE_BYTE};

pub(crate) fn read() -> Indexes {
    Indexes {
        single_byte: single_byte(),
        big5: two_bytes(encoding_rs::BIG5, 157, |pointer| {
            let trail = pointer % 157;
            let offset = if trail < 0x3F { 0x40 } else { 0x62 };
            [pointer / 157 + 0x81, trail + offset]
        }),
        euc_kr: two_bytes(encoding_rs::EUC_KR, 190, |pointer| {
            [pointer / 190 + 0x81, pointer % 190 + 0x41]
        }),
        gb18030: two_bytes(encoding_rs::GB18030, 190, |pointer| {
            let trail = pointer % 190;
            let offset = if trail < 0x3F { 0x40 } else { 0x41 };
            [pointer / 190 + 0x81, trail + offset]
        }),
        gb18030_ranges: gb18030_ranges(),
        jis0208: jis0208(),
        jis0212: Index::new((0..94 * 94).filter_map(|pointer| {
            let bytes = [0x8F, pointer / 94 + 0xA1, pointer % 94 + 0xA1];
            Some((pointer, one_code_point(encoding_rs::EUC_JP, &bytes)?))
        })),
        iso_2022_jp_katakana: iso_2022_jp_katakana(),
    }
}

fn single_byte() -> HashMap<&'static str, Index> {
    ENCODINGS[SINGLE_BYTE]
        .iter()
        .filter(|(name, _)| *name != "ISO-8859-8-I")
        .map(|&(name, _)| {
            let encoding = Encoding::for_label(name.as_bytes()).expect("encoding_rs has all 40");
            let index = Index::new((0..0x80).filter_map(|pointer| {
                Some((pointer, one_code_point(encoding, &[pointer + 0x80])?))
            }));
            (name, index)
        })
        .collect()
}

/// All pairs with a lead from 0x81 to 0xFE.
fn two_bytes(encoding: &'static Encoding, trails: u32, pair: impl Fn(u32) -> [u32; 2]) -> Index {
    Index::new(
        (0..trails * (0xFE - 0x80))
            .filter_map(|pointer| Some((pointer, one_code_point(encoding, &pair(pointer))?))),
    )
}

/// Index jis0208, by way of Shift_JIS, which reaches all of it. Pointers 8836 to 10715 are not in the index:
/// Shift_JIS decodes them by arithmetic.
fn jis0208() -> Index {
    let last = (0xFC - 0xC1) * 188 + 187;
    Index::new(
        (0..=last)
            .filter(|pointer| !(8836..=10715).contains(pointer))
            .filter_map(|pointer| {
                let lead = pointer / 188;
                let trail = pointer % 188;
                let bytes = [
                    lead + if lead < 0x1F { 0x81 } else { 0xC1 },
                    trail + if trail < 0x3F { 0x40 } else { 0x41 },
                ];
                Some((pointer, one_code_point(encoding_rs::SHIFT_JIS, &bytes)?))
            }),
    )
}

/// Index gb18030 ranges: where the code points of four-byte forms jump. Pointer 7457, which the standard
/// decodes separately (to U+E7C7), is left out.
fn gb18030_ranges() -> Vec<(u32, u32)> {
    let mut ranges = Vec::new();
    let mut next = None;
    for pointer in (0..=39419).chain(189_000..=1_237_575) {
        let bytes = [
            pointer / (10 * 126 * 10) + 0x81,
            pointer / (10 * 126) % 10 + 0x30,
            pointer / 10 % 126 + 0x81,
            pointer % 10 + 0x30,
        ];
        if pointer == 7457 {
            next = next.map(|next| next + 1);
            continue;
        }
        let code_point = one_code_point(encoding_rs::GB18030, &bytes).expect("assigned");
        if next != Some(code_point) || pointer == 189_000 {
            ranges.push((pointer, code_point));
        }
        next = Some(code_point + 1);
    }
    ranges
}

/// Index ISO-2022-JP katakana: what encoding_rs writes for each half-width katakana.
fn iso_2022_jp_katakana() -> Index {
    Index::new((0..63).map(|pointer| {
        let halfwidth = char::from_u32(0xFF61 + pointer).expect("half-width katakana");
        let text = String::from(halfwidth);
        let (bytes, _, unmappable) = encoding_rs::ISO_2022_JP.encode(&text);
        assert!(!unmappable);
        let (text, _) = encoding_rs::ISO_2022_JP.decode_without_bom_handling(&bytes);
        (
            pointer,
            u32::from(text.chars().next().expect("one character")),
        )
    }))
}

/// The code point that `bytes` decode to; `None` if they are malformed or become two.
fn one_code_point(encoding: &'static Encoding, bytes: &[u32]) -> Option<u32> {
    let mut source = [0; 4];
    for (place, &byte) in source.iter_mut().zip(bytes) {
        *place = u8::try_from(byte).expect("a byte");
    }
    let mut text = [0; 16];
    let (_, read, written) = encoding
        .new_decoder_without_bom_handling()
        .decode_to_utf8_without_replacement(&source[..bytes.len()], &mut text, true);
    let text = std::str::from_utf8(&text[..written]).expect("UTF-8");
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if read == bytes.len() => Some(u32::from(c)),
        _ => None,
    }
}
