//! Kernels from UTF-16 to UTF-8 and to UTF-16, and those that count, compared with `char::decode_utf16`.

use core::cell::RefCell;
use core::mem::MaybeUninit;
use std::string::String;
use std::vec::Vec;

use super::guard::{Edge, Guarded};
use super::hostile::damaged_ascii;
use super::{LENGTHS, output_at, tables};
use crate::simd::kernels::{Kernels, Transcoded};

/// Units of every length in UTF-8, from both ends of each range.
const ASCII: [u16; 4] = [0x00, 0x20, 0x61, 0x7F];
const TWO: [u16; 4] = [0x80, 0xFF, 0x416, 0x7FF];
const THREE: [u16; 5] = [0x800, 0x65E5, 0xD7FF, 0xE000, 0xFFFF];
const PAIRS: [[u16; 2]; 4] = [
    [0xD800, 0xDC00],
    [0xD83D, 0xDCA9],
    [0xDBC0, 0xDFFF],
    [0xDBFF, 0xDFFF],
];
const LONE: [u16; 4] = [0xD800, 0xDBFF, 0xDC00, 0xDFFF];

/// The contents of inputs: how many of 100 draws give ASCII, two bytes, three bytes and pairs; the rest are
/// lone surrogates. Then how often a draw repeats the unit before.
const MIXES: [([usize; 4], usize); 12] = [
    ([100, 0, 0, 0], 0),
    ([0, 100, 0, 0], 0),
    ([0, 0, 100, 0], 0),
    ([0, 0, 0, 100], 0),
    ([2, 0, 0, 98], 0),
    ([20, 80, 0, 0], 80),
    ([10, 0, 90, 0], 80),
    ([40, 20, 20, 20], 90),
    ([25, 25, 25, 25], 0),
    ([30, 30, 20, 18], 60),
    ([90, 3, 3, 3], 0),
    ([10, 10, 10, 20], 0),
];

/// A small generator of pseudo-random numbers, the same in each run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

fn text(len: usize, (shares, repeat): ([usize; 4], usize), draw: &mut Draw) -> Vec<u16> {
    let mut units = Vec::new();
    let mut kind = 0;
    while units.len() < len {
        if units.is_empty() || draw.below(100) >= repeat {
            let mut share = draw.below(100);
            kind = 0;
            while kind < 4 && share >= shares[kind] {
                share -= shares[kind];
                kind += 1;
            }
        }
        match kind {
            0 => units.push(ASCII[draw.below(4)]),
            1 => units.push(TWO[draw.below(4)]),
            2 => units.push(THREE[draw.below(5)]),
            3 => units.extend(PAIRS[draw.below(4)]),
            _ => units.push(LONE[draw.below(4)]),
        }
    }
    // This may cut a pair.
    units.truncate(len);
    units
}

/// Returns what the first `read` units should become, and how many of them are lone surrogates.
fn replaced(units: &[u16], read: usize) -> (String, usize) {
    let cut = read > 0
        && (0xD800..=0xDBFF).contains(&units[read - 1])
        && units
            .get(read)
            .is_none_or(|unit| (0xDC00..=0xDFFF).contains(unit));
    assert!(!cut, "{read} units of {units:X?} end inside a character");
    let chars = char::decode_utf16(units[..read].iter().copied());
    let errors = chars.clone().filter(Result::is_err).count();
    let text = chars.map(|ch| ch.unwrap_or(char::REPLACEMENT_CHARACTER));
    (text.collect(), errors)
}

/// Returns how many units a strict and a lossy kernel may read at most.
fn limits(units: &[u16]) -> (usize, usize) {
    let mut strict = 0;
    for ch in char::decode_utf16(units.iter().copied()) {
        let Ok(ch) = ch else { break };
        strict += ch.len_utf16();
    }
    let open = units
        .last()
        .is_some_and(|unit| (0xD800..=0xDBFF).contains(unit));
    (strict, units.len() - usize::from(open))
}

std::thread_local! {
    static SOURCE: RefCell<Guarded> = RefCell::new(Guarded::new(1 << 16));
}

