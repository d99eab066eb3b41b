//! The tables of the report.

use std::fmt::Write as _;

use super::rows::Row;
use super::targets::mean;
use super::{Table, plots};
use crate::operations::{self, Operation, Texts};
use crate::select::{USUAL, shown};
use crate::timing::{Entry, Role};

/// Below this a row is behind its best peer.
const LEVEL: f64 = 0.95;

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
        let rows = of(&tables[0], operation.name, USUAL);
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
                best.map_or("–".to_owned(), |best| format!("{:.2}", best.ratio))
            });
            let _ = write!(out, " {} |", ratios.collect::<Vec<_>>().join(" / "));
        }
        out.push('\n');
    }
    out
}

/// Three digits.
fn speed(speed: f64) -> String {
    match speed {
        speed if speed >= 100.0 => format!("{speed:.0}"),
        speed if speed >= 10.0 => format!("{speed:.1}"),
        speed => format!("{speed:.2}"),
    }
}

/// The same operation from the shortest texts to the longest.
pub(super) fn sizes(tables: &[Table], operation: &str) -> Result<String, String> {
    let Some(table) = tables.first() else {
        return Ok(String::new());
    };
    let mut rows: Vec<&Row> = table
        .rows
        .iter()
        .filter(|row| row.key.operation == operation)
        .collect();
    let swept = |row: &&Row| {
        let same = |other: &&Row| {
            other.key.language == row.key.language
                && other.key.kind == row.key.kind
                && other.key.operation == operation
        };
        table.rows.iter().filter(same).count() >= 4
    };
    rows.retain(swept);
    if rows.is_empty() {
        return Ok("Not measured.\n".to_owned());
    }
    let mut out = String::new();
    let russian: Vec<&Row> = rows
        .iter()
        .copied()
        .filter(|row| row.key.language == "ru")
        .collect();
    if !russian.is_empty() {
        let file = plots::by_size(operation, &russian)?;
        let _ = writeln!(out, "![{operation} by size]({file})\n");
    }
    let names: Vec<&Entry> = rows[0].measured.entries.iter().collect();
    let heading: Vec<&str> = names.iter().map(|entry| entry.name.as_str()).collect();
    let _ = writeln!(out, "| text | size | {} | × best |", heading.join(" | "));
    let _ = writeln!(out, "|---|---|{}---|", "---|".repeat(names.len()));
    for row in rows {
        let key = &row.key;
        let _ = write!(
            out,
            "| {} {} | {} |",
            key.language,
            key.kind,
            shown(key.size)
        );
        for entry in &row.measured.entries {
            if key.size < 1024 {
                let _ = write!(out, " {:.1} ns |", row.measured.call(entry));
            } else {
                let _ = write!(out, " {} |", speed(row.measured.speed(entry)));
            }
        }
        match row.measured.best_peer() {
            Some(best) => {
                let (low, high) = best.spread;
                let _ = writeln!(out, " {:.2} ({low:.2}–{high:.2}) |", best.ratio);
            }
            None => out.push_str(" |\n"),
        }
    }
    Ok(out)
}

/// The rows where a peer is ahead, worst first.
pub(super) fn behind(tables: &[Table]) -> String {
    let mut out = String::new();
    for table in tables
        .iter()
        .filter(|table| table.setting.name.starts_with("AVX"))
    {
        let mut behind: Vec<(&Row, &Entry)> = table
            .rows
            .iter()
            .filter_map(|row| Some((row, row.measured.best_peer()?)))
            .filter(|(_, best)| best.ratio < LEVEL)
            .collect();
        behind.sort_by(|a, b| a.1.ratio.total_cmp(&b.1.ratio));
        let _ = writeln!(
            out,
            "**{}**: {} of {} rows below {LEVEL}.\n",
            table.setting.name,
            behind.len(),
            table.rows.len()
        );
        if behind.is_empty() {
            continue;
        }
        out.push_str("| row | ours | best peer | × best |\n|---|---|---|---|\n");
        for (row, best) in behind {
            let ours = &row.measured.entries[0];
            let (low, high) = best.spread;
            let _ = writeln!(
                out,
                "| {} | {} | {} {} | {:.2} ({low:.2}–{high:.2}) |",
                row.title(),
                speed(row.measured.speed(ours)),
                best.name,
                speed(row.measured.speed(best)),
                best.ratio,
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
            let rows = of(table, operation.name, USUAL);
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
            match mean(rows.into_iter(), None) {
                Some([mean, ..]) => {
                    let _ = write!(out, " {} ({mean:.2} ×) |", speed(speed_mean));
                }
                None => out.push_str(" – |"),
            }
        }
        out.push('\n');
    }
    out
}
