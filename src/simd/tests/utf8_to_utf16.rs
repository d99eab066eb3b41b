//! UTF-8 to UTF-16: text of every script, text with malformed bytes in it, and noise.

use std::string::String;
use std::vec::Vec;

use super::guard::{Edge, Guarded};
use super::hostile::damaged_ascii;
use super::{LENGTHS, output, output_at, tables};
use crate::output::run::{DecodeRun, FromUtf8};
use crate::simd::kernels::{Kernels, Transcoded};
use crate::simd::scalar::table::SCALAR;

/// Texts of characters in one script, and some that occur between them.
pub(super) const SCRIPTS: [&str; 9] = [
    "plain English, with (some) punctuation. ",
    "Le cœur déçu mais l'âme plutôt naïve. ",
    "Съешь же ещё этих мягких французских булок ",
    "שלום עולם ומה נשמע ",
    "いろはにほへと ちりぬるを、我が世。",
    "키스의 고유조건은 입술끼리 만나야 ",
    "💩😀🏳\u{1F308}👍🏽",
    "a💩é日z\u{10FFFF}\u{FFFF}\u{800}\u{7FF}\u{80}\u{7F}",
    "เป็นมนุษย์สุดประเสริฐ 天地玄黃宇宙洪荒",
];

/// Ill-formed sequences of every kind that standards describe.
pub(super) const MALFORMED: [&[u8]; 20] = [
    b"\x80",
    b"\xBF\xBF\xBF\xBF\xBF",
    b"\xC0\x80",
    b"\xC1\xBF",
    b"\xC3",
    b"\xE0\x80\x80",
    b"\xE0\x9F\xBF",
    b"\xE4\xC3\xA9",
    b"\xE6\x97",
    b"\xED\xA0\x80",
    b"\xED\xBF\xBF",
    b"\xF0\x80\x80\x80",
    b"\xF0\x8F\xBF\xBF",
    b"\xF0\x9F\x92",
    b"\xF0\x9F",
    b"\xF4\x90\x80\x80",
    b"\xF5\x80\x80\x80",
    b"\xF1\x80\x80\xE6\x97\xF1",
    b"\xFE",
    b"\xFF",
];

/// A small generator of pseudo-random numbers.
pub(super) struct Noise(pub(super) u64);

