//! A hundred thousand documents in many encodings, with their labels: by `decode`, and by a loop that
//! decodes the same bytes into one growing buffer. `cargo bench -p simdtext-arrow`.

use std::hint::black_box;
use std::time::Instant;

use arrow_array::{Array, BinaryArray, BinaryViewArray, StringArray};
use simdtext::{Bom, Encoding, Unmappable};
use simdtext_arrow::{Column, DecodeOptions, decode};

const DOCUMENTS: usize = 100_000;
const ROUNDS: usize = 7;

const TEXTS: [(&str, &[&str]); 5] = [
    (
        "The quick brown fox jumps over the lazy dog, and naïve readers pay 3 times in a café. ",
        &["utf-8", "windows-1252", "iso-8859-15"],
    ),
    (
        "Все люди рождаются свободными и равными в своём достоинстве и правах. ",
        &["windows-1251", "koi8-r", "utf-8", "utf-16le"],
    ),
    (
        "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
        &["shift_jis", "euc-jp", "iso-2022-jp", "utf-8"],
    ),
    (
        "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心。",
        &["gbk", "gb18030", "utf-8"],
    ),
    (
        "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. ",
        &["euc-kr", "utf-8"],
    ),
];

/// Documents of 100 to 6,000 bytes or so, in an order without a pattern.
fn documents() -> (Vec<Vec<u8>>, Vec<&'static str>) {
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % below
    };
    (0..DOCUMENTS)
        .map(|_| {
            let (text, labels) = TEXTS[random(TEXTS.len())];
            let label = labels[random(labels.len())];
            let text = text.repeat(1 + random(40));
            let encoding = Encoding::for_label(label.as_bytes()).expect("a label");
            let encoded = encoding.encode(&text, Unmappable::Ncr).expect("an encoder");
            (encoded.bytes.into_owned(), label)
        })
        .unzip()
}

/// The least time of some rounds, in seconds.
fn least(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..ROUNDS).map(time).fold(f64::INFINITY, f64::min)
}

fn main() {
    let (documents, labels) = documents();
    let bytes: usize = documents.iter().map(Vec::len).sum();
    let array = BinaryArray::from_iter_values(&documents);
    let views = BinaryViewArray::from_iter_values(&documents);
    let labels = StringArray::from(labels);
    let by_loop = least(|| {
        let mut text = String::new();
        for row in 0..array.len() {
            let encoding = Encoding::for_label(labels.value(row).as_bytes()).expect("a label");
            let mut decoder = encoding.decoder(Bom::Sniff);
            decoder.decode_all_to_string(array.value(row), &mut text);
        }
        black_box(text);
    });
    let report = |name: &str, seconds: f64| {
        let rate = bytes as f64 / seconds / 1e9;
        println!(
            "{name:32} {rate:6.2} GB/s  {:5.2} x the loop",
            by_loop / seconds
        );
    };
    println!("{DOCUMENTS} documents, {} MB", bytes / 1_000_000);
    report("loop", by_loop);
    let all = DecodeOptions::new();
    let text = all.columns([Column::Text]);
    let errors = all.columns([Column::Errors]);
    let decode = |array: &dyn Array, options| {
        black_box(decode(array, &labels, options).expect("known labels"));
    };
    report("Binary, all columns", least(|| decode(&array, &all)));
    report("Binary, text", least(|| decode(&array, &text)));
    report("Binary, errors", least(|| decode(&array, &errors)));
    report("BinaryView, all columns", least(|| decode(&views, &all)));
}
