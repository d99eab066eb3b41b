//! Kernels that read UTF-16.

use core::mem::MaybeUninit;
use std::vec::Vec;

use super::{LENGTHS, output, rooms, tables};
use crate::simd::kernels::Kernels;

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
