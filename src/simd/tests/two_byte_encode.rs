//! Kernels that encode two-byte encodings: every encoding with every table of kernels, compared with
//! look-ups one by one, at the ends of both buffers.

use core::cell::RefCell;
use std::string::String;
use std::vec::Vec;

use super::guard::{Edge, Guarded};
use super::hostile::Random;
use super::{LENGTHS, output_at, tables};
use crate::codec::two_byte_cells;
use crate::simd::kernels::Kernels;
use crate::simd::two_byte::cells::TwoByteCells;
use crate::simd::two_byte::decode::{OneByOne, put_ascii};
use crate::simd::two_byte::encode::{FindBytes, FromUtf8, FromUtf16, encode_with, put_utf16_ascii};

std::thread_local! {
    static SOURCE: RefCell<Guarded> = RefCell::new(Guarded::new(1 << 17));
}

/// Lengths at the edges of blocks.
const EDGES: [usize; 17] = [
    0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129, 290,
];

/// Lengths at the edges of windows, and of the text at the front for which a kernel is chosen.
const CUTS: [usize; 14] = [
    255, 256, 257, 300, 1000, 1365, 1366, 4095, 4096, 4097, 4100, 4161, 8193, 9000,
];

/// U+10400, in whose first three bytes of UTF-8 are the bits of U+0410, which all of these encodings have.
const LIKE_CYRILLIC: [u16; 2] = [0xD801, 0xDC00];

/// The average number of ASCII units in ten.
const DENSITIES: [usize; 6] = [0, 1, 3, 6, 8, 10];

/// Returns the bytes of the units at the front, up to the first that has none, or whose bytes don't fit, and
/// the number of units read.
fn encode(cells: &TwoByteCells, src: &[u16], room: usize) -> (usize, Vec<u8>) {
    let (mut read, mut bytes) = (0, Vec::new());
    for &unit in src {
        let (more, len) = match (unit, cells.get(unit)) {
            (0..0x80, _) => ([unit as u8, 0], 1),
            (_, 0) => break,
            (_, both) => (both.to_be_bytes(), 2),
        };
        if bytes.len() + len > room {
            break;
        }
        bytes.extend_from_slice(&more[..len]);
        read += 1;
    }
    (read, bytes)
}

/// Returns the units beyond ASCII that have bytes, or those that have none.
fn beyond_ascii(cells: &TwoByteCells, mapped: bool) -> Vec<u16> {
    (0x80..=0xFFFF)
        .filter(|&unit| (cells.get(unit) != 0) == mapped)
        .collect()
}

/// Text of `len` units, `ascii` in ten of which are ASCII.
fn text(mapped: &[u16], len: usize, ascii: usize) -> Vec<u16> {
    let mut random = Random::new((len * 100 + ascii) as u64);
    (0..len)
        .map(|_| {
            if random.below(10) < ascii {
                random.below(0x80) as u16
            } else {
                mapped[random.below(mapped.len())]
            }
        })
        .collect()
}

/// Returns text of `len` units in runs of one to `longest` units, alternately ASCII that is never part of two
/// bytes and other characters: what kernels take for many short runs.
fn short_runs(mapped: &[u16], len: usize, longest: usize) -> Vec<u16> {
    let mut random = Random::new((len * 10 + longest) as u64);
    let mut text = Vec::new();
    while text.len() < len {
        for _ in 0..=random.below(longest) {
            text.push(mapped[random.below(mapped.len())]);
        }
        for _ in 0..=random.below(longest) {
            text.push(random.below(0x40) as u16);
        }
    }
    text.truncate(len);
    text
}

/// Checks both kernels; the distance of `edge` is in units.
fn check(kernels: &Kernels, cells: &TwoByteCells, src: &[u16], rooms: &[usize], edge: Edge) {
    let of_words = match edge {
        Edge::Front(distance) => Edge::Front(2 * distance),
        Edge::Back(distance) => Edge::Back(2 * distance),
    };
    for &room in rooms {
        let encoded = SOURCE.with_borrow_mut(|memory| {
            let src = memory.source(src, of_words);
            output_at(room, edge, |dst| {
                (kernels.utf16_to_two_byte)(cells, src, dst)
            })
        });
        assert_eq!(
            encoded,
            encode(cells, src, room),
            "{} kernel, {edge:?}, room for {room}, {src:X?}",
            kernels.name
        );
    }
    // Text with lone surrogates has no UTF-8.
    if let Ok(text) = String::from_utf16(src) {
        check_utf8(kernels, cells, &text, src, rooms, edge);
    }
}

