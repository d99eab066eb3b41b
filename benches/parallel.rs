//! One slice on all cores against one core, and against what the machine can give: as many
//! threads, each with a part of the input to itself and a result of its own, and a plain copy to as
//! much new memory as the output has, likewise.
//!
//! Streams are files in the folder for temporary ones (`TMPDIR`), which should be in memory.
//!
//! `cargo bench --bench parallel` takes two minutes; `-- --mib 64 gbk` measures less of it, and
//! `-- --pieces` other lengths of pieces. All functions take turns, and the best of the rounds
//! counts.

use std::fs::{self, File};
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, io, process, thread};

use simdtext::parallel::{Parallel, Pool, StreamOptions};
use simdtext::{Bom, Encoding, UTF_8, Unmappable};

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

struct Options {
    mib: usize,
    /// In KiB.
    pieces: Vec<usize>,
    /// Substrings of names; none for all.
    names: Vec<String>,
}

fn main() {
    let options = options();
    let threads = rayon::current_num_threads();
    println!(
        "{} MiB, {threads} threads; GB/s of input by one core, then times one core",
        options.mib
    );
    print!(
        "{:22} {:>8} {:>11} {:>11}",
        "", "one core", "copy", "parts apart"
    );
    for piece in &options.pieces {
        print!(" {:>11}", format!("{piece} KiB"));
    }
    println!();
    let len = options.mib << 20;
    for (label, text) in CASES {
        let encoding = Encoding::for_label(label.as_bytes()).expect(label);
        let encoded = encoding.encode(text, Unmappable::Ncr).expect(label).bytes;
        let mut bytes = encoded.repeat(len.div_ceil(encoded.len()));
        if label == "utf-8" {
            // So that nothing is borrowed.
            bytes[0] = 0xFF;
        }
        let name = format!("decode {label}");
        let halves = in_parts(bytes.len(), threads).map(|(from, to)| &bytes[from..to]);
        measure(
            &options,
            &name,
            &*bytes,
            &halves.collect::<Vec<_>>(),
            |bytes| {
                encoding
                    .decode_with(bytes, Bom::Keep)
                    .text
                    .into_owned()
                    .into_bytes()
            },
            |parallel, bytes| {
                parallel
                    .decode(encoding, bytes, Bom::Keep)
                    .text
                    .into_owned()
                    .into_bytes()
            },
        );
        measure_stream(&options, encoding, &bytes, threads);
        drop(bytes);
        if label == "utf-8" {
            continue;
        }
        let text = text.repeat(len.div_ceil(text.len()));
        let boundary = |at: usize| (0..=at).rfind(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let halves =
            in_parts(text.len(), threads).map(|(from, to)| &text[boundary(from)..boundary(to)]);
        let name = format!("encode {label}");
        measure(
            &options,
            &name,
            &*text,
            &halves.collect::<Vec<_>>(),
            |text| {
                encoding
                    .encode(text, Unmappable::Ncr)
                    .expect(label)
                    .bytes
                    .into_owned()
            },
            |parallel, text| {
                parallel
                    .encode(encoding, text, Unmappable::Ncr)
                    .expect(label)
                    .bytes
                    .into_owned()
            },
        );
    }
}

fn options() -> Options {
    let mut options = Options {
        mib: 256,
        pieces: vec![256],
        names: Vec::new(),
    };
    let mut args = env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--mib" => options.mib = args.next().and_then(|n| n.parse().ok()).expect("--mib N"),
            "--pieces" => options.pieces = vec![64, 128, 256, 512, 1024, 4096],
            // From cargo.
            "--bench" => {}
            _ => options.names.push(arg),
        }
    }
    options
}

/// Where as many parts as there are threads begin and end.
fn in_parts(len: usize, threads: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..threads).map(move |i| (len * i / threads, len * (i + 1) / threads))
}

/// Measures one conversion in all ways.
fn measure<T: ?Sized + Sync + AsRef<[u8]>>(
    options: &Options,
    name: &str,
    whole: &T,
    parts: &[&T],
    one: impl Fn(&T) -> Vec<u8> + Sync,
    many: impl Fn(&Parallel<'_>, &T) -> Vec<u8>,
) {
    if !options.names.is_empty()
        && !options
            .names
            .iter()
            .any(|part| name.contains(part.as_str()))
    {
        return;
    }
    let output = one(whole);
    let copy = |from: usize, to: usize| black_box(&output[from..to]).to_vec();
    let copy_apart = || {
        let parts = in_parts(output.len(), parts.len());
        in_threads(parts.map(|(from, to)| move || copy(from, to)))
    };
    let apart = || in_threads(parts.iter().map(|part| || one(part)));
    let pieces = options.parallels();
    for parallel in &pieces {
        assert!(many(parallel, whole) == output, "{name}: not the same");
    }
    let mut runs: Vec<Run<'_>> = vec![
        Box::new(|| vec![one(black_box(whole))]),
        Box::new(|| vec![copy(0, output.len())]),
        Box::new(copy_apart),
        Box::new(apart),
    ];
    for parallel in &pieces {
        runs.push(Box::new(|| vec![many(parallel, black_box(whole))]));
    }
    report(name, whole.as_ref().len(), &best_of(&runs));
}

