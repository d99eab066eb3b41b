//! Whole commands, side by side: `simdtext convert` against iconv, uconv, cp and find, with files in
//! memory.
//!
//! `cargo bench --bench commands` takes some ten minutes and 6 GiB in `/dev/shm` (or in the folder that
//! `--dir` names), and prints tables; with `--save` they also go to `docs/performance/commands-*.tsv`.
//! Words select: `file` and `tree`. `--mib N` and `--files N` make the input smaller.

mod big_file;
#[path = "../matrix/corpus.rs"]
#[expect(dead_code, reason = "the matrix uses more of it")]
mod corpus;
#[path = "../matrix/messages.rs"]
mod messages;
mod small_files;
mod timed;
#[path = "../tsv.rs"]
#[expect(dead_code, reason = "the matrix also reads")]
mod tsv;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use corpus::Corpus;
use tsv::{Tsv, about, root};

/// What is asked for.
struct Options {
    /// Where the files are.
    dir: PathBuf,
    /// The size of a big file.
    mib: usize,
    /// The number of small ones.
    files: usize,
    /// How often simdtext is run.
    rounds: usize,
    save: bool,
    words: Vec<String>,
}

impl Options {
    fn parse() -> Result<Self, String> {
        let memory = Path::new("/dev/shm");
        let mut options = Options {
            dir: if memory.is_dir() {
                memory.to_owned()
            } else {
                env::temp_dir()
            },
            mib: 1024,
            files: 100_000,
            rounds: 4,
            save: false,
            words: Vec::new(),
        };
        let mut arguments = env::args().skip(1).filter(|argument| argument != "--bench");
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument}: no value"));
            let number = |value: String| {
                let parsed = value.parse::<usize>().ok().filter(|number| *number > 0);
                parsed.ok_or(format!("{value}: no number above 0"))
            };
            match argument.as_str() {
                "--save" => options.save = true,
                "--dir" => options.dir = PathBuf::from(value()?),
                "--mib" => options.mib = number(value()?)?,
                "--files" => options.files = number(value()?)?,
                "--rounds" => options.rounds = number(value()?)?,
                "file" | "tree" => options.words.push(argument),
                _ => {
                    return Err(format!(
                        "{argument}: file, tree, --dir, --mib, --files, --rounds, --save"
                    ));
                }
            }
        }
        Ok(options)
    }

    fn wants(&self, word: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|wanted| wanted == word)
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let options = Options::parse()?;
    let simdtext = build()?;
    let corpus = Corpus::find()?;
    corpus.prepare_legacy();
    // Removed when this returns.
    let dir = tempfile::Builder::new()
        .prefix("simdtext-bench-")
        .tempdir_in(&options.dir)
        .map_err(|error| format!("{}: {error}", options.dir.display()))?;
    let bench = Bench {
        simdtext,
        dir: dir.path().to_owned(),
        options,
        corpus,
    };
    type Measure = fn(&Bench) -> Result<Tsv, String>;
    let parts: [(&str, &str, Measure); 2] = [
        ("file", "commands-file", big_file::measure),
        ("tree", "commands-tree", small_files::measure),
    ];
    for (word, name, measure) in parts {
        if bench.options.wants(word) {
            measure(&bench)?.print(bench.options.save.then_some(name))?;
        }
    }
    Ok(())
}

/// A table of what was measured.
fn table(what: &str, heading: &[&str]) -> Tsv {
    let command = about("cargo bench --bench commands");
    Tsv::new(format!("{command}; {what}"), heading)
}

/// What all parts need.
struct Bench {
    /// The command.
    simdtext: PathBuf,
    /// A folder that is removed at the end.
    dir: PathBuf,
    options: Options,
    corpus: Corpus,
}

/// Builds the command, and returns where it is.
fn build() -> Result<PathBuf, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "-p", "simdtext-cli"])
        .current_dir(root())
        .status();
    if !status.is_ok_and(|status| status.success()) {
        return Err("the command can not be built".to_owned());
    }
    // This runs from `release/deps`.
    let this = env::current_exe().map_err(|error| error.to_string())?;
    let release = this.parent().and_then(Path::parent);
    let path = release.map(|release| release.join("simdtext"));
    path.filter(|path| path.is_file())
        .ok_or_else(|| "the command is not where it should be".to_owned())
}
