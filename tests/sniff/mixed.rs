//! `sniff::FirstValid`, `sniff::Segments` and `sniff::DoubleEncoding`, compared with simple definitions.
#![cfg(feature = "alloc")]

use proptest::prelude::*;
use simdtext::sniff::{DoubleEncoding, FirstValid, SegmentReason, Segments, undo_double_encoding};
use simdtext::{
    BIG5, Bom, EUC_JP, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, Unmappable,
    WINDOWS_1251, WINDOWS_1252,
};

fn is_valid(encoding: &'static Encoding, bytes: &[u8]) -> bool {
    encoding.decode_strict(bytes, Bom::Strip).is_ok()
}

/// Bytes with many lines, escape sequences and pieces of several encodings.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"ascii".to_vec()),
        Just("été".as_bytes().to_vec()),
        Just(b"\xE9t\xE9".to_vec()),
        Just(b"\x93\xFA".to_vec()),
        Just(b"\x81\x30\x81\x30".to_vec()),
        Just(b"\x1B$B".to_vec()),
        Just(b"\x1B(B".to_vec()),
        Just(b"\x1B(J".to_vec()),
        Just(b"F|K\\".to_vec()),
        prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

#[test]
fn first_valid_of_a_list() {
    let cases: [(&[u8], &[&'static Encoding], Option<&Encoding>); 11] = [
        (b"", &[], Some(UTF_8)),
        (b"ascii", &[SHIFT_JIS], Some(UTF_8)),
        ("été".as_bytes(), &[WINDOWS_1252], Some(UTF_8)),
        (b"\xE9t\xE9", &[WINDOWS_1252], Some(WINDOWS_1252)),
        (
            b"\x93\xFA\x96{",
            &[EUC_JP, SHIFT_JIS, WINDOWS_1252],
            Some(SHIFT_JIS),
        ),
        (b"\x1B$B4A\x1B(B", &[EUC_JP, ISO_2022_JP], Some(ISO_2022_JP)),
        (b"\x1B$B4A\x1B(B", &[EUC_JP], Some(UTF_8)),
        (b"\x1B[31mred", &[ISO_2022_JP], Some(UTF_8)),
        ("\x1B(Bé".as_bytes(), &[ISO_2022_JP], Some(UTF_8)),
        (b"\xFF", &[EUC_JP, SHIFT_JIS], None),
        (b"\xFF", &[EUC_JP, WINDOWS_1251, BIG5], Some(WINDOWS_1251)),
    ];
    for (bytes, list, expected) in cases {
        assert_eq!(
            FirstValid::new(list).decide(bytes),
            expected,
            "{bytes:02X?}"
        );
    }
}

#[test]
fn what_can_not_fail_ends_the_list() {
    let first = FirstValid::new(&[SHIFT_JIS, SHIFT_JIS, UTF_8, WINDOWS_1252, BIG5]);
    let tried: Vec<_> = first.tried().map(|tried| tried.encoding).collect();
    assert_eq!(tried, [UTF_8, SHIFT_JIS, WINDOWS_1252]);
}

#[test]
fn failures_have_offsets() {
    let mut first = FirstValid::new(&[SHIFT_JIS]);
    first.feed(b"abc\xE9");
    first.feed(b"\xFF");
    assert!(first.is_decided());
    assert_eq!(first.finish(), None);
    let offsets: Vec<_> = first.tried().map(|t| t.failed.map(|m| m.offset)).collect();
    assert_eq!(offsets, [Some(3), Some(3)]);
}

#[test]
fn every_encoding_is_tried() {
    let mut first = FirstValid::new(Encoding::all());
    first.feed(b"\xFF\xFF");
    assert!(first.tried().count() > 1);
    assert!(first.finish().is_some());
}

fn list() -> [&'static Encoding; 4] {
    [ISO_2022_JP, SHIFT_JIS, UTF_16LE, GB18030]
}

#[test]
fn segments_of_a_log() {
    let text =
        b"one\r\nf\xC3\xA9\r\nthree\r\n\xE9t\xE9\r\n\x1B$BF|K\\\x1B(B\r\nend\r\n\x1B(J\\\r\nx";
    let segments: Vec<_> = Segments::new(text, &[ISO_2022_JP], |_| WINDOWS_1252).collect();
    let told: Vec<_> = segments
        .iter()
        .map(|segment| {
            (
                &text[segment.range.clone()],
                segment.encoding,
                segment.reason,
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (
                &b"one\r\nf\xC3\xA9\r\nthree\r\n"[..],
                UTF_8,
                SegmentReason::Utf8Valid
            ),
            (b"\xE9t\xE9\r\n", WINDOWS_1252, SegmentReason::Otherwise),
            (
                b"\x1B$BF|K\\\x1B(B\r\nend\r\n\x1B(J\\\r\n",
                ISO_2022_JP,
                SegmentReason::FirstOfList
            ),
            (b"x", UTF_8, SegmentReason::Ascii),
        ]
    );
}

#[test]
fn segments_take_linear_time() {
    let lines = [
        &b"\x1B$BF|K\\\x1B(B\n"[..],
        b"\x1B\n",
        b"\n",
        b"\xE9\n",
        b"\xC3\xA9\n\xE9\n\x1B\n",
        b"\x1B",
    ];
    for line in lines {
        let text = line.repeat(400_000 / line.len());
        let list = list();
        let segments = Segments::new(&text, &list, |_| WINDOWS_1252);
        let end = segments.fold(0, |end, segment| {
            assert_eq!(segment.range.start, end);
            segment.range.end
        });
        assert_eq!(end, text.len());
    }
}

/// The ends of lines, each with its line.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut start = 0;
    for at in 0..bytes.len() {
        let ends = match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends || at + 1 == bytes.len() {
            lines.push(&bytes[start..=at]);
            start = at + 1;
        }
    }
    lines
}

/// How one line is to be decoded.
fn decision(line: &[u8]) -> &'static Encoding {
    if line.contains(&0x1B)
        && line.iter().position(|byte| *byte == 0x1B)
            < line
                .iter()
                .position(|byte| *byte > 0x7F)
                .or(Some(line.len()))
        && std::str::from_utf8(line).is_ok()
        && is_valid(ISO_2022_JP, line)
    {
        return ISO_2022_JP;
    }
    if std::str::from_utf8(line).is_ok() {
        return UTF_8;
    }
    let mut list = list().into_iter().filter(|encoding| *encoding != UTF_16LE);
    list.find(|encoding| encoding.decode_strict(line, Bom::Keep).is_ok())
        .unwrap_or(WINDOWS_1252)
}

fn decoded(encoding: &'static Encoding, bytes: &[u8]) -> String {
    encoding.decode_with_bom(bytes, Bom::Keep).text.into_owned()
}

proptest! {
    #[test]
    fn first_valid_is_the_first_valid(bytes in bytes(), cut in 0_usize..100) {
        let list = [ISO_2022_JP, EUC_JP, SHIFT_JIS, GB18030, WINDOWS_1251];
        let mut all = [UTF_8].into_iter().chain(list);
        let is_escaped = bytes.is_ascii() && bytes.contains(&0x1B) && is_valid(ISO_2022_JP, &bytes);
        let expected = if is_escaped {
            Some(ISO_2022_JP)
        } else {
            all.find(|encoding| is_valid(encoding, &bytes))
        };
        let (front, back) = bytes.split_at(cut.min(bytes.len()));
        let mut first = FirstValid::new(&list);
        first.feed(front);
        first.feed(back);
        prop_assert_eq!(first.finish(), expected);
        for tried in first.tried() {
            let whole = tried.encoding.decode_strict(&bytes, Bom::Strip).err();
            prop_assert_eq!(tried.failed, whole.map(|error| error.malformed));
        }
    }

    /// Segments have no gaps, and give the same text as each line by itself.
    #[test]
    fn segments_are_lines(bytes in bytes()) {
        let mut end = 0;
        let mut text = String::new();
        for segment in Segments::new(&bytes, &list(), |_| WINDOWS_1252) {
            prop_assert_eq!(segment.range.start, end);
            prop_assert!(segment.range.end > end);
            end = segment.range.end;
            text += &decoded(segment.encoding, &bytes[segment.range]);
        }
        prop_assert_eq!(end, bytes.len());
        let by_line: String = lines(&bytes).into_iter().map(|line| decoded(decision(line), line)).collect();
        prop_assert_eq!(text, by_line);
    }

    /// Double encoding is recognised and undone, by the bytes.
    #[test]
    fn doubling_is_undone(text in "[a-z]{0,4}[é日Жа💩\u{FEFF}]{1,4}\\PC{0,6}") {
        for encoding in Encoding::all().iter().filter(|encoding| encoding.is_single_byte()) {
            let bytes = text.as_bytes();
            let Ok(doubled) = encoding.decode_strict(bytes, Bom::Keep) else {
                continue;
            };
            let undone = undo_double_encoding(&doubled.text, encoding);
            prop_assert_eq!(undone.as_deref(), Some(&*text), "{}", encoding);
        }
    }

    /// What was undone can be redone.
    #[test]
    fn undoing_loses_nothing(text in "([a-zÃÂ©¨€ÐŸ°Ñ€¸]|Ã©|â‚¬){0,12}") {
        let undone = undo_double_encoding(&text, WINDOWS_1252);
        if let Some(undone) = &undone {
            prop_assert_eq!(decoded(WINDOWS_1252, undone.as_bytes()), text.clone());
            prop_assert!(*undone != text);
        }
        let mut pieces = DoubleEncoding::new();
        for ch in text.chars() {
            pieces.feed(ch.encode_utf8(&mut [0; 4]));
        }
        prop_assert_eq!(pieces.finish(), undone.is_some());
    }
}

/// No two bytes of a single-byte encoding are the same character, which makes undoing exact.
#[test]
fn single_bytes_are_different_characters() {
    for encoding in Encoding::all()
        .iter()
        .filter(|encoding| encoding.is_single_byte())
    {
        for byte in 0..=255_u8 {
            let Ok(text) = encoding.decode_strict(std::slice::from_ref(&byte), Bom::Keep) else {
                continue;
            };
            let back = encoding
                .encode(&text.text, Unmappable::Strict)
                .expect("the character");
            assert_eq!(*back.bytes, [byte], "{encoding}");
        }
    }
}
