//! Text that is short enough to be converted in line, or one character after the other.

use simdtext::unicode::{utf8_to_utf16, utf8_to_utf32, validate_utf8};

use crate::check;
use crate::inputs::text_of;
use crate::model::{self, Form};
use crate::pairs::PAIRS;

/// Characters of one length, and all of them mixed.
const SCRIPTS: [&str; 7] = ["a~", "éÿ", "дж", "日한", "💩𐍈", "日 ", "aé日💩 д"];

#[test]
fn every_length_and_room() {
    for form in Form::ALL {
        for script in SCRIPTS {
            for len in 0..=40 {
                let src = form.encode(&text_of(script, len));
                for pair in PAIRS.iter().filter(|pair| pair.from == form) {
                    let all = model::convert(form, pair.to, &src, usize::MAX, false);
                    let units = all.written.len() / pair.to.unit();
                    for room in 0..=units + 5 {
                        check(pair, &src, room, false);
                    }
                }
            }
        }
    }
}

#[test]
fn malformed_at_each_place() {
    for form in Form::ALL {
        for script in SCRIPTS {
            for (len, at) in (0..20).flat_map(|len| (0..=len).map(move |at| (len, at))) {
                let front = form.encode(&text_of(script, at));
                let back = form.encode(&text_of(script, len - at));
                let src = [front, form.malformed(), back].concat();
                for pair in PAIRS.iter().filter(|pair| pair.from == form) {
                    check(pair, &src, at, false);
                    check(pair, &src, 100, false);
                }
            }
        }
    }
}

#[test]
fn every_kind_of_short_utf8() {
    const EDGES: [u8; 14] = [
        0, b'a', 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xF0, 0xFF,
    ];
    let mut bytes = [0; 8];
    for lead in 0..=0xFF {
        for (b, c, d) in EDGES
            .iter()
            .flat_map(|b| EDGES.iter().map(move |c| (b, c)))
            .flat_map(|(b, c)| EDGES.iter().map(move |d| (b, c, d)))
        {
            bytes[..4].copy_from_slice(&[lead, *b, *c, *d]);
            bytes[4..].copy_from_slice("é\u{7FF}".as_bytes());
            for src in [&bytes[..1], &bytes[..2], &bytes[..3], &bytes[..4], &bytes] {
                let valid = match str::from_utf8(src) {
                    Ok(text) => text,
                    Err(error) => str::from_utf8(&src[..error.valid_up_to()]).unwrap(),
                };
                let found = match validate_utf8(src) {
                    Ok(()) => src.len(),
                    Err(error) => error.offset,
                };
                assert_eq!(found, valid.len(), "{src:02X?}");
                let mut units = [0_u16; 16];
                let done = utf8_to_utf16(src, &mut units);
                let expected = valid.encode_utf16();
                assert_eq!(done.read, valid.len(), "{src:02X?}");
                assert!(
                    units[..done.written].iter().copied().eq(expected),
                    "{src:02X?}"
                );
                let mut units = [0_u32; 16];
                let done = utf8_to_utf32(src, &mut units);
                let expected = valid.chars().map(u32::from);
                assert_eq!(done.read, valid.len(), "{src:02X?}");
                assert!(
                    units[..done.written].iter().copied().eq(expected),
                    "{src:02X?}"
                );
            }
        }
    }
}
