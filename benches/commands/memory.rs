//! Peak resident memory and time, with one large file and with many small ones, on one core and on two. GNU
//! time measures both.

use std::fs;

use simdtext::SHIFT_JIS;
use simdtext_bench::corpus::Kind;
use simdtext_bench::tsv::Tsv;
use simdtext_bench::{encoded, median};

use crate::big_file::write_text;
use crate::small_files::make_tree;
use crate::{Bench, table};

/// Inputs, and how each is converted.
const RUNS: [(&str, &str); 2] = [
    ("one file", "simdtext convert -f shift_jis -o out in"),
    (
        "a tree",
        "simdtext convert -f koi8-r -q --no-fsync --out-dir out tree",
    ),
];

pub(crate) fn measure(bench: &Bench) -> Result<Tsv, String> {
    let (mib, files) = (bench.options.mib, bench.options.files);
    let text = bench.corpus.legacy_text("ja", Kind::Dense);
    let text = text.ok_or("no Japanese text")?;
    let encoded = encoded(SHIFT_JIS, &text)?;
    write_text(&bench.dir.join("in"), &encoded, mib << 20).map_err(|error| error.to_string())?;
    make_tree(bench, "tree", files)?;
    let what = format!(
        "the most memory that is resident, and the time: one file of {mib} MiB in Shift_JIS, and {files} small \
         ones in KOI8-R; medians of {} runs",
        bench.options.rounds
    );
    let mut table = table(&what, "input\tthreads\tMiB\tseconds");
    for (input, line) in RUNS {
        for threads in ["1", "2"] {
            let mut taken = Vec::new();
            for _ in 0..bench.options.rounds {
                bench.time("rm -rf out", "")?;
                let line = format!("env time -f '%M %e' -o taken {line} -j {threads}");
                bench.time(&line, "")?;
                let printed = fs::read_to_string(bench.dir.join("taken"));
                let printed = printed.map_err(|error| error.to_string())?;
                let numbers = printed.trim().split_once(' ');
                let number = |number: &str| number.parse().unwrap_or(f64::NAN);
                let (kib, seconds) = numbers.ok_or("GNU time prints something else")?;
                taken.push((number(kib), number(seconds)));
            }
            let memory = median(taken.iter().map(|(kib, _)| kib / 1024.0));
            let seconds = median(taken.iter().map(|(_, seconds)| *seconds));
            table.rows.push(vec![
                input.to_owned(),
                threads.to_owned(),
                format!("{memory:.1}"),
                format!("{seconds:.2}"),
            ]);
        }
    }
    Ok(table)
}
