//! Two-byte encodings in text of which much is malformed: every pair of bytes, any bytes and every room,
//! compared with the state machines.

use std::vec::Vec;

use super::guard::Edge;
use super::hostile::Random;
use super::output_at;
use crate::codec::{Decode, Item, big5, euc_jp, euc_kr, gb18030, shift_jis};
use crate::simd::{Transcoded, TwoByte, two_byte_lossy};

/// Decoding may end if there is less room than this.
const AMPLE: usize = 8;

/// Returns the first `read` bytes as the machine decodes them, and the number of malformed sequences in them.
fn by_machine<M: Decode>(machine: M, src: &[u8], read: usize) -> (Vec<char>, usize) {
    let (mut chars, mut errors, mut at) = (Vec::new(), 0, 0);
    while at < read {
        match machine.step(&src[at..], false).0 {
            Item::Char(ch, len) => {
                chars.push(ch);
                at += len;
            }
            Item::Malformed(len) => {
                chars.push(char::REPLACEMENT_CHARACTER);
                errors += 1;
                at += len;
            }
            item => panic!("{item:?} was read in {src:X?}"),
        }
    }
    assert_eq!(at, read, "{src:X?} is cut inside of a sequence");
    (chars, errors)
}

fn check<M: Decode + TwoByte>(machine: M, src: &[u8], room: usize, enough: usize) {
    let mut done = Transcoded::default();
    let (_, utf8) = output_at(room, Edge::Back(0), |dst| {
        done = two_byte_lossy::<M, u8>(src, dst, enough);
        (done.read, done.written)
    });
    let (chars, errors) = by_machine(machine, src, done.read);
    let text: std::string::String = chars.iter().collect();
    assert_eq!((utf8, errors), (text.into_bytes(), done.errors), "{src:X?}");
    let full = room < done.written + AMPLE;
    stops_where_it_should(machine, src, done.read, full, enough);

    let (_, utf16) = output_at(room, Edge::Back(0), |dst| {
        done = two_byte_lossy::<M, u16>(src, dst, enough);
        (done.read, done.written)
    });
    let (chars, errors) = by_machine(machine, src, done.read);
    let units: Vec<u16> = chars
        .iter()
        .flat_map(|ch| ch.encode_utf16(&mut [0; 2]).to_vec())
        .collect();
    assert_eq!((utf16, errors), (units, done.errors), "{src:X?}");
    let full = room < done.written + AMPLE;
    stops_where_it_should(machine, src, done.read, full, enough);
}

fn stops_where_it_should<M: Decode>(
    machine: M,
    src: &[u8],
    read: usize,
    full: bool,
    enough: usize,
) {
    let ahead = &src[read..];
    let is_last = ahead.len() < 2;
    let after_enough = read >= enough;
    let after_ascii = read >= AMPLE && src[read - AMPLE..read].is_ascii();
    let other = ahead.first().is_some_and(|_| {
        matches!(
            machine.step(ahead, false).0,
            Item::Incomplete | Item::Pair(..)
        )
    });
    assert!(
        is_last || full || after_enough || after_ascii || other,
        "{ahead:X?}"
    );
}

fn every_pair<M: Decode + TwoByte>(machine: M) {
    for pair in 0..=u16::MAX {
        let [lead, trail] = pair.to_be_bytes();
        check(machine, &[lead, trail], 16, 100);
        check(
            machine,
            &[lead, trail, b'0', lead, trail, 0x81, b'0', b'a', b'b'],
            50,
            100,
        );
    }
}

fn any_bytes<M: Decode + TwoByte>(machine: M) {
    let mut random = Random::new(3);
    for _ in 0..20_000 {
        let ascii = random.below(4);
        let src: Vec<u8> = (0..random.below(60))
            .map(|_| match random.below(4) {
                kind if kind < ascii => random.below(0x80) as u8,
                _ => 0x80 + random.below(0x80) as u8,
            })
            .collect();
        check(machine, &src, random.below(200), 1 + random.below(60));
    }
}

#[test]
fn malformed_text_decodes_as_by_the_machines() {
    every_pair(big5::Big5);
    any_bytes(big5::Big5);
    every_pair(euc_jp::EucJp);
    any_bytes(euc_jp::EucJp);
    every_pair(euc_kr::EucKr);
    any_bytes(euc_kr::EucKr);
    every_pair(gb18030::Gb18030Decoder);
    any_bytes(gb18030::Gb18030Decoder);
    every_pair(shift_jis::ShiftJis);
    any_bytes(shift_jis::ShiftJis);
}
