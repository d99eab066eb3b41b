//! Documents that come in pieces, decoded into buffers of any size.

use std::io::Cursor;

use simdtext::offsets::OffsetMap;
use simdtext::{Bom, Encoding, GBK, ISO_2022_JP, MIN_UTF8, SHIFT_JIS, Status, UTF_8};

use crate::inputs;

/// Decodes in pieces, and returns the text.
fn decode(
    map: &mut OffsetMap,
    encoding: &'static Encoding,
    source: &[u8],
    piece: usize,
    room: usize,
) -> Vec<u8> {
    let mut decoder = encoding.decoder(Bom::Sniff);
    let (mut dst, mut text) = (vec![0; room], Vec::new());
    let count = source.len() / piece + 1;
    for i in 0..count {
        let mut src = &source[i * piece..source.len().min((i + 1) * piece)];
        loop {
            let progress = map.decode_to_utf8(&mut decoder, src, &mut dst, i + 1 == count);
            text.extend_from_slice(&dst[..progress.written]);
            src = &src[progress.read..];
            if progress.status == Status::InputEmpty {
                break;
            }
        }
    }
    text
}

#[test]
fn cuts_and_room_change_no_answer() {
    for encoding in Encoding::all() {
        for (i, input) in inputs::bytes_for(encoding).iter().enumerate() {
            let source = &input[..input.len().min(700)];
            let (mut whole, mut text) = (OffsetMap::with_spacing(64), String::new());
            whole.decode(encoding, source, &mut text, Bom::Sniff);
            for (piece, room) in [(1, MIN_UTF8), (2, 100), (7, 5), (64, 64), (1000, MIN_UTF8)] {
                let mut map = OffsetMap::with_spacing(64);
                let decoded = decode(&mut map, encoding, source, piece, room);
                assert_eq!(decoded, text.as_bytes());
                let case = format!("{encoding}, input {i}, pieces of {piece}, room for {room}");
                for at in (0..=text.len() as u64).step_by(3) {
                    let expected = whole.source_offset(source, at);
                    assert_eq!(map.source_offset(source, at), expected, "{case}, at {at}");
                }
                for at in (0..=source.len() as u64).step_by(3) {
                    let expected = whole.text_offset(source, at);
                    assert_eq!(map.text_offset(source, at), expected, "{case}, at {at}");
                }
            }
        }
    }
}

/// Questions about a document that is still being decoded are answered as far as there is text.
#[test]
fn answers_come_before_the_end() {
    let source = "日本\n".repeat(40);
    let bytes = SHIFT_JIS.encode(&source, simdtext::Unmappable::Strict);
    let bytes = bytes.unwrap().bytes;
    let (mut map, mut decoder) = (OffsetMap::with_spacing(16), SHIFT_JIS.decoder(Bom::Sniff));
    let mut dst = [0; 1000];
    // The last byte is the beginning of a character.
    let progress = map.decode_to_utf8(&mut decoder, &bytes[..51], &mut dst, false);
    assert_eq!(progress.status, Status::InputEmpty);
    assert_eq!(
        (map.source_len(), map.text_len()),
        (51, progress.written as u64)
    );
    assert_eq!(map.text_offset(&bytes, 50), Some(map.text_len()));
    assert_eq!(map.source_offset(&bytes, 0), Some(0));
    assert_eq!(map.source_offset(&bytes, map.text_len() - 1), Some(49));
    assert_eq!(map.source_range(&bytes, 7..10), Some(5..7));
}

/// A decoder may have looked at bytes that it has not read.
#[test]
fn answers_come_when_the_room_is_full() {
    let cases: [(&Encoding, &[u8]); 4] = [
        // ESC is malformed before "a", which is not read if there is no room for it.
        (ISO_2022_JP, b"\x1Bab"),
        (UTF_8, b"a\xE2\x82bcde"),
        (GBK, b"\xFF\xFE6A"),
        // 81, "0", and 81, of which the first and the last are malformed.
        (GBK, b"\x810\x81 ab"),
    ];
    let mut full = [0; 4];
    for (i, (encoding, source)) in cases.into_iter().enumerate() {
        let (mut whole, mut text) = (OffsetMap::new(), String::new());
        whole.decode(encoding, source, &mut text, Bom::Keep);
        for room in MIN_UTF8..12 {
            let (mut map, mut decoder) = (OffsetMap::new(), encoding.decoder(Bom::Keep));
            let (mut rest, mut is_over) = (source, false);
            for last in [false, true, true, true, true] {
                let mut dst = vec![0; room];
                let progress = map.decode_to_utf8(&mut decoder, rest, &mut dst, last);
                rest = &rest[progress.read..];
                full[i] += usize::from(progress.status == Status::OutputFull);
                for at in 0..map.text_len() {
                    let expected = whole.source_range(source, at..at + 1);
                    let case = format!("{encoding}, {room}: {at} in {map:?}");
                    assert_eq!(map.source_range(source, at..at + 1), expected, "{case}");
                    let found = map.source_range_in(&mut Cursor::new(source), at..at + 1);
                    assert_eq!(found.ok(), expected, "{case}");
                }
                for at in 0..map.source_len() {
                    let expected = whole.text_offset(source, at).min(Some(map.text_len()));
                    let case = format!("{encoding}, {room}: {at} in {map:?}");
                    assert_eq!(map.text_offset(source, at), expected, "{case}");
                }
                is_over = last && progress.status == Status::InputEmpty;
                if is_over {
                    break;
                }
            }
            assert!(is_over, "{encoding}, {room}");
        }
    }
    assert!(full.iter().all(|calls| *calls > 0), "{full:?}");
}

