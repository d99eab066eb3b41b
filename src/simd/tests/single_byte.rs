//! Kernels of the single-byte encodings.

use std::vec::Vec;

use super::{LENGTHS, output, rooms, tables};
use crate::simd::kernels::{ByteUnits, SingleByteCells};

/// ASCII; from byte 80 on Cyrillic, Thai and punctuation by turns, some unmapped.
fn byte_units() -> ByteUnits {
    core::array::from_fn(|byte| {
        let unit: u16 = match (byte, byte % 16) {
            (..0x80, _) => byte as u16,
            (0xC0.., 15) => 0,
            (_, 0..=7) => 0x400 + byte as u16,
            (_, 8..=13) => 0xE00 + byte as u16,
            _ => 0x2010 + byte as u16,
        };
        unit.to_le_bytes()
    })
}

#[test]
fn single_byte_kernels_decode_by_the_table() {
    let byte_units = byte_units();
    let unit = |byte: u8| {
        let unit = u16::from_le_bytes(byte_units[usize::from(byte)]);
        (unit != 0 || byte == 0).then_some(unit)
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
                    let (_, decoded) = output(room, |dst| (0, kernel(&byte_units, &src, dst)));
                    assert_eq!(decoded, units[..units.len().min(room)], "{}", at());
                }
                for room in rooms(3 * len) {
                    let kernel = table.single_byte_to_utf_8;
                    let (read, decoded) = output(room, |dst| kernel(&byte_units, &src, dst));
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
    // Block 1 holds Cyrillic U+0400 to U+043F but for one, block 2 some of U+2000 to U+203F, blocks 3
    // and 4 ASCII.
    let mut cells = [[0; 64]; 256];
    cells[1] = core::array::from_fn(|i| if i == 63 { 0 } else { 0x80 + i as u8 });
    cells[2][0x10..0x20].copy_from_slice(&[0xC5; 16]);
    cells[3] = core::array::from_fn(|i| i as u8);
    cells[4] = core::array::from_fn(|i| 0x40 + i as u8);
    let mut blocks = [0; 1024];
    blocks[..2].copy_from_slice(&[3, 4]);
    blocks[0x400 >> 6] = 1;
    blocks[0x2000 >> 6] = 2;
    let table = SingleByteCells {
        blocks: std::boxed::Box::leak(std::boxed::Box::new(blocks)),
        cells: std::boxed::Box::leak(std::boxed::Box::new(cells)),
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
