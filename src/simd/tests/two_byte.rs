//! Kernels of the two-byte encodings: every index with every table of kernels, compared with look-ups one by
//! one, at the ends of both buffers.

use core::cell::RefCell;
use std::string::String;
use std::vec::Vec;

use super::guard::{Edge, Guarded};
use super::hostile::Random;
use super::{LENGTHS, output_at, rooms, tables};
use crate::codec::two_byte_indexes;
use crate::simd::kernels::Kernels;
use crate::simd::two_byte::decode::{FindUnit, ToUtf16, decode_with, put_ascii};
use crate::simd::two_byte::index::TwoByteIndex;

std::thread_local! {
    static SOURCE: RefCell<Guarded> = RefCell::new(Guarded::new(1 << 16));
}

/// Lengths at the edges of blocks.
const EDGES: [usize; 22] = [
    0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 127, 128, 129, 193, 290,
];

/// The average number of ASCII characters in ten.
const DENSITIES: [usize; 6] = [0, 1, 3, 6, 9, 10];

/// Returns the unit of the character at the front of `src` and its length, or `None` if the index has no such
/// character.
fn front(index: &TwoByteIndex, src: &[u8]) -> Option<(u16, usize)> {
    match *src {
        [] => None,
        [byte @ 0..0x80, ..] => Some((u16::from(byte), 1)),
        [byte, ..] => {
            let (unit, len) = index.look_up(byte, src.get(1).copied().unwrap_or_default());
            (unit != 0).then_some((unit, len))
        }
    }
}

/// The length of the first `room` characters, and their units.
fn decode(index: &TwoByteIndex, src: &[u8], room: usize) -> (usize, Vec<u16>) {
    let (mut read, mut units) = (0, Vec::new());
    while units.len() < room
        && let Some((unit, len)) = front(index, &src[read..])
    {
        units.push(unit);
        read += len;
    }
    (read, units)
}

/// A character that is not ASCII.
fn any(index: &TwoByteIndex, random: &mut Random) -> Vec<u8> {
    loop {
        let bytes = [random.below(0x80) as u8 | 0x80, random.below(0x100) as u8];
        if let Some((_, len)) = front(index, &bytes) {
            return bytes[..len].to_vec();
        }
    }
}

/// Text of about `len` bytes, `ascii` in ten of whose characters are ASCII.
fn text(index: &TwoByteIndex, len: usize, ascii: usize) -> Vec<u8> {
    let mut random = Random::new((len * 100 + ascii) as u64);
    let mut text = Vec::new();
    while text.len() < len {
        if random.below(10) < ascii {
            text.push(random.below(0x80) as u8);
        } else {
            text.extend(any(index, &mut random));
        }
    }
    text
}

fn check(kernels: &Kernels, index: &TwoByteIndex, src: &[u8], edge: Edge) {
    for room in rooms(src.len()) {
        let decoded = SOURCE.with_borrow_mut(|memory| {
            let src = memory.source(src, edge);
            output_at(room, edge, |dst| {
                (kernels.two_byte_to_utf16)(index, src, dst)
            })
        });
        assert_eq!(
            decoded,
            decode(index, src, room),
            "{} kernel, {:?}, {edge:?}, room for {room}, {src:X?}",
            kernels.name,
            index.leads
        );
    }
    for room in [0, 1, 24, 25, 207, 208, src.len(), 3 * src.len()] {
        check_utf8(kernels, index, src, room, edge);
    }
}

/// Checks the kernels to UTF-8, which also go as far as there is room.
fn check_utf8(kernels: &Kernels, index: &TwoByteIndex, src: &[u8], room: usize, edge: Edge) {
    let got = SOURCE.with_borrow_mut(|memory| {
        let src = memory.source(src, edge);
        output_at(room, edge, |dst| {
            (kernels.two_byte_to_utf8)(index, src, dst)
        })
    });
    let (_, units) = decode(index, src, src.len());
    let text = String::from_utf16(&units).expect("no surrogates");
    let (mut read, mut written) = (0, 0);
    for ch in text.chars() {
        if written + ch.len_utf8() > room {
            break;
        }
        written += ch.len_utf8();
        read += front(index, &src[read..]).map_or(0, |(_, len)| len);
    }
    assert_eq!(
        got,
        (read, text.as_bytes()[..written].to_vec()),
        "{} kernel, {edge:?}, room for {room}, {src:X?}",
        kernels.name
    );
}

#[test]
fn two_byte_kernels_decode_every_index() {
    for kernels in tables() {
        for index in two_byte_indexes() {
            for len in EDGES {
                for ascii in DENSITIES {
                    let src = text(index, len, ascii);
                    check(kernels, index, &src, Edge::Back(0));
                    check(kernels, index, &src, Edge::Front(0));
                }
            }
        }
    }
}

#[test]
fn two_byte_kernels_decode_every_pair() {
    for kernels in tables() {
        for index in two_byte_indexes() {
            for lead in 0x80..=0xFF {
                let row: Vec<u8> = (0..=0xFF_u8).flat_map(|trail| [lead, trail]).collect();
                // From every pair up to the first one that has no character.
                let mut at = 0;
                while at < row.len() {
                    let src = &row[at..];
                    let (read, units) = decode(index, src, src.len());
                    let got = output_at(src.len(), Edge::Back(0), |dst| {
                        (kernels.two_byte_to_utf16)(index, src, dst)
                    });
                    assert_eq!(got, (read, units), "{} kernel, {src:X?}", kernels.name);
                    at += (read & !1).max(2);
                }
            }
        }
    }
}

