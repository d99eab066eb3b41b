//! Kernels between Latin-1, UTF-8, UTF-16 and UTF-32, and those that count, each compared with the scalar
//! one, which is compared with `std`. They stop exactly where the scalar ones do.

use core::cell::RefCell;
use core::fmt::Debug;
use core::mem::MaybeUninit;
use std::string::String;
use std::vec::Vec;

use super::guard::{Edge, Guarded};
use super::{LENGTHS, output_at, tables};
use crate::simd::kernels::Kernels;
use crate::simd::scalar::table::SCALAR;

std::thread_local! {
    static SOURCE: RefCell<Guarded> = RefCell::new(Guarded::new(1 << 16));
}

/// Characters of one, two and more bytes, by scripts and at the edges of lengths.
const SCRIPTS: [&[char]; 8] = [
    &['a', 'e', ' ', 'z', '\0', '\u{7F}'],
    &['é', 'ÿ', '\u{80}', '\u{BF}', '\u{C0}', 'Ã'],
    &['a', 'b', 'c', 'd', 'e', 'f', 'g', 'é', 'h', 'ü'],
    &['д', 'ж', ' ', '\u{100}', '\u{7FF}'],
    &['日', '本', '\u{800}', '\u{D7FF}', '\u{E000}', '\u{FFFF}'],
    &['💩', '\u{10000}', '\u{10FFFF}'],
    &['💩', 'a', '日', 'é', 'a'],
    &[
        'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', '💩', 'é',
    ],
];

/// A pseudo-random generator with a long period.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % limit
    }
}

/// Text of `len` characters of every script, in order and at random.
fn texts(len: usize) -> impl Iterator<Item = String> {
    SCRIPTS.iter().flat_map(move |script| {
        let mut numbers = Numbers(len as u64);
        let in_order = (0..len).map(|i| script[i % script.len()]).collect();
        let random = (0..len)
            .map(|_| script[numbers.below(script.len())])
            .collect();
        [in_order, random]
    })
}

/// ASCII with one character, or one unit that is not a character, at `at`.
fn units_with(len: usize, at: usize, unit: u32) -> Vec<u32> {
    let mut units: Vec<u32> = (0..len).map(|i| 0x20 + (i * 7 % 90) as u32).collect();
    if let Some(to) = units.get_mut(at) {
        *to = unit;
    }
    units
}

/// Runs a kernel of `table` and the scalar one, with every output size if the source is short.
fn compare<S: bytemuck::Pod + Debug, T: bytemuck::Pod + PartialEq + Debug>(
    table: &Kernels,
    what: &str,
    src: &[S],
    edges: (Edge, Edge),
    run: impl Fn(&Kernels, &[S], &mut [MaybeUninit<T>]) -> (usize, usize),
) {
    let (_, all) = output_at(4 * src.len(), Edge::Back(0), |dst| run(&SCALAR, src, dst));
    let len = all.len();
    let rooms = if src.len() < 20 {
        (0..=len + 2).collect()
    } else {
        std::vec![
            0,
            len / 2,
            len * 3 / 4 + 1,
            len - len.min(1),
            len,
            len + 1,
            len + 37,
            len + 200
        ]
    };
    for room in rooms {
        let expected = output_at(room, Edge::Back(0), |dst| run(&SCALAR, src, dst));
        let done = SOURCE.with_borrow_mut(|memory| {
            let src = memory.source(src, edges.0);
            output_at(room, edges.1, |dst| run(table, src, dst))
        });
        assert!(
            done == expected,
            "{what}, {} kernel, room {room}, {edges:?}, {src:X?}: {done:X?}, not {expected:X?}",
            table.name
        );
    }
}

/// The type of a kernel that counts.
type Count<T> = fn(&[T]) -> usize;

const BACK: (Edge, Edge) = (Edge::Back(0), Edge::Back(0));
const FRONT: (Edge, Edge) = (Edge::Front(0), Edge::Front(0));

/// Compares all kernels that read bytes.
fn compare_bytes(table: &Kernels, src: &[u8], edges: (Edge, Edge)) {
    compare(table, "latin1_to_utf8", src, edges, |table, src, dst| {
        (table.latin1_to_utf8)(src, dst)
    });
    compare(table, "utf8_to_latin1", src, edges, |table, src, dst| {
        (table.utf8_to_latin1)(src, dst)
    });
    let count = |what: &str, kernel: fn(&Kernels) -> Count<u8>| {
        let expected = kernel(&SCALAR)(src);
        let done = SOURCE.with_borrow_mut(|memory| kernel(table)(memory.source(src, edges.0)));
        assert_eq!(done, expected, "{what}, {} kernel, {src:X?}", table.name);
    };
    count("utf16_len_from_utf8", |table| table.utf16_len_from_utf8);
    count("count_scalars_utf8", |table| table.count_scalars_utf8);
    count("line_ends", |table| table.line_ends);
    count("utf8_len_from_latin1", |table| table.utf8_len_from_latin1);
}

