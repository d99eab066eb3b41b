//! `TextEncoder` and `TextEncoderStream`.

use simdtext::web::{EncodeIntoResult, TextEncoder, TextEncoderStream, TypeError, WebError};

use crate::samples::TEXTS;

const LEAD: u16 = 0xD83D;
const TRAIL: u16 = 0xDCA9;
const A: u16 = 0x61;

/// Strings with surrogates in every arrangement, and their UTF-8.
const STRINGS: [(&[u16], &[u8]); 12] = [
    (&[], b""),
    (&[A], b"a"),
    (&[0xE9, 0x20AC], b"\xC3\xA9\xE2\x82\xAC"),
    (&[LEAD, TRAIL], b"\xF0\x9F\x92\xA9"),
    (&[LEAD], b"\xEF\xBF\xBD"),
    (&[TRAIL], b"\xEF\xBF\xBD"),
    (&[TRAIL, LEAD], b"\xEF\xBF\xBD\xEF\xBF\xBD"),
    (&[LEAD, LEAD, TRAIL], b"\xEF\xBF\xBD\xF0\x9F\x92\xA9"),
    (&[LEAD, TRAIL, TRAIL], b"\xF0\x9F\x92\xA9\xEF\xBF\xBD"),
    (&[LEAD, A, TRAIL], b"\xEF\xBF\xBDa\xEF\xBF\xBD"),
    (&[A, LEAD, A], b"a\xEF\xBF\xBDa"),
    (
        &[0xDBFF, 0xDFFF, 0xFFFF, 0xD800, 0xDC00],
        b"\xF4\x8F\xBF\xBF\xEF\xBF\xBF\xF0\x90\x80\x80",
    ),
];

#[test]
fn encode_is_utf8() {
    let encoder = TextEncoder::new();
    assert_eq!(encoder.encoding(), "utf-8");
    for text in TEXTS {
        assert_eq!(encoder.encode(text), text.as_bytes());
        let units: Vec<u16> = text.encode_utf16().collect();
        assert_eq!(encoder.encode_from_utf16(&units), text.as_bytes());
    }
    for (units, bytes) in STRINGS {
        assert_eq!(encoder.encode_from_utf16(units), bytes, "{units:X?}");
        let long = units.repeat(1000);
        assert!(
            encoder.encode_from_utf16(&long) == String::from_utf16_lossy(&long).as_bytes(),
            "1000 times {units:X?}"
        );
    }
}

/// `encodeInto`, by the steps of section 7.4, from the scalar values and their code units.
fn expected_into(items: &[(char, usize)], room: usize) -> EncodeIntoResult {
    let mut result = EncodeIntoResult {
        read: 0,
        written: 0,
    };
    for &(ch, units) in items {
        if room - result.written < ch.len_utf8() {
            break;
        }
        result.read += units;
        result.written += ch.len_utf8();
    }
    result
}

fn check_encode_into(units: &[u16]) {
    let items: Vec<(char, usize)> = char::decode_utf16(units.iter().copied())
        .map(|item| item.map_or(('\u{FFFD}', 1), |ch| (ch, ch.len_utf16())))
        .collect();
    let text = String::from_utf16_lossy(units);
    let encoder = TextEncoder::new();
    for room in 0..text.len() + 3 {
        let expected = expected_into(&items, room);
        let mut destination = vec![0xAA; room];
        let result = encoder.encode_from_utf16_into(units, &mut destination);
        assert_eq!(result, expected, "{units:X?} into {room}");
        let (written, rest) = destination.split_at(expected.written);
        assert_eq!(
            written,
            &text.as_bytes()[..expected.written],
            "{units:X?} into {room}"
        );
        assert!(
            rest.iter().all(|&byte| byte == 0xAA),
            "{units:X?} into {room}"
        );
        // From a `&str`, where every character has its own number of units.
        let mut from_str = vec![0xAA; room];
        let result = encoder.encode_into(&text, &mut from_str);
        assert_eq!(result.written, expected.written, "{text:?} into {room}");
        assert_eq!(result.read, text[..result.written].encode_utf16().count());
        assert_eq!(from_str, destination, "{text:?} into {room}");
    }
}