/// Checks the kernel from UTF-8; `units` are the code units of the text.
fn check_utf8(
    kernels: &Kernels,
    cells: &TwoByteCells,
    text: &str,
    units: &[u16],
    rooms: &[usize],
    edge: Edge,
) {
    for &room in rooms {
        let encoded = SOURCE.with_borrow_mut(|memory| {
            let src = memory.source(text.as_bytes(), edge);
            output_at(room, edge, |dst| {
                (kernels.utf8_to_two_byte)(cells, src, dst)
            })
        });
        assert_eq!(
            encoded,
            encode_utf8(cells, units, room),
            "{} kernel from UTF-8, {edge:?}, room for {room}, {text:?}",
            kernels.name
        );
    }
}

/// Returns what [`encode`] returns, but the number of bytes read in UTF-8 instead of units.
fn encode_utf8(cells: &TwoByteCells, units: &[u16], room: usize) -> (usize, Vec<u8>) {
    let (read, bytes) = encode(cells, units, room);
    (utf8_len(&units[..read]), bytes)
}

/// Returns the number of bytes of characters in UTF-8, none of which has two units.
fn utf8_len(units: &[u16]) -> usize {
    units
        .iter()
        .map(|&unit| match unit {
            0..0x80 => 1,
            0x80..0x800 => 2,
            _ => 3,
        })
        .sum()
}

#[test]
fn two_byte_kernels_encode_every_unit() {
    for kernels in tables() {
        for cells in two_byte_cells() {
            let mapped = beyond_ascii(cells, true);
            check(kernels, cells, &mapped, &[2 * mapped.len()], Edge::Front(0));
            for unit in beyond_ascii(cells, false) {
                let src = [0x41, mapped[usize::from(unit) % mapped.len()], unit, 0x42];
                let got = output_at(8, Edge::Back(0), |dst| {
                    (kernels.utf16_to_two_byte)(cells, &src, dst)
                });
                assert_eq!(got, encode(cells, &src, 8), "{} kernel", kernels.name);
                assert_eq!(got.0, 2);
                let Ok(text) = String::from_utf16(&src) else {
                    continue;
                };
                let got = output_at(8, Edge::Back(0), |dst| {
                    (kernels.utf8_to_two_byte)(cells, text.as_bytes(), dst)
                });
                assert_eq!(got, encode_utf8(cells, &src, 8), "{} kernel", kernels.name);
            }
        }
    }
}

#[test]
fn two_byte_kernels_encode_into_any_room() {
    for kernels in tables() {
        for cells in two_byte_cells() {
            let mapped = beyond_ascii(cells, true);
            for len in EDGES {
                for ascii in DENSITIES {
                    let src = text(&mapped, len, ascii);
                    let all = encode(cells, &src, 2 * len).1.len();
                    let rooms = [
                        0,
                        all / 2,
                        all / 2 + 1,
                        all.saturating_sub(1),
                        all,
                        all + 1,
                        all + 200,
                    ];
                    check(kernels, cells, &src, &rooms, Edge::Back(0));
                    check(kernels, cells, &src, &rooms, Edge::Front(0));
                }
            }
        }
    }
}

#[test]
fn two_byte_kernels_encode_every_length_at_every_alignment() {
    for kernels in tables() {
        for (number, cells) in two_byte_cells().enumerate() {
            let mapped = beyond_ascii(cells, true);
            for len in LENGTHS {
                let src = text(&mapped, len, DENSITIES[(len + number) % 6]);
                check(kernels, cells, &src, &[2 * len], Edge::Back(len % 64));
            }
            for offset in 0..64 {
                let src = text(&mapped, 200 + offset, DENSITIES[offset % 6]);
                check(kernels, cells, &src, &[600], Edge::Front(offset));
            }
        }
    }
}

#[test]
fn two_byte_kernels_stop_before_whatever_has_no_bytes() {
    for kernels in tables() {
        for cells in two_byte_cells() {
            let mapped = beyond_ascii(cells, true);
            let unmapped = beyond_ascii(cells, false);
            for ascii in DENSITIES {
                let src = text(&mapped, 130, ascii);
                for at in 0..src.len() {
                    let mut src = src.clone();
                    let random = unmapped[at * 97 % unmapped.len()];
                    let stop: &[u16] = match at % 7 {
                        0 => &[0xD800],
                        1 => &[0xDFFF],
                        2 => &[0xFFFF],
                        3 => &LIKE_CYRILLIC,
                        // The first after ASCII.
                        4 => &[0x80],
                        _ => &[random],
                    };
                    src.splice(at..at + 1, stop.iter().copied());
                    check(kernels, cells, &src, &[300, 2 * at], Edge::Back(0));
                }
            }
        }
    }
}

