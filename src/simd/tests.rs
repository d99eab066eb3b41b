//! Every kernel of every table that this machine can run against the scalar one, which is compared
//! with `std` first.

use core::fmt::Debug;
use core::mem::MaybeUninit;
use std::vec::Vec;

use super::kernels::{Kernels, NOTHING, SCALAR, available, select};

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
    let skipped = ["scalar", "sse4", "avx2"]
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
