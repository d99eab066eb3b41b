//! A hundred thousand documents in many encodings, with their labels: by `decode`, and by a loop that
//! decodes the same bytes into one growing buffer. `cargo bench -p simdtext-arrow`.

use std::hint::black_box;
use std::time::Instant;

use arrow_array::{Array, BinaryArray, BinaryViewArray, StringArray};
use simdtext::{Bom, Encoding, Unmappable};
use simdtext_arrow::{Column, DecodeOptions, Reuse, decode};

const DOCUMENTS: usize = 100_000;
/// Documents in a batch.
const BATCH: usize = 500;
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

/// The least time of each of `runs` in some rounds, in seconds. They take turns, so that what else the machine
/// does slows down all of them.
fn least<const N: usize>(runs: [&dyn Fn(); N]) -> [f64; N] {
    let mut least = [f64::INFINITY; N];
    for _ in 0..ROUNDS {
        for (run, least) in runs.iter().zip(&mut least) {
            let start = Instant::now();
            run();
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    least
}

/// What `/proc/self/status` says of the memory of this process, in bytes; `None` where there is no such file.
#[cfg(target_os = "linux")]
fn memory(field: &str) -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(field))?;
    let kilobytes: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Prints how much memory a call takes at the most, its input of `input` bytes included.
#[cfg(target_os = "linux")]
fn measure_memory(input: usize, decode: impl Fn() -> usize) {
    // This has the peak begin anew.
    let is_reset = std::fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = memory("VmRSS");
    let output = decode();
    if let (true, Some(before), Some(peak)) = (is_reset, before, memory("VmHWM")) {
        let taken = peak.saturating_sub(before) + input;
        let ratio = taken as f64 / (input + output) as f64;
        println!("peak memory: {ratio:.2} x (input + output)");
    }
}

fn main() {
    let (documents, labels) = documents();
    let bytes: usize = documents.iter().map(Vec::len).sum();
    let array = BinaryArray::from_iter_values(&documents);
    let views = BinaryViewArray::from_iter_values(&documents);
    drop(documents);
    let labels = StringArray::from(labels);
    let all = DecodeOptions::new();
    println!("{DOCUMENTS} documents, {} MB", bytes / 1_000_000);
    #[cfg(target_os = "linux")]
    measure_memory(array.get_array_memory_size(), || {
        let decoded = decode(&array, &labels, &all).expect("known labels");
        decoded.get_array_memory_size()
    });

    let decode_loop = |rows: std::ops::Range<usize>| {
        let mut text = String::new();
        for row in rows {
            let encoding = Encoding::for_label(labels.value(row).as_bytes()).expect("a label");
            let mut decoder = encoding.decoder(Bom::Sniff);
            decoder.decode_all_to_string(array.value(row), &mut text);
        }
        black_box(text);
    };
    let report = |name: &str, seconds: f64, by_loop: f64| {
        let rate = bytes as f64 / seconds / 1e9;
        let ratio = by_loop / seconds;
        println!("{name:34} {rate:6.2} GB/s  {ratio:5.2} x the loop");
    };
    let text = all.columns([Column::Text]);
    let errors = all.columns([Column::Errors]);
    let memory = Reuse::new(1024 * 1024 * 1024);
    let reusing = all.reuse(&memory);
    let decode = |array: &dyn Array, options| {
        black_box(decode(array, &labels, options).expect("known labels"));
    };
    let names = [
        "loop",
        "Binary, all columns",
        "Binary, in memory used before",
        "Binary, text",
        "Binary, errors",
        "BinaryView, all columns",
    ];
    let seconds = least([
        &|| decode_loop(0..DOCUMENTS),
        &|| decode(&array, &all),
        &|| decode(&array, &reusing),
        &|| decode(&array, &text),
        &|| decode(&array, &errors),
        &|| decode(&views, &all),
    ]);
    for (name, time) in names.into_iter().zip(seconds) {
        report(name, time, seconds[0]);
    }

    // The output of so many documents is new memory each time, and most of the time goes into its pages.
    // That of a batch fits into the cache.
    let batches = || (0..DOCUMENTS).step_by(BATCH);
    let decode_batch = |array: &dyn Array, from| {
        let labels = labels.slice(from, BATCH);
        let decoded = simdtext_arrow::decode(&array.slice(from, BATCH), &labels, &all);
        black_box(decoded.expect("known labels"));
    };
    let names = ["loop, by batch", "Binary, by batch", "BinaryView, by batch"];
    let seconds = least([
        &|| batches().for_each(|from| decode_loop(from..from + BATCH)),
        &|| batches().for_each(|from| decode_batch(&array, from)),
        &|| batches().for_each(|from| decode_batch(&views, from)),
    ]);
    for (name, time) in names.into_iter().zip(seconds) {
        report(name, time, seconds[0]);
    }
}
