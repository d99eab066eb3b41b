//! Every kernel of every table that this machine can run against the scalar one, which is compared
//! with `std` first.

use core::fmt::Debug;
use core::mem::MaybeUninit;
use std::vec::Vec;

use super::kernels::{Kernels, NOTHING, SCALAR, SingleByteCells, UpperHalf, available, select};

/// Lengths on both sides of every vector width, and of their small multiples.
const LENGTHS: core::ops::Range<usize> = 0..300;

/// Bytes that end an ASCII run, and characters of every length to put into one.
const STOPS: [&[u8]; 9] = [
    b"\x80",
    b"\xFF",
    "é".as_bytes(),
    "日".as_bytes(),
    "💩".as_bytes(),
    b"\xED\xA0\x80",
    b"\xF4\x90\x80\x80",
    b"\xE0\x9F\x80",
    b"\xC3",
];

/// The tables under test.
fn tables() -> impl Iterator<Item = &'static Kernels> {
    let skipped = ["scalar", "sse4", "avx2", "avx512"]
        .into_iter()
        .filter(|name| !available().any(|table| table.name == *name));
    for name in skipped {
        std::eprintln!("skipped: this machine lacks the {name} kernels");
    }
    available().filter(|table| table.name != "none")
}

/// ASCII of every length, with nothing or one of `STOPS` at every few places.
fn inputs() -> impl Iterator<Item = Vec<u8>> {
    LENGTHS.flat_map(|len| {
        let ascii: Vec<u8> = (0..len).map(|i| b' ' + (i * 7 % 90) as u8).collect();
        let step = 1 + len / 24;
        let stopped = (0..len).step_by(step).flat_map({
            let ascii = ascii.clone();
            move |at| {
                let ascii = ascii.clone();
                STOPS.iter().map(move |stop| {
                    let (front, back) = ascii.split_at(at);
                    [front, stop, back].concat()
                })
            }
        });
        core::iter::once(ascii).chain(stopped)
    })
}

/// Runs a kernel into `room` units and returns what it says it has read, and what it wrote.
fn output<T: Copy + Default + Debug>(
    room: usize,
    kernel: impl FnOnce(&mut [MaybeUninit<T>]) -> (usize, usize),
) -> (usize, Vec<T>) {
    let mut dst: Vec<MaybeUninit<T>> = (0..room).map(|_| MaybeUninit::new(T::default())).collect();
    let (read, written) = kernel(&mut dst);
    assert!(written <= room, "{written} units written into {room}");
    let written = dst[..written]
        .iter()
        // SAFETY: every unit was initialised above, and kernels write initialised units only.
        .map(|unit| unsafe { unit.assume_init() })
        .collect();
    (read, written)
}

/// Output sizes worth trying for an input of `len` units.
fn rooms(len: usize) -> [usize; 5] {
    [0, len / 2, len.saturating_sub(1), len, len + 40]
}

#[test]
fn scalar_kernels_agree_with_std() {
    for src in inputs() {
        let ascii = src.iter().take_while(|byte| byte.is_ascii()).count();
        assert_eq!((SCALAR.ascii_prefix)(&src), ascii, "{src:X?}");
        let valid = std::str::from_utf8(&src).map_or_else(|e| e.valid_up_to(), str::len);
        assert_eq!((SCALAR.utf_8_valid_prefix)(&src), valid, "{src:X?}");
        let text = std::str::from_utf8(&src[..valid]).unwrap();
        let units: Vec<u16> = text.encode_utf16().collect();
        let converted = output(src.len(), |dst| (SCALAR.utf_8_to_utf_16)(&src, dst));
        assert_eq!(converted, (valid, units), "{src:X?}");
        let (_, copied) = output(src.len(), |dst| (0, (SCALAR.ascii_to_utf_8)(&src, dst)));
        assert_eq!(copied, &src[..ascii]);
        let (_, widened) = output(src.len(), |dst| (0, (SCALAR.ascii_to_utf_16)(&src, dst)));
        assert!(
            widened
                .iter()
                .copied()
                .eq(src[..ascii].iter().map(|byte| u16::from(*byte)))
        );
    }
}

#[test]
fn byte_kernels_agree_with_scalar() {
    for table in tables() {
        for src in inputs() {
            let at = || std::format!("{} kernel, {} bytes, {src:X?}", table.name, src.len());
            assert_eq!(
                (table.ascii_prefix)(&src),
                (SCALAR.ascii_prefix)(&src),
                "{}",
                at()
            );
            assert_eq!(
                (table.utf_8_valid_prefix)(&src),
                (SCALAR.utf_8_valid_prefix)(&src),
                "{}",
                at()
            );
            for room in rooms(src.len()) {
                let of = |table: &Kernels| {
                    (
                        output(room, |dst| (0, (table.ascii_to_utf_8)(&src, dst))),
                        output(room, |dst| (0, (table.ascii_to_utf_16)(&src, dst))),
                        output(room, |dst| (table.utf_8_to_utf_16)(&src, dst)),
                    )
                };
                assert_eq!(of(table), of(&SCALAR), "room {room}, {}", at());
            }
        }
    }
}

