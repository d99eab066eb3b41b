//! Kernels that read UTF-16.

use core::mem::MaybeUninit;
use std::vec::Vec;

use super::{LENGTHS, output, rooms, tables};
use crate::simd::kernels::Kernels;

#[test]
fn utf16_kernels_agree_with_scalar() {
    const STOPS: [u16; 8] = [0x80, 0xFF, 0x100, 0x7F00, 0x8041, 0xD800, 0xDFFF, 0xFFFF];
    for table in tables() {
        for len in LENGTHS {
            let ascii: Vec<u16> = (0..len).map(|i| 0x20 + (i * 7 % 90) as u16).collect();
            for at in (0..len).step_by(1 + len / 24) {
                for stop in STOPS {
                    let mut units = ascii.clone();
                    units[at] = stop;
                    check_utf16(table, &units);
                }
            }
            check_utf16(table, &ascii);
        }
    }
}

fn check_utf16(table: &Kernels, units: &[u16]) {
    let ascii: Vec<u8> = units
        .iter()
        .map_while(|&unit| u8::try_from(unit).ok())
        .collect();
    let ascii = &ascii[..ascii.iter().take_while(|byte| byte.is_ascii()).count()];
    let le: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let be: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    // An odd byte at the end is not a unit.
    for extra in [&[][..], b"A"] {
        let (le, be) = ([&le, extra].concat(), [&be, extra].concat());
        for room in rooms(units.len()) {
            let narrowed = |kernel: fn(&[u8], &mut [MaybeUninit<u8>]) -> usize, src: &[u8]| {
                output(room, |dst| (0, kernel(src, dst))).1
            };
            let at = || std::format!("{} kernel, room {room}, {units:X?}", table.name);
            let expected = &ascii[..ascii.len().min(room)];
            assert_eq!(
                narrowed(table.utf16le_to_ascii, &le),
                expected,
                "LE {}",
                at()
            );
            assert_eq!(
                narrowed(table.utf16be_to_ascii, &be),
                expected,
                "BE {}",
                at()
            );
        }
    }
}
