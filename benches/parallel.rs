//! One slice on all cores against one core, and against what the machine can give: a plain copy of as
//! much as the output has to new memory, on all cores against one.
//!
//! `cargo bench --bench parallel` takes two minutes; `-- --mib 64 gbk` measures less of it, and with
//! `--save` the table goes to `docs/performance/parallel.tsv`. All functions take turns, and the best of
//! the rounds counts.

#[expect(dead_code, reason = "only the report reads")]
mod tsv;

use std::hint::black_box;
use std::time::{Duration, Instant};
use std::{env, thread};

use simdtext::parallel::Parallel;
use simdtext::{Bom, Encoding, Unmappable};
use tsv::Tsv;

/// Texts by encoding.
const CASES: [(&str, &str); 6] = [
    ("windows-1251", include_str!("../samples/utf-8/ru.txt")),
    ("shift_jis", include_str!("../samples/utf-8/ja.txt")),
    ("gbk", include_str!("../samples/utf-8/zh-hans.txt")),
    ("utf-16le", include_str!("../samples/utf-8/ja.txt")),
    ("iso-2022-jp", include_str!("../samples/utf-8/ja.txt")),
    ("utf-8", include_str!("../samples/utf-8/ja.txt")),
];

const ROUNDS: usize = 5;

fn main() -> Result<(), String> {
    let (mut mib, mut save, mut names) = (256_usize, false, Vec::new());
    let mut args = env::args().skip(1).filter(|arg| arg != "--bench");
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--mib" => mib = args.next().and_then(|n| n.parse().ok()).ok_or("--mib N")?,
            "--save" => save = true,
            _ => names.push(arg),
        }
    }
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let about = tsv::about("cargo bench --bench parallel");
    let mut table = Tsv::new(
        format!("{about}; {mib} MiB, {threads} threads; GB/s of input, and times one core"),
        &["conversion", "one core", "all cores", "copy on all cores"],
    );
    for (label, text) in CASES {
        if !names.is_empty() && !names.iter().any(|name| name == label) {
            continue;
        }
        let encoding = Encoding::for_label(label.as_bytes()).ok_or(label)?;
        let encoded = encoding.encode(text, Unmappable::Ncr);
        let encoded = encoded.map_err(|error| error.to_string())?.bytes;
        let mut bytes = encoded.repeat((mib << 20).div_ceil(encoded.len()));
        if label == "utf-8" {
            // So that nothing is borrowed.
            bytes[0] = 0xFF;
        }
        let one = || encoding.decode_with(&bytes, Bom::Keep).text.into_owned();
        let all = || {
            Parallel::new()
                .decode(encoding, &bytes, Bom::Keep)
                .text
                .into_owned()
        };
        let row = measure(bytes.len(), threads, || one().into(), || all().into())?;
        table
            .rows
            .push([vec![format!("decode {label}")], row].concat());
        if label == "utf-8" {
            continue;
        }
        let text = text.repeat((mib << 20).div_ceil(text.len()));
        let one = || {
            Some(
                encoding
                    .encode(&text, Unmappable::Ncr)
                    .ok()?
                    .bytes
                    .into_owned(),
            )
        };
        let all = || {
            let encoded = Parallel::new().encode(encoding, &text, Unmappable::Ncr);
            Some(encoded.ok()?.bytes.into_owned())
        };
        let one = || one().unwrap_or_default();
        let row = measure(text.len(), threads, one, || all().unwrap_or_default())?;
        table
            .rows
            .push([vec![format!("encode {label}")], row].concat());
    }
    table.print(save.then_some("parallel"))
}

/// The speed of one core in GB/s of input, and how many times that all of them reach, converting and
/// copying.
fn measure(
    len: usize,
    threads: usize,
    one: impl Fn() -> Vec<u8>,
    all: impl Fn() -> Vec<u8>,
) -> Result<Vec<String>, String> {
    let output = one();
    if all() != output {
        return Err("one core and all do not give the same".to_owned());
    }
    let parts: Vec<&[u8]> = output
        .chunks(output.len().div_ceil(threads).max(1))
        .collect();
    let copy_apart = || {
        thread::scope(|scope| {
            let copies = parts
                .iter()
                .map(|part| scope.spawn(|| black_box(*part).to_vec()));
            let copies: Vec<_> = copies.collect();
            let copied = copies
                .into_iter()
                .map(|copy| copy.join().unwrap_or_default());
            copied.collect::<Vec<_>>()
        })
    };
    type Run<'a> = &'a dyn Fn() -> Vec<Vec<u8>>;
    let runs: [Run<'_>; 4] = [
        &|| vec![one()],
        &|| vec![all()],
        &|| vec![black_box(&output[..]).to_vec()],
        &copy_apart,
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
        format!("{:.2}", len as f64 / one / 1e9),
        format!("{:.2}", one / all),
        format!("{:.2}", copy / copy_apart),
    ])
}
