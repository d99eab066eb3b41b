//! `mem`, with the same inputs for this package and for encoding_rs.

use simdtext_encoding_rs::mem as ours;

use encoding_rs::mem as theirs;

mod common;
use common::Random;

fn inputs() -> impl Iterator<Item = Random> {
    (1..30_000).map(|seed: u64| Random(seed * 0x9E37_79B9))
}

/// Text of code points up to U+00FF, with few exceptions.
fn nearly_latin1(random: &mut Random) -> String {
    let mut text: String = (0..random.below(200))
        .map(|_| char::from(random.next() as u8))
        .collect();
    if random.below(3) == 0 {
        text.push(random.one_of(&['\u{100}', 'ё', '日', '💩']));
        text.extend((0..random.below(100)).map(|_| char::from(random.next() as u8)));
    }
    text
}

#[test]
fn bidi_characters() {
    for c in '\0'..=char::MAX {
        assert_eq!(ours::is_char_bidi(c), theirs::is_char_bidi(c), "{c:?}");
        let text = c.to_string();
        assert_eq!(
            ours::is_str_bidi(&text),
            theirs::is_str_bidi(&text),
            "{c:?}"
        );
    }
    for unit in 0..=u16::MAX {
        assert_eq!(
            ours::is_utf16_code_unit_bidi(unit),
            theirs::is_utf16_code_unit_bidi(unit),
            "{unit:X}"
        );
    }
}

#[test]
fn checks_of_bytes_and_text() {
    for mut random in inputs() {
        let text = match random.below(3) {
            0 => nearly_latin1(&mut random),
            1 => "a".repeat(random.below(300)),
            _ => random.text() + &random.text(),
        };
        let mut bytes = text.clone().into_bytes();
        if random.below(3) == 0 {
            bytes.extend(random.bytes());
        }
        assert_eq!(ours::is_ascii(&bytes), theirs::is_ascii(&bytes));
        assert_eq!(ours::is_utf8_latin1(&bytes), theirs::is_utf8_latin1(&bytes));
        assert_eq!(
            ours::utf8_latin1_up_to(&bytes),
            theirs::utf8_latin1_up_to(&bytes),
            "{bytes:X?}"
        );
        assert_eq!(
            ours::is_utf8_bidi(&bytes),
            theirs::is_utf8_bidi(&bytes),
            "{bytes:X?}"
        );
        assert_eq!(ours::is_str_latin1(&text), theirs::is_str_latin1(&text));
        assert_eq!(
            ours::str_latin1_up_to(&text),
            theirs::str_latin1_up_to(&text),
            "{text:?}"
        );
        assert_eq!(
            ours::is_str_bidi(&text),
            theirs::is_str_bidi(&text),
            "{text:?}"
        );
        assert_eq!(
            format!("{:?}", ours::check_utf8_for_latin1_and_bidi(&bytes)),
            format!("{:?}", theirs::check_utf8_for_latin1_and_bidi(&bytes)),
            "{bytes:X?}"
        );
        assert_eq!(
            format!("{:?}", ours::check_str_for_latin1_and_bidi(&text)),
            format!("{:?}", theirs::check_str_for_latin1_and_bidi(&text)),
            "{text:?}"
        );
    }
}

#[test]
fn checks_of_code_units() {
    for mut random in inputs() {
        let units = match random.below(3) {
            0 => nearly_latin1(&mut random).encode_utf16().collect(),
            1 => vec![0x61; random.below(300)],
            _ => random.units(),
        };
        assert_eq!(ours::is_basic_latin(&units), theirs::is_basic_latin(&units));
        assert_eq!(
            ours::is_utf16_latin1(&units),
            theirs::is_utf16_latin1(&units)
        );
        assert_eq!(ours::is_utf16_bidi(&units), theirs::is_utf16_bidi(&units));
        assert_eq!(
            ours::utf16_valid_up_to(&units),
            theirs::utf16_valid_up_to(&units)
        );
        assert_eq!(
            format!("{:?}", ours::check_utf16_for_latin1_and_bidi(&units)),
            format!("{:?}", theirs::check_utf16_for_latin1_and_bidi(&units))
        );
        let (mut a, mut b) = (units.clone(), units);
        ours::ensure_utf16_validity(&mut a);
        theirs::ensure_utf16_validity(&mut b);
        assert_eq!(a, b);
    }
}

