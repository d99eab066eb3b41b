//! Maps that are stored and read back.

use std::io::Cursor;

use simdtext::offsets::{OffsetMap, OffsetMapError};
use simdtext::{Bom, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1252};

use crate::inputs;

/// A map of `source`, with a place every 16 bytes.
fn map_of(encoding: &'static Encoding, source: &[u8]) -> (OffsetMap, String) {
    let (mut map, mut text) = (OffsetMap::with_spacing(16), String::new());
    map.decode(encoding, source, &mut text, Bom::Sniff);
    (map, text)
}

#[test]
fn every_answer_is_the_same() {
    for encoding in Encoding::all() {
        for (i, input) in inputs::bytes_for(encoding).iter().enumerate() {
            let source = &input[..input.len().min(700)];
            let (map, text) = map_of(encoding, source);
            let stored = map.to_bytes();
            assert_eq!(map.try_to_bytes().as_ref(), Ok(&stored));
            let read = OffsetMap::from_bytes(&stored).expect("a map");
            assert_eq!(read.to_bytes(), stored, "{encoding}, input {i}");
            assert_eq!(read.encoding(), map.encoding());
            assert_eq!(
                (read.source_len(), read.text_len()),
                (map.source_len(), map.text_len())
            );
            for at in 0..=text.len() as u64 + 1 {
                let expected = map.source_offset(source, at);
                assert_eq!(
                    read.source_offset(source, at),
                    expected,
                    "{encoding}, input {i}, {at}"
                );
            }
            for at in 0..=source.len() as u64 + 1 {
                let expected = map.text_offset(source, at);
                assert_eq!(
                    read.text_offset(source, at),
                    expected,
                    "{encoding}, input {i}, {at}"
                );
            }
        }
    }
}

/// A document that is still being decoded can go on with a map that was read back.
#[test]
fn half_a_document() {
    let source = b"\x1B$BF|K\\\x1B(B text\n".repeat(40);
    let (whole, text) = map_of(ISO_2022_JP, &source);
    for at in [0, 1, 5, 33, 400, source.len()] {
        let (mut map, mut decoder) = (OffsetMap::with_spacing(16), ISO_2022_JP.decoder(Bom::Sniff));
        let mut dst = String::with_capacity(2 * source.len());
        let _ = map.decode_to_string(&mut decoder, &source[..at], &mut dst, false);
        let mut map = OffsetMap::from_bytes(&map.to_bytes()).expect("a map");
        let _ = map.decode_to_string(&mut decoder, &source[at..], &mut dst, true);
        assert_eq!(dst, text);
        for offset in 0..=text.len() as u64 {
            let expected = whole.source_offset(&source, offset);
            assert_eq!(
                map.source_offset(&source, offset),
                expected,
                "cut at {at}, {offset}"
            );
        }
    }
}

/// The stored bytes, which later versions must be able to read. Two places, of 20 bytes each.
#[test]
fn the_format() {
    let source = [&b"\xEF\xBB\xBF"[..], &"é".repeat(25).into_bytes()].concat();
    let (mut map, mut text) = (OffsetMap::with_spacing(20), String::new());
    map.decode(UTF_8, &source, &mut text, Bom::Sniff);
    let stored = b"simdtext offsets\x01\x03\x05UTF-8\x14\x35\x32\x02\x13\x10\x14\x14";
    assert_eq!(map.to_bytes(), stored, "{}", map.to_bytes().escape_ascii());
    let map = OffsetMap::from_bytes(stored).expect("a map");
    assert_eq!(map.source_range(&source, 40..42), Some(43..45));

    // In escape state: in JIS X 0208 after ESC $ B (3, 'B'), with long numbers.
    let stored = b"simdtext offsets\x01\x02\x0BISO-2022-JP\x10\x80\x01\x7F\x01\x10\x0F\x03B";
    let map = OffsetMap::from_bytes(stored).expect("a map");
    assert_eq!(
        (map.encoding(), map.source_len(), map.text_len()),
        (ISO_2022_JP, 128, 127)
    );
    assert_eq!(map.to_bytes(), stored);
}

/// A map can be read where a `usize` is narrower than where it was stored.
#[test]
fn the_largest_numbers() {
    // The spacing, 2⁶⁴ - 1, and the lengths of a source and a text of 2⁴⁰ bytes, all of it before the one place.
    let stored = b"simdtext offsets\x01\0\x05UTF-8\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\
        \x80\x80\x80\x80\x80\x20\x80\x80\x80\x80\x80\x20\x01\
        \x80\x80\x80\x80\x80\x20\x80\x80\x80\x80\x80\x20";
    let mut map = OffsetMap::from_bytes(stored).expect("a map");
    assert_eq!(map.to_bytes(), stored, "{}", map.to_bytes().escape_ascii());
    assert_eq!((map.source_len(), map.text_len()), (1 << 40, 1 << 40));

    // It goes on from there, without another place.
    let mut decoder = UTF_8.decoder(Bom::Keep).at_offset(1 << 40);
    map.try_reserve(&decoder, 1000).expect("two places");
    let _ = map.decode_to_utf8(&mut decoder, &[b'x'; 1000], &mut [0; 1000], true);
    assert_eq!(map.text_len(), (1 << 40) + 1000);
    let one_place = OffsetMap::from_bytes(&map.to_bytes()).expect("a map");
    assert!(
        format!("{one_place:?}").contains("places: 1"),
        "{one_place:?}"
    );
}

