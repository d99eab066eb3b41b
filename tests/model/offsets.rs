//! `OffsetMap`.

use std::io::Cursor;
use std::ops::Range;

use simdtext::offsets::OffsetMap;
use simdtext::{Bom, Decoder, Status};

use crate::random::Random;
use crate::spans::Model;

/// The part of a document that a map was filled with.
struct Seen<'a> {
    text: Range<u64>,
    end: u64,
    /// What the decoder was given.
    given: &'a [u8],
}

fn ask(random: &mut Random, map: &OffsetMap, model: &Model, seen: &Seen<'_>) {
    let text_len = seen.text.end - seen.text.start;
    assert_eq!((map.source_len(), map.text_len()), (seen.end, text_len));
    for _ in 0..4 {
        let at = random.below(text_len as usize + 1) as u64;
        let end = text_len.min(at + random.len(90) as u64);
        let in_model = seen.text.start + at..seen.text.start + end;
        let start = if at == text_len {
            Some(seen.end)
        } else {
            model.source_offset(in_model.start)
        };
        assert_eq!(map.source_offset(seen.given, at), start, "{at} in the text");
        let range = if at == end {
            start.map(|start| start..start)
        } else {
            model.source_range(&in_model)
        };
        assert_eq!(map.source_range(seen.given, at..end), range, "{at}..{end}");
        let found = map.source_range_in(&mut Cursor::new(seen.given), at..end);
        assert_eq!(found.ok(), range, "{at}..{end} in a file");

        let at = random.below(seen.end as usize + 1) as u64;
        let expected = model.text_offset(at).expect("it is there");
        // What the decoder holds has no text yet.
        let expected = expected.clamp(seen.text.start, seen.text.end) - seen.text.start;
        let expected = if at == seen.end { text_len } else { expected };
        assert_eq!(
            map.text_offset(seen.given, at),
            Some(expected),
            "{at} in the source"
        );
    }
    assert_eq!(map.source_offset(seen.given, text_len + 1), None);
    assert_eq!(map.text_offset(seen.given, seen.end + 1), None);
}

fn check_document(random: &mut Random, map: &mut OffsetMap, decoder: &mut Decoder) {
    let (encoding, bom) = (random.encoding(), random.bom());
    let bytes = random.bytes(encoding, 3000);
    let model = Model::new(encoding, &bytes, bom);
    decoder.reset_to(encoding, bom);
    map.clear();
    let (mut text, mut at, mut is_over) = (Vec::new(), 0, false);
    let mut seen = None::<Seen<'_>>;
    while !is_over {
        let end = at + random.len(bytes.len() - at);
        let (piece, last) = (&bytes[at..end], end == bytes.len());
        let enough = 4 * piece.len() + 16;
        if !piece.is_empty() && !last && random.one_in(30) {
            // Decoded without the map, which then starts over.
            let mut dst = vec![0; enough];
            let progress = decoder.decode_to_utf8(piece, &mut dst, false);
            text.extend_from_slice(&dst[..progress.written]);
            (at, seen) = (end, None);
            continue;
        }
        let mut dst = vec![0; random.pick(&[4, 5, 40, enough])];
        let start = text.len() as u64;
        let progress = map.decode_to_utf8(decoder, piece, &mut dst, last);
        text.extend_from_slice(&dst[..progress.written]);
        at += progress.read;
        is_over = last && progress.status == Status::InputEmpty;
        let text = seen.as_ref().map_or(start, |it| it.text.start)..text.len() as u64;
        let given = seen.as_ref().map_or(0, |it| it.given.len()).max(end);
        let given = &bytes[..given];
        let now = seen.insert(Seen {
            text,
            end: at as u64,
            given,
        });
        ask(random, map, &model, now);
        if random.one_in(9) {
            *map = OffsetMap::from_bytes(&map.to_bytes()).expect("a map");
            ask(random, map, &model, now);
        }
    }
    assert!(text == model.text.as_bytes());
    assert_eq!(map.encoding(), model.encoding);
}

#[test]
fn any_questions() {
    crate::each_case(|random| {
        let mut map = OffsetMap::with_spacing(random.pick(&[0, 17, 20, 64, 1000]));
        let mut decoder = random.encoding().decoder(Bom::Sniff);
        for _ in 0..1 + random.below(3) {
            check_document(random, &mut map, &mut decoder);
        }
    });
}