#[test]
fn utf_16_kernels_agree_with_scalar() {
    const STOPS: [u16; 8] = [0x80, 0xFF, 0x100, 0x7F00, 0x8041, 0xD800, 0xDFFF, 0xFFFF];
    for table in tables() {
        for len in LENGTHS {
            let ascii: Vec<u16> = (0..len).map(|i| 0x20 + (i * 7 % 90) as u16).collect();
            for at in (0..len).step_by(1 + len / 24) {
                for stop in STOPS {
                    let mut units = ascii.clone();
                    units[at] = stop;
                    check_utf_16(table, &units);
                }
            }
            check_utf_16(table, &ascii);
        }
    }
}

fn check_utf_16(table: &Kernels, units: &[u16]) {
    let ascii: Vec<u8> = units
        .iter()
        .map_while(|&unit| u8::try_from(unit).ok())
        .collect();
    let ascii = &ascii[..ascii.iter().take_while(|byte| byte.is_ascii()).count()];
    let surrogate = units
        .iter()
        .position(|unit| (0xD800..=0xDFFF).contains(unit));
    let plain = &units[..surrogate.unwrap_or(units.len())];
    let le: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let be: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    // An odd byte at the end is no unit.
    for extra in [&[][..], b"A"] {
        let (le, be) = ([&le, extra].concat(), [&be, extra].concat());
        for room in rooms(units.len()) {
            let narrowed = |kernel: fn(&[u8], &mut [MaybeUninit<u8>]) -> usize, src: &[u8]| {
                output(room, |dst| (0, kernel(src, dst))).1
            };
            let copied = |kernel: fn(&[u8], &mut [MaybeUninit<u16>]) -> usize, src: &[u8]| {
                output(room, |dst| (0, kernel(src, dst))).1
            };
            let at = || std::format!("{} kernel, room {room}, {units:X?}", table.name);
            let expected = &ascii[..ascii.len().min(room)];
            assert_eq!(
                narrowed(table.utf_16le_to_ascii, &le),
                expected,
                "LE {}",
                at()
            );
            assert_eq!(
                narrowed(table.utf_16be_to_ascii, &be),
                expected,
                "BE {}",
                at()
            );
            let expected = &plain[..plain.len().min(room)];
            assert_eq!(
                copied(table.utf_16le_to_utf_16, &le),
                expected,
                "LE {}",
                at()
            );
            assert_eq!(
                copied(table.utf_16be_to_utf_16, &be),
                expected,
                "BE {}",
                at()
            );
        }
    }
}

/// Bytes 80 to FF: Cyrillic, Thai and punctuation by turns, some unmapped.
fn upper_half() -> UpperHalf {
    core::array::from_fn(|i| {
        let unit: u16 = match i % 16 {
            15 if i > 64 => 0,
            0..=7 => 0x400 + i as u16,
            8..=13 => 0xE00 + i as u16,
            _ => 0x2010 + i as u16,
        };
        unit.to_le_bytes()
    })
}

#[test]
fn single_byte_kernels_decode_by_the_table() {
    let upper = upper_half();
    let unit = |byte: u8| match byte {
        0..0x80 => Some(u16::from(byte)),
        _ => Some(u16::from_le_bytes(upper[usize::from(byte) - 0x80])).filter(|&unit| unit != 0),
    };
    for table in tables() {
        for len in LENGTHS {
            for dense in [1, 2, 3, 5, 17, 300] {
                let src: Vec<u8> = (0..len)
                    .map(|i| match i % dense {
                        0 => 0x80 + (i * 37 % 128) as u8,
                        _ => (i * 7 % 128) as u8,
                    })
                    .collect();
                let units: Vec<u16> = src.iter().map_while(|&byte| unit(byte)).collect();
                let at = || std::format!("{} kernel, {src:X?}", table.name);
                for room in rooms(len) {
                    let kernel = table.single_byte_to_utf_16;
                    let (_, decoded) = output(room, |dst| (0, kernel(&upper, &src, dst)));
                    assert_eq!(decoded, units[..units.len().min(room)], "{}", at());
                }
                for room in rooms(3 * len) {
                    let kernel = table.single_byte_to_utf_8;
                    let (read, decoded) = output(room, |dst| kernel(&upper, &src, dst));
                    let text = std::string::String::from_utf16(&units[..read]).unwrap();
                    assert_eq!(decoded, text.as_bytes(), "{}", at());
                    // It may stop early, but not far from the end of either buffer.
                    let stopped_for_room = room - decoded.len() < 32;
                    assert!(units.len() - read < 8 || stopped_for_room, "{}", at());
                }
            }
        }
    }
}

