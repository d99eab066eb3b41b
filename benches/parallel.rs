//! One slice on all cores, compared with one core and with what the machine allows: copying as many bytes as
//! the output has to new memory, on all cores and on one.
//!
//! `cargo bench --bench parallel` takes two minutes; `-- --mib 64 gbk` measures less, and with `--save` the
//! table is written to `docs/performance/parallel.tsv`. All functions take turns, and the best round counts.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use clap::Parser;
use simdtext::parallel::Parallel;
use simdtext::{Bom, Decoded, Encoded, Encoding, Unmappable};
use simdtext_bench::encoded;
use simdtext_bench::tsv::{self, Tsv};

/// Texts and their encodings.
const CASES: [(&str, &str); 6] = [
    ("windows-1251", include_str!("../samples/utf-8/ru.txt")),
    ("shift_jis", include_str!("../samples/utf-8/ja.txt")),
    ("gbk", include_str!("../samples/utf-8/zh-hans.txt")),
    ("utf-16le", include_str!("../samples/utf-8/ja.txt")),
    ("iso-2022-jp", include_str!("../samples/utf-8/ja.txt")),
    ("utf-8", include_str!("../samples/utf-8/ja.txt")),
];

const ROUNDS: usize = 5;

#[derive(Parser)]
struct Options {
    /// Labels of encodings; by default, all that are measured
    labels: Vec<String>,
    /// Size of the input in MiB
    #[arg(long, default_value_t = 256)]
    mib: usize,
    /// Write the table to docs/performance
    #[arg(long)]
    save: bool,
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), String> {
    let options = Options::parse();
    let (labels, mib) = (options.labels, options.mib);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let about = tsv::about("cargo bench --bench parallel");
    let mut table = Tsv::new(
        format!("{about}; {mib} MiB, {threads} threads; GB/s of input, and times one core"),
        "conversion\tone core\tall cores\tcopy on all cores",
    );
    for (label, text) in CASES {
        if !labels.is_empty() && !labels.iter().any(|it| it == label) {
            continue;
        }
        let encoding = Encoding::for_label(label.as_bytes()).ok_or(label)?;
        let encoded = encoded(encoding, text)?;
        let mut bytes = encoded.repeat((mib << 20).div_ceil(encoded.len()));
        if label == "utf-8" {
            // Not UTF-8, so that nothing can be borrowed.
            bytes[0] = 0xFF;
        }
        let parallel = Parallel::new();
        let owned = |decoded: Decoded<'_>| decoded.text.into_owned().into();
        let one = || owned(encoding.decode(&bytes));
        let all = || owned(parallel.decode(encoding, &bytes, Bom::Sniff));
        let what = format!("decode {label}");
        table
            .rows
            .push(measure(what, bytes.len(), threads, one, all)?);
        if label == "utf-8" {
            continue;
        }
        let text = text.repeat((mib << 20).div_ceil(text.len()));
        let one = || encoding.encode(&text, Unmappable::Ncr);
        let all = || parallel.encode(encoding, &text, Unmappable::Ncr);
        let bytes = |encoded: Result<Encoded<'_>, _>| {
            encoded.map_or(Vec::new(), |encoded| encoded.bytes.into_owned())
        };
        let (one, all, what) = (|| bytes(one()), || bytes(all()), format!("encode {label}"));
        table
            .rows
            .push(measure(what, text.len(), threads, one, all)?);
    }
    table.print("parallel", options.save)
}

/// What was measured, the speed of one core in GB/s of input, and how many times as fast all cores are, for converting and for
/// copying.
fn measure(
    what: String,
    len: usize,
    threads: usize,
    one: impl Fn() -> Vec<u8>,
    all: impl Fn() -> Vec<u8>,
) -> Result<Vec<String>, String> {
    let output = one();
    if all() != output {
        return Err("one core and all do not give the same".to_owned());
    }
    let part = output.len().div_ceil(threads).max(1);
    let copy = |len: usize| {
        thread::scope(|scope| {
            let copy = |part| scope.spawn(move || black_box::<&[u8]>(part).to_vec());
            let copies: Vec<_> = output.chunks(len).map(copy).collect();
            let copied = copies.into_iter().map(|copy| copy.join());
            copied.map(Result::unwrap_or_default).collect()
        })
    };
    type Run<'a> = &'a dyn Fn() -> Vec<Vec<u8>>;
    let runs: [Run<'_>; 4] = [
        &|| vec![one()],
        &|| vec![all()],
        &|| copy(output.len().max(1)),
        &|| copy(part),
    ];
    let mut best = [Duration::MAX; 4];
    for _ in 0..ROUNDS {
        for (best, run) in best.iter_mut().zip(runs) {
            let start = Instant::now();
            let results = run();
            *best = start.elapsed().min(*best);
            drop(black_box(results));
        }
    }
    let [one, all, copy, copy_apart] = best.map(|time| time.as_secs_f64());
    Ok(vec![
        what,
        format!("{:.2}", len as f64 / one / 1e9),
        format!("{:.2}", one / all),
        format!("{:.2}", copy / copy_apart),
    ])
}
