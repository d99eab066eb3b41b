//! Compares whole commands, which take turns: `simdtext convert` with iconv, uconv, cp and find, on files in
//! memory. Also measures how much memory `simdtext convert` uses.
//!
//! `cargo bench --bench commands` takes some ten minutes and 6 GiB in `/dev/shm` (or in the folder that
//! `--dir` names), and prints tables; with `--save` they are also written to
//! `docs/performance/commands-*.tsv`.

mod big_file;
mod memory;
mod small_files;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Parser;
use simdtext_bench::corpus::Corpus;
use simdtext_bench::tsv::{Tsv, about, root};

#[derive(Parser)]
struct Options {
    /// What to measure: `file`, `tree` or `memory`; by default all of them
    words: Vec<String>,
    /// The folder for the files
    #[arg(long, default_value = "/dev/shm")]
    dir: PathBuf,
    /// The size of the big file
    #[arg(long, default_value_t = 1024)]
    mib: usize,
    /// The number of small files
    #[arg(long, default_value_t = 100_000)]
    files: usize,
    /// How often to run each command
    #[arg(long, default_value_t = 4)]
    rounds: usize,
    /// Write the tables to docs/performance
    #[arg(long)]
    save: bool,
    #[arg(long, hide = true)]
    bench: bool,
}

/// What all parts share.
struct Bench {
    /// The search path for commands, with the folder of ours first.
    path: OsString,
    /// The folder in which the commands run. It is removed at the end.
    dir: PathBuf,
    options: Options,
    corpus: Corpus,
}

fn main() -> Result<(), String> {
    let options = Options::parse();
    let path = build()?;
    let corpus = Corpus::find()?;
    corpus.prepare_legacy();
    let dir = tempfile::Builder::new()
        .prefix("simdtext-bench-")
        .tempdir_in(&options.dir)
        .map_err(|error| format!("{}: {error}", options.dir.display()))?;
    let bench = Bench {
        path,
        dir: dir.path().to_owned(),
        options,
        corpus,
    };
    let keep = bench.options.save;
    let wants = |word: &str| {
        let words = &bench.options.words;
        words.is_empty() || words.iter().any(|wanted| wanted == word)
    };
    if wants("file") {
        big_file::measure(&bench)?.print("commands-file", keep)?;
    }
    if wants("tree") {
        small_files::measure(&bench)?.print("commands-tree", keep)?;
    }
    if wants("memory") {
        memory::measure(&bench)?.print("commands-memory", keep)?;
    }
    Ok(())
}

impl Bench {
    /// The time that a line of shell script takes. `$label` is the encoding.
    fn time(&self, line: &str, label: &str) -> Result<Duration, String> {
        let begun = Instant::now();
        let status = Command::new("sh")
            .args(["-c", line])
            .env("PATH", &self.path)
            .env("label", label)
            .current_dir(&self.dir)
            .stdin(Stdio::null())
            .status();
        match status {
            Ok(status) if status.success() => Ok(begun.elapsed()),
            Ok(status) => Err(format!("{line}: {status}")),
            Err(error) => Err(format!("sh: {error}")),
        }
    }

    /// Whether the program is installed.
    fn has(&self, program: &str) -> bool {
        let line = format!("command -v {program} > /dev/null");
        self.time(&line, "").is_ok()
    }
}

/// A table of results.
fn table(what: &str, heading: &str) -> Tsv {
    let command = about("cargo bench --bench commands");
    Tsv::new(format!("{command}; {what}"), heading)
}

/// Builds the command, and returns the search path with its folder in front.
fn build() -> Result<OsString, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "-p", "simdtext-cli"])
        .current_dir(root())
        .status();
    if !status.is_ok_and(|status| status.success()) {
        return Err("the command can not be built".to_owned());
    }
    // This program runs in `release/deps`.
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let release = this.parent().and_then(Path::parent);
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = release.into_iter().map(Path::to_owned);
    env::join_paths(folders.chain(env::split_paths(&path))).map_err(|error| error.to_string())
}
