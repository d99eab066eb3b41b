//! Single-byte encodings with unmapped bytes: any bytes and every room, compared with the index.

use std::string::String;
use std::vec::Vec;

use super::guard::Edge;
use super::hostile::Random;
use super::output_at;
use crate::simd::{
    SingleByteTable, Transcoded, single_byte_to_utf8_lossy, single_byte_to_utf16_lossy, spare,
};

/// Decoding may end if there is less room than this.
const AMPLE: usize = 50;

/// The number of bytes after which a run of mapped ones is noticed.
const BLOCK: usize = 16;

fn char_of(table: SingleByteTable, byte: u8) -> Option<char> {
    match table.upper_unit(byte) {
        _ if byte.is_ascii() => Some(byte.into()),
        0 => None,
        unit => char::from_u32(unit.into()),
    }
}

fn check(table: SingleByteTable, src: &[u8], room: usize, enough: usize) {
    let expected = |done: Transcoded, full: bool| {
        let read = &src[..done.read];
        let chars = read.iter().map(|&byte| char_of(table, byte));
        let errors = chars.clone().filter(Option::is_none).count();
        assert_eq!(done.errors, errors, "{read:X?}");
        let at_end = done.read == src.len();
        let after_enough = read.len() >= enough
            && read[read.len() - enough..]
                .iter()
                .all(|&byte| char_of(table, byte).is_some());
        assert!(at_end || after_enough || full, "{done:?} of {src:X?}");
        // No run of `enough` mapped bytes is passed, except where a block hides it.
        let mapped = chars.clone().map(|ch| usize::from(ch.is_some()));
        let longest = mapped.scan(0, |run, one| {
            *run = (*run + 1) * one;
            Some(*run)
        });
        assert!(longest.max().unwrap_or(0) < enough + 2 * BLOCK);
        chars
            .map(|ch| ch.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect::<String>()
    };
    let mut done = Transcoded::default();
    let (_, utf8) = output_at(room, Edge::Back(0), |dst| {
        done = single_byte_to_utf8_lossy(table.to_utf8(&mut spare()), src, dst, enough);
        (done.read, done.written)
    });
    assert_eq!(
        utf8,
        expected(done, room < done.written + AMPLE).into_bytes()
    );
    let (_, utf16) = output_at(room, Edge::Back(0), |dst| {
        done = single_byte_to_utf16_lossy(table.to_utf16(&mut spare()), src, dst, enough);
        (done.read, done.written)
    });
    let text = expected(done, room < done.written + AMPLE);
    assert_eq!(utf16, text.encode_utf16().collect::<Vec<u16>>());
}

#[test]
fn any_bytes_are_replaced_as_the_index_says() {
    let mut random = Random::new(11);
    for table in SingleByteTable::all() {
        for case in 0..300 {
            let len = case % 131;
            let first = [0, 0x80, 0xD0][case % 3];
            let src: Vec<u8> = (0..len)
                .map(|_| (first + random.below(256 - first)) as u8)
                .collect();
            let room = [3 * len + AMPLE, random.below(3 * len + AMPLE + 1)][case % 2];
            for enough in [1, 32, 256] {
                check(table, &src, room, enough);
            }
        }
    }
}
