//! An offset map compared with a decoder that is stopped before each character.
//!
//! Input: the encoding, the length of a piece, the distance between places, then the bytes.

use std::io::Cursor;

use simdtext::offsets::OffsetMap;
use simdtext::{Bom, Encoding, Status};

pub fn offsets(data: &[u8]) {
    let &[encoding, piece, spacing, ref source @ ..] = data else {
        return;
    };
    let encoding = Encoding::all()[usize::from(encoding) % Encoding::all().len()];
    let (piece, spacing) = (1 + usize::from(piece), usize::from(spacing));
    let mut map = OffsetMap::with_spacing(spacing);
    let mut decoder = encoding.decoder(Bom::Sniff);
    let mut text = String::with_capacity(3 * source.len() + 16);
    let count = source.len() / piece;
    for i in 0..=count {
        let src = &source[i * piece..source.len().min((i + 1) * piece)];
        let progress = map.decode_to_string(&mut decoder, src, &mut text, i == count);
        assert_eq!(
            (progress.status, progress.read),
            (Status::InputEmpty, src.len())
        );
    }
    // The questions below go to a map that was stored and read back.
    let stored = map.to_bytes();
    let map = OffsetMap::from_bytes(&stored).expect("a map");
    assert_eq!(map.to_bytes(), stored);
    if let Ok(other) = OffsetMap::from_bytes(&[&stored[..17], data].concat()) {
        let _ = other.source_range(source, 0..other.text_len());
        let _ = other.text_offset(source, other.source_len() / 2);
    }
    let decoded = encoding.decode(source);
    assert_eq!(text, decoded.text, "{encoding}");
    assert_eq!(map.encoding(), decoded.encoding);

    let mut file = Cursor::new(source);
    let (mut before, mut range) = (0, 0..0);
    for (at, ch) in text.char_indices() {
        let end = at + ch.len_utf8();
        let of_first = map
            .source_offset(source, at as u64)
            .expect("a byte of the text");
        for byte in at..end {
            let found = map.source_offset(source, byte as u64);
            assert_eq!(found, Some(of_first), "{encoding}, byte {byte}");
        }
        let found = map
            .source_range(source, at as u64..end as u64)
            .expect("a character");
        assert_eq!(found.start, of_first, "{encoding}, byte {at}");
        assert!(found.start < found.end && found.end <= source.len() as u64);
        // Each character has bytes of its own, after those of the one before, except that some sequences of
        // Big5 are two characters.
        assert!(
            found.start >= before || found == range,
            "{encoding}, byte {at}"
        );
        let in_file = map.source_range_in(&mut file, at as u64..end as u64);
        assert_eq!(in_file.ok(), Some(found.clone()), "{encoding}, byte {at}");
        let back = map
            .text_offset(source, found.start)
            .expect("a byte of the source");
        let start_of_pair = if found == range { at - 2 } else { at };
        assert_eq!(back, start_of_pair as u64, "{encoding}, byte {at}");
        if ch != char::REPLACEMENT_CHARACTER {
            expect_char(map.encoding(), source, &found, ch);
        }
        (before, range) = (found.end, found);
    }
    let end = text.len() as u64;
    assert_eq!(map.source_offset(source, end), Some(source.len() as u64));
    assert_eq!(map.text_offset(source, source.len() as u64), Some(end));
    assert_eq!(map.source_offset(source, end + 1), None);
    // Bytes that become no text have the place of what follows, so offsets never decrease.
    let mut last = 0;
    for at in 0..=source.len() as u64 {
        let offset = map.text_offset(source, at).expect("a byte of the source");
        assert!(last <= offset && offset <= end, "{encoding}, byte {at}");
        last = offset;
    }
}

/// In encodings without a state, the bytes by themselves decode to that character.
fn expect_char(encoding: &'static Encoding, source: &[u8], at: &std::ops::Range<u64>, ch: char) {
    if encoding.name() == "ISO-2022-JP" {
        return;
    }
    let (start, end) = (at.start as usize, at.end as usize);
    let decoded = encoding.decode_with_bom(&source[start..end], Bom::Keep);
    assert!(decoded.text.contains(ch), "{encoding}, bytes {at:?}");
}
