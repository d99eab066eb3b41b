//! Every offset in documents in every encoding.

use std::io::{Cursor, ErrorKind};

use proptest::prelude::*;
use simdtext::offsets::OffsetMap;
use simdtext::{Bom, Encoding, UTF_8, WINDOWS_1252};

use crate::inputs;
use crate::model::Model;

/// Asks for everything near the offsets that `step` selects, and near both ends.
fn check(map: &OffsetMap, model: &Model, source: &[u8], step: usize, case: &str) {
    assert_eq!(map.encoding(), model.encoding, "{case}");
    assert_eq!(map.text_len(), model.text.len() as u64, "{case}");
    assert_eq!(map.source_len(), source.len() as u64, "{case}");
    let offsets = |len: usize| (0..len).step_by(step).chain([len, len + 1, len + 99]);
    for at in offsets(model.text.len()) {
        let at = at as u64;
        assert_eq!(
            map.source_offset(source, at),
            model.source_offset(at),
            "{case}, byte {at} of the text"
        );
        for len in [0, 1, 5] {
            let range = at..at + len;
            assert_eq!(
                map.source_range(source, range.clone()),
                model.source_range(&range),
                "{case}, bytes {range:?} of the text"
            );
        }
    }
    for at in offsets(source.len()) {
        let at = at as u64;
        assert_eq!(
            map.text_offset(source, at),
            model.text_offset(at),
            "{case}, byte {at} of the source"
        );
    }
}

#[test]
fn every_offset_in_every_encoding() {
    for encoding in Encoding::all() {
        for (i, input) in inputs::bytes_for(encoding).iter().enumerate() {
            let source = &input[..input.len().min(1200)];
            for bom in [Bom::Sniff, Bom::Strip, Bom::Keep] {
                let model = Model::new(encoding, source, bom);
                for spacing in [0, 61, 1000] {
                    let mut map = OffsetMap::with_spacing(spacing);
                    let mut text = String::from("before");
                    map.decode(encoding, source, &mut text, bom);
                    assert_eq!(&text[6..], model.text);
                    let case = format!("{encoding}, input {i}, {bom:?}, every {spacing}");
                    let step = if bom == Bom::Sniff { 1 } else { 7 };
                    check(&map, &model, source, step, &case);
                }
            }
        }
    }
}

#[test]
fn long_documents() {
    /// Long enough for the vector kernels to run between two places.
    const SPACING: usize = 16 * 1024;
    for encoding in Encoding::all() {
        for (i, input) in inputs::bytes_for(encoding).iter().enumerate().skip(1) {
            if input.len() < 2000 {
                continue;
            }
            let source = input.repeat(1 + 3 * SPACING / input.len());
            let model = Model::new(encoding, &source, Bom::Sniff);
            let (mut map, mut text) = (OffsetMap::with_spacing(SPACING), String::new());
            map.decode(encoding, &source, &mut text, Bom::Sniff);
            assert!(text == model.text, "{encoding}, input {i}");
            check(
                &map,
                &model,
                &source,
                997,
                &format!("{encoding}, input {i}"),
            );
        }
    }
}

proptest! {
    #[test]
    fn any_bytes_in_any_encoding(
        encoding in inputs::any_encoding(),
        source in inputs::any_bytes(),
        spacing in 16..200_usize,
    ) {
        let model = Model::new(encoding, &source, Bom::Sniff);
        let (mut map, mut text) = (OffsetMap::with_spacing(spacing), String::new());
        map.decode(encoding, &source, &mut text, Bom::Sniff);
        prop_assert_eq!(&text, &model.text);
        check(&map, &model, &source, 1, encoding.name());
    }

    /// The answers are of no use, but there is no panic.
    #[test]
    fn another_source_is_no_panic(
        encoding in inputs::any_encoding(),
        source in inputs::any_bytes(),
        other in inputs::any_bytes(),
    ) {
        let (mut map, mut text) = (OffsetMap::with_spacing(16), String::new());
        map.decode(encoding, &source, &mut text, Bom::Sniff);
        let other = [other, vec![b'x'; source.len()]].concat();
        for at in 0..=source.len().max(text.len()) as u64 {
            let found = [
                map.source_offset(&other, at),
                map.text_offset(&other, at),
                map.source_range(&other, 0..at).map(|range| range.end),
                map.source_range_in(&mut Cursor::new(&other), 0..at).ok().map(|range| range.end),
            ];
            let most = 3 * (source.len() as u64 + 2);
            prop_assert!(found.iter().flatten().all(|offset| *offset <= most), "{:?}", found);
        }
    }
}

#[test]
fn a_file_gives_the_same_answers() {
    for encoding in Encoding::all() {
        for input in inputs::bytes_for(encoding) {
            let (mut map, mut text) = (OffsetMap::with_spacing(100), String::new());
            map.decode(encoding, &input, &mut text, Bom::Sniff);
            let mut file = Cursor::new(&input);
            for at in (0..text.len() as u64).step_by(101) {
                for range in [at..at, at..at + 1, at..text.len() as u64] {
                    let found = map.source_range_in(&mut file, range.clone());
                    let expected = map.source_range(&input, range);
                    assert_eq!(found.ok(), expected, "{encoding}, byte {at} of the text");
                }
            }
        }
    }
}

#[test]
fn what_is_not_there_is_said() {
    let source = b"na\xEFve";
    let (mut map, mut text) = (OffsetMap::new(), String::new());
    map.decode(WINDOWS_1252, source, &mut text, Bom::Sniff);
    assert_eq!(map.source_offset(&source[..4], 0), None, "a shorter source");
    assert_eq!(map.text_offset(&source[..4], 0), None, "a shorter source");
    assert_eq!(
        map.source_offset(b"na\xEFve and more", 6),
        Some(5),
        "a longer one"
    );
    assert_eq!(map.source_offset(source, 7), None);
    #[expect(
        clippy::reversed_empty_ranges,
        reason = "what callers may do by mistake"
    )]
    let reversed = 4..2;
    assert_eq!(map.source_range(source, reversed.clone()), None);
    let kind = |source: &[u8], range| {
        let error = map.source_range_in(&mut Cursor::new(source), range);
        error.unwrap_err().kind()
    };
    assert_eq!(kind(source, reversed), ErrorKind::InvalidInput);
    assert_eq!(kind(source, 0..7), ErrorKind::InvalidInput);
    assert_eq!(kind(&source[..4], 0..1), ErrorKind::UnexpectedEof);

    let empty = OffsetMap::new();
    assert_eq!(
        (empty.source_offset(b"", 0), empty.encoding()),
        (Some(0), UTF_8)
    );
    assert_eq!(empty.text_offset(b"", 0), Some(0));
    assert_eq!(empty.source_offset(b"", 1), None);
}