#[test]
fn two_byte_kernels_encode_greek_and_cyrillic() {
    for kernels in tables() {
        for cells in two_byte_cells() {
            let mut mapped = beyond_ascii(cells, true);
            mapped.retain(|unit| matches!(unit, 0x80..0x800));
            assert!(mapped.len() > 100);
            for len in EDGES {
                for ascii in DENSITIES {
                    let src = text(&mapped, len, ascii);
                    check(kernels, cells, &src, &[len, 2 * len], Edge::Back(0));
                    check(kernels, cells, &src, &[len, 2 * len], Edge::Front(0));
                }
                let src = short_runs(&mapped, 300 + len, 3);
                check(kernels, cells, &src, &[len, 2 * src.len()], Edge::Back(0));
            }
        }
    }
}

#[test]
fn two_byte_kernels_encode_many_windows_of_short_runs() {
    for kernels in tables() {
        for cells in two_byte_cells() {
            let mapped = beyond_ascii(cells, true);
            let unmapped = beyond_ascii(cells, false);
            let two_bytes = mapped.partition_point(|&unit| unit < 0x800);
            for (i, longest) in [1, 2, 4, 9].into_iter().enumerate() {
                let mapped = if i == 1 {
                    &mapped[..two_bytes]
                } else {
                    &mapped
                };
                let src = short_runs(mapped, 9000, longest);
                for (j, len) in CUTS.into_iter().enumerate() {
                    let src = &src[j % 2..len];
                    let rooms = [len, 2 * len, 3 * len];
                    check(kernels, cells, src, &rooms, Edge::Back(0));
                    // One that has no bytes, near the end.
                    let mut src = src.to_vec();
                    let at = src.len() - 1 - (i + j) % 40;
                    let stop: &[u16] = if j % 3 == 0 {
                        &LIKE_CYRILLIC
                    } else {
                        &[unmapped[(i + j) * 997 % unmapped.len()]]
                    };
                    src.splice(at..at + 1, stop.iter().copied());
                    check(kernels, cells, &src, &rooms, Edge::Back(0));
                }
            }
        }
    }
}

#[test]
fn flat_tables_have_what_the_cells_have() {
    for cells in two_byte_cells() {
        let flat = cells.flat(1 << 20).expect("after so much input");
        for unit in 0..=u16::MAX {
            let bytes = flat[usize::from(unit)];
            assert_eq!(bytes.swap_bytes(), cells.get(unit), "{unit:04X}");
            assert_eq!(bytes, FindBytes::bytes(cells, unit), "{unit:04X}");
        }
    }
}

#[test]
fn runs_need_no_flat_table_to_encode() {
    for kernels in tables() {
        for cells in two_byte_cells() {
            let mapped = beyond_ascii(cells, true);
            for (len, ascii) in [(0, 0), (1, 0), (15, 3), (700, 0), (700, 3), (700, 9)] {
                let mut units = text(&mapped, len, ascii);
                units.extend([0xFFFF, 0x41]);
                let utf8 = String::from_utf16(&units).expect("no surrogates");
                for room in [len, 2 * len] {
                    let expected = encode(cells, &units, room);
                    let got = output_at(room, Edge::Back(0), |dst| {
                        let ascii = |src: &[_], to: &mut [_]| put_utf16_ascii(kernels, src, to);
                        encode_with(FromUtf16 { ascii }, cells, &mut { usize::MAX }, &units, dst)
                    });
                    assert_eq!(got, expected, "{} kernel", kernels.name);
                    let got = output_at(room, Edge::Back(0), |dst| {
                        let ascii =
                            |src: &[u8], to: &mut [_]| put_ascii(src, to, kernels.ascii_to_utf8);
                        encode_with(
                            FromUtf8 {
                                ascii,
                                threes: OneByOne,
                            },
                            cells,
                            &mut { usize::MAX },
                            utf8.as_bytes(),
                            dst,
                        )
                    });
                    let expected = encode_utf8(cells, &units, room);
                    assert_eq!(got, expected, "{} kernel from UTF-8", kernels.name);
                }
            }
        }
    }
}
