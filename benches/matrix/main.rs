//! The matrix: every operation × text × size, against every peer, in one process.
//!
//! `cargo bench --bench matrix -- utf8-to-utf16 ru --size 64` measures a part, `-- --help` says how
//! to name parts, and `-- --report` writes PERFORMANCE.md.
//!
//! Before anything is timed, the output of each peer is compared with ours.

mod corpus;
mod messages;
mod operations;
mod peers;
mod placed;
mod report;
mod select;
mod timing;
#[path = "../tsv.rs"]
#[expect(dead_code, reason = "others print what they measure")]
mod tsv;

use std::time::Instant;

use corpus::{Corpus, Kind, WHOLE};
use operations::{Case, Texts};
use report::rows::Row;
use select::{HUGE, Selection, Subject};
use timing::Role;

fn main() -> Result<(), String> {
    let selection = Selection::from_command_line()?;
    if selection.list {
        list(&selection);
        Ok(())
    } else if selection.report {
        report::measure_all(&selection)
    } else if selection.render {
        report::render()
    } else {
        measure(&selection)
    }
}

/// The selected operations, the rows of each in a run, and what it is for.
fn list(selection: &Selection) {
    let mut all = 0;
    for operation in selection.operations() {
        let rows = selection.subjects(operation).len();
        all += rows;
        println!("{:<24} {rows:>4}  {}", operation.name, operation.purpose);
    }
    println!("{:<24} {all:>4}  rows, where the corpus has the texts", "");
}

/// Measures the selected part and prints it as tables.
fn measure(selection: &Selection) -> Result<(), String> {
    let corpus = Corpus::find()?;
    if selection
        .operations()
        .any(|operation| operation.texts.are_legacy())
    {
        corpus.prepare_legacy();
    }
    println!("kernels: {}", simdtext::active_isa());
    println!("texts: {corpus}");
    println!(
        "GB/s of input, below 1 KiB ns a call; in brackets their time over ours, and its quartiles"
    );
    let start = Instant::now();
    let mut rows = Vec::new();
    for operation in selection.operations() {
        println!("\n## {}\n\n{}\n", operation.name, operation.purpose);
        let mut heading = Vec::new();
        for subject in selection.subjects(operation) {
            let Some(row) = contest(&corpus, operation, subject, selection)? else {
                continue;
            };
            if row.heading() != heading {
                heading = row.heading();
                println!("| text | size | {} |", heading.join(" | "));
                println!("|---|---|{}", "---|".repeat(heading.len()));
            }
            println!("{}", row.line());
            rows.push(row);
        }
    }
    if rows.is_empty() {
        return Err("nothing matches, or the corpus has no such texts".to_owned());
    }
    summary(&rows);
    println!("{} s", start.elapsed().as_secs());
    if let Some(path) = &selection.tsv {
        let (texts, setting) = (corpus.to_string(), report::setting());
        report::published::write_run(path, &texts, setting, &rows)?;
    }
    Ok(())
}

/// One row, or nothing where the corpus has no such text or the peer no such encoder.
fn contest(
    corpus: &Corpus,
    operation: &operations::Operation,
    subject: Subject,
    selection: &Selection,
) -> Result<Option<Row>, String> {
    let (language, kind) = (subject.language, subject.kind);
    let mut prose = None;
    let text = match operation.texts {
        Texts::Mixed => {
            prose = corpus.legacy_text(language, Kind::Dense);
            corpus.legacy_text(language, Kind::Html)
        }
        texts if texts.are_legacy() => corpus.legacy_text(language, kind),
        _ => corpus.text(language, kind),
    };
    let Some(text) = text else {
        return Ok(None);
    };
    if operation.texts == Texts::Mixed && prose.is_none() {
        return Ok(None);
    }
    let without = match operation.name {
        // encoding_rs encodes no UTF-16.
        "utf8-to-legacy" | "utf16-to-legacy" => &["UTF-16LE", "UTF-16BE"][..],
        // These have every character.
        "utf8-to-legacy-1" | "utf16-to-legacy-1" => &["UTF-8", "UTF-16LE", "UTF-16BE", "gb18030"],
        _ => &[],
    };
    if subject
        .encoding
        .is_some_and(|encoding| without.contains(&encoding))
    {
        return Ok(None);
    }
    let mut effort = selection.effort();
    if subject.size == HUGE {
        // A turn is one pass, and takes longer by itself.
        effort.cell *= 2;
    }
    let case = Case {
        text: &text,
        prose: prose.as_deref(),
        size: subject.size,
        encoding: subject.encoding,
        effort,
        c_peers: operation.family == "legacy" && subject.size == WHOLE,
    };
    let row = Row::new(operation.name, subject, (operation.contest)(&case));
    row.map(Some)
}

/// The row that is worst for us, and how many are.
fn summary(rows: &[Row]) {
    let best = |row: &Row| row.measured.best_peer().map(|peer| peer.ratio);
    let ratios: Vec<(f64, &Row)> = rows
        .iter()
        .filter_map(|row| Some((best(row)?, row)))
        .collect();
    let Some((ratio, row)) = ratios.iter().min_by(|a, b| a.0.total_cmp(&b.0)) else {
        return;
    };
    let below = ratios.iter().filter(|(ratio, _)| *ratio < 0.95).count();
    let entrants = rows
        .iter()
        .map(|row| row.measured.entries.len())
        .sum::<usize>();
    println!("\n{} rows, {entrants} cells", rows.len());
    println!(
        "after the best peer (below 0.95): {below}; lowest: {ratio:.2} ({})",
        row.key.title()
    );
    for entry in row
        .measured
        .entries
        .iter()
        .filter(|entry| entry.role != Role::Ours)
    {
        println!("  {} {:.2}", entry.name, entry.ratio);
    }
}