#[test]
fn the_next_document_begins_anew() {
    let (mut map, mut text) = (OffsetMap::with_spacing(16), String::new());
    let mut decoder = ISO_2022_JP.decoder(Bom::Sniff);
    let source = b"\x1B$BF|\x1B(B\n".repeat(20);
    for _ in 0..3 {
        text.clear();
        map.decode_all_to_string(&mut decoder, &source, &mut text);
        assert_eq!((map.source_len(), map.text_len()), (180, 80));
        assert_eq!(map.source_offset(&source, 78), Some(174));
    }
    // Decoding was abandoned.
    let progress = map.decode_to_utf8(&mut decoder, &source, &mut [0; 30], true);
    assert_eq!(progress.status, Status::OutputFull);
    map.clear();
    decoder.reset_to(UTF_8, Bom::Keep);
    text.clear();
    map.decode_all_to_string(&mut decoder, "\u{FEFF}é".as_bytes(), &mut text);
    assert_eq!((text.as_str(), map.encoding()), ("\u{FEFF}é", UTF_8));
    assert_eq!(map.source_offset(text.as_bytes(), 4), Some(3));
    assert_eq!(map.text_offset(text.as_bytes(), 1), Some(0));
}

/// A decoder may have read some of the stream before the map sees any of it.
#[test]
fn a_decoder_that_is_ahead() {
    for encoding in Encoding::all() {
        for (i, input) in inputs::bytes_for(encoding).iter().enumerate() {
            let source = &input[..input.len().min(300)];
            let (mut whole, mut text) = (OffsetMap::new(), String::new());
            whole.decode(encoding, source, &mut text, Bom::Sniff);
            for ahead in [0, 1, 2, 3, 5, 64, 100, source.len()] {
                let ahead = ahead.min(source.len());
                let mut decoder = encoding.decoder(Bom::Sniff);
                let mut before = String::with_capacity(2000);
                let _ = decoder.decode_to_string(&source[..ahead], &mut before, false);
                let mut map = OffsetMap::with_spacing(16);
                let mut rest = String::with_capacity(2000);
                let progress =
                    map.decode_to_string(&mut decoder, &source[ahead..], &mut rest, true);
                assert_eq!(progress.status, Status::InputEmpty);
                let case = format!("{encoding}, input {i}, {ahead} ahead");
                assert_eq!(before.clone() + &rest, text, "{case}");
                for at in 0..=rest.len() as u64 {
                    let expected = whole.source_offset(source, before.len() as u64 + at);
                    assert_eq!(map.source_offset(source, at), expected, "{case}, at {at}");
                }
                for at in 0..=source.len() as u64 {
                    let expected = whole.text_offset(source, at).expect("it was decoded");
                    let expected = expected.saturating_sub(before.len() as u64);
                    assert_eq!(
                        map.text_offset(source, at),
                        Some(expected),
                        "{case}, at {at}"
                    );
                }
                let mut file = std::io::Cursor::new(source);
                let range = map.source_range_in(&mut file, 0..rest.len() as u64);
                assert!(range.is_ok(), "{case}: {range:?}");
            }
        }
    }
}

/// Its stream may also be a different one than the map was filled from.
#[test]
fn another_decoder_begins_anew() {
    let source = "все люди ".repeat(40);
    let (mut map, mut text) = (OffsetMap::with_spacing(16), String::with_capacity(4000));
    let mut decoder = UTF_8.decoder(Bom::Keep);
    let _ = map.decode_to_string(&mut decoder, source.as_bytes(), &mut text, false);
    let mut other = UTF_8.decoder(Bom::Keep);
    text.clear();
    let _ = map.decode_to_string(&mut other, "ёж".as_bytes(), &mut text, true);
    assert_eq!((map.source_len(), map.text_len()), (4, 4));
    assert_eq!(map.source_range("ёж".as_bytes(), 2..4), Some(2..4));
    let mut far = UTF_8.decoder(Bom::Keep).at_offset(1 << 40);
    text.clear();
    let _ = map.decode_to_string(&mut far, "ёж".as_bytes(), &mut text, true);
    assert_eq!((map.source_len(), map.text_len()), ((1 << 40) + 4, 4));
    assert_eq!(map.source_range("ёж".as_bytes(), 2..4), None);
}
