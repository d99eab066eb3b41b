//! UTF-8 to UTF-32: text of every script, text with malformed bytes in it, and noise.

use std::vec::Vec;

use super::guard::{Edge, Guarded};
use super::utf8_to_utf16::{MALFORMED, Noise, SCRIPTS, runs_of_three};
use super::{LENGTHS, output, output_at, tables};
use crate::simd::kernels::Kernels;

/// Returns everything that can be converted, with `room` units.
fn expected(src: &[u8], room: usize) -> (usize, Vec<u32>) {
    let valid = std::str::from_utf8(src).map_or_else(|e| e.valid_up_to(), str::len);
    let text = std::str::from_utf8(&src[..valid]).unwrap();
    let chars = text.chars().take(room);
    let read = chars.clone().map(char::len_utf8).sum();
    (read, chars.map(u32::from).collect())
}

fn check(table: &Kernels, src: &[u8], room: usize, edge: Edge) {
    let at = || std::format!("{} kernel, room {room}, {edge:?}, {src:X?}", table.name);
    let (all, units) = expected(src, room);
    let edge = match edge {
        Edge::Front(distance) => Edge::Front(4 * distance),
        Edge::Back(distance) => Edge::Back(4 * distance),
    };
    let (read, done) = output_at(room, edge, |dst| (table.utf8_to_utf32)(src, dst));
    assert_eq!(done, units[..done.len().min(units.len())], "{}", at());
    assert_eq!(expected(&src[..read], room), (read, done), "{}", at());
    // The last few characters may be left.
    assert!(read + 16 >= all, "read {read} of {all}, {}", at());
}

#[test]
fn text_of_every_script_and_length() {
    for table in tables() {
        let mut noise = Noise(0x2545_F491_4F6C_DD1D);
        for len in LENGTHS {
            for script in SCRIPTS {
                let src: Vec<u8> = script.bytes().cycle().take(len).collect();
                let units = expected(&src, len).1.len();
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
fn runs_of_three_bytes_with_others_at_every_place() {
    for table in tables() {
        for src in runs_of_three() {
            check(table, &src, src.len(), Edge::Back(0));
        }
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
                check(table, src, expected(src, src.len()).1.len(), edge);
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
            // Some of the text is pure ASCII, up to either side of where stores become aligned.
            for ascii in [0, 500, 577, 1300] {
                let src = script.repeat(100) + &"plain ".repeat(ascii / 6) + &script.repeat(40);
                let units: Vec<u32> = src.chars().map(u32::from).collect();
                let converted = output(src.len(), |dst| (table.utf8_to_utf32)(src.as_bytes(), dst));
                assert_eq!(converted, (src.len(), units), "{} kernel", table.name);
            }
        }
    }
}