/// Returns the edges for units of `T`, which must be aligned.
fn aligned<S, T>((src, dst): (Edge, Edge)) -> (Edge, Edge) {
    let scale = |edge, size| match edge {
        Edge::Front(at) => Edge::Front(at * size),
        Edge::Back(at) => Edge::Back(at * size),
    };
    (scale(src, size_of::<S>()), scale(dst, size_of::<T>()))
}

/// Compares widening kernels, which read bytes.
fn compare_widening(table: &Kernels, src: &[u8], edges: (Edge, Edge)) {
    let edges_16 = aligned::<u8, u16>(edges);
    compare(
        table,
        "latin1_to_utf16",
        src,
        edges_16,
        |table, src, dst| {
            let done = (table.latin1_to_utf16)(src, dst);
            (done, done)
        },
    );
    let edges_32 = aligned::<u8, u32>(edges);
    compare(
        table,
        "latin1_to_utf32",
        src,
        edges_32,
        |table, src, dst| {
            let done = (table.latin1_to_utf32)(src, dst);
            (done, done)
        },
    );
}

/// Compares all kernels that read code units of UTF-16.
fn compare_utf16(table: &Kernels, src: &[u16], edges: (Edge, Edge)) {
    let narrow = aligned::<u16, u8>(edges);
    compare(table, "utf16_to_latin1", src, narrow, |table, src, dst| {
        let done = (table.utf16_to_latin1)(src, dst);
        (done, done)
    });
    let wide = aligned::<u16, u32>(edges);
    compare(table, "utf16_to_utf32", src, wide, |table, src, dst| {
        (table.utf16_to_utf32)(src, dst)
    });
}

/// Compares all kernels that read code units of UTF-32.
fn compare_utf32(table: &Kernels, src: &[u32], edges: (Edge, Edge)) {
    let to_bytes = aligned::<u32, u8>(edges);
    compare(table, "utf32_to_utf8", src, to_bytes, |table, src, dst| {
        (table.utf32_to_utf8)(src, dst)
    });
    compare(
        table,
        "utf32_to_latin1",
        src,
        to_bytes,
        |table, src, dst| {
            let done = (table.utf32_to_latin1)(src, dst);
            (done, done)
        },
    );
    let to_units = aligned::<u32, u16>(edges);
    compare(table, "utf32_to_utf16", src, to_units, |table, src, dst| {
        (table.utf32_to_utf16)(src, dst)
    });
    let count = |what: &str, kernel: fn(&Kernels) -> Count<u32>| {
        let expected = kernel(&SCALAR)(src);
        let edge = to_bytes.0;
        let done = SOURCE.with_borrow_mut(|memory| kernel(table)(memory.source(src, edge)));
        assert_eq!(done, expected, "{what}, {} kernel, {src:X?}", table.name);
    };
    count("utf32_valid_prefix", |table| table.utf32_valid_prefix);
    count("utf8_len_from_utf32", |table| table.utf8_len_from_utf32);
    count("utf16_len_from_utf32", |table| table.utf16_len_from_utf32);
}

fn compare_all(table: &Kernels, text: &str, edges: (Edge, Edge)) {
    compare_bytes(table, text.as_bytes(), edges);
    let latin1: Vec<u8> = text.chars().map(|ch| u32::from(ch) as u8).collect();
    compare_bytes(table, &latin1, edges);
    compare_widening(table, &latin1, edges);
    compare_utf16(table, &text.encode_utf16().collect::<Vec<_>>(), edges);
    compare_utf32(
        table,
        &text.chars().map(u32::from).collect::<Vec<_>>(),
        edges,
    );
}

#[test]
fn scalar_kernels_between_forms_agree_with_std() {
    for text in LENGTHS.step_by(7).flat_map(texts) {
        let utf16: Vec<u16> = text.encode_utf16().collect();
        let utf32: Vec<u32> = text.chars().map(u32::from).collect();
        let (from_8, from_16, from_32) = (text.len(), utf16.len(), utf32.len());
        let room = 4 * text.len();
        let edge = Edge::Back(0);
        let to_8 = output_at(room, edge, |dst| (SCALAR.utf32_to_utf8)(&utf32, dst));
        assert_eq!(to_8, (from_32, text.as_bytes().to_vec()));
        let to_16 = output_at(room, edge, |dst| (SCALAR.utf32_to_utf16)(&utf32, dst));
        assert_eq!(to_16, (from_32, utf16.clone()));
        let to_32 = output_at(room, edge, |dst| (SCALAR.utf16_to_utf32)(&utf16, dst));
        assert_eq!(to_32, (from_16, utf32.clone()));
        let to_32 = output_at(room, edge, |dst| {
            (SCALAR.utf8_to_utf32)(text.as_bytes(), dst)
        });
        assert_eq!(to_32, (from_8, utf32.clone()));
        assert_eq!((SCALAR.utf16_len_from_utf8)(text.as_bytes()), from_16);
        assert_eq!((SCALAR.count_scalars_utf8)(text.as_bytes()), from_32);
        assert_eq!((SCALAR.utf8_len_from_utf16)(&utf16), from_8);
        assert_eq!((SCALAR.count_scalars_utf16)(&utf16), from_32);
        assert_eq!((SCALAR.utf8_len_from_utf32)(&utf32), from_8);
        assert_eq!((SCALAR.utf16_len_from_utf32)(&utf32), from_16);
        let latin1: Vec<u8> = utf32
            .iter()
            .map_while(|&ch| u8::try_from(ch).ok())
            .collect();
        let front: String = latin1.iter().map(|&byte| char::from(byte)).collect();
        let narrow = output_at(room, edge, |dst| {
            (SCALAR.utf8_to_latin1)(text.as_bytes(), dst)
        });
        assert_eq!(narrow, (front.len(), latin1.clone()));
        let wide = output_at(room, edge, |dst| (SCALAR.latin1_to_utf8)(&latin1, dst));
        assert_eq!(wide, (latin1.len(), front.as_bytes().to_vec()));
        assert_eq!((SCALAR.utf8_len_from_latin1)(&latin1), front.len());
    }
}

