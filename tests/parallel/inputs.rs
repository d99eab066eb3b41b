//! Inputs for every encoding: real text, damaged text, and bytes that cause trouble.

use std::path::Path;
use std::{fs, iter};

use proptest::prelude::*;
use simdtext::{Encoding, Unmappable};

/// Lengths of pieces, in bytes.
pub(crate) const PIECES: [usize; 6] = [1, 2, 3, 7, 64, 4096];

/// Characters of all kinds: some are in all encodings, some change an encoding's state, and some are in few.
const TEXT: &str = "Ünïcödé 日本語 ﾃｷｽﾄ, ¥100‾ \\~ русский 中文ΩмΑΒ 한국어 ไทย 💩\u{E}\u{1B}€\u{FFFD}ß\r\n0123456789abc ";

/// The content of a file of `samples/`.
fn sample(file: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("samples")
        .join(file);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of `samples/` in an encoding, including those with damage and with byte order marks.
fn samples(encoding: &'static Encoding) -> impl Iterator<Item = Vec<u8>> {
    let list = String::from_utf8(sample("LIST")).expect("samples/LIST is ASCII");
    let lines: Vec<String> = list.lines().map(String::from).collect();
    lines.into_iter().filter_map(move |line| {
        let mut fields = line.split('\t');
        let (file, label) = (fields.next()?, fields.next()?);
        (Encoding::for_label(label.as_bytes()) == Some(encoding)).then(|| sample(file))
    })
}

/// Some kilobytes of text of which an encoding has a part.
pub(crate) fn texts() -> Vec<String> {
    let samples = ["ja", "ru", "zh-hans", "ko", "de"].map(|language| {
        let file = format!("utf-8/{language}.txt");
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("samples")
            .join(&file);
        fs::read_to_string(path).unwrap_or_default()
    });
    let dense = "日本語のテキストを".repeat(300);
    let by_turns = "¥日‾a\\é語~ｶ\u{E}".repeat(200);
    let roman = "日¥".to_owned() + &"plain text without end ".repeat(200) + "~\\";
    iter::once(TEXT.repeat(40))
        .chain(samples.into_iter().filter(|text| !text.is_empty()))
        .chain([dense, by_turns, roman, "ASCII only.\n".repeat(800)])
        .collect()
}

/// Bytes to decode: samples, encoded text, damaged text, and repeated bytes that cause trouble.
pub(crate) fn bytes_for(encoding: &'static Encoding) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = samples(encoding).collect();
    for text in texts() {
        let encoded = encoding.encode(&text, Unmappable::Replace('?'));
        let bytes = encoded.map_or_else(|_| text.clone().into_bytes(), |it| it.bytes.into_owned());
        let mut damaged = bytes.clone();
        for at in (0..damaged.len()).step_by(61) {
            damaged[at] = [0xFF, 0x81, 0x1B, 0x30, 0xD8, 0x00, 0xE4][at % 7];
        }
        all.extend([damaged, bytes]);
    }
    let units: [&[u8]; 16] = [
        b"\xFF",
        b"\x81",
        b"\x810",
        b"\x810\x81 ",
        b"\xA4\xA4",
        b"\xA4\xA4\xA4\xA4\xA4\xA4\xA4\xA4\xA4\xA4\xA4\n",
        b"\x1B",
        b"\x1B$B0!\x1B(B",
        b"\x1B$B\x1B(B",
        b"\x1B(J~\\\x1B$B!!0\x1B$@\x1B(I1",
        b"\x1B$B0!0!0!0!0!0!0!0!0!0!0!",
        b"\x8F\xB0",
        b"\xF0\x9F\x92\xA9\xE2\x82",
        b"\x80\x80\x80\x80\x80",
        b"\x3D\xD8\xA9\xDC",
        b"\xD8\x3D\xDC\xA9\xD8",
    ];
    all.extend(units.map(|unit| unit.repeat(300 / unit.len())));
    let marks: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE"];
    for mark in marks {
        all.push(mark.to_vec());
        all.push([mark, "a é\n日本\u{FFFF}".repeat(9).as_bytes(), b"\xFF"].concat());
    }
    all.push(Vec::new());
    all
}

/// Bytes, many of which have a meaning in some encoding.
pub(crate) fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let chunk = prop_oneof![
        3 => prop::collection::vec(any::<u8>(), 1..4),
        3 => prop::collection::vec(prop::sample::select(&b"\x1B$@(BIJ\x0E!0Az~\\ \n09\x81\x8E\x8F\xA1\xBF\xD8\xDC\xFE\xFF"[..]), 1..6),
        1 => prop::sample::select(vec![&b"\x1B$B"[..], b"\x1B(B", b"\x1B(J", b"\x1B(I"]).prop_map(<[u8]>::to_vec),
        1 => "[\\PC]{1,3}".prop_map(String::into_bytes),
        1 => (any::<u8>(), 1..40_usize).prop_map(|(byte, n)| vec![byte; n]),
    ];
    prop::collection::vec(chunk, 0..40).prop_map(|chunks| chunks.concat())
}

/// Text of few characters, so that states change and stay.
pub(crate) fn any_text() -> impl Strategy<Value = String> {
    let ch = prop::sample::select(TEXT.chars().collect::<Vec<_>>());
    prop_oneof![
        prop::collection::vec(ch.clone(), 0..60).prop_map(String::from_iter),
        prop::collection::vec((ch, 1..20_usize), 0..12).prop_map(|runs| runs
            .into_iter()
            .flat_map(|(ch, n)| iter::repeat_n(ch, n))
            .collect()),
    ]
}

pub(crate) fn any_encoding() -> impl Strategy<Value = &'static Encoding> {
    // The single-byte encodings are very similar.
    let encodings = Encoding::all().iter().copied();
    let several = encodings.filter(|encoding| {
        !encoding.is_single_byte() || ["windows-1252", "ISO-8859-8"].contains(&encoding.name())
    });
    prop::sample::select(several.collect::<Vec<_>>())
}

pub(crate) fn any_unmappable() -> impl Strategy<Value = Unmappable> {
    prop::sample::select(vec![
        Unmappable::Strict,
        Unmappable::Ncr,
        Unmappable::Skip,
        Unmappable::Replace('?'),
        Unmappable::Replace('日'),
        Unmappable::Replace('¥'),
        Unmappable::Replace('\\'),
    ])
}
