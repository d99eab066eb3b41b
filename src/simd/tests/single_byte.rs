//! Kernels of the single-byte encodings: every encoding with every table of kernels, compared with its index,
//! at the ends of both buffers.

use core::cell::RefCell;
use core::mem::MaybeUninit;
use std::string::String;
use std::vec::Vec;

use super::guard::{Edge, Guarded};
use super::hostile::Random;
use super::{LENGTHS, output_at, rooms, tables};
use crate::simd::kernels::Kernels;
use crate::simd::{SingleByteTable, spare};

std::thread_local! {
    static SOURCE: RefCell<Guarded> = RefCell::new(Guarded::new(1 << 16));
}

/// Lengths at the edges of blocks.
const EDGES: [usize; 21] = [
    0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 66, 127, 129, 192, 290,
];

/// The average number of characters between two that are not ASCII.
const DENSITIES: [usize; 5] = [1, 2, 6, 40, 1000];

/// The code unit of a byte.
fn unit(table: SingleByteTable, byte: u8) -> Option<u16> {
    match table.upper_unit(byte) {
        _ if byte.is_ascii() => Some(byte.into()),
        unit => (unit != 0).then_some(unit),
    }
}

/// Returns the bytes from 80 to FF that are mapped, or those that are not.
fn upper(table: SingleByteTable, mapped: bool) -> Vec<u8> {
    (0x80..=0xFF)
        .filter(|&byte| unit(table, byte).is_some() == mapped)
        .collect()
}

/// Returns mapped bytes, about one in `density` of which is not ASCII.
fn bytes(table: SingleByteTable, len: usize, density: usize) -> Vec<u8> {
    let mut random = Random::new((len * 1000 + density) as u64);
    let upper = upper(table, true);
    (0..len)
        .map(|_| match random.below(density) {
            0 => upper[random.below(upper.len())],
            _ => random.below(0x80) as u8,
        })
        .collect()
}

/// Returns the output of a kernel for `src`, with memory that it may not touch next to the ends of both
/// slices.
fn run<From: bytemuck::Pod, To: bytemuck::Pod>(
    src: &[From],
    room: usize,
    edge: Edge,
    kernel: impl Fn(&[From], &mut [MaybeUninit<To>]) -> (usize, usize),
) -> (usize, Vec<To>) {
    SOURCE.with_borrow_mut(|memory| {
        let src = memory.source(src, edge);
        output_at(room, edge, |dst| kernel(src, dst))
    })
}

fn check_decoding(kernels: &Kernels, table: SingleByteTable, src: &[u8], edge: Edge) {
    let units: Vec<u16> = src.iter().map_while(|&byte| unit(table, byte)).collect();
    let at = || std::format!("{} kernel, {edge:?}, {src:X?}", kernels.name);
    for room in rooms(src.len()) {
        let (_, decoded) = run(src, room, edge, |src, dst| {
            let kernel = kernels.single_byte_to_utf16;
            (0, kernel(table.to_utf16(&mut spare()), src, dst))
        });
        assert_eq!(decoded, units[..units.len().min(room)], "{}", at());
    }
    let all = String::from_utf16(&units).unwrap();
    for room in [all.len(), all.len() + 100, 3 * src.len(), all.len() / 2] {
        let (read, decoded) = run(src, room, edge, |src, dst| {
            (kernels.single_byte_to_utf8)(table.to_utf8(&mut spare()), src, dst)
        });
        let text = String::from_utf16(&units[..read]).unwrap();
        assert_eq!(decoded, text.as_bytes(), "{}", at());
        // It stops if the next character, or three bytes, would not fit.
        let stopped_for_room = room - decoded.len() < 3;
        assert!(read == units.len() || stopped_for_room, "{}", at());
    }
}

#[test]
fn single_byte_kernels_decode_every_encoding() {
    for kernels in tables() {
        for table in SingleByteTable::all() {
            for len in EDGES {
                for density in DENSITIES {
                    let src = bytes(table, len, density);
                    check_decoding(kernels, table, &src, Edge::Back(0));
                    check_decoding(kernels, table, &src, Edge::Front(0));
                }
            }
            let all: Vec<u8> = (0..=255).collect();
            check_decoding(kernels, table, &all, Edge::Front(0));
            let mapped: Vec<u8> = all
                .into_iter()
                .filter(|&byte| unit(table, byte).is_some())
                .collect();
            check_decoding(kernels, table, &mapped, Edge::Front(0));
        }
    }
}

