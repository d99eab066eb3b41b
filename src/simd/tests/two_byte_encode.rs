//! Kernels that encode two-byte encodings: every encoding with every table of kernels, compared with
//! look-ups one by one, at the ends of both buffers.

use core::cell::RefCell;
use std::vec::Vec;

use super::guard::{Edge, Guarded};
use super::hostile::Random;
use super::{LENGTHS, output_at, tables};
use crate::codec::two_byte_cells;
use crate::simd::kernels::Kernels;
use crate::simd::two_byte_cells::TwoByteCells;

std::thread_local! {
    static SOURCE: RefCell<Guarded> = RefCell::new(Guarded::new(1 << 16));
}

/// Lengths at the edges of blocks.
const EDGES: [usize; 17] = [
    0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 129, 290,
];

/// How many units are ASCII of ten, on the average.
const DENSITIES: [usize; 6] = [0, 1, 3, 6, 8, 10];

/// What the first units become that have bytes and whose bytes have room.
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

/// The units beyond ASCII that have bytes, or those that have none.
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

fn check(kernels: &Kernels, cells: &TwoByteCells, src: &[u16], rooms: &[usize], edge: Edge) {
    for &room in rooms {
        let encoded = SOURCE.with_borrow_mut(|memory| {
            let src = memory.source(src, edge);
            output_at(room, edge, |dst| {
                (kernels.utf_16_to_two_byte)(cells, src, dst)
            })
        });
        assert_eq!(
            encoded,
            encode(cells, src, room),
            "{} kernel, {edge:?}, room for {room}, {src:X?}",
            kernels.name
        );
    }
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
                    (kernels.utf_16_to_two_byte)(cells, &src, dst)
                });
                assert_eq!(got, encode(cells, &src, 8), "{} kernel", kernels.name);
                assert_eq!(got.0, 2);
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
        for (number, cells) in two_byte_cells().into_iter().enumerate() {
            let mapped = beyond_ascii(cells, true);
            for len in LENGTHS {
                let src = text(&mapped, len, DENSITIES[(len + number) % 6]);
                check(kernels, cells, &src, &[2 * len], Edge::Back(len % 64 * 2));
            }
            for offset in 0..64 {
                let src = text(&mapped, 200 + offset, DENSITIES[offset % 6]);
                check(kernels, cells, &src, &[600], Edge::Front(2 * offset));
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
                    src[at] = match at % 5 {
                        0 => 0xD800,
                        1 => 0xDFFF,
                        2 => 0xFFFF,
                        _ => unmapped[at * 97 % unmapped.len()],
                    };
                    check(kernels, cells, &src, &[300, 2 * at], Edge::Back(0));
                }
            }
        }
    }
}
