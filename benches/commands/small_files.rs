//! Many small files: simdtext with and without fsync, `cp -r`, and iconv for each file.

use std::fs;
use std::io;
use std::path::Path;

use simdtext::KOI8_R;

use crate::{Bench, table};
use simdtext_bench::corpus::{Kind, Random, cut};
use simdtext_bench::tsv::Tsv;
use simdtext_bench::{encoded, median};

/// The number of files in a folder.
const IN_FOLDER: usize = 100;

/// The length of a file, in bytes of UTF-8, before it is encoded.
const LEN: usize = 7 << 10;

/// The number of files that iconv converts; its time is scaled up to all of them.
const FOR_ICONV: usize = 5_000;

/// The rows, and the command for each. iconv writes beside its input, as is usual.
const RUNS: [(&str, &str); 6] = [
    (
        "simdtext convert --no-fsync",
        "simdtext convert -f koi8-r -q --no-fsync --out-dir out tree",
    ),
    (
        "simdtext convert --no-fsync -j 1",
        "simdtext convert -f koi8-r -q --no-fsync -j 1 --out-dir out tree",
    ),
    (
        "simdtext convert",
        "simdtext convert -f koi8-r -q --out-dir out tree",
    ),
    ("cp -r", "cp -r tree out"),
    (
        "find -exec iconv -o",
        r"find for-iconv -name '*.txt' -exec iconv -f koi8-r -t utf-8 -o one.out {} \;",
    ),
    (
        "find -exec sh -c 'iconv > …'",
        r#"find for-iconv -name '*.txt' -exec sh -c 'iconv -f koi8-r -t utf-8 "$1" > "$1.utf-8"' sh {} \;"#,
    ),
];

pub(crate) fn measure(bench: &Bench) -> Result<Tsv, String> {
    let files = bench.options.files;
    let for_iconv = FOR_ICONV.min(files);
    let bytes = make_tree(bench, "tree", files)?;
    make_tree(bench, "for-iconv", for_iconv)?;
    let mut runs = [const { Vec::new() }; RUNS.len()];
    for round in 0..bench.options.rounds {
        for (runs, (name, line)) in runs.iter_mut().zip(RUNS) {
            let is_iconv = name.contains("iconv");
            if is_iconv && (round > 0 || !bench.has("iconv")) {
                continue;
            }
            // Writes everything to the disk, so that nothing later waits for it.
            bench.time("rm -rf out && sync", "")?;
            let seconds = bench.time(line, "")?.as_secs_f64();
            let converted = if is_iconv { for_iconv } else { files };
            runs.push(seconds * files as f64 / converted as f64);
        }
    }
    let what = format!(
        "{files} files of {:.1} KiB in KOI8-R to UTF-8; iconv was run with {for_iconv} of them, and its \
         time is multiplied",
        bytes as f64 / files as f64 / 1024.0
    );
    let mut table = table(&what, "command\ttime\ta file\ttimes the first");
    let first = median(runs[0].iter().copied());
    for ((name, _), runs) in RUNS.iter().zip(runs) {
        if runs.is_empty() {
            continue;
        }
        let seconds = median(runs);
        table.rows.push(vec![
            (*name).to_owned(),
            format!("{seconds:.2} s"),
            format!("{:.1} µs", seconds * 1e6 / files as f64),
            format!("{:.2} ×", seconds / first),
        ]);
    }
    Ok(table)
}

/// Makes a tree of `files` files of text in KOI8-R, about 4 KiB each. Returns their total size in bytes.
pub(crate) fn make_tree(bench: &Bench, name: &str, files: usize) -> Result<usize, String> {
    let text = bench.corpus.legacy_text("ru", Kind::Dense);
    let text = text.ok_or("no Russian text")?;
    let pieces = cut(&text, LEN);
    let pieces = pieces.iter().map(|piece| encoded(KOI8_R, piece));
    let pieces = pieces.collect::<Result<Vec<_>, _>>()?;
    let root = bench.dir.join(name);
    write_files(&root, files, &pieces).map_err(|error| format!("{}: {error}", root.display()))
}

fn write_files(root: &Path, files: usize, pieces: &[Vec<u8>]) -> io::Result<usize> {
    let (mut random, mut bytes) = (Random(1), 0);
    for number in 0..files {
        let folder = root.join(format!("{:04}", number / IN_FOLDER));
        if number % IN_FOLDER == 0 {
            fs::create_dir_all(&folder)?;
        }
        let piece = &pieces[random.below(pieces.len() as u32) as usize];
        bytes += piece.len();
        fs::write(folder.join(format!("{number}.txt")), piece)?;
    }
    Ok(bytes)
}