#[test]
fn every_length_of_every_script() {
    for table in tables() {
        // The longer lengths are for kernels that leave short texts to others.
        for text in LENGTHS.chain(LONGER).flat_map(texts) {
            compare_all(table, &text, BACK);
        }
    }
}

/// Lengths around multiples of the widest steps.
const LONGER: [usize; 7] = [321, 350, 387, 450, 513, 640, 1100];

#[test]
fn nothing_is_read_or_written_in_front() {
    for table in tables() {
        for text in LENGTHS.step_by(11).flat_map(texts) {
            compare_all(table, &text, FRONT);
        }
    }
}

#[test]
fn every_alignment() {
    for table in tables() {
        for at in 0..64 {
            for text in [70, 131].into_iter().flat_map(texts) {
                compare_all(table, &text, (Edge::Front(at), Edge::Front(at * 7 % 64)));
            }
        }
    }
}

#[test]
fn one_unit_of_another_kind_anywhere() {
    const UNITS: [u32; 15] = [
        0x80,
        0xFF,
        0x100,
        0x7FF,
        0x800,
        0xD7FF,
        0xD800,
        0xDBFF,
        0xDC00,
        0xDFFF,
        0xE000,
        0x1_0000,
        0x10_FFFF,
        0x11_0000,
        u32::MAX,
    ];
    for table in tables() {
        for len in [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 100, 160] {
            for at in 0..len {
                for unit in UNITS {
                    let units = units_with(len, at, unit);
                    compare_utf32(table, &units, BACK);
                    let units: Vec<u16> = units.iter().map(|&unit| unit as u16).collect();
                    compare_utf16(table, &units, BACK);
                    let bytes: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
                    compare_bytes(table, &bytes, BACK);
                }
            }
        }
    }
}

#[test]
fn pairs_and_errors_across_every_block_edge() {
    for table in tables() {
        for at in 0..140 {
            for stop in [
                &b"\xC3\xA9"[..],
                b"\xC3",
                b"\xA9",
                b"\xC3\xC3",
                b"\xC2\x80\x80",
                b"\xC1\x81",
                b"\xC4\x80",
                b"\xE0\xA4\xA4",
                b"\xF0\x9F\x92\xA9",
                b"\xFF",
                b"\xC3\x41",
            ] {
                for filler in ["a", "é"] {
                    let mut src = filler.repeat(at).into_bytes();
                    src.extend(stop);
                    src.extend(filler.repeat(40).into_bytes());
                    compare_bytes(table, &src, BACK);
                }
            }
            for stop in [
                &[0xD83D, 0xDCA9][..],
                &[0xD83D],
                &[0xDCA9],
                &[0xD83D, 0xD83D, 0xDCA9],
                &[0xD83D, 0xDCA9, 0xDCA9],
                &[0xD83D, 0x41],
            ] {
                for filler in ["a", "日", "💩"] {
                    let mut src: Vec<u16> = filler.repeat(at).encode_utf16().collect();
                    src.extend(stop);
                    src.extend(filler.repeat(40).encode_utf16());
                    compare_utf16(table, &src, BACK);
                }
            }
        }
    }
}

#[test]
fn random_units() {
    let mut numbers = Numbers(9);
    for table in tables() {
        for _ in 0..3000 {
            let len = numbers.below(150);
            let rare = 2 + numbers.below(40);
            let mut unit = |limit: usize| {
                if numbers.below(rare) == 0 {
                    numbers.below(limit)
                } else {
                    0x61
                }
            };
            let bytes: Vec<u8> = (0..len).map(|_| unit(256) as u8).collect();
            let utf16: Vec<u16> = (0..len).map(|_| 0xD700 + unit(0xA00) as u16).collect();
            let utf32: Vec<u32> = (0..len).map(|_| unit(0x12_0000) as u32).collect();
            compare_bytes(table, &bytes, BACK);
            compare_widening(table, &bytes, BACK);
            compare_utf16(table, &utf16, BACK);
            compare_utf32(table, &utf32, BACK);
        }
    }
}
