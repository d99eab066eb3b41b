//! Results as files `docs/performance/NAME.tsv`: a comment that says when and how they were measured, the
//! column names, and a line per row, with tabs between the cells.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDER: &str = "docs/performance";

/// A table.
#[derive(Debug)]
pub struct Tsv {
    /// When and how its contents were measured.
    pub about: String,
    heading: Vec<String>,
    /// The cells, by row and column.
    pub rows: Vec<Vec<String>>,
}

impl Tsv {
    /// Makes a table without rows; `heading` has the column names, separated by tabs.
    pub fn new(about: String, heading: &str) -> Self {
        Tsv {
            about,
            heading: heading.split('\t').map(str::to_owned).collect(),
            rows: Vec::new(),
        }
    }

    /// Reads a saved table by its name, or another one by its absolute path.
    pub fn read(name: impl AsRef<Path>) -> Result<Self, String> {
        let path = &path(name);
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let file = fs::read_to_string(path).map_err(|error| failed(&error))?;
        let mut lines = file.lines();
        let about = lines.next().and_then(|line| line.strip_prefix("# "));
        let about = about.ok_or_else(|| failed(&"no comment that says how it was measured"))?;
        let mut cells = lines.map(|line| line.split('\t').map(str::to_owned).collect());
        let heading: Vec<String> = cells.next().ok_or_else(|| failed(&"no columns"))?;
        let rows: Vec<Vec<String>> = cells.collect();
        match rows.iter().find(|row| row.len() != heading.len()) {
            Some(row) => Err(failed(&format!("not {} cells: {row:?}", heading.len()))),
            None => Ok(Tsv {
                about: about.to_owned(),
                heading,
                rows,
            }),
        }
    }

    /// Saves the table under its name, or to an absolute path.
    pub fn write(&self, name: impl AsRef<Path>) -> Result<(), String> {
        let path = path(name);
        let mut out = format!("# {}\n{}\n", self.about, self.heading.join("\t"));
        for row in &self.rows {
            let _ = writeln!(out, "{}", row.join("\t"));
        }
        fs::write(&path, out).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Prints the table with aligned columns, and saves it if `keep`.
    pub fn print(&self, name: &str, keep: bool) -> Result<(), String> {
        let all = || std::iter::once(&self.heading).chain(&self.rows);
        let width = |column: usize| all().map(|row| row[column].chars().count()).max();
        let widths: Vec<usize> = (0..self.heading.len()).filter_map(width).collect();
        println!("\n{}\n", self.about);
        for row in all() {
            let cells = row.iter().zip(&widths);
            let line: Vec<String> = cells
                .map(|(cell, width)| format!("{cell:<width$}"))
                .collect();
            println!("{}", line.join("  ").trim_end());
        }
        if keep { self.write(name) } else { Ok(()) }
    }

    /// The numbers in a column, for the rows that `of` selects.
    pub fn numbers(&self, column: &str, of: impl Fn(&[String]) -> bool) -> Vec<f64> {
        let column = self.column(column).unwrap_or(usize::MAX);
        let rows = self.rows.iter().filter(|row| of(row));
        rows.filter_map(|row| row.get(column)?.parse().ok())
            .collect()
    }

    /// The index of a column.
    pub fn column(&self, name: &str) -> Result<usize, String> {
        let found = self.heading.iter().position(|heading| heading == name);
        found.ok_or_else(|| format!("no column {name}: {}", self.about))
    }
}

/// A comment that says when and how something is measured.
pub fn about(command: &str) -> String {
    let date = first_line("date", &["-u", "+%Y-%m-%d"]);
    let commit = first_line("git", &["describe", "--always"]);
    format!("{date}, simdtext {commit}, `{command}`")
}

/// The first line that a program prints.
pub fn first_line(program: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(program);
    let output = command.args(arguments).current_dir(root()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.ok()
        .and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_else(|| "unknown".to_owned())
}

fn path(name: impl AsRef<Path>) -> PathBuf {
    root().join(FOLDER).join(name).with_extension("tsv")
}

/// The root folder of the repository.
pub fn root() -> &'static Path {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
    benches.parent().unwrap_or(benches)
}