#[test]
fn what_is_no_map() {
    let source = b"\x93\xFA\x96{\n".repeat(30);
    let stored = map_of(SHIFT_JIS, &source).0.to_bytes();
    let error = |bytes: &[u8]| OffsetMap::from_bytes(bytes).expect_err("not a map");
    assert_eq!(error(b""), OffsetMapError::NotAMap);
    assert_eq!(error(b"simdtext offset"), OffsetMapError::NotAMap);
    assert_eq!(error(b"simdtext offsets"), OffsetMapError::Corrupt);
    assert_eq!(error(&stored[1..]), OffsetMapError::NotAMap);
    assert_eq!(
        error(b"simdtext offsets\x02anything"),
        OffsetMapError::Version(2)
    );
    let message = error(b"simdtext offsets\x02").to_string();
    assert_eq!(message, "an offset map in version 2 of the format, not 1");
    for len in 16..stored.len() {
        assert_eq!(
            error(&stored[..len]),
            OffsetMapError::Corrupt,
            "{len} bytes"
        );
    }
    assert_eq!(
        error(&[&stored[..], b"\0"].concat()),
        OffsetMapError::Corrupt
    );
    for stored in [
        // Undefined flags; a label that is not a name; a name that does not exist.
        &b"simdtext offsets\x01\x04\x05UTF-8\x10\0\0\0"[..],
        b"simdtext offsets\x01\0\x04utf8\x10\0\0\0",
        b"simdtext offsets\x01\0\x05UTF-9\x10\0\0\0",
        // A spacing that is too small; a number that is too long.
        b"simdtext offsets\x01\0\x05UTF-8\x0F\0\0\0",
        b"simdtext offsets\x01\0\x05UTF-8\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01\0\0\0",
        // A source, and a text, of more than 2⁶³ bytes.
        b"simdtext offsets\x01\0\x05UTF-8\x10\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\0\0",
        b"simdtext offsets\x01\0\x05UTF-8\x10\0\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01\0",
        // More places than there are bytes; a place after the end of the source, or of the text.
        b"simdtext offsets\x01\0\x05UTF-8\x10\x7F\x7F\x7F\0\0",
        b"simdtext offsets\x01\0\x05UTF-8\x10\x20\x20\x01\x21\x20",
        b"simdtext offsets\x01\0\x05UTF-8\x10\x20\x20\x01\x20\x21",
        // A state that no decoder reaches: ESC ( J leads to Roman.
        b"simdtext offsets\x01\0\x0BISO-2022-JP\x10\x20\x20\x01\x10\x10\x03J",
        b"simdtext offsets\x01\0\x0BISO-2022-JP\x10\x20\x20\x01\x10\x10\x04\0",
        b"simdtext offsets\x01\0\x0Breplacement\x10\x20\x20\x01\x10\x10\x02\0",
    ] {
        assert_eq!(
            error(stored),
            OffsetMapError::Corrupt,
            "{}",
            stored.escape_ascii()
        );
    }
}

/// Every change of one byte: it is refused, or gives answers that may be wrong.
#[test]
fn no_change_makes_it_panic() {
    for (encoding, source) in [
        (ISO_2022_JP, b"\x1B$BF|K\\\x1B(B text\n".repeat(8)),
        (WINDOWS_1252, b"na\xEFve ".repeat(20)),
    ] {
        let (map, text) = map_of(encoding, &source);
        let stored = map.to_bytes();
        let mut read = 0;
        for at in 0..stored.len() {
            for byte in (0..=0xFF_u8).filter(|byte| *byte != stored[at]) {
                let mut changed = stored.clone();
                changed[at] = byte;
                let Ok(map) = OffsetMap::from_bytes(&changed) else {
                    continue;
                };
                read += 1;
                let mut file = Cursor::new(&source);
                for offset in (0..=text.len() as u64).step_by(5) {
                    let _ = map.source_range(&source, offset..offset + 3);
                    let _ = map.text_offset(&source, offset);
                    let _ = map.source_range_in(&mut file, offset..map.text_len().max(offset));
                }
            }
        }
        assert!(read > 500, "{read}");
    }
}

#[cfg(feature = "serde")]
#[test]
fn with_serde() {
    let source = b"\x93\xFA\x96{\n".repeat(30);
    let map = map_of(SHIFT_JIS, &source).0;
    let json = serde_json::to_string(&map).expect("JSON");
    assert!(
        json.starts_with("[115,105,109,100,116,101,120,116,32,"),
        "{json}"
    );
    let read: OffsetMap = serde_json::from_str(&json).expect("a map");
    assert_eq!(read.to_bytes(), map.to_bytes());
    let error = serde_json::from_str::<OffsetMap>("[1,2,3]").expect_err("not a map");
    assert!(
        error.to_string().contains("not a stored offset map"),
        "{error}"
    );
    assert!(serde_json::from_str::<OffsetMap>("[256]").is_err());
    assert!(serde_json::from_str::<OffsetMap>("\"map\"").is_err());
}