#[test]
fn single_byte_kernels_decode_every_length_at_every_alignment() {
    // Two bytes for a character, three, mostly ASCII, and unmapped bytes.
    let [cyrillic, thai, latin] = [21, 16, 19].map(|at| SingleByteTable::all().nth(at).unwrap());
    for kernels in tables() {
        for len in LENGTHS {
            for table in [cyrillic, thai, latin] {
                let src = bytes(table, len, [1, 3, 30][len % 3]);
                check_decoding(kernels, table, &src, Edge::Back(len % 64 * 2));
            }
        }
        for offset in 0..64 {
            for table in [cyrillic, thai, latin] {
                let src = bytes(table, 200 + offset, 2);
                check_decoding(kernels, table, &src, Edge::Front(2 * offset));
            }
        }
    }
}

#[test]
fn single_byte_kernels_stop_before_every_unmapped_byte() {
    for kernels in tables() {
        for table in SingleByteTable::all() {
            for (i, byte) in upper(table, false).into_iter().enumerate() {
                let at = i * 11 % 140;
                for density in [1, 7] {
                    let mut src = bytes(table, 150, density);
                    src[at] = byte;
                    check_decoding(kernels, table, &src, Edge::Back(0));
                }
            }
        }
        // At every boundary of a block.
        let thai = SingleByteTable::all().nth(16).unwrap();
        for at in 0..200 {
            let mut src = bytes(thai, 200, 3);
            src[at] = 0xDB;
            check_decoding(kernels, thai, &src, Edge::Back(0));
        }
    }
}

fn check_encoding(kernels: &Kernels, table: SingleByteTable, text: &str, edge: Edge) {
    let byte = |wanted: &u16| (0..=255_u8).find(|&byte| unit(table, byte) == Some(*wanted));
    let units: Vec<u16> = text.encode_utf16().collect();
    let expected: Vec<u8> = units.iter().map_while(byte).collect();
    let at = || std::format!("{} kernel, {edge:?}, {text:?}", kernels.name);
    for room in rooms(units.len()) {
        let expected = &expected[..expected.len().min(room)];
        let (_, encoded) = run(&units, room, edge, |src, dst| {
            let kernel = kernels.utf16_to_single_byte;
            (0, kernel(table.to_bytes(&mut spare()), src, dst))
        });
        assert_eq!(encoded, expected, "{}", at());
        let (read, encoded) = run(text.as_bytes(), room, edge, |src, dst| {
            (kernels.utf8_to_single_byte)(table.to_bytes(&mut spare()), src, dst)
        });
        assert_eq!(encoded, expected[..encoded.len()], "{}", at());
        let taken: usize = text.chars().take(encoded.len()).map(char::len_utf8).sum();
        assert_eq!(read, taken, "{}", at());
        assert_eq!(encoded.len(), expected.len(), "{}", at());
    }
}

fn decoded(table: SingleByteTable, src: &[u8]) -> String {
    let units: Vec<u16> = src.iter().filter_map(|&byte| unit(table, byte)).collect();
    String::from_utf16(&units).unwrap()
}

/// The encodings that also have a table to encode with.
fn encoding_tables() -> impl Iterator<Item = SingleByteTable> {
    SingleByteTable::all().filter(|table| table.cells().get(0x41) != 0)
}

#[test]
fn single_byte_kernels_encode_every_encoding() {
    for kernels in tables() {
        for table in encoding_tables() {
            for len in EDGES {
                for density in DENSITIES {
                    let text = decoded(table, &bytes(table, len, density));
                    check_encoding(kernels, table, &text, Edge::Back(0));
                    check_encoding(kernels, table, &text, Edge::Front(0));
                }
            }
            let all: Vec<u8> = (0..=255).collect();
            check_encoding(kernels, table, &decoded(table, &all), Edge::Front(0));
        }
    }
}

