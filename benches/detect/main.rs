//! How often detection is right, and how fast it is, beside chardetng, and beside chardet,
//! charset-normalizer and uchardet where Python finds them.
//!
//! `cargo bench --bench detect` takes some minutes and prints tables; with `--save` they also go to
//! `docs/performance/detection-*.tsv`, from which the report is drawn. `--pieces N` says how many pieces of
//! each text are taken for each size, `--no-peers` leaves out Python, and `--wrong` lists what simdtext
//! does not recognise.
//!
//! `--labelled FOLDER` measures files of other people instead, such as the folder `tests` of chardet's
//! repository, and `--binaries FOLDER` files that are no text, which `benches/detect/binaries.py` collects
//! (`folders.rs`).

#[path = "../matrix/corpus.rs"]
#[expect(dead_code, reason = "the matrix uses more of it")]
mod corpus;
mod detectors;
mod folders;
#[path = "../matrix/messages.rs"]
mod messages;
mod table;
mod texts;
#[path = "../tsv.rs"]
#[expect(dead_code, reason = "the matrix also reads")]
mod tsv;

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use corpus::Corpus;

/// What is asked for.
struct Options {
    pieces: usize,
    peers: bool,
    wrong: bool,
    save: bool,
    labelled: Option<PathBuf>,
    binaries: Option<PathBuf>,
}

impl Options {
    fn parse() -> Result<Self, String> {
        let mut options = Options {
            pieces: 6,
            peers: true,
            wrong: false,
            save: false,
            labelled: None,
            binaries: None,
        };
        let mut arguments = env::args().skip(1).filter(|argument| argument != "--bench");
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--pieces" => {
                    let number = arguments.next().and_then(|number| number.parse().ok());
                    options.pieces = number.ok_or("--pieces: no number")?;
                }
                "--no-peers" => options.peers = false,
                "--wrong" => options.wrong = true,
                "--save" => options.save = true,
                "--labelled" => options.labelled = arguments.next().map(PathBuf::from),
                "--binaries" => options.binaries = arguments.next().map(PathBuf::from),
                _ => {
                    return Err(format!(
                        "{argument}: --pieces N, --no-peers, --wrong, --save, --labelled FOLDER, \
                         --binaries FOLDER"
                    ));
                }
            }
        }
        Ok(options)
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
    let told = |error: std::io::Error| error.to_string();
    if options.labelled.is_some() || options.binaries.is_some() {
        if let Some(folder) = options.labelled {
            folders::labelled(&folder).map_err(told)?;
        }
        if let Some(folder) = options.binaries {
            folders::binaries(&folder).map_err(told)?;
        }
        return Ok(());
    }
    let mut detectors = detectors::all(options.peers);
    let corpus = Corpus::find()?;
    corpus.prepare_legacy();
    let samples = texts::samples(&corpus, options.pieces);
    let results = table::measure(&mut detectors, &samples, options.wrong);
    let keep = |name: &'static str| options.save.then_some(name);
    let tables = [
        (
            "detection-encodings",
            table::by_encoding(&detectors, &results),
        ),
        ("detection-sizes", table::by_size(&detectors, &results)),
        ("detection-speed", table::speed(&detectors, &results)),
    ];
    for (name, table) in tables {
        table.print(keep(name))?;
    }
    Ok(())
}