/// Runs every kernel that converts, into rooms of `rooms` units.
fn check(table: &Kernels, units: &[u16], rooms: &[usize], from: Edge, to: Edge) {
    let (strict, lossy) = limits(units);
    for big in [false, true] {
        // Bytes come in any number: half of the inputs have an odd one at the end.
        let odd = (units.len() % 2 == 1).then_some(0x61);
        let bytes: Vec<u8> = units
            .iter()
            .flat_map(|unit| {
                if big {
                    unit.to_be_bytes()
                } else {
                    unit.to_le_bytes()
                }
            })
            .chain(odd)
            .collect();
        let (to_utf8, to_utf8_lossy, to_utf16, to_utf16_lossy) = if big {
            (
                table.utf16be_to_utf8,
                table.utf16be_to_utf8_lossy,
                table.utf16be_to_utf16,
                table.utf16be_to_utf16_lossy,
            )
        } else {
            (
                table.utf16le_to_utf8,
                table.utf16le_to_utf8_lossy,
                table.utf16le_to_utf16,
                table.utf16le_to_utf16_lossy,
            )
        };
        SOURCE.with_borrow_mut(|memory| {
            let src = memory.source(&bytes, from);
            for &room in rooms {
                let at = || {
                    let name = table.name;
                    std::format!("{name} kernel, BE {big}, room {room}, {from:?} {to:?} {units:X?}")
                };
                for (is_lossy, limit) in [(false, strict), (true, lossy)] {
                    let mut errors = 0;
                    let (read, written) = output_at(room, to, |dst| {
                        if is_lossy {
                            counted(to_utf8_lossy(src, dst), &mut errors)
                        } else {
                            to_utf8(src, dst)
                        }
                    });
                    let (text, lone) = replaced(units, read / 2);
                    assert!(read % 2 == 0 && read / 2 <= limit, "{}", at());
                    assert_eq!(
                        (written.as_slice(), errors),
                        (text.as_bytes(), lone),
                        "{}",
                        at()
                    );
                    let is_full = room - written.len() < 6;
                    assert!(read / 2 == limit || is_full, "read {read}, {}", at());

                    let mut errors = 0;
                    let (read, written) = output_at(room, to, |dst| {
                        if is_lossy {
                            counted(to_utf16_lossy(src, dst), &mut errors)
                        } else {
                            let copied = to_utf16(src, dst);
                            (2 * copied, copied)
                        }
                    });
                    let (text, lone) = replaced(units, read / 2);
                    assert!(read % 2 == 0 && read / 2 <= limit, "{}", at());
                    let text: Vec<u16> = text.encode_utf16().collect();
                    assert_eq!(
                        (written.as_slice(), errors),
                        (text.as_slice(), lone),
                        "{}",
                        at()
                    );
                    let is_full = room - written.len() < 2;
                    assert!(read / 2 == limit || is_full, "read {read}, {}", at());
                }
            }
        });
    }
}

fn counted(replaced: Transcoded, errors: &mut usize) -> (usize, usize) {
    *errors = replaced.errors;
    (replaced.read, replaced.written)
}

