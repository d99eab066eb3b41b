//! Short text converted inline: every length, content and room, compared with the scalar kernels.

use core::mem::MaybeUninit;
use std::string::String;
use std::vec::Vec;

use super::guard::Edge;
use super::hostile::Random;
use super::output_at;
use crate::simd::scalar::short_encoded::{
    MAX_INLINE, MAX_INLINE_ASCII, ascii, ascii_to_utf16, is_ascii, starts_with_utf16_ascii, utf8,
    utf16, utf16_bytes_to_ascii, utf16_to_ascii, utf16_to_utf8,
};
use crate::simd::scalar::short_single_byte::{
    MAX_INLINE_USER_DEFINED, single_byte_to_utf8, single_byte_to_utf16, user_defined_to_utf16,
    user_defined_unit, utf16_to_single_byte, utf16_to_user_defined,
};
use crate::simd::scalar::table::SCALAR;
use crate::simd::{SingleByteTable, spare};

/// Returns bytes other than 0, a random share of which is ASCII.
fn any_bytes(random: &mut Random, len: usize) -> Vec<u8> {
    let least = [0x80, 0x60, 0x01][random.below(3)];
    let most = [0x80, 0xFF, 0xFF][random.below(3)];
    let mut byte = || (least + random.below(most + 1 - least)) as u8;
    (0..len).map(|_| byte()).collect()
}

/// Returns what `convert` wrote into `room` units, which is all or nothing.
fn written<To: bytemuck::Pod>(
    room: usize,
    convert: impl Fn(&mut [MaybeUninit<To>]) -> Option<usize>,
) -> Option<Vec<To>> {
    let (done, got) = output_at(room, Edge::Back(0), |dst| match convert(dst) {
        Some(written) => (1, written),
        None => (0, 0),
    });
    (done == 1).then_some(got)
}

/// Checks that `got` is right: all of `whole` (which is `None` if the kernel stops early) if it is short and
/// there is `ample` room, and otherwise all or nothing.
#[track_caller]
fn compare<To: PartialEq + core::fmt::Debug>(
    got: Option<Vec<To>>,
    whole: Option<Vec<To>>,
    must: bool,
) {
    match (got, whole) {
        (None, whole) => assert!(!must || whole.is_none(), "nothing, and not {whole:?}"),
        (Some(got), Some(whole)) => assert_eq!(got, whole),
        (Some(got), None) => panic!("{got:?} of what the kernel does not convert"),
    }
}

#[test]
fn short_text_decodes_and_encodes_as_by_kernels() {
    let mut random = Random::new(5);
    for table in SingleByteTable::all() {
        for len in (0..=2 * MAX_INLINE + 2).cycle().take(1200) {
            let src = any_bytes(&mut random, len);
            let (read, units) = output_at(len, Edge::Back(0), |dst| {
                let done = (SCALAR.single_byte_to_utf16)(table.to_utf16(&mut spare()), &src, dst);
                (done, done)
            });
            let whole = (read == len).then_some(units);
            let room = random.below(len + 3);
            let must = len <= 2 * MAX_INLINE && room >= len;
            let got = written(room, |dst| single_byte_to_utf16(table, &src, dst));
            compare(got, whole.clone(), must);
            let text = whole
                .as_ref()
                .map(|units| String::from_utf16(units).unwrap());
            let room = random.below(4 * len + 3);
            let got = written(room, |dst| {
                single_byte_to_utf8(table.to_utf8(&mut spare()), &src, dst)
            });
            let ample = room > text.as_ref().map_or(0, String::len) + 4;
            compare(
                got,
                text.map(String::into_bytes),
                len <= 2 * MAX_INLINE && ample,
            );
            let Some(mut units) = whole else {
                continue;
            };
            if len > 0 && random.below(2) == 0 {
                units[random.below(len)] ^= 1 << random.below(16);
            }
            let is_user_defined = table == SingleByteTable::X_USER_DEFINED;
            let (read, bytes) = output_at(len, Edge::Back(0), |dst| {
                let done = if is_user_defined {
                    (SCALAR.utf16_to_user_defined)(&units, dst)
                } else {
                    (SCALAR.utf16_to_single_byte)(table.to_bytes(&mut spare()), &units, dst)
                };
                (done, done)
            });
            let room = random.below(len + 3);
            let got = written(room, |dst| {
                if is_user_defined {
                    utf16_to_user_defined(&units, dst)
                } else {
                    utf16_to_single_byte(table, &units, dst)
                }
            });
            let must = len <= MAX_INLINE && room >= len && !units.contains(&0);
            compare(got, (read == len).then_some(bytes), must);
        }
    }
}

