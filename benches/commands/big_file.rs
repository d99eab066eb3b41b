//! Converts one large file to UTF-8: on one core, on two, with two processes that take half of it each, and
//! with iconv and uconv; compared with copying the output.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use simdtext::Encoding;

use crate::{Bench, table};
use simdtext_bench::corpus::Kind;
use simdtext_bench::encoded;
use simdtext_bench::tsv::Tsv;

/// Labels, and the language of the text.
const CASES: [(&str, &str); 5] = [
    ("shift_jis", "ja"),
    ("gbk", "zh"),
    ("windows-1251", "ru"),
    ("utf-16le", "ja"),
    ("iso-2022-jp", "ja"),
];

/// iconv and uconv convert only one of this number of parts, and their time is multiplied: it is proportional
/// to the size.
const PARTS: u32 = 4;

/// The columns, and the command for each.
const RUNS: [(&str, &str); 6] = [
    ("-j 2", "simdtext convert -f $label -j 2 -o out in"),
    ("-j 1", "simdtext convert -f $label -j 1 -o out in"),
    (
        "two processes, half each",
        "simdtext convert -f $label -j 1 -o out half & simdtext convert -f $label -j 1 -o out-2 half-2 && wait $!",
    ),
    ("iconv", "iconv -f $label -t utf-8 part > out"),
    ("uconv", "uconv -f $label -t utf-8 part > out"),
    ("cp of the output", "cp converted out"),
];

pub(crate) fn measure(bench: &Bench) -> Result<Tsv, String> {
    let mib = bench.options.mib;
    let what = format!(
        "one file of {mib} MiB to UTF-8: GB/s of input, and in parentheses what -j 2 is of that"
    );
    let columns = RUNS.map(|(name, _)| name);
    let mut table = table(&what, &format!("from\ttext\t{}", columns.join("\t")));
    for (label, language) in CASES {
        for kind in [Kind::Dense, Kind::Html] {
            if let Some(text) = bench.corpus.legacy_text(language, kind) {
                let cells = row(bench, label, &text)?;
                let front = [label, kind.name()].map(str::to_owned);
                table.rows.push(front.into_iter().chain(cells).collect());
            }
        }
    }
    Ok(table)
}

/// The speeds for one text.
fn row(bench: &Bench, label: &str, text: &str) -> Result<Vec<String>, String> {
    let encoding = Encoding::for_label(label.as_bytes()).ok_or(format!("{label}: no encoding"))?;
    // Two escape sequences in a row are malformed in ISO-2022-JP, so each repetition ends with ASCII.
    let text = format!("{text}\n");
    let encoded = encoded(encoding, &text)?;
    let io = |error: io::Error| format!("{}: {error}", bench.dir.display());
    let len = bench.options.mib << 20;
    let parts = PARTS as usize;
    for (name, len) in [
        ("in", len),
        ("half", len / 2),
        ("half-2", len / 2),
        ("part", len / parts),
    ] {
        write_text(&bench.dir.join(name), &encoded, len).map_err(io)?;
    }
    bench.time("simdtext convert -f $label -o converted in", label)?;
    let written = fs::metadata(bench.dir.join("converted")).map_err(io)?.len();
    let mut best = [f64::INFINITY; RUNS.len()];
    for _ in 0..bench.options.rounds {
        for (best, (name, line)) in best.iter_mut().zip(RUNS) {
            let is_peer = name == "iconv" || name == "uconv";
            if is_peer && !bench.has(name) {
                continue;
            }
            let parts = if is_peer { PARTS } else { 1 };
            prepare(&bench.dir, written / u64::from(parts)).map_err(io)?;
            // They support GBK only without the characters that the standard adds to it.
            let label = match label {
                "gbk" if is_peer => "gb18030",
                label => label,
            };
            let time = bench.time(line, label)? * parts;
            *best = best.min(time.as_secs_f64());
        }
    }
    let bytes = len.div_ceil(encoded.len()) * encoded.len();
    let first = best[0];
    let cells = best.map(|seconds| {
        let speed = format!("{:.2}", bytes as f64 / seconds / 1e9);
        match seconds {
            seconds if seconds == first => speed,
            seconds if seconds.is_finite() => format!("{speed} ({:.2} ×)", seconds / first),
            _ => String::new(),
        }
    });
    Ok(cells.into())
}

/// Repeats a text until it has at least `len` bytes.
pub(crate) fn write_text(path: &Path, text: &[u8], len: usize) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    for _ in 0..len.div_ceil(text.len()) {
        file.write_all(text)?;
    }
    file.flush()
}

/// Removes the outputs, because creating a file takes another time than overwriting one. Also touches as much
/// memory as the next output takes: a virtual machine returns memory that has been free for some seconds, and
/// getting it back takes longer than everything that is measured.
fn prepare(dir: &Path, len: u64) -> io::Result<()> {
    for out in ["out", "out-2"] {
        match fs::remove_file(dir.join(out)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    let path = dir.join("touched");
    io::copy(
        &mut io::Read::take(io::repeat(0), len),
        &mut File::create(&path)?,
    )?;
    fs::remove_file(path)
}
