//! The tables of the report.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::rows::{Key, Row};
use super::targets::Mean;
use super::{Table, plots};
use crate::operations::{self, Operation, Texts};
use crate::select::shown;
use crate::timing::{Entry, Role};

/// Every operation of a family: what it is for, a table, a plot.
pub(super) fn family(tables: &[Table], family: &str) -> Result<String, String> {
    let mut operations = operations::all()
        .filter(|operation| operation.family == family)
        .peekable();
    if operations.peek().is_none() {
        return Err(format!("PERFORMANCE.in.md: no family {family}"));
    }
    let mut out = String::new();
    for operation in operations {
        let _ = writeln!(out, "### {}\n\n{}\n", operation.name, operation.purpose);
        let rows = of(&tables[0], operation.name, operation.usual());
        if rows.is_empty() {
            out.push_str("Not measured.\n\n");
            continue;
        }
        if operation.texts == Texts::Every {
            let file = plots::by_language(operation.name, &rows)?;
            let _ = writeln!(out, "![{}]({file})\n", operation.name);
        }
        out.push_str(&speeds(tables, operation, &rows));
        out.push('\n');
    }
    Ok(out)
}

fn of<'a>(table: &'a Table, operation: &str, size: usize) -> Vec<&'a Row> {
    let rows = table.rows.iter();
    rows.filter(|row| row.key.operation == operation && row.key.size == size)
        .collect()
}