#[test]
fn short_user_defined_is_all_or_nothing() {
    let mut random = Random::new(8);
    for len in (0..=MAX_INLINE_ASCII + 2).cycle().take(2000) {
        let src = any_bytes(&mut random, len);
        let room = random.below(len + 3);
        let got = written(room, |dst| user_defined_to_utf16(&src, dst));
        let whole = src.iter().map(|&byte| user_defined_unit(byte)).collect();
        compare(
            got,
            Some(whole),
            len <= MAX_INLINE_USER_DEFINED && room >= len,
        );
    }
}

#[test]
fn short_ascii_is_all_or_nothing() {
    let mut random = Random::new(6);
    for len in (0..=MAX_INLINE_ASCII + 2).cycle().take(8000) {
        let src = any_bytes(&mut random, len);
        let fine = src.is_ascii() && len <= MAX_INLINE_ASCII;
        assert_eq!(is_ascii(&src), fine);
        let room = random.below(len + 3);
        let must = fine && room >= len;
        let units: Vec<u16> = src.iter().map(|&byte| byte.into()).collect();
        compare(
            written(room, |dst| ascii(&src, dst)),
            fine.then(|| src.clone()),
            must,
        );
        let got = written(room, |dst| ascii_to_utf16(&src, dst));
        compare(got, fine.then(|| units.clone()), must);
        let got = written(room, |dst| utf16_to_ascii(&units, dst));
        compare(got, fine.then(|| src.clone()), must);
        let shifted: Vec<u16> = units.iter().map(|unit| unit << 8).collect();
        let got = written(room, |dst| utf16_to_ascii(&shifted, dst));
        compare(got, (len == 0).then(Vec::new), len == 0);
        let text: String = src.iter().map(|&byte| char::from(byte)).collect();
        let got = written(room, |dst| utf8(&text, dst));
        // A copy, which has no maximum length.
        let whole = Some(text.clone().into_bytes());
        compare(got, whole, room >= text.len());
    }
}

#[test]
fn short_utf16_is_read_in_either_order() {
    let mut random = Random::new(7);
    let long = MAX_INLINE_ASCII - 20..=MAX_INLINE_ASCII + 2;
    for len in (0..=2 * MAX_INLINE + 2).chain(long).cycle().take(16_000) {
        let top = [0x80, 0x1000, 0xD800, 0x1_0000][random.below(4)];
        let mut units: Vec<u16> = (0..len).map(|_| random.below(top) as u16).collect();
        if len > 0 && random.below(4) == 0 {
            // Seldom all ASCII.
            let at = random.below(len);
            units[at] = [0x80, 0xFF, 0x100, 0x4100][random.below(4)];
        }
        let no_pairs = units.iter().all(|unit| unit & 0xF800 != 0xD800);
        let whole = (no_pairs && len <= MAX_INLINE).then(|| units.clone());
        let text = String::from_utf16(&units)
            .ok()
            .filter(|_| 2 * len <= MAX_INLINE);
        let (room, bytes) = (random.below(len + 3), random.below(3 * len + 8));
        let must = len <= MAX_INLINE && room >= len;
        let ample = bytes > text.as_ref().map_or(0, String::len) + 4;
        let le: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let be: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        compare(
            written(room, |dst| utf16::<false>(&le, dst)),
            whole.clone(),
            must,
        );
        compare(written(room, |dst| utf16::<true>(&be, dst)), whole, must);
        let ascii = units
            .iter()
            .all(|&unit| unit < 0x80)
            .then(|| units.iter().map(|&unit| unit as u8));
        let ascii: Option<Vec<u8>> = ascii.filter(|_| len >= 8).map(Iterator::collect);
        for (is_big_endian, src) in [(false, &le), (true, &be)] {
            let got = written(room, |dst| utf16_bytes_to_ascii(is_big_endian, src, dst));
            compare(got, ascii.clone(), room >= len);
            let starts = units.len() >= 8 && units[..8].iter().all(|&unit| unit < 0x80);
            assert_eq!(starts_with_utf16_ascii(is_big_endian, src), starts);
        }
        let whole = text.map(String::into_bytes);
        let got = written(bytes, |dst| utf16_to_utf8::<false>(&le, dst));
        compare(got, whole.clone(), ample);
        compare(
            written(bytes, |dst| utf16_to_utf8::<true>(&be, dst)),
            whole,
            ample,
        );
        if len > 0 {
            let cut = written(room, |dst| utf16::<false>(&le[1..], dst));
            compare(cut, None, false);
        }
    }
}