/// Measures the conversion of a file to a file in UTF-8.
fn measure_stream(options: &Options, encoding: &'static Encoding, bytes: &[u8], threads: usize) {
    let name = format!("stream {}", encoding.name().to_ascii_lowercase());
    if !options.wants(&name) {
        return;
    }
    let folder = env::temp_dir().join(format!("simdtext-bench-{}", process::id()));
    fs::create_dir_all(&folder).expect("a folder for temporary files");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("room");
    let parts: Vec<(usize, usize)> = in_parts(bytes.len(), threads).collect();
    write("whole", bytes);
    for (i, (from, to)) in parts.iter().enumerate() {
        write(&format!("part-{i}"), &bytes[*from..*to]);
    }
    let alone: Vec<Pool> = (0..threads)
        .map(|_| Pool::new(1).expect("a thread"))
        .collect();
    let convert = |parallel: &Parallel<'_>, from: &str, to: &str| {
        let conversion = StreamOptions::new(encoding, UTF_8)
            .bom(Bom::Keep)
            .report_at_most(0);
        let (from, to) = (folder.join(from), folder.join(to));
        let (reader, writer) = (File::open(from), File::create(to));
        let (reader, writer) = (
            reader.expect("it is there"),
            writer.expect("it can be made"),
        );
        parallel
            .convert_stream(&conversion, reader, writer, |_| {})
            .expect("it can be converted");
        nothing()
    };
    let one = Parallel::new().in_pool(&alone[0]);
    convert(&one, "whole", "output");
    let copy = |from: &str, to: &str| copy_file(&folder.join(from), &folder.join(to));
    copy("output", "output-whole");
    for (i, (from, to)) in parts.iter().enumerate() {
        assert!(from < to, "--mib is too small");
        let part = Parallel::new().in_pool(&alone[i]);
        convert(&part, &format!("part-{i}"), &format!("output-{i}"));
    }
    let apart = |each: &(dyn Fn(usize) -> Vec<u8> + Sync)| {
        in_threads((0..threads).map(|i| move || each(i)))
    };
    let convert_part = |i: usize| {
        let part = Parallel::new().in_pool(&alone[i]);
        convert(&part, &format!("part-{i}"), &format!("copy-{i}"))
    };
    let copy_part = |i: usize| copy(&format!("output-{i}"), &format!("copy-{i}"));
    let pieces = options.parallels();
    let mut runs: Vec<Run<'_>> = vec![
        Box::new(|| vec![convert(&one, "whole", "output")]),
        Box::new(|| vec![copy("output", "output-whole")]),
        Box::new(|| apart(&copy_part)),
        Box::new(|| apart(&convert_part)),
    ];
    for parallel in &pieces {
        runs.push(Box::new(|| vec![convert(parallel, "whole", "output")]));
    }
    report(&name, bytes.len(), &best_of(&runs));
    drop(runs);
    fs::remove_dir_all(&folder).expect("it was made here");
}

/// What is to be freed where the result is a file.
fn nothing() -> Vec<u8> {
    Vec::new()
}

/// As a program would that knows nothing of `copy_file_range`: read and written.
fn copy_file(from: &Path, to: &Path) -> Vec<u8> {
    let mut reader = File::open(from).expect("it is there");
    let mut writer = File::create(to).expect("it can be made");
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let len = io::Read::read(&mut reader, &mut buffer).expect("it can be read");
        if len == 0 {
            return nothing();
        }
        io::Write::write_all(&mut writer, &buffer[..len]).expect("there is room");
    }
}

/// Something to measure, and what it gives, which is freed when the time is taken.
type Run<'a> = Box<dyn Fn() -> Vec<Vec<u8>> + 'a>;

fn in_threads<F: FnOnce() -> Vec<u8> + Send>(jobs: impl Iterator<Item = F>) -> Vec<Vec<u8>> {
    thread::scope(|scope| {
        let threads: Vec<_> = jobs.map(|job| scope.spawn(job)).collect();
        let results = threads.into_iter().map(|thread| thread.join());
        results.map(|result| result.expect("no panic")).collect()
    })
}

/// The best time of each, in seconds.
fn best_of(runs: &[Run<'_>]) -> Vec<f64> {
    let mut best = vec![Duration::MAX; runs.len()];
    for _ in 0..ROUNDS {
        for (best, run) in best.iter_mut().zip(runs) {
            let start = Instant::now();
            let results = run();
            *best = start.elapsed().min(*best);
            drop(black_box(results));
        }
    }
    best.iter().map(Duration::as_secs_f64).collect()
}

fn report(name: &str, len: usize, seconds: &[f64]) {
    let [one, copy, copy_apart, apart, pieces @ ..] = seconds else {
        return;
    };
    let speed = len as f64 / 1e9 / one;
    print!(
        "{name:22} {speed:8.2} {:11.2} {:11.2}",
        copy / copy_apart,
        one / apart
    );
    for piece in pieces {
        print!(" {:11.2}", one / piece);
    }
    println!();
}

impl Options {
    fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|part| name.contains(part.as_str()))
    }

    /// One for each length of pieces.
    fn parallels(&self) -> Vec<Parallel<'static>> {
        let pieces = self.pieces.iter();
        pieces
            .map(|kib| Parallel::new().piece_bytes(kib << 10))
            .collect()
    }
}