#[test]
fn single_byte_kernels_encode_by_the_table() {
    // Block 1 holds Cyrillic U+0400 to U+043F but for one, block 2 some of U+2000 to U+203F.
    let mut cells = std::vec![[0; 64]; 3];
    cells[1] = core::array::from_fn(|i| if i == 63 { 0 } else { 0x80 + i as u8 });
    cells[2][0x10..0x20].copy_from_slice(&[0xC5; 16]);
    let mut blocks = std::vec![[0; 2]; 1024];
    blocks[0x400 >> 6] = [1, 0];
    blocks[0x2000 >> 6] = [2, 0];
    let blocks: &'static [[u8; 2]] = Vec::leak(blocks);
    let table = SingleByteCells {
        blocks: blocks.try_into().unwrap(),
        cells: Vec::leak(cells),
    };
    let byte = |unit: u16| match unit {
        0..=0x7F => Some(unit as u8),
        0x400..=0x43E => Some(0x80 + (unit - 0x400) as u8),
        0x2010..=0x201F => Some(0xC5),
        _ => None,
    };
    const MISSES: [u16; 5] = [0x80, 0x43F, 0x440, 0x2000, 0xD83D];
    for kernels in tables() {
        for len in LENGTHS {
            for (dense, miss) in [(1, None), (2, Some(len / 2)), (7, Some(len - len / 8))] {
                let mut units: Vec<u16> = (0..len)
                    .map(|i| match i % dense {
                        0 if i % 5 == 0 => 0x2010 + (i % 16) as u16,
                        0 => 0x400 + (i * 11 % 63) as u16,
                        _ => (i * 7 % 128) as u16,
                    })
                    .collect();
                if let Some(at) = miss.filter(|&at| at < len) {
                    units[at] = MISSES[len % 5];
                }
                let expected: Vec<u8> = units.iter().map_while(|&unit| byte(unit)).collect();
                for room in rooms(len) {
                    let kernel = kernels.utf_16_to_single_byte;
                    let (_, encoded) = output(room, |dst| (0, kernel(&table, &units, dst)));
                    let expected = &expected[..expected.len().min(room)];
                    assert_eq!(encoded, expected, "{} kernel, {units:X?}", kernels.name);
                }
            }
        }
    }
}

#[test]
fn unshifted_prefix_stops_at_shifts() {
    for table in tables() {
        for len in LENGTHS {
            let ascii: Vec<u8> = (0..len).map(|i| b' ' + (i * 7 % 90) as u8).collect();
            assert_eq!(
                (table.unshifted_prefix)(&ascii),
                len,
                "{} kernel",
                table.name
            );
            for at in 0..len {
                let mut src = ascii.clone();
                src[at] = [0x1B, 0x0E, 0x0F, 0x80, 0xFF][at % 5];
                assert_eq!((table.unshifted_prefix)(&src), at, "{} kernel", table.name);
            }
        }
    }
}

#[test]
fn utf_16_to_utf_8_agrees_with_std() {
    const UNITS: [u16; 8] = [0x41, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF];
    for table in tables() {
        for len in LENGTHS {
            for (dense, surrogate) in [(1, None), (3, Some(len / 2)), (9, Some(len - len / 8))] {
                let mut units: Vec<u16> = (0..len)
                    .map(|i| {
                        if i % dense == 0 {
                            UNITS[i * 5 % 8]
                        } else {
                            0x61
                        }
                    })
                    .collect();
                if let Some(at) = surrogate.filter(|&at| at < len) {
                    units[at] = if len % 2 == 0 { 0xD83D } else { 0xDC00 };
                }
                let plain = units
                    .iter()
                    .position(|unit| matches!(unit, 0xD800..=0xDFFF));
                let plain = &units[..plain.unwrap_or(len)];
                let le: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                let be: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                for room in rooms(3 * len) {
                    for (src, kernel) in [
                        (&le, table.utf_16le_to_utf_8),
                        (&be, table.utf_16be_to_utf_8),
                    ] {
                        let (read, converted) = output(room, |dst| kernel(src, dst));
                        let text = std::string::String::from_utf16(&plain[..read / 2]).unwrap();
                        let at = || std::format!("{} kernel, room {room}, {units:X?}", table.name);
                        assert_eq!(converted, text.as_bytes(), "{}", at());
                        let stopped_for_room = room - converted.len() < 32;
                        assert!(plain.len() - read / 2 < 8 || stopped_for_room, "{}", at());
                    }
                }
            }
        }
    }
}

#[test]
fn kernels_that_do_nothing_do_nothing() {
    let src = b"plain";
    assert_eq!((NOTHING.ascii_prefix)(src), 0);
    assert_eq!((NOTHING.utf_8_valid_prefix)(src), 0);
    assert_eq!(
        output::<u8>(8, |dst| (0, (NOTHING.ascii_to_utf_8)(src, dst))),
        (0, Vec::new())
    );
    assert_eq!(
        output::<u16>(8, |dst| (NOTHING.utf_8_to_utf_16)(src, dst)),
        (0, Vec::new())
    );
}

#[test]
fn a_table_can_be_forced_but_not_beyond_the_machine() {
    let best = available().last().unwrap().name;
    assert_eq!(select(None).name, best);
    assert_eq!(select(Some("no such table")).name, best);
    for table in available() {
        assert_eq!(select(Some(table.name)).name, table.name);
    }
}
