//! Makes and checks the tables of simdtext from the indexes of the WHATWG Encoding Standard.

mod blocks;
mod check;
mod decode;
mod encode;
mod fingerprints;
mod index;
mod list;
mod little_endian;
mod outputs;
mod pack;
mod problem;
mod rust;
mod sha256;
mod standard;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::outputs::Output;
use crate::problem::{Problem, Result};

/// What to do about a generated file that is wrong.
const RESTORE: &str = "restore it from version control, or run \
     `cargo run -p simdtext-tables -- generate --from DIR`";

/// Makes and checks the tables of simdtext.
#[derive(Parser)]
#[command(name = "simdtext-tables", version)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Write every table, and FINGERPRINTS
    Generate {
        /// Folder with the standard's index-*.txt and encodings.json
        #[arg(long, value_name = "DIR")]
        from: PathBuf,
        /// Folder to write to
        #[arg(long, value_name = "DIR", default_value_os_t = tables_folder())]
        tables: PathBuf,
    },
    /// Compare the tables with the standard's files, or with FINGERPRINTS alone
    ///
    /// Exit status: 0 all are right, 1 some are not, 2 the check could not be made.
    Check {
        /// Folder with the standard's index-*.txt and encodings.json
        #[arg(long, value_name = "DIR")]
        from: Option<PathBuf>,
        /// Folder to check
        #[arg(long, value_name = "DIR", default_value_os_t = tables_folder())]
        tables: PathBuf,
    },
}

/// The workspace's `tables` folder, which holds this package.
fn tables_folder() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package).to_owned()
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::Generate { from, tables } => generate(&from, &tables),
        Task::Check { from, tables } => check(from.as_deref(), &tables),
    };
    done.unwrap_or_else(|problem| {
        eprintln!("error: {problem}");
        ExitCode::from(2)
    })
}

fn generate(from: &Path, tables: &Path) -> Result<ExitCode> {
    let outputs = outputs::make(from)?;
    for Output { name, bytes } in &outputs {
        let path = tables.join(name);
        std::fs::write(&path, bytes)
            .map_err(|error| Problem::io(&path, "write", &error, "name a folder with --tables"))?;
        println!("{:>7} {name}", bytes.len());
    }
    println!("{:>7} in all .bin files", outputs::table_bytes(&outputs));
    Ok(ExitCode::SUCCESS)
}

fn check(from: Option<&Path>, tables: &Path) -> Result<ExitCode> {
    let report = if let Some(from) = from {
        check::against_source(tables, &outputs::make(from)?)?
    } else {
        println!(
            "The source was not present: the files are compared with FINGERPRINTS, not with the \
             standard's indexes (`check --from DIR` does that)."
        );
        check::against_fingerprints(tables)?
    };
    for fault in &report.faults {
        eprintln!("error: {fault}");
    }
    println!(
        "{} files are right, {} are not",
        report.right,
        report.faults.len()
    );
    Ok(if report.faults.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