impl Noise {
    pub(super) fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % below
    }

    /// About `len` bytes of text: runs of one script, now and then of another.
    pub(super) fn text(&mut self, len: usize) -> Vec<u8> {
        let mut text = Vec::new();
        while text.len() < len {
            let script = SCRIPTS[self.next(SCRIPTS.len())];
            let chars: Vec<char> = script.chars().collect();
            for i in 0..1 + self.next(2 * len) {
                if text.len() >= len {
                    break;
                }
                let ch = chars[i % chars.len()];
                text.extend(ch.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        text
    }

    /// Text of this script with malformed bytes in about one of `rarity` places.
    pub(super) fn hostile(&mut self, len: usize, rarity: usize) -> Vec<u8> {
        let text = self.text(len);
        let mut bytes = Vec::new();
        for byte in text {
            match self.next(4 * rarity) {
                0 => bytes.extend(MALFORMED[self.next(MALFORMED.len())]),
                1 => {}
                2 => bytes.push(byte ^ 1 << self.next(8)),
                3 => bytes.extend([byte, byte]),
                _ => bytes.push(byte),
            }
        }
        bytes
    }
}

/// Returns what the strict kernels have to do with `room` units.
fn strict(src: &[u8], room: usize) -> (usize, Vec<u16>) {
    let valid = std::str::from_utf8(src).map_or_else(|e| e.valid_up_to(), str::len);
    let mut units = Vec::new();
    let mut read = 0;
    for ch in std::str::from_utf8(&src[..valid]).unwrap().chars() {
        if units.len() + ch.len_utf16() > room {
            break;
        }
        units.extend(ch.encode_utf16(&mut [0; 2]).iter());
        read += ch.len_utf8();
    }
    (read, units)
}

/// Returns what the lossy kernels have to do, as far as there is room: the offsets at which they may stop,
/// with the units and the errors before them.
fn lossy(src: &[u8]) -> (Vec<(usize, usize, usize)>, Vec<u16>) {
    let mut stops = std::vec![(0, 0, 0)];
    let mut units = Vec::new();
    let (mut read, mut errors) = (0, 0);
    for chunk in src.utf8_chunks() {
        for ch in chunk.valid().chars() {
            units.extend(ch.encode_utf16(&mut [0; 2]).iter());
            read += ch.len_utf8();
            stops.push((read, units.len(), errors));
        }
        let malformed = chunk.invalid();
        let end = read + malformed.len();
        let may_go_on = end == src.len()
            && std::str::from_utf8(malformed).is_err_and(|error| error.error_len().is_none());
        if !malformed.is_empty() && !may_go_on {
            units.push(0xFFFD);
            read = end;
            errors += 1;
            stops.push((read, units.len(), errors));
        }
    }
    (stops, units)
}

fn check(table: &Kernels, src: &[u8], room: usize, edge: Edge) {
    let at = || std::format!("{} kernel, room {room}, {edge:?}, {src:X?}", table.name);
    let (read, units) = strict(src, room);
    let converted = output_at(room, unit_edge(edge), |dst| (table.utf8_to_utf16)(src, dst));
    assert_eq!(converted, (read, units.clone()), "{}", at());
    for extra in [0, 1] {
        let bytes = units.iter().copied().flat_map(u16::to_le_bytes);
        let converted = output_at(2 * room + extra, edge, |dst| {
            FromUtf8.into_utf16_bytes::<false>(table, src, dst).counts()
        });
        assert_eq!(converted, (read, bytes.collect()), "little, {}", at());
        let bytes = units.iter().copied().flat_map(u16::to_be_bytes);
        let converted = output_at(2 * room + extra, edge, |dst| {
            FromUtf8.into_utf16_bytes::<true>(table, src, dst).counts()
        });
        assert_eq!(converted, (read, bytes.collect()), "big, {}", at());
    }

    let mut errors = 0;
    let (read, units) = output_at(room, unit_edge(edge), |dst| {
        let done: Transcoded = (table.utf8_to_utf16_lossy)(src, dst);
        errors = done.errors;
        (done.read, done.written)
    });
    let (stops, expected) = lossy(src);
    let last = stops.iter().rfind(|(_, written, _)| *written <= room);
    assert_eq!(units, expected[..units.len()], "lossy, {}", at());
    assert!(
        stops.contains(&(read, units.len(), errors)),
        "lossy {read} -> {}, {errors} errors, {}",
        units.len(),
        at()
    );
    // The last sequence may be left.
    assert!(
        last.is_some_and(|&(last, _, _)| last <= read + 4),
        "lossy {read} of {last:?}, {}",
        at()
    );
}

/// Returns the edge, in bytes, for a slice of code units.
fn unit_edge(edge: Edge) -> Edge {
    match edge {
        Edge::Front(distance) => Edge::Front(2 * distance),
        Edge::Back(distance) => Edge::Back(2 * distance),
    }
}

#[test]
fn text_of_every_script_and_length() {
    for table in tables() {
        let mut noise = Noise(0x2545_F491_4F6C_DD1D);
        for len in LENGTHS {
            for script in SCRIPTS {
                let src: Vec<u8> = script.bytes().cycle().take(len).collect();
                let units = strict(&src, len).1.len();
                for room in [0, noise.next(units + 1), units, units + 1, len + 80] {
                    check(table, &src, room, Edge::Back(0));
                }
            }
            let src = noise.text(len);
            for room in [noise.next(len + 1), src.len()] {
                check(table, &src, room, Edge::Back(0));
            }
        }
    }
}

#[test]
fn malformed_bytes_at_every_place() {
    for table in tables() {
        let mut noise = Noise(0x9E37_79B9_7F4A_7C15);
        for malformed in MALFORMED.into_iter().chain([&b"\xF0\x9F\x92\xA9"[..]]) {
            for at in 0..200 {
                let mut src = SCRIPTS[at % SCRIPTS.len()].repeat(8).into_bytes();
                src.truncate(at);
                src.extend(malformed);
                src.extend(SCRIPTS[noise.next(SCRIPTS.len())].bytes().cycle().take(at));
                check(table, &src, src.len(), Edge::Back(0));
            }
        }
    }
}

#[test]
fn longer_characters_at_every_place_of_simpler_text() {
    for table in tables() {
        for (text, longer) in [
            ("plain ", &["é", "日", "💩"][..]),
            ("ещё этих ", &["日", "💩"]),
            ("日本語の", &["💩"]),
        ] {
            for ch in longer {
                for at in 0..300 {
                    let mut src: Vec<u8> = text.bytes().cycle().take(at).collect();
                    src.truncate(strict(&src, at).0);
                    src.extend(ch.bytes());
                    src.extend(text.repeat(60).bytes());
                    check(table, &src, src.len(), Edge::Back(0));
                }
            }
        }
    }
}

/// Returns runs of three-byte characters with something else at every place, which may be a three-byte
/// character, well-formed or not.
pub(super) fn runs_of_three() -> impl Iterator<Item = Vec<u8>> {
    const RUN: &str = "日本語の\u{800}ไทย\u{D7FF}\u{E000}中\u{FFFF}";
    let mut others: Vec<Vec<u8>> = MALFORMED.map(<[u8]>::to_vec).to_vec();
    others.extend(["a", "é", "💩", "abcd"].map(|text| text.as_bytes().to_vec()));
    for lead in [0xE0, 0xE1, 0xED, 0xEE, 0xEF, 0xF0] {
        for second in [0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0] {
            others.extend([0x7F, 0x80, 0xBF, 0xC0].map(|third| [lead, second, third].to_vec()));
        }
    }
    others.into_iter().enumerate().flat_map(|(i, other)| {
        (0..48).map(move |at| {
            let mut src = "a".repeat(i % 5).into_bytes();
            src.extend(
                RUN.chars()
                    .cycle()
                    .take(24 + at)
                    .collect::<String>()
                    .bytes(),
            );
            src.extend(&other);
            src.extend(RUN.repeat(6).bytes());
            src
        })
    })
}

#[test]
fn runs_of_three_bytes_with_others_at_every_place() {
    for table in tables() {
        for src in runs_of_three() {
            check(table, &src, src.len(), Edge::Back(0));
        }
        // All of them.
        let src: String = ('\u{800}'..='\u{FFFF}').collect();
        let units: Vec<u16> = src.encode_utf16().collect();
        let converted = output(units.len(), |dst| {
            (table.utf8_to_utf16)(src.as_bytes(), dst)
        });
        assert_eq!(converted, (src.len(), units), "{} kernel", table.name);
    }
}

#[test]
fn noise() {
    for table in tables() {
        let mut noise = Noise(0xDA94_2042_E4DD_58B5);
        for round in 0..4000 {
            let len = noise.next(600);
            let src = match round % 8 {
                0 => (0..len).map(|_| noise.next(256) as u8).collect(),
                1 => {
                    const BYTES: [u8; 12] = [
                        0x41, 0x7F, 0x80, 0x8F, 0x90, 0xA0, 0xBF, 0xC3, 0xE0, 0xED, 0xF0, 0xF4,
                    ];
                    (0..len).map(|_| BYTES[noise.next(12)]).collect()
                }
                round => {
                    let rarity = 1 << (round + noise.next(4));
                    noise.hostile(len, rarity)
                }
            };
            let room = match round % 3 {
                0 => noise.next(len + 1),
                _ => src.len(),
            };
            check(table, &src, room, Edge::Back(0));
        }
    }
}

#[test]
fn bytes_that_stand_alone_in_ascii() {
    for table in tables() {
        for seed in 0..600 {
            let len = 300 + seed as usize % 70;
            let src = damaged_ascii(seed, len, [4, 20, 100, 400][seed as usize % 4]);
            for room in [len / 2, len] {
                check(table, &src, room, Edge::Back(0));
            }
        }
    }
}

#[test]
fn every_alignment() {
    let mut memory = Guarded::new(4096);
    for table in tables() {
        let mut noise = Noise(0xB529_7A4D_0F0F_1234);
        for edge in (0..64).map(Edge::Front).chain((0..64).map(Edge::Back)) {
            for len in [
                0, 1, 3, 7, 15, 16, 31, 33, 63, 64, 65, 127, 129, 191, 260, 300,
            ] {
                let text = noise.text(len);
                let src = memory.source(&text, edge);
                check(table, src, src.len(), edge);
                let units = strict(src, src.len()).1.len();
                check(table, src, units, edge);
                let hostile = noise.hostile(len, 20);
                let src = memory.source(&hostile, edge);
                check(table, src, src.len(), edge);
            }
        }
    }
}

#[test]
fn long_runs_are_not_left_to_the_machine() {
    for table in tables() {
        for script in SCRIPTS {
            let src = script.repeat(200);
            let units: Vec<u16> = src.encode_utf16().collect();
            let converted = output(units.len(), |dst| {
                (table.utf8_to_utf16)(src.as_bytes(), dst)
            });
            assert_eq!(converted, (src.len(), units), "{} kernel", table.name);
        }
    }
    let src = b"a\xFFb";
    let done = output(8, |dst| {
        let done = (SCALAR.utf8_to_utf16_lossy)(src, dst);
        (done.read, done.written)
    });
    assert_eq!(done, (3, std::vec![0x61, 0xFFFD, 0x62]));
}