/// Runs every kernel that counts, and the one that swaps.
fn check_counts(table: &Kernels, units: &[u16], from: Edge) {
    let whole: String = char::decode_utf16(units.iter().copied())
        .map(|ch| ch.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    SOURCE.with_borrow_mut(|memory| {
        let src = memory.source(units, from);
        let name = table.name;
        let at = || std::format!("{name} kernel, {units:X?}");
        assert_eq!((table.utf8_len_from_utf16)(src), whole.len(), "{}", at());
        let scalars = (table.count_scalars_utf16)(src);
        assert_eq!(scalars, whole.chars().count(), "{}", at());
        assert_eq!((table.utf16_valid_prefix)(src), limits(src).0, "{}", at());
        for room in [0, units.len() / 2, units.len(), units.len() + 3] {
            let (_, swapped) = output_at(room, Edge::Back(0), |dst: &mut [MaybeUninit<u16>]| {
                (0, (table.utf16_swap)(src, dst))
            });
            let expected = units.iter().take(room).map(|unit| unit.swap_bytes());
            assert!(swapped.into_iter().eq(expected), "{}", at());
        }
    });
}

#[test]
fn every_length_of_every_mix() {
    let mut draw = Draw(1);
    for table in tables() {
        for len in LENGTHS {
            for mix in MIXES {
                let units = text(len, mix, &mut draw);
                let exact = String::from_utf16_lossy(&units).len();
                let rooms = [
                    0,
                    draw.below(exact + 1),
                    exact.saturating_sub(1 + draw.below(4)),
                    exact,
                    exact + 160,
                ];
                check(table, &units, &rooms, Edge::Back(0), Edge::Back(0));
                check_counts(table, &units, Edge::Back(0));
            }
        }
    }
}

/// A unit that is read half a unit later is zero, too.
#[test]
fn half_a_unit_after_zeros() {
    for table in tables() {
        for len in 0..300 {
            let bytes = std::vec![0; 2 * len + 1];
            for kernel in [table.utf16le_to_utf8, table.utf16be_to_utf8] {
                for room in [len, 3 * len + 160] {
                    let done = output_at(room, Edge::Back(0), |dst| kernel(&bytes, dst));
                    let expected = (2 * len, std::vec![0; len]);
                    assert_eq!(done, expected, "{} kernel, room {room}", table.name);
                }
            }
        }
    }
}

#[test]
fn every_alignment() {
    let mut draw = Draw(2);
    for table in tables() {
        for len in [1, 31, 33, 65, 130, 257] {
            for alignment in 0..64 {
                let units = text(len, MIXES[9], &mut draw);
                // Units of UTF-16 can't be at odd addresses, but bytes can.
                let to = Edge::Front(2 * draw.below(32));
                check(table, &units, &[3 * len + 160], Edge::Front(alignment), to);
                let to = Edge::Front(2 * (alignment / 2));
                check(
                    table,
                    &units,
                    &[3 * len + 160],
                    Edge::Back(draw.below(64)),
                    to,
                );
                check_counts(table, &units, Edge::Front(2 * draw.below(32)));
            }
        }
    }
}

#[test]
fn every_edge_of_a_block() {
    /// The units to put at each place, into text of each of `NEIGHBOURS`.
    const PIECES: [&[u16]; 8] = [
        &[0x7FF],
        &[0x800],
        &[0xD83D, 0xDCA9],
        &[0xDBFF, 0xDFFF, 0xD800, 0xDC00],
        &[0xD83D],
        &[0xDCA9],
        &[0xDCA9, 0xD83D],
        &[0xD83D, 0xD83D, 0xDCA9, 0xDCA9],
    ];
    const NEIGHBOURS: [u16; 3] = [0x61, 0x416, 0x65E5];
    for table in tables() {
        for around in NEIGHBOURS {
            for piece in PIECES {
                for at in 0..140 {
                    let mut units = std::vec![around; 200];
                    units[at..at + piece.len()].copy_from_slice(piece);
                    check(table, &units, &[760], Edge::Back(0), Edge::Back(0));
                    units.truncate(at + piece.len());
                    check(table, &units, &[760], Edge::Back(0), Edge::Back(0));
                    check_counts(table, &units, Edge::Back(0));
                }
            }
        }
    }
}

/// Halves of a pair that are apart, with whole steps of a kernel between them.
#[test]
fn halves_of_a_pair_are_neighbours() {
    for table in tables() {
        for at in 0..130 {
            for apart in [1, 2, 9, 17, 33, 65, 129] {
                let mut units = std::vec![0x61; 300];
                (units[at], units[at + apart]) = (0xD83D, 0xDCA9);
                check_counts(table, &units, Edge::Back(0));
            }
        }
    }
}

#[test]
fn surrogates_that_stand_alone_in_ascii() {
    for table in tables() {
        for seed in 0..400 {
            let bytes = damaged_ascii(seed, 200 + seed as usize % 40, 30);
            let unit = |byte: u8| match byte {
                0x80.. => 0xD000 + 16 * u16::from(byte),
                _ => u16::from(byte),
            };
            let units: Vec<u16> = bytes.into_iter().map(unit).collect();
            check(table, &units, &[250, 700], Edge::Back(0), Edge::Back(0));
        }
    }
}

#[test]
fn every_room() {
    let mut draw = Draw(3);
    for table in tables() {
        for mix in MIXES {
            let units = text(120, mix, &mut draw);
            let rooms: Vec<usize> = (0..400).collect();
            check(table, &units, &rooms, Edge::Back(0), Edge::Back(0));
        }
    }
}

#[test]
fn long_input() {
    let mut draw = Draw(4);
    for table in tables() {
        for mix in MIXES {
            let units = text(9000, mix, &mut draw);
            check(table, &units, &[28_000], Edge::Back(0), Edge::Back(0));
            check_counts(table, &units, Edge::Back(0));
        }
    }
}
