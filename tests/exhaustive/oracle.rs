//! The oracle itself: its indexes compared with the standard's files, and its results with encoding_rs.

use crate::spec::events::{self, Event, Policy};
use crate::spec::index_files;
use crate::spec::indexes::{INDEXES, Index};
use crate::spec::instances::{Decoder, Encoder};
use crate::spec::labels::ENCODINGS;
use crate::{hex, peer};

#[test]
fn indexes_are_those_of_the_standard() {
    let check = |name: &str, index: &Index| {
        assert!(*index == index_files::index(name), "index-{name}.txt");
    };
    assert_eq!(INDEXES.gb18030_ranges.len(), 207);
    assert_eq!(INDEXES.iso_2022_jp_katakana.entries().count(), 63);
    assert_eq!(INDEXES.single_byte.len(), 27);
    if index_files::folder().is_none() {
        return;
    }
    for (name, index) in &INDEXES.single_byte {
        check(&name.to_ascii_lowercase(), index);
    }
    check("big5", &INDEXES.big5);
    check("euc-kr", &INDEXES.euc_kr);
    check("gb18030", &INDEXES.gb18030);
    check("jis0208", &INDEXES.jis0208);
    check("jis0212", &INDEXES.jis0212);
    check("iso-2022-jp-katakana", &INDEXES.iso_2022_jp_katakana);
    assert_eq!(
        INDEXES.gb18030_ranges,
        index_files::entries("gb18030-ranges")
    );
}

/// A fixed sequence of hostile bytes: mostly those with a meaning in some encoding.
fn hostile(seed: u32, len: usize) -> Vec<u8> {
    const BYTES: &[u8] = b"\x00\x0E\x0F\x1B\x1B\x1B$$((@BIJ0159?\\~aA\x7F\x80\x81\x81\x84\
        \x8E\x8F\x90\x95\xA0\xA1\xA2\xA4\xAD\xBB\xBF\xBF\xC2\xC7\xD8\xDC\xDF\xE0\xE3\xE3\xED\xEF\
        \xF0\xF0\xF4\xF9\xFC\xFD\xFE\xFE\xFF";
    let mut state = seed.wrapping_mul(0x9E37_79B9) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    (0..len)
        .map(|_| match next() {
            n if n & 7 == 0 => n.to_le_bytes()[2],
            n => BYTES[(n >> 8) as usize % BYTES.len()],
        })
        .collect()
}

#[test]
fn decoders_and_the_place_of_errors_agree_with_encoding_rs() {
    for (name, _) in ENCODINGS {
        let fresh = Decoder::new(name);
        for seed in 0..3000 {
            let bytes = hostile(seed, seed as usize % 24);
            let expected = peer::decode(
                peer::encoding(name).new_decoder_without_bom_handling(),
                &bytes,
            );
            let got = events::decode(fresh.clone(), &bytes, 0);
            assert_eq!(got, expected, "{name}: {}", hex(&bytes));
        }
    }
}

#[test]
fn encoders_agree_with_encoding_rs() {
    const CHARS: [char; 28] = [
        'a',
        '\\',
        '~',
        '\0',
        '\u{E}',
        '\u{F}',
        '\u{1B}',
        '\u{80}',
        '¥',
        'ß',
        'é',
        'ﾊ',
        '゛',
        '‾',
        '−',
        '-',
        '字',
        '亜',
        '€',
        'ж',
        '\u{E5E5}',
        '\u{E7C7}',
        '\u{E78D}',
        '\u{F7A0}',
        '한',
        '\u{FFFD}',
        '💩',
        '\u{10FFFF}',
    ];
    for (name, _) in ENCODINGS {
        if matches!(name, "replacement" | "UTF-16BE" | "UTF-16LE") {
            // encoding_rs has no encoder for these: it encodes to UTF-8 instead.
            continue;
        }
        let fresh = Encoder::new(name).expect("all but replacement have one");
        for seed in 0..1500 {
            let text: Vec<char> = hostile(seed, 1 + seed as usize % 12)
                .iter()
                .map(|&byte| CHARS[usize::from(byte) % CHARS.len()])
                .collect();
            let expected = peer::encode(
                peer::encoding(name).new_encoder(),
                &text.iter().collect::<String>(),
            );
            let got = events::encode(fresh.clone(), &text, Policy::Ncr);
            assert_eq!(got, expected, "{name}: {text:?}");
        }
    }
}

#[test]
fn the_decided_cases() {
    let cases: [(&str, &[u8], &[Event]); 3] = [
        ("ISO-2022-JP", b"\x1B(B\x1B$B", &[Event::Malformed(0, 3)]),
        (
            "gb18030",
            b"\x810\x81 ",
            &[
                Event::Malformed(0, 1),
                Event::Text('0'),
                Event::Malformed(2, 1),
                Event::Text(' '),
            ],
        ),
        ("UTF-16LE", b"\x00\xD8\x41", &[Event::Malformed(0, 3)]),
    ];
    for (name, bytes, expected) in cases {
        let got = events::decode(Decoder::new(name), bytes, 0);
        assert_eq!(got, expected, "{name}: {}", hex(bytes));
    }
}
