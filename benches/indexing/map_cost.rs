//! The time that recording an offset map adds to decoding.

use std::hint::black_box;

use cpu_time::ThreadTime;
use simdtext::offsets::{DEFAULT_SPACING, OffsetMap};
use simdtext::{Bom, Encoding};

use crate::{table, text};
use simdtext_bench::corpus::{Corpus, Kind};
use simdtext_bench::tsv::Tsv;
use simdtext_bench::{encoded, median};

/// An encoding of each family, with a language.
const CASES: [(&str, &str); 11] = [
    ("utf-8", "en"),
    ("utf-8", "ja"),
    ("utf-16le", "ru"),
    ("windows-1252", "fr"),
    ("windows-1251", "ru"),
    ("shift_jis", "ja"),
    ("euc-jp", "ja"),
    ("iso-2022-jp", "ja"),
    ("gb18030", "zh-hans"),
    ("big5", "zh-hant"),
    ("euc-kr", "ko"),
];

/// The size of a document in bytes: it fits in the caches, where decoding is fastest and a map costs most.
const LEN: usize = 256 * 1024;
const SPACINGS: [usize; 3] = [4096, 16 * 1024, DEFAULT_SPACING];
const ROUNDS: usize = 51;
/// Documents per turn, so that the resolution of the clock does not matter.
const TIMES: usize = 8;

/// As a percentage of the time without a map, for each spacing; and the size of the map as a percentage of
/// the text's size, at the default spacing.
pub(crate) fn measure(corpus: &Corpus) -> Tsv {
    let spacings = SPACINGS.map(|spacing| format!("every {} KiB, %", spacing / 1024));
    let heading = format!("text\tGB/s without\t{}\tsize, %", spacings.join("\t"));
    let mut table = table("map", &heading);
    for (label, language) in CASES {
        for kind in [Kind::Html, Kind::Dense] {
            let text = text(corpus, language, kind);
            let encoding = Encoding::for_label(label.as_bytes()).expect(label);
            let bytes = encoded(encoding, &text).expect(label);
            let bytes = bytes.repeat(1 + LEN / bytes.len());
            let cells = row(encoding, &bytes[..LEN]);
            let name = format!("{label} {language} {}", kind.name());
            table.rows.push([name].into_iter().chain(cells).collect());
        }
    }
    table
}

fn row(encoding: &'static Encoding, bytes: &[u8]) -> Vec<String> {
    let mut text = String::with_capacity(3 * bytes.len() + 16);
    let mut decoder = encoding.decoder(Bom::Sniff);
    let mut maps = SPACINGS.map(OffsetMap::with_spacing);
    let (mut plain, mut added) = (Vec::new(), SPACINGS.map(|_| Vec::new()));
    // The first rounds warm up.
    for round in 0..ROUNDS + 5 {
        let mut turn = |mut map: Option<&mut OffsetMap>| {
            let begun = ThreadTime::now();
            for _ in 0..TIMES {
                text.clear();
                decoder.reset_to(encoding, Bom::Sniff);
                match &mut map {
                    Some(map) => map.decode_all_to_string(&mut decoder, bytes, &mut text),
                    None => decoder.decode_all_to_string(bytes, &mut text),
                };
                black_box(&text);
            }
            begun.elapsed().as_secs_f64() / TIMES as f64
        };
        let without = turn(None);
        let with = maps.each_mut().map(|map| turn(Some(map)));
        if round >= 5 {
            plain.push(without);
            for (added, time) in added.iter_mut().zip(with) {
                added.push(100.0 * (time / without - 1.0));
            }
        }
    }
    let speed = bytes.len() as f64 / median(plain) / 1e9;
    let added = added.map(|added| format!("{:.1}", median(added)));
    let size = 100.0 * maps[2].allocated() as f64 / text.len() as f64;
    let mut row = vec![format!("{speed:.2}")];
    row.extend(added);
    row.push(format!("{size:.2}"));
    row
}
