//! How often detection is right, and how fast it is, compared with chardetng, and with chardet,
//! charset-normalizer and uchardet if Python has them.
//!
//! `cargo bench --bench detect` takes some minutes and prints tables; with `--save` they are also written to
//! `docs/performance/detection-*.tsv`, from which the report is drawn. `--labelled FOLDER` measures other
//! people's files instead, such as the folder `tests` of chardet's repository, and `--binaries FOLDER` files
//! that are not text, which `benches/detect/binaries.py` collects (`folders.rs`).

mod detectors;
mod folders;
mod table;
mod texts;

use std::path::PathBuf;

use clap::Parser;
use simdtext_bench::corpus::Corpus;

#[derive(Parser)]
struct Options {
    /// Leave out the detectors in Python
    #[arg(long)]
    no_peers: bool,
    /// Write the tables to docs/performance
    #[arg(long)]
    save: bool,
    /// Instead, count the texts of a folder that are recognised
    #[arg(long, value_name = "FOLDER")]
    labelled: Option<PathBuf>,
    /// Instead, count the files of a folder that are taken for text
    #[arg(long, value_name = "FOLDER")]
    binaries: Option<PathBuf>,
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), String> {
    let options = Options::parse();
    let told = |error: std::io::Error| error.to_string();
    if let Some(folder) = &options.labelled {
        return folders::labelled(folder).map_err(told);
    }
    if let Some(folder) = &options.binaries {
        return folders::binaries(folder).map_err(told);
    }
    let corpus = Corpus::find()?;
    corpus.prepare_legacy();
    let samples = texts::samples(&corpus);
    let results = table::measure(&samples, !options.no_peers);
    table::by_encoding(&results).print("detection-encodings", options.save)?;
    table::by_size(&results).print("detection-sizes", options.save)?;
    table::speed(&results).print("detection-speed", options.save)
}