#[test]
fn conversions_with_enough_room() {
    for mut random in inputs() {
        let bytes = random.bytes();
        let text = random.text() + &random.text();
        let units = random.units();
        let (mut a, mut b) = (vec![0xAAAA; bytes.len() + 1], vec![0xAAAA; bytes.len() + 1]);
        let len = ours::convert_utf8_to_utf16(&bytes, &mut a);
        assert_eq!(len, theirs::convert_utf8_to_utf16(&bytes, &mut b));
        assert_eq!(a[..len], b[..len]);
        let (mut a, mut b) = (vec![0; bytes.len()], vec![0; bytes.len()]);
        let len = ours::convert_utf8_to_utf16_without_replacement(&bytes, &mut a);
        assert_eq!(
            len,
            theirs::convert_utf8_to_utf16_without_replacement(&bytes, &mut b)
        );
        assert_eq!(a[..len.unwrap_or(0)], b[..len.unwrap_or(0)]);
        let (mut a, mut b) = (vec![0; text.len()], vec![0; text.len()]);
        let len = ours::convert_str_to_utf16(&text, &mut a);
        assert_eq!(len, theirs::convert_str_to_utf16(&text, &mut b));
        assert_eq!(a[..len], b[..len]);
        let (mut a, mut b) = (vec![0; 3 * units.len()], vec![0; 3 * units.len()]);
        let len = ours::convert_utf16_to_utf8(&units, &mut a);
        assert_eq!(len, theirs::convert_utf16_to_utf8(&units, &mut b));
        assert_eq!(a[..len], b[..len]);
        let (mut a, mut b) = (vec![0; bytes.len()], vec![0; bytes.len()]);
        ours::convert_latin1_to_utf16(&bytes, &mut a);
        theirs::convert_latin1_to_utf16(&bytes, &mut b);
        assert_eq!(a, b);
        assert_eq!(ours::decode_latin1(&bytes), theirs::decode_latin1(&bytes));
        assert_eq!(
            matches!(ours::decode_latin1(&bytes), std::borrow::Cow::Borrowed(_)),
            bytes.is_ascii()
        );
        let latin1: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        assert_eq!(
            ours::encode_latin1_lossy(&latin1),
            theirs::encode_latin1_lossy(&latin1)
        );
        let (mut a, mut b) = (vec![0; latin1.len()], vec![0; latin1.len()]);
        let len = ours::convert_utf8_to_latin1_lossy(latin1.as_bytes(), &mut a);
        assert_eq!(
            len,
            theirs::convert_utf8_to_latin1_lossy(latin1.as_bytes(), &mut b)
        );
        assert_eq!(a[..len], b[..len]);
        let units: Vec<u16> = latin1.encode_utf16().collect();
        let (mut a, mut b) = (vec![0; units.len()], vec![0; units.len()]);
        ours::convert_utf16_to_latin1_lossy(&units, &mut a);
        theirs::convert_utf16_to_latin1_lossy(&units, &mut b);
        assert_eq!(a, b);
        let (mut a, mut b) = (vec![0; bytes.len()], vec![0; bytes.len()]);
        let len = ours::copy_ascii_to_ascii(&bytes, &mut a);
        assert_eq!(len, theirs::copy_ascii_to_ascii(&bytes, &mut b));
        assert_eq!(a[..len], b[..len]);
        let (mut a, mut b) = (vec![0; bytes.len()], vec![0; bytes.len()]);
        let len = ours::copy_ascii_to_basic_latin(&bytes, &mut a);
        assert_eq!(len, theirs::copy_ascii_to_basic_latin(&bytes, &mut b));
        assert_eq!(a[..len], b[..len]);
        let (mut a, mut b) = (vec![0; units.len()], vec![0; units.len()]);
        let len = ours::copy_basic_latin_to_ascii(&units, &mut a);
        assert_eq!(len, theirs::copy_basic_latin_to_ascii(&units, &mut b));
        assert_eq!(a[..len], b[..len]);
    }
}

