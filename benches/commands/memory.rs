//! The most memory that is resident, and the time: one big file and many small ones, on one core and two, with
//! this build of the command and another one in turns.

use std::env;
use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::Instant;

use simdtext::{SHIFT_JIS, Unmappable};
use wait4::Wait4;

use crate::big_file::write_text;
use crate::corpus::Kind;
use crate::small_files::make_tree;
use crate::tsv::Tsv;
use crate::{Bench, table};

/// The argument with which this program runs one command and prints what it took.
pub(crate) const PEAK: &str = "--peak";

/// Inputs, and how each is converted.
const RUNS: [(&str, &[&str]); 2] = [
    ("one file", &["-f", "shift_jis", "-o", "out", "in"]),
    (
        "a tree",
        &[
            "-f",
            "koi8-r",
            "-q",
            "--no-fsync",
            "--out-dir",
            "out",
            "tree",
        ],
    ),
];

pub(crate) fn measure(bench: &Bench) -> Result<Tsv, String> {
    let (mib, files) = (bench.options.mib, bench.options.files);
    let text = bench.corpus.legacy_text("ja", Kind::Dense);
    let text = text.ok_or("no Japanese text")?;
    let encoded = SHIFT_JIS.encode(&text, Unmappable::Ncr);
    let encoded = encoded.map_err(|error| error.to_string())?.bytes;
    write_text(&bench.dir.join("in"), &encoded, mib << 20).map_err(|error| error.to_string())?;
    make_tree(bench, "tree", files)?;
    let mut builds = vec![("this one", OsString::from("simdtext"))];
    if let Some(other) = &bench.options.against {
        let path = other.canonicalize();
        let path = path.map_err(|error| format!("{}: {error}", other.display()))?;
        builds.push(("the other", path.into()));
    }
    let what = format!(
        "the most memory that is resident, and the time: one file of {mib} MiB in Shift_JIS, and {files} small \
         ones in KOI8-R; medians of {} runs",
        bench.options.rounds
    );
    let mut table = table(&what, &["input", "threads", "build", "MiB", "seconds"]);
    for (input, arguments) in RUNS {
        for threads in ["1", "2"] {
            let mut taken = vec![(Vec::new(), Vec::new()); builds.len()];
            for _ in 0..bench.options.rounds {
                for ((_, program), (memory, seconds)) in builds.iter().zip(&mut taken) {
                    bench.time("rm -rf out", "")?;
                    let (bytes, time) = run(bench, program, threads, arguments)?;
                    memory.push(bytes / f64::from(1 << 20));
                    seconds.push(time);
                }
            }
            for ((build, _), (memory, seconds)) in builds.iter().zip(taken) {
                let (memory, seconds) = (median(memory), median(seconds));
                let numbers = [format!("{memory:.1}"), format!("{seconds:.2}")];
                let row = [input, threads, build].map(str::to_owned);
                table.rows.push(row.into_iter().chain(numbers).collect());
            }
        }
    }
    Ok(table)
}

/// Bytes and seconds of one run. Linux counts the memory of the parent at the time of `exec` as the child's, so
/// that the parent is this program anew, which has read nothing yet and has less than any command.
fn run(
    bench: &Bench,
    program: &OsString,
    threads: &str,
    arguments: &[&str],
) -> Result<(f64, f64), String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", program.display());
    let output = Command::new(env::current_exe().map_err(|error| failed(&error))?)
        .arg(PEAK)
        .arg(program)
        .args(["convert", "-j", threads])
        .args(arguments)
        .env("PATH", &bench.path)
        .current_dir(&bench.dir)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| failed(&error))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let numbers = printed.trim().split_once(' ');
    numbers
        .and_then(|(bytes, seconds)| Some((bytes.parse().ok()?, seconds.parse().ok()?)))
        .ok_or_else(|| failed(&output.status))
}

/// Runs a command, and prints the bytes and seconds that it took.
pub(crate) fn peak(command: &[String]) -> Result<(), String> {
    let [program, arguments @ ..] = command else {
        return Err(format!("{PEAK} needs a command"));
    };
    let failed = |error: &dyn std::fmt::Display| format!("{program}: {error}");
    let begun = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    let mut child = command.spawn().map_err(|error| failed(&error))?;
    let used = child.wait4().map_err(|error| failed(&error))?;
    let seconds = begun.elapsed().as_secs_f64();
    if !used.status.success() {
        return Err(failed(&used.status));
    }
    println!("{} {seconds}", used.rusage.maxrss);
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
