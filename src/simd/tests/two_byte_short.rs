//! Two-byte encodings, converted one character at a time: every index and every room, compared with the
//! scalar kernels.

use std::string::String;
use std::vec::Vec;

use super::guard::Edge;
use super::hostile::Random;
use super::output_at;
use crate::codec::{two_byte_cells, two_byte_indexes};
use crate::simd::scalar::fill::fill;
use crate::simd::scalar::fill_text::{Utf8Text, Utf16Text};
use crate::simd::scalar::table::SCALAR;
use crate::simd::two_byte::short::decode_short;

/// Text may be left if there is less room than this.
const AMPLE: usize = 8;

/// Bytes, most of which are ASCII or pairs.
fn any_bytes(random: &mut Random, len: usize) -> Vec<u8> {
    let ascii = random.below(5);
    let mut bytes = Vec::new();
    while bytes.len() < len {
        match random.below(5) {
            kind if kind < ascii => bytes.push(random.below(0x80) as u8),
            _ => bytes.extend([
                0x81 + random.below(0x7E) as u8,
                0x40 + random.below(0xBF) as u8,
            ]),
        }
    }
    bytes.truncate(len);
    bytes
}

#[test]
fn short_text_decodes_as_by_kernels() {
    let mut random = Random::new(1);
    for index in two_byte_indexes() {
        for _ in 0..3000 {
            let len = random.below(70);
            let src = any_bytes(&mut random, len);
            let most = random.below(80);
            let room = random.below(220);
            let (all, units) = output_at(src.len(), Edge::Back(0), |dst| {
                (SCALAR.two_byte_to_utf16)(index, &src, dst)
            });
            let (read, got) = output_at(room, Edge::Back(0), |dst| {
                decode_short::<u16>(index.pairs(), &src, dst, most)
            });
            assert_eq!(got, units[..got.len()], "{src:X?}");
            if room >= units.len() + AMPLE {
                assert!(read == all || (read < all && read >= most), "{src:X?}");
            }
            let (read, got) = output_at(room, Edge::Back(0), |dst| {
                decode_short::<u8>(index.pairs(), &src, dst, most)
            });
            let text = String::from_utf16(&units).expect("no surrogates");
            assert_eq!(got, text.as_bytes()[..got.len()], "{src:X?}");
            if room >= text.len() + AMPLE {
                assert!(read == all || (read < all && read >= most), "{src:X?}");
            }
        }
    }
}

#[test]
fn short_text_encodes_as_by_kernels() {
    let mut random = Random::new(2);
    for cells in two_byte_cells() {
        let mapped: Vec<u16> = (0x80..=0xFFFF)
            .filter(|&unit| cells.get(unit) != 0)
            .collect();
        for _ in 0..3000 {
            let ascii = random.below(10);
            let units: Vec<u16> = (0..random.below(60))
                .map(|_| match random.below(10) {
                    kind if kind < ascii => random.below(0x80) as u16,
                    9 if random.below(8) == 0 => 0xD7 << 8 | random.below(0xA4) as u16,
                    _ => mapped[random.below(mapped.len())],
                })
                .collect();
            let text = String::from_utf16(&units).expect("no surrogates");
            let room = random.below(140);
            let (all, bytes) = output_at(2 * units.len(), Edge::Back(0), |dst| {
                (SCALAR.utf16_to_two_byte)(cells, &units, dst)
            });
            let mut full = false;
            let (read, got) = output_at(room, Edge::Back(0), |dst| {
                let done = fill(Utf16Text(cells), &units, dst);
                full = done.full;
                (done.read, done.written)
            });
            assert_eq!(got, bytes[..got.len()], "{units:X?}");
            assert_eq!(read < all, full, "{units:X?} into {room}");
            let (read, got) = output_at(room, Edge::Back(0), |dst| {
                let done = fill(Utf8Text(cells), text.as_bytes(), dst);
                full = done.full;
                (done.read, done.written)
            });
            assert_eq!(got, bytes[..got.len()], "{units:X?}");
            let all = text.chars().take(all).map(char::len_utf8).sum();
            assert_eq!(read < all, full, "{units:X?} into {room}");
        }
    }
}
