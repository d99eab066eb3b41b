//! The memory that a map takes.

use simdtext::offsets::{DEFAULT_SPACING, OffsetMap};
use simdtext::{Bom, Encoding};

use crate::inputs;

#[test]
fn a_map_has_less_than_a_hundredth_of_the_text() {
    for encoding in Encoding::all() {
        if encoding.name() == "replacement" {
            continue;
        }
        for (i, input) in inputs::bytes_for(encoding).iter().enumerate() {
            // A document of escape sequences has no text.
            if input.len() < 2000 {
                continue;
            }
            let source = input.repeat(1 + 300_000 / input.len());
            for mut map in [OffsetMap::new(), OffsetMap::with_spacing(16 * 1024)] {
                let mut text = String::new();
                map.decode(encoding, &source, &mut text, Bom::Sniff);
                assert!(
                    map.allocated() > 0 && 100 * map.allocated() < text.len(),
                    "{encoding}, input {i}: {} bytes for {}",
                    map.allocated(),
                    text.len()
                );
            }
        }
    }
}

/// For any bytes, including the replacement encoding and input of escape sequences only.
#[test]
fn a_map_has_less_than_a_hundredth_of_the_source() {
    for encoding in Encoding::all() {
        for unit in [
            &b"\x1B$B"[..],
            b"\x1B(B",
            b"\xFF",
            b"\xFE\xFF",
            b"a",
            b"\x1B$B!!",
        ] {
            let source = unit.repeat(100_000);
            let (mut map, mut text) = (OffsetMap::new(), String::new());
            map.decode(encoding, &source, &mut text, Bom::Sniff);
            assert!(
                100 * map.allocated() < source.len(),
                "{encoding}, {unit:X?}"
            );
        }
    }
}

#[test]
fn a_short_document_needs_none() {
    let (mut map, mut text) = (OffsetMap::new(), String::new());
    for encoding in Encoding::all() {
        map.decode(encoding, &[b'a'; DEFAULT_SPACING], &mut text, Bom::Sniff);
        assert_eq!(map.allocated(), 0, "{encoding}");
    }
}
