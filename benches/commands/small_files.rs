//! Many small files: simdtext with and without fsync, `cp -r`, and iconv for each file.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use simdtext::{KOI8_R, Unmappable};

use crate::corpus::{Kind, Random, cut};
use crate::timed::{command, exists, median, run, settle};
use crate::tsv::Tsv;
use crate::{Bench, table};

/// Files in a folder.
const IN_FOLDER: usize = 100;

/// The length of a file, in bytes of UTF-8, before it is encoded.
const LEN: usize = 7 << 10;

/// The number of files that iconv converts; its time is scaled up to all of them.
const FOR_ICONV: usize = 5_000;

/// Makes a tree of `files` files of text in KOI8-R, about 4 KiB each.
fn make_tree(bench: &Bench, root: &Path, files: usize) -> Result<u64, String> {
    let text = bench
        .corpus
        .legacy_text("ru", Kind::Dense)
        .ok_or("no Russian text")?;
    let pieces: Vec<Vec<u8>> = cut(&text, LEN)
        .iter()
        .filter_map(|piece| KOI8_R.encode(piece, Unmappable::Ncr).ok())
        .map(|encoded| encoded.bytes.into_owned())
        .collect();
    let mut random = Random(1);
    let mut bytes = 0;
    let mut made = || {
        for number in 0..files {
            let folder = root.join(format!("{:04}", number / IN_FOLDER));
            if number % IN_FOLDER == 0 {
                fs::create_dir_all(&folder)?;
            }
            let piece = random.below(pieces.len() as u32) as usize;
            let content = pieces.get(piece).map_or(&[][..], Vec::as_slice);
            bytes += content.len() as u64;
            fs::write(folder.join(format!("{number}.txt")), content)?;
        }
        Ok::<(), std::io::Error>(())
    };
    made().map_err(|error| format!("{}: {error}", root.display()))?;
    Ok(bytes)
}

pub(crate) fn measure(bench: &Bench) -> Result<Tsv, String> {
    let files = bench.options.files;
    let (tree, few) = (bench.dir.join("tree"), bench.dir.join("few"));
    let out = bench.dir.join("tree.out");
    let bytes = make_tree(bench, &tree, files)?;
    let few_files = FOR_ICONV.min(files);
    make_tree(bench, &few, few_files)?;
    let convert = |flags: &[&str]| {
        let mut convert = command(&bench.simdtext, ["convert", "-f", "koi8-r", "-q"]);
        convert.args(flags).arg("--out-dir").arg(&out).arg(&tree);
        convert
    };
    let fresh = |command: Command| {
        if out.exists() {
            fs::remove_dir_all(&out).map_err(|error| error.to_string())?;
        }
        settle();
        run(command)
    };
    let mut runs: [Vec<_>; 4] = Default::default();
    for _ in 0..bench.options.rounds {
        runs[0].push(fresh(convert(&["--no-fsync"]))?);
        let mut copy = command("cp", ["-r"]);
        copy.arg(&tree).arg(&out);
        runs[1].push(fresh(copy)?);
        runs[2].push(fresh(convert(&[]))?);
        runs[3].push(fresh(convert(&["--no-fsync", "-j", "1"]))?);
    }
    let [simdtext, copy, with_fsync, one] = runs.map(|runs| median(&runs));
    let iconv = exists("iconv").then(|| {
        // As one does it: the output beside the file.
        let mut find = command("find", [&few]);
        find.args(["-name", "*.txt", "-exec", "sh", "-c"]);
        find.args([
            r#"iconv -f koi8-r -t utf-8 "$1" > "$1.utf-8""#,
            "sh",
            "{}",
            ";",
        ]);
        run(find)
    });
    let iconv_alone = exists("iconv").then(|| {
        let mut find = command("find", [&few]);
        find.args([
            "-name", "*.txt", "-exec", "iconv", "-f", "koi8-r", "-t", "utf-8",
        ]);
        find.arg("-o")
            .arg(bench.dir.join("one.out"))
            .args(["{}", ";"]);
        run(find)
    });
    let scaled = |run: Option<Result<Duration, String>>| {
        run.transpose()
            .map(|run| run.map(|run| run * files as u32 / few_files as u32))
    };
    let (iconv, iconv_alone) = (scaled(iconv)?, scaled(iconv_alone)?);
    for folder in [&tree, &few, &out] {
        fs::remove_dir_all(folder).map_err(|error| error.to_string())?;
    }
    let mut table = table(
        &format!(
            "{files} files of {:.1} KiB in KOI8-R to UTF-8; iconv was run with {few_files} of them, and its \
             time is multiplied",
            bytes as f64 / files as f64 / 1024.0
        ),
        &["command", "time", "a file", "times the first"],
    );
    let rows = [
        ("simdtext convert --no-fsync", Some(simdtext)),
        ("simdtext convert --no-fsync -j 1", Some(one)),
        ("simdtext convert", Some(with_fsync)),
        ("cp -r", Some(copy)),
        ("find -exec iconv -o", iconv_alone),
        ("find -exec sh -c 'iconv > …'", iconv),
    ];
    for (name, time) in rows {
        let cells = time.map_or(Default::default(), |time| {
            let seconds = time.as_secs_f64();
            [
                format!("{seconds:.2} s"),
                format!("{:.1} µs", seconds * 1e6 / files as f64),
                format!("{:.2} ×", seconds / simdtext.as_secs_f64()),
            ]
        });
        table
            .rows
            .push([name.to_owned()].into_iter().chain(cells).collect());
    }
    Ok(table)
}
