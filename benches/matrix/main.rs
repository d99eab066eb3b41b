//! The matrix: every operation × text × size, against every peer, in one process.
//!
//! `cargo bench --bench matrix -- utf8-to-utf16 ru --size 64` measures a part, `-- --help` says how parts are
//! named, and `-- --report` writes PERFORMANCE.md.
//!
//! Before timing, the output of each peer is compared with that of simdtext.

mod operations;
mod peers;
mod placed;
mod report;
mod select;
mod timing;

use std::time::{Duration, Instant};

use operations::{Case, Operation};
use report::published::{Key, Published, write_run};
use select::{HUGE, Selection, Subject};
use simdtext_bench::corpus::{Corpus, WHOLE};

fn main() -> Result<(), String> {
    let selection = Selection::from_command_line()?;
    if selection.report {
        report::measure_all(&selection)
    } else if selection.render {
        report::render()
    } else {
        measure(&selection)
    }
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
        "GB/s of input, below 1 KiB ns a call; the best peer's time over ours, and its quartiles; the peers' GB/s"
    );
    let start = Instant::now();
    let mut rows = Vec::new();
    for operation in selection.operations() {
        println!("\n## {}\n\n{}\n", operation.name, operation.purpose);
        println!("| text | size | simdtext | × best | peers |\n|---|---|---|---|---|");
        for subject in selection.subjects(operation) {
            if let Some(row) = contest(&corpus, operation, subject, selection)? {
                println!("{}", row.line());
                rows.push(row);
            }
        }
    }
    if rows.is_empty() {
        return Err("nothing matches, or the corpus has no such texts".to_owned());
    }
    println!("\n{} rows, {} s", rows.len(), start.elapsed().as_secs());
    if let Some(path) = &selection.tsv {
        write_run(path, &corpus.to_string(), &rows)?;
    }
    Ok(())
}

/// One row, or `None` if the corpus lacks the text or no peer has an encoder for it.
fn contest(
    corpus: &Corpus,
    operation: &Operation,
    subject: Subject,
    selection: &Selection,
) -> Result<Option<Published>, String> {
    let Subject {
        language,
        kind,
        size,
        ..
    } = subject;
    let text = if operation.texts.are_legacy() {
        corpus.legacy_text(language, kind)
    } else {
        corpus.text(language, kind)
    };
    let Some(text) = text else {
        return Ok(None);
    };
    // With huge texts a turn is one pass, which takes longer anyway.
    let factor = if size == HUGE { 2 } else { 1 };
    let case = Case {
        subject,
        text: &text,
        cell: Duration::from_millis(factor * selection.cell),
        c_peers: operation.family == "legacy" && size == WHOLE,
    };
    let key = Key::new(operation.name, subject);
    match (operation.compete)(&case) {
        Ok(measured) => Ok(measured.map(|it| Published::new(report::setting(), key, &it))),
        Err(error) => Err(format!("{}: {error}", key.title())),
    }
}