#[test]
fn single_byte_kernels_encode_every_length_at_every_alignment() {
    let [cyrillic, thai, latin] = [21, 16, 19].map(|at| encoding_tables().nth(at).unwrap());
    for kernels in tables() {
        for len in LENGTHS {
            for table in [cyrillic, thai, latin] {
                let text = decoded(table, &bytes(table, len, [1, 3, 30][len % 3]));
                check_encoding(kernels, table, &text, Edge::Back(len % 64 * 2));
            }
        }
        for offset in 0..64 {
            for table in [cyrillic, thai, latin] {
                let text = decoded(table, &bytes(table, 200 + offset, 2));
                check_encoding(kernels, table, &text, Edge::Front(2 * offset));
            }
        }
    }
}

#[test]
fn single_byte_kernels_stop_before_every_unmappable_character() {
    // Characters of each length, some of them next to those that the encodings have.
    const STOPS: [char; 10] = [
        '\u{81}', '\u{17F}', '\u{3FF}', '\u{4FF}', '\u{7FF}', '\u{E7F}', '\u{2000}', '日',
        '\u{FFFF}', '💩',
    ];
    for kernels in tables() {
        for (number, table) in encoding_tables().enumerate() {
            for (i, stop) in STOPS.into_iter().enumerate() {
                let step = if number == 16 || number == 21 { 1 } else { 9 };
                for at in (i % step..150).step_by(step) {
                    let text = decoded(table, &bytes(table, 150, 1 + i));
                    let mut chars: Vec<char> = text.chars().collect();
                    chars[at] = stop;
                    let text: String = chars.into_iter().collect();
                    check_encoding(kernels, table, &text, Edge::Back(0));
                }
            }
        }
    }
}

#[test]
fn single_byte_kernels_stop_before_lone_surrogates() {
    let table = encoding_tables().nth(18).unwrap();
    for kernels in tables() {
        for at in 0..130 {
            let mut units: Vec<u16> = decoded(table, &bytes(table, 130, 2))
                .encode_utf16()
                .collect();
            units[at] = [0xD800, 0xDBFF, 0xDC00, 0xDFFF][at % 4];
            let (_, encoded) = run(&units, 130, Edge::Back(0), |src, dst| {
                let kernel = kernels.utf16_to_single_byte;
                (0, kernel(table.to_bytes(&mut spare()), src, dst))
            });
            assert_eq!(
                encoded,
                bytes(table, 130, 2)[..at],
                "{} kernel",
                kernels.name
            );
        }
    }
}

#[test]
fn user_defined_kernels_decode_every_byte() {
    for kernels in tables() {
        for len in LENGTHS {
            let src: Vec<u8> = (0..len).map(|at| (at * 7 + len) as u8).collect();
            let unit = |&byte: &u8| u16::from(byte) + u16::from(byte >= 0x80) * 0xF700;
            let expected: Vec<u16> = src.iter().map(unit).collect();
            for room in rooms(len) {
                let (_, decoded) = run(&src, room, Edge::Back(0), |src, dst| {
                    (0, (kernels.user_defined_to_utf16)(src, dst))
                });
                let expected = &expected[..len.min(room)];
                assert_eq!(decoded, expected, "{} kernel, {len} bytes", kernels.name);
            }
        }
    }
}

#[test]
fn user_defined_kernels_encode_low_bytes() {
    let is_mapped = |unit: &u16| matches!(unit, 0..=0x7F | 0xF780..=0xF7FF);
    const STOPS: [u16; 7] = [0x80, 0xFF, 0x7780, 0xF77F, 0xF800, 0xD800, 0xFFFF];
    for kernels in tables() {
        for len in LENGTHS {
            let mut random = Random::new(len as u64);
            let mut units: Vec<u16> = (0..len)
                .map(|_| random.below(0x80) as u16 + [0, 0xF780][random.below(2)])
                .collect();
            if let Some(unit) = units.get_mut(len / 2 + len % 3) {
                *unit = STOPS[len % 7];
            }
            let mapped = units.iter().copied().take_while(is_mapped);
            let expected: Vec<u8> = mapped.map(|unit| unit as u8).collect();
            for room in rooms(len) {
                let (_, encoded) = run(&units, room, Edge::Back(0), |src, dst| {
                    (0, (kernels.utf16_to_user_defined)(src, dst))
                });
                let expected = &expected[..expected.len().min(room)];
                assert_eq!(encoded, expected, "{} kernel, {units:X?}", kernels.name);
            }
        }
    }
}