#[test]
fn conversions_with_little_room_leave_the_rest_alone() {
    for mut random in inputs() {
        let units = random.units();
        let bytes = random.bytes();
        let room = random.below(3 * units.len() + 100);
        let mut a = vec![0xAA; room];
        let mut b = vec![0xAA; room];
        let done = ours::convert_utf16_to_utf8_partial(&units, &mut a);
        assert_eq!(
            done,
            theirs::convert_utf16_to_utf8_partial(&units, &mut b),
            "{units:X?} {room}"
        );
        assert_eq!(a, b, "{units:X?} {room}");
        let room = random.below(2 * bytes.len() + 100);
        let mut a = vec![0xAA; room];
        let mut b = vec![0xAA; room];
        let done = ours::convert_latin1_to_utf8_partial(&bytes, &mut a);
        assert_eq!(
            done,
            theirs::convert_latin1_to_utf8_partial(&bytes, &mut b),
            "{bytes:X?} {room}"
        );
        assert_eq!(a, b, "{bytes:X?} {room}");
    }
}

#[test]
fn a_str_that_is_written_over_stays_a_str() {
    for mut random in inputs() {
        let units = random.units();
        let bytes = random.bytes();
        let mut a = random
            .one_of(&["x", "é", "日", "💩"])
            .repeat(random.below(200));
        let mut b = a.clone();
        let done = ours::convert_utf16_to_str_partial(&units, &mut a);
        assert_eq!(done, theirs::convert_utf16_to_str_partial(&units, &mut b));
        assert_eq!(a[..done.1], b[..done.1]);
        assert!(std::str::from_utf8(a.as_bytes()).is_ok());
        let done = ours::convert_latin1_to_str_partial(&bytes, &mut a);
        assert_eq!(done, theirs::convert_latin1_to_str_partial(&bytes, &mut b));
        assert_eq!(a[..done.1], b[..done.1]);
        assert!(std::str::from_utf8(a.as_bytes()).is_ok());
    }
}

#[test]
fn too_little_room_panics() {
    let panics = |call: fn()| assert!(std::panic::catch_unwind(call).is_err());
    panics(|| _ = ours::convert_utf8_to_utf16(b"a", &mut [0; 1]));
    panics(|| _ = ours::convert_str_to_utf16("ab", &mut [0; 1]));
    panics(|| _ = ours::convert_utf8_to_utf16_without_replacement(b"ab", &mut [0; 1]));
    panics(|| _ = ours::convert_utf16_to_utf8(&[0x61], &mut [0; 2]));
    panics(|| _ = ours::convert_utf16_to_str(&[0x61], &mut String::from("ab")));
    panics(|| ours::convert_latin1_to_utf16(b"ab", &mut [0; 1]));
    panics(|| _ = ours::convert_latin1_to_utf8(b"a", &mut [0; 1]));
    panics(|| _ = ours::convert_latin1_to_str(b"a", &mut String::from("a")));
    panics(|| _ = ours::convert_utf8_to_latin1_lossy(b"ab", &mut [0; 1]));
    panics(|| ours::convert_utf16_to_latin1_lossy(&[0x61, 0x62], &mut [0; 1]));
    panics(|| _ = ours::copy_ascii_to_ascii(b"ab", &mut [0; 1]));
    panics(|| _ = ours::copy_ascii_to_basic_latin(b"ab", &mut [0; 1]));
    panics(|| _ = ours::copy_basic_latin_to_ascii(&[0x61, 0x62], &mut [0; 1]));
}
