//! How much memory is resident, whatever is converted.

use std::fs::{self, File};
use std::path::Path;

use crate::big_file::write_text;
use crate::corpus::Kind;
use crate::timed::{Run, command, run};
use crate::tsv::Tsv;
use crate::{Bench, table};

/// A tree of so many times as many files as are converted for their time.
const TIMES: usize = 10;

/// Files in a folder of that tree.
const IN_FOLDER: usize = 1000;

/// What is done with one big file: a name, the flags, and whether it is compressed before.
const MODES: [(&str, &[&str], bool); 7] = [
    ("one file, -o", &["-f", "shift_jis", "-o", "OUT/out"], false),
    (
        "… --invalid strict",
        &["-f", "shift_jis", "--invalid", "strict", "-o", "OUT/out"],
        false,
    ),
    (
        "… to UTF-16LE",
        &["-f", "shift_jis", "-t", "utf-16le", "-o", "OUT/out"],
        false,
    ),
    (
        "… --out-dir --verify",
        &["-f", "shift_jis", "--verify", "--out-dir", "OUT"],
        false,
    ),
    (
        "… --out-dir --compress zstd",
        &["-f", "shift_jis", "--compress", "zstd", "--out-dir", "OUT"],
        false,
    ),
    (
        "… -z --out-dir, from gzip",
        &["-f", "shift_jis", "-z", "--out-dir", "OUT"],
        true,
    ),
    ("… --in-place", &["-f", "shift_jis", "--in-place"], false),
];

pub(crate) fn measure(bench: &Bench) -> Result<Tsv, String> {
    // Linux reports at least what the benchmark has itself, some 10 MiB.
    let mut table = table(
        "the most memory that was resident, with -j 2",
        &["what", "MiB"],
    );
    let mut add = |name: &str, run: Run| {
        let resident = run.resident as f64 / f64::from(1 << 20);
        table
            .rows
            .push(vec![name.to_owned(), format!("{resident:.1}")]);
    };
    let text = bench
        .corpus
        .legacy_text("ja", Kind::Dense)
        .ok_or("no Japanese text")?;
    let from = bench.dir.join("big.txt");
    let out = bench.dir.join("big.out");
    let bytes = write_text(&from, "shift_jis", &text, bench.options.mib << 20)?;
    for (name, flags, compressed) in MODES {
        fs::create_dir_all(&out).map_err(|error| error.to_string())?;
        let path = if compressed {
            gzipped(&from)?
        } else {
            from.clone()
        };
        let mut convert = command(&bench.simdtext, ["convert", "-q", "-j", "2"]);
        for flag in flags {
            convert.arg(flag.replace("OUT", &out.to_string_lossy()));
        }
        convert.arg(&path);
        let run = run(convert).map_err(|error| format!("{name}: {error}"))?;
        add(&format!("{name} ({} MiB)", bytes >> 20), run);
        if compressed {
            fs::remove_file(&path).map_err(|error| error.to_string())?;
        }
        fs::remove_dir_all(&out).map_err(|error| error.to_string())?;
    }
    fs::remove_file(&from).map_err(|error| error.to_string())?;

    let files = TIMES * bench.options.files;
    let tree = bench.dir.join("many");
    make_tiny(&tree, files).map_err(|error| format!("{}: {error}", tree.display()))?;
    let mut convert = command(&bench.simdtext, ["convert", "-q", "-j", "2", "--no-fsync"]);
    convert
        .args(["-f", "shift_jis", "--out-dir"])
        .arg(&out)
        .arg(&tree);
    let run = run(convert)?;
    add(
        &format!("a tree of {files} empty and tiny files, --out-dir"),
        run,
    );
    for folder in [&tree, &out] {
        fs::remove_dir_all(folder).map_err(|error| error.to_string())?;
    }
    Ok(table)
}

/// Compresses a file with gzip, beside it.
fn gzipped(path: &Path) -> Result<std::path::PathBuf, String> {
    let to = path.with_extension("txt.gz");
    let out = File::create(&to).map_err(|error| error.to_string())?;
    let mut gzip = command("gzip", ["-1", "-c"]);
    gzip.arg(path).stdout(out);
    run(gzip)?;
    Ok(to)
}

/// Files of 0 to 3 characters.
fn make_tiny(root: &Path, files: usize) -> std::io::Result<()> {
    for number in 0..files {
        let folder = root.join(format!("{:05}", number / IN_FOLDER));
        if number % IN_FOLDER == 0 {
            fs::create_dir_all(&folder)?;
        }
        let content = &b"\x93\xFA\x96\x7B\n"[..][..number % 6 / 2 * 2];
        fs::write(folder.join(format!("{number}.txt")), content)?;
    }
    Ok(())
}
