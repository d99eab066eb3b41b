//! Measures what a crate adds to a program: the KB of the stripped executable, and the seconds of processor
//! time to build it, with Cargo's profile `release` and one codegen unit. The figures of a program without
//! any crate are subtracted.
//!
//! `cargo bench --bench cost` takes some minutes; with `-- --save` the table is written to
//! `docs/performance/cost.tsv`, from which the report is drawn. `-- WORD` builds only the programs whose
//! names contain the word.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use simdtext_bench::tsv::{Tsv, about, root};
use wait4::Wait4 as _;

/// The names of the programs, what they use (`SIMDTEXT` is the folder of this repository), and how they
/// convert bytes to text. The first one uses nothing.
const PROGRAMS: &str = include_str!("cost.tsv");

/// A program that converts its input.
const MAIN: &str = "use std::io::*;
fn main() {
    let label = std::env::args().nth(1).unwrap_or_default();
    let mut bytes = Vec::new();
    stdin().read_to_end(&mut bytes).unwrap();
    let text: String = TEXT;
    print!(\"{text}\");
    let _ = label;
}
";

/// The input, which each program must print.
const SAMPLE: &str = "Every program reads this, and prints it.";

fn main() -> Result<(), String> {
    let mut table = Tsv::new(
        about("cargo bench --bench cost") + "; KB of 1000 bytes, seconds of processor time",
        "program\tKB\tseconds",
    );
    let programs = PROGRAMS
        .lines()
        .skip_while(|line| line.starts_with('#'))
        .skip(1);
    let mut programs = programs.map(|line| line.split('\t').collect::<Vec<_>>());
    let (least, shortest) = build(&programs.next().unwrap_or_default())?;
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    words.retain(|word| !word.starts_with("--"));
    for program in programs {
        if !words.is_empty() && !words.iter().any(|word| program[0].contains(&**word)) {
            continue;
        }
        let (bytes, seconds) = build(&program)?;
        let kilobytes = bytes.saturating_sub(least) as f64 / 1000.0;
        table.rows.push(vec![
            program[0].to_owned(),
            format!("{kilobytes:.0}"),
            format!("{:.1}", (seconds - shortest).max(0.0)),
        ]);
    }
    let save = std::env::args().any(|argument| argument == "--save");
    table.print("cost", save)
}

/// Builds a program from scratch. Returns its size, and the seconds that it took.
fn build(program: &[&str]) -> Result<(u64, f64), String> {
    let &[name, dependencies, text, opt_level] = program else {
        return Err(format!("cost.tsv: {program:?}"));
    };
    let folder = root().join("target/cost");
    let folder = folder.join(name.replace([' ', ',', '(', ')'], "_"));
    let told = |error: std::io::Error| format!("{name}: {error}");
    if folder.is_dir() {
        fs::remove_dir_all(&folder).map_err(told)?;
    }
    fs::create_dir_all(folder.join("src")).map_err(told)?;
    let dependencies = dependencies.replace("; ", "\n");
    let dependencies = dependencies.replace("SIMDTEXT", &root().to_string_lossy());
    let manifest = format!(
        "[package]\nname = \"program\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}\n\n\
         [profile.release]\ncodegen-units = 1\nopt-level = {opt_level}\nstrip = true\n\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).map_err(told)?;
    fs::write(folder.join("src/main.rs"), MAIN.replace("TEXT", text)).map_err(told)?;
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--quiet", "--target-dir", "target"]);
    let mut child = cargo.current_dir(&folder).spawn().map_err(told)?;
    let used = child.wait4().map_err(told)?;
    if !used.status.success() {
        return Err(format!("{name}: {}", used.status));
    }
    let path = folder.join("target/release/program");
    check(&path).map_err(|error| format!("{name}: {error}"))?;
    let seconds = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    Ok((fs::metadata(path).map_err(told)?.len(), seconds))
}

/// Whether the program works.
fn check(path: &Path) -> Result<(), String> {
    let told = |error: std::io::Error| error.to_string();
    let sample = path.with_extension("txt");
    fs::write(&sample, SAMPLE).map_err(told)?;
    let input = File::open(&sample).map_err(told)?;
    let output = Command::new(path).arg("utf-8").stdin(input).output();
    match String::from_utf8_lossy(&output.map_err(told)?.stdout) {
        printed if printed == SAMPLE => Ok(()),
        printed => Err(format!("printed {printed:?}")),
    }
}