#[test]
fn two_byte_kernels_decode_every_length_at_every_alignment() {
    for kernels in tables() {
        for (number, index) in two_byte_indexes().enumerate() {
            for len in LENGTHS {
                let src = text(index, len, DENSITIES[(len + number) % 6]);
                check(kernels, index, &src, Edge::Back(len % 64 * 2));
            }
            for offset in 0..64 {
                let src = text(index, 200 + offset, DENSITIES[offset % 6]);
                check(kernels, index, &src, Edge::Front(2 * offset));
            }
        }
    }
}

#[test]
fn two_byte_kernels_stop_before_whatever_is_no_character() {
    for kernels in tables() {
        for index in two_byte_indexes() {
            let unmapped = (0x80..=0xFF_u8)
                .flat_map(|lead| (0x30..=0xFF_u8).map(move |trail| [lead, trail]))
                .filter(|pair| front(index, pair).is_none());
            let stops: Vec<[u8; 2]> = unmapped
                .step_by(1511)
                .chain([
                    *b"\x80a",
                    *b"\xFFa",
                    *b"\xA0a",
                    *b"\xFE ",
                    *b"\x810",
                    *b"\x8E\xE0",
                    *b"\x8F\xA1",
                    *b"\xB0\n",
                    *b"\xB0\0",
                    *b"\x81\0",
                    *b"\xFC\xFC",
                    *b"\xFE\xFE",
                ])
                .collect();
            for (i, stop) in stops.into_iter().enumerate() {
                let src = text(index, 200, DENSITIES[i % 6]);
                for at in (i % 3..src.len()).step_by(3) {
                    let mut src = src.clone();
                    src.splice(at..at, stop);
                    check_once(kernels, index, &src);
                    // The text ends within the pair.
                    check_once(kernels, index, &src[..at + 1]);
                }
            }
        }
    }
}

fn check_once(kernels: &Kernels, index: &TwoByteIndex, src: &[u8]) {
    check_utf8(kernels, index, src, 3 * src.len(), Edge::Back(0));
    let got = output_at(src.len(), Edge::Back(0), |dst| {
        (kernels.two_byte_to_utf16)(index, src, dst)
    });
    assert_eq!(
        got,
        decode(index, src, src.len()),
        "{} kernel, {:?}, {src:X?}",
        kernels.name,
        index.leads
    );
}

#[test]
fn two_byte_kernels_decode_many_windows_of_short_runs() {
    for kernels in tables() {
        for index in two_byte_indexes() {
            for ascii in DENSITIES {
                let src = text(index, 9000, ascii);
                check_once(kernels, index, &src);
                for (i, len) in [255, 256, 257, 300, 1000, 4095, 4096, 4098, 4161, 4200]
                    .into_iter()
                    .enumerate()
                {
                    check_once(kernels, index, &src[i % 2..len]);
                    // Neither a character nor the start of one.
                    let mut src = src[..len + 700].to_vec();
                    for stop in [*b"\xFF ", *b"\xB0\0", *b"\xE0\0", *b"\x81\0", *b"\x811"] {
                        src.splice(len + 200 + i..len + 202 + i, stop);
                        check_once(kernels, index, &src);
                    }
                    for room in [len, len + 63, len + 64] {
                        check_utf8(kernels, index, &src, room, Edge::Back(0));
                    }
                }
            }
        }
    }
}

#[test]
fn flat_tables_have_what_the_index_has() {
    for index in two_byte_indexes() {
        let flat = index.flat(1 << 20).expect("after so much input");
        for pair in 0..=u16::MAX {
            let [byte, next] = pair.to_le_bytes();
            let expected = match front(index, &[byte, next]) {
                Some((unit, 2)) => unit,
                _ => 0,
            };
            assert_eq!(flat[usize::from(pair)], expected, "{byte:02X} {next:02X}");
            if byte >= 0x80 && expected != 0 {
                assert_eq!(FindUnit::unit(index, [byte, next]), expected);
            }
        }
    }
}

#[test]
fn runs_need_no_flat_table() {
    for kernels in tables() {
        for index in two_byte_indexes() {
            for (len, ascii) in [(0, 0), (1, 0), (15, 3), (700, 0), (700, 3), (700, 9)] {
                let mut src = text(index, len, ascii);
                src.extend(*b"\xFFa");
                let got = output_at(src.len(), Edge::Back(0), |dst| {
                    let ascii =
                        |src: &[u8], to: &mut [_]| put_ascii(src, to, kernels.ascii_to_utf16);
                    let target = ToUtf16 { ascii };
                    decode_with(
                        target,
                        index,
                        index.katakana,
                        &mut { usize::MAX },
                        &src,
                        dst,
                    )
                });
                assert_eq!(got, decode(index, &src, src.len()), "{}", kernels.name);
            }
        }
    }
}

#[test]
fn an_index_has_nothing_after_its_last_pointer() {
    for index in two_byte_indexes() {
        for pointer in index.units.len()..index.units.len() + 300 {
            assert_eq!(index.at(pointer), 0);
        }
    }
}