/// A line for each language (and encoding), its kinds of text side by side in the cells.
fn speeds(tables: &[Table], operation: &Operation, rows: &[&Row]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for entry in rows.iter().flat_map(|row| &row.measured.entries) {
        if !names.contains(&entry.name.as_str()) {
            names.push(&entry.name);
        }
    }
    let mut out = format!("| text | {} |", names.join(" | "));
    for table in tables {
        let _ = write!(out, " × best, {} |", table.setting.name);
    }
    let _ = writeln!(out, "\n|---|{}", "---|".repeat(names.len() + tables.len()));
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        let group = groups.iter_mut().find(|group| {
            group[0].key.language == row.key.language && group[0].key.encoding == row.key.encoding
        });
        match group {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    for group in groups {
        let key = &group[0].key;
        let kinds: Vec<&str> = group.iter().map(|row| row.key.kind.as_str()).collect();
        let space = if key.encoding.is_empty() { "" } else { " " };
        let _ = write!(
            out,
            "| {}{space}{} {} |",
            key.encoding,
            key.language,
            kinds.join(", ")
        );
        for name in &names {
            let speeds = group.iter().map(|row| {
                let entry = row
                    .measured
                    .entries
                    .iter()
                    .find(|entry| entry.name == *name);
                entry.map_or("–".to_owned(), |entry| speed(row.measured.speed(entry)))
            });
            let _ = write!(out, " {} |", speeds.collect::<Vec<_>>().join(" / "));
        }
        for table in tables {
            let ratios = group.iter().map(|row| {
                let other = of(table, operation.name, row.key.size);
                let other = other.into_iter().find(|other| other.key == row.key);
                let best = other.and_then(|row| row.measured.best_peer());
                best.map_or("–".to_owned(), times)
            });
            let _ = write!(out, " {} |", ratios.collect::<Vec<_>>().join(" / "));
        }
        out.push('\n');
    }
    out
}

/// How many times as long a peer takes, and how far that varies.
pub(super) fn times(peer: &Entry) -> String {
    let (low, high) = peer.range();
    format!("{:.2} ({low:.2}–{high:.2})", peer.ratio)
}

/// Three digits.
fn speed(speed: f64) -> String {
    match speed {
        speed if speed >= 100.0 => format!("{speed:.0}"),
        speed if speed >= 10.0 => format!("{speed:.1}"),
        speed => format!("{speed:.2}"),
    }
}

/// The same operation from the shortest texts to the longest: a line for each text and setting.
pub(super) fn sizes(tables: &[Table], operation: &str) -> Result<String, String> {
    let rows = |table: &'_ Table| -> Vec<Row> {
        let rows = table.rows.iter();
        rows.filter(|row| row.key.operation == operation)
            .cloned()
            .collect()
    };
    let Some(table) = tables.first() else {
        return Ok(String::new());
    };
    let all = rows(table);
    let mut texts: Vec<&Key> = Vec::new();
    for row in &all {
        let count = all.iter().filter(|other| is(other, &row.key)).count();
        if count >= 4 && !texts.iter().any(|text| is(row, text)) {
            texts.push(&row.key);
        }
    }
    let swept = |row: &&Row| texts.iter().any(|text| is(row, text));
    let mut sizes: Vec<usize> = all.iter().filter(swept).map(|row| row.key.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    if sizes.is_empty() {
        return Ok("Not measured.\n".to_owned());
    }
    let mut out = String::new();
    let russian: Vec<&Row> = all
        .iter()
        .filter(swept)
        .filter(|row| ["ru", "fr"].contains(&row.key.language.as_str()))
        .filter(|row| row.key.encoding.is_empty())
        .collect();
    if let Some(last) = russian.last() {
        let language = last.key.language.clone();
        let rows: Vec<&Row> = russian
            .into_iter()
            .filter(|row| row.key.language == language)
            .collect();
        let file = plots::by_size(operation, &rows)?;
        let _ = writeln!(out, "![{operation} by size]({file})\n");
    }
    let heading: Vec<String> = sizes.iter().map(|size| shown(*size)).collect();
    let _ = writeln!(out, "| text | setting | {} |", heading.join(" | "));
    let _ = writeln!(out, "|---|---|{}", "---|".repeat(sizes.len()));
    for text in texts {
        for table in tables.iter().filter(|table| table.setting.main) {
            let rows = rows(table);
            if rows.is_empty() {
                continue;
            }
            let _ = write!(out, "| {} | {} |", text.text(), table.setting.name);
            for size in &sizes {
                let row = rows
                    .iter()
                    .find(|row| row.key.size == *size && is(row, text));
                let _ = write!(out, " {} |", row.map_or("–".to_owned(), of_size));
            }
            out.push('\n');
        }
    }
    Ok(out)
}

/// Whether a row is about a text, whatever its size.
fn is(row: &Row, text: &Key) -> bool {
    row.key.encoding == text.encoding
        && row.key.language == text.language
        && row.key.kind == text.kind
}

/// `8.1 ns, 1.53`.
fn of_size(row: &Row) -> String {
    let measured = &row.measured;
    let ours = &measured.entries[0];
    let speed = if row.key.size < 1024 {
        format!("{:.1} ns", measured.call(ours))
    } else {
        speed(measured.speed(ours))
    };
    let best = measured.best_peer();
    best.map_or(speed.clone(), |best| format!("{speed}, {:.2}", best.ratio))
}

/// What no row may be below, against its best peer.
fn level(row: &Row) -> f64 {
    if row.key.encoding.is_empty() {
        0.95
    } else {
        1.0
    }
}

/// The rows where a peer is ahead, worst first, and whether it is so in every run.
pub(super) fn after(table: &Table) -> Vec<(&Row, &Entry, bool)> {
    let rows = table.rows.iter();
    let mut after: Vec<(&Row, &Entry, bool)> = rows
        .filter_map(|row| {
            let best = row.measured.best_peer()?;
            let below = |ratio: &f64| *ratio < level(row);
            let clearly = match &best.runs[..] {
                // Of one run, the quartiles must do.
                [_] => below(&best.spread.1),
                runs => runs.iter().all(below),
            };
            below(&best.ratio).then_some((row, best, clearly))
        })
        .collect();
    after.sort_by(|a, b| {
        (b.2, a.1.ratio)
            .partial_cmp(&(a.2, b.1.ratio))
            .unwrap_or(Ordering::Equal)
    });
    after
}

/// Tables of the rows where a peer is ahead.
pub(super) fn losses(tables: &[Table]) -> String {
    let mut out = String::new();
    for table in tables.iter().filter(|table| table.setting.main) {
        let after = after(table);
        let clear = after.iter().filter(|(.., clearly)| *clearly).count();
        let _ = writeln!(
            out,
            "**{}**: of {} rows {clear} are clearly after, and {} are not clear.\n",
            table.setting.name,
            table.rows.len(),
            after.len() - clear,
        );
        if after.is_empty() {
            continue;
        }
        out.push_str("| row | ours | best peer | × best | clear |\n|---|---|---|---|---|\n");
        for (row, best, clearly) in after {
            let ours = &row.measured.entries[0];
            let _ = writeln!(
                out,
                "| {} | {} | {} {} | {} | {} |",
                row.title(),
                speed(row.measured.speed(ours)),
                best.name,
                speed(row.measured.speed(best)),
                times(best),
                if clearly { "yes" } else { "no" },
            );
        }
        out.push('\n');
    }
    out
}

/// Each operation in each setting: the geometric mean over all its texts of 64 KiB.
pub(super) fn settings(tables: &[Table]) -> String {
    let mut out = "| operation |".to_owned();
    for table in tables {
        let _ = write!(out, " {} |", table.setting.name);
    }
    let _ = writeln!(out, "\n|---|{}", "---|".repeat(tables.len()));
    for operation in operations::all() {
        let _ = write!(out, "| {} |", operation.name);
        for table in tables {
            let rows = of(table, operation.name, operation.usual());
            let ours = |row: &&Row| {
                let ours = row
                    .measured
                    .entries
                    .iter()
                    .find(|entry| entry.role == Role::Ours);
                ours.map_or(f64::NAN, |ours| row.measured.speed(ours).ln())
            };
            let count = rows.len() as f64;
            let speed_mean = (rows.iter().map(ours).sum::<f64>() / count).exp();
            match Mean::of(rows, None) {
                Some(mean) => {
                    let _ = write!(out, " {} ({:.2} ×) |", speed(speed_mean), mean.ratio);
                }
                None => out.push_str(" – |"),
            }
        }
        out.push('\n');
    }
    out
}