#[test]
fn encode_into_every_size_of_destination() {
    for (units, _) in STRINGS {
        check_encode_into(units);
    }
    for text in TEXTS {
        check_encode_into(&text.encode_utf16().collect::<Vec<_>>());
    }
    // Long enough for more than one character at a time.
    for (units, _) in STRINGS {
        check_encode_into(&units.repeat(60));
    }
    let mixed: Vec<u16> = STRINGS
        .iter()
        .flat_map(|(units, _)| units.repeat(7))
        .collect();
    check_encode_into(&mixed);
    check_encode_into(&[A].repeat(2100));
}

/// Writes pieces of UTF-16 and closes.
fn streamed(pieces: &[&[u16]]) -> Vec<u8> {
    let mut stream = TextEncoderStream::new();
    let mut bytes = Vec::new();
    for piece in pieces {
        bytes.extend(stream.write_utf16(piece).unwrap());
    }
    bytes.extend(stream.close().unwrap());
    bytes
}

#[test]
fn stream_is_the_same_cut_anywhere() {
    for (units, bytes) in STRINGS {
        for first in 0..=units.len() {
            for second in first..=units.len() {
                let pieces = [&units[..first], &units[first..second], &units[second..]];
                assert_eq!(streamed(&pieces), bytes, "{pieces:X?}");
            }
        }
        let single: Vec<&[u16]> = units.chunks(1).collect();
        assert_eq!(streamed(&single), bytes, "{units:X?}");
    }
    for text in TEXTS {
        let units: Vec<u16> = text.encode_utf16().collect();
        for size in 1..5 {
            let pieces: Vec<&[u16]> = units.chunks(size).collect();
            assert_eq!(streamed(&pieces), text.as_bytes());
        }
    }
}

#[test]
fn stream_holds_a_leading_surrogate_and_nothing_else() {
    let mut stream = TextEncoderStream::new();
    assert_eq!(stream.encoding(), "utf-8");
    for (chunk, bytes) in [
        (&[A, LEAD][..], &b"a"[..]),
        (&[], b""),
        (&[TRAIL], b"\xF0\x9F\x92\xA9"),
        (&[TRAIL], b"\xEF\xBF\xBD"),
        (&[LEAD], b""),
        (&[LEAD], b"\xEF\xBF\xBD"),
        (&[A], b"\xEF\xBF\xBDa"),
        (&[LEAD], b""),
    ] {
        assert_eq!(stream.write_utf16(chunk).unwrap(), bytes, "{chunk:X?}");
    }
    assert_eq!(stream.close().unwrap(), b"\xEF\xBF\xBD");
    assert_eq!(stream.close(), Err(WebError::Type(TypeError::Closed)));
    assert_eq!(stream.write("a"), Err(WebError::Type(TypeError::Closed)));
    assert_eq!(
        stream.write_utf16(&[A]),
        Err(WebError::Type(TypeError::Closed))
    );
}

#[test]
fn stream_takes_both_kinds_of_strings() {
    let mut stream = TextEncoderStream::new();
    assert_eq!(stream.write_utf16(&[LEAD]).unwrap(), b"");
    assert_eq!(stream.write("").unwrap(), b"");
    assert_eq!(stream.write_utf16(&[TRAIL]).unwrap(), "💩".as_bytes());
    assert_eq!(stream.write_utf16(&[LEAD]).unwrap(), b"");
    assert_eq!(stream.write("é").unwrap(), b"\xEF\xBF\xBD\xC3\xA9");
    assert_eq!(stream.write_utf16(&[TRAIL]).unwrap(), b"\xEF\xBF\xBD");
    assert_eq!(stream.close().unwrap(), b"");
}
