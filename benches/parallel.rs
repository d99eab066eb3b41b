//! One slice on all cores against one core, and against what the machine can give: as many
//! threads, each with a part of the input to itself and a result of its own, and a plain copy to as
//! much new memory as the output has, likewise.
//!
//! `cargo bench --bench parallel` takes a minute; `-- --mib 64 gbk` measures less of it, and
//! `-- --pieces` other lengths of pieces. All functions take turns, and the best of the rounds
//! counts.

use std::hint::black_box;
use std::time::{Duration, Instant};
use std::{env, thread};

use simdtext::parallel::Parallel;
use simdtext::{Bom, Encoding, Unmappable};

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
    let copy = |len: usize| black_box(&output[..len]).to_vec();
    let copy_apart = || {
        thread::scope(|scope| {
            for (from, to) in in_parts(output.len(), parts.len()) {
                scope.spawn(move || drop(black_box(copy(to - from))));
            }
        });
    };
    let apart = || {
        thread::scope(|scope| {
            for part in parts {
                scope.spawn(|| drop(black_box(one(part))));
            }
        });
    };
    let mut best = vec![Duration::MAX; 4 + options.pieces.len()];
    for round in 0..ROUNDS {
        let mut at = 0;
        let mut time = |run: &dyn Fn()| {
            let start = Instant::now();
            run();
            best[at] = best[at].min(start.elapsed());
            at += 1;
        };
        time(&|| drop(black_box(one(black_box(whole)))));
        time(&|| drop(black_box(copy(output.len()))));
        time(&copy_apart);
        time(&apart);
        for piece in &options.pieces {
            let parallel = Parallel::new().piece_bytes(piece << 10);
            if round == 0 {
                assert!(many(&parallel, whole) == output, "{name}: not the same");
            }
            time(&|| drop(black_box(many(&parallel, black_box(whole)))));
        }
    }
    let seconds: Vec<f64> = best.iter().map(Duration::as_secs_f64).collect();
    let len = whole.as_ref().len();
    print!(
        "{name:22} {:8.2} {:11.2} {:11.2}",
        len as f64 / 1e9 / seconds[0],
        seconds[1] / seconds[2],
        seconds[0] / seconds[3]
    );
    for seconds_of_piece in &seconds[4..] {
        print!(" {:11.2}", seconds[0] / seconds_of_piece);
    }
    println!();
}
