//! What the project holds itself to, and whether it does.

use std::fmt::Write as _;

use super::Table;
use super::rows::Row;
use super::tables::after;
use crate::corpus::prose;
use crate::select::{SCRIPTS, USUAL};
use crate::timing::Entry;

struct Target {
    what: &'static str,
    operations: &'static [&'static str],
    languages: &'static [&'static str],
    sizes: &'static [usize],
    /// A peer, or the best one of each row.
    against: Option<&'static str>,
    avx512: f64,
    avx2: f64,
}

const fn target(
    what: &'static str,
    operations: &'static [&'static str],
    against: Option<&'static str>,
    avx512: f64,
    avx2: f64,
) -> Target {
    Target {
        what,
        operations,
        languages: &SCRIPTS,
        sizes: &[USUAL],
        against,
        avx512,
        avx2,
    }
}

const LATIN: [&str; 3] = ["de", "fr", "pt"];

const TARGETS: [Target; 15] = [
    target(
        "UTF-8 validation",
        &["utf8-validate"],
        Some("simdutf8"),
        1.45,
        1.2,
    ),
    Target {
        languages: &["ascii"],
        ..target(
            "UTF-8 validation, ASCII",
            &["utf8-validate"],
            None,
            1.0,
            0.95,
        )
    },
    Target {
        sizes: &[4096, USUAL, 1 << 20],
        ..target(
            "UTF-8 validate and copy, 4 KiB to 1 MiB",
            &["utf8-copy"],
            Some("simdutf8, memcpy"),
            1.45,
            1.2,
        )
    },
    target(
        "UTF-8 → UTF-16",
        &["utf8-to-utf16"],
        Some("simdutf"),
        2.8,
        2.0,
    ),
    target(
        "UTF-16LE → UTF-8",
        &["utf16le-to-utf8"],
        Some("simdutf"),
        1.5,
        1.05,
    ),
    target(
        "UTF-16BE → UTF-8",
        &["utf16be-to-utf8"],
        Some("simdutf"),
        1.5,
        1.05,
    ),
    Target {
        languages: &LATIN,
        ..target("Latin-1 → UTF-8", &["latin1-to-utf8"], None, 1.5, 1.5)
    },
    Target {
        languages: &LATIN,
        ..target("UTF-8 → Latin-1", &["utf8-to-latin1"], None, 1.5, 1.5)
    },
    target(
        "UTF-8 → UTF-32",
        &["utf8-to-utf32"],
        Some("simdutf"),
        2.4,
        1.8,
    ),
    target(
        "UTF-32 → UTF-8",
        &["utf32-to-utf8"],
        Some("simdutf"),
        1.4,
        1.0,
    ),
    target(
        "lossy UTF-8, well-formed",
        &["utf8-lossy"],
        Some("encoding_rs"),
        1.5,
        1.15,
    ),
    target(
        "lossy UTF-8, 0.1 % damaged",
        &["utf8-lossy-0.1"],
        Some("encoding_rs"),
        1.1,
        1.0,
    ),
    target(
        "lossy UTF-8, 1 % damaged",
        &["utf8-lossy-1"],
        Some("encoding_rs"),
        1.5,
        1.2,
    ),
    Target {
        sizes: &[8, 16, 32, 64],
        ..target(
            "UTF-8 validation, 8 to 64 bytes",
            &["utf8-validate"],
            None,
            1.2,
            1.0,
        )
    },
    Target {
        sizes: &[8, 16, 32, 64],
        ..target(
            "UTF-8 → UTF-16, 8 to 64 bytes",
            &["utf8-to-utf16"],
            None,
            1.2,
            1.0,
        )
    },
];

impl Target {
    fn holds(&self, row: &Row) -> bool {
        self.operations.contains(&row.key.operation.as_str())
            && self.languages.contains(&row.key.language.as_str())
            && self.sizes.contains(&row.key.size)
    }
}

/// A geometric mean of ratios.
pub(super) struct Mean {
    pub(super) ratio: f64,
    /// The means of the quartiles, or the lowest and the highest mean of a run where that is wider.
    range: (f64, f64),
}

impl Mean {
    /// Of the rows against a peer, or against the best one of each.
    pub(super) fn of<'a>(
        rows: impl IntoIterator<Item = &'a Row>,
        against: Option<&str>,
    ) -> Option<Mean> {
        let rows = rows.into_iter();
        let entries: Vec<&Entry> = rows.filter_map(|row| row.ratio(against)).collect();
        let runs = entries.iter().map(|entry| entry.runs.len()).min()?;
        let mean = |ratio: &dyn Fn(&Entry) -> f64| {
            let sum: f64 = entries.iter().map(|entry| ratio(entry).ln()).sum();
            (sum / entries.len() as f64).exp()
        };
        let quartiles = (mean(&|entry| entry.spread.0), mean(&|entry| entry.spread.1));
        Some(Mean {
            ratio: mean(&|entry| entry.ratio),
            range: (0..runs)
                .map(|run| mean(&|entry| entry.runs[run]))
                .fold(quartiles, |(low, high), run| (low.min(run), high.max(run))),
        })
    }
}

/// The mean of some rows, and whether it is what is wanted.
pub(super) fn cell<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
    against: Option<&str>,
    wanted: f64,
) -> String {
    let Some(Mean { ratio, range }) = Mean::of(rows, against) else {
        return "not measured".to_owned();
    };
    // As it is shown.
    let met = (ratio * 100.0).round() >= (wanted * 100.0).round();
    format!(
        "{ratio:.2} ({:.2}–{:.2}) of {wanted:.2}: {}",
        range.0,
        range.1,
        if met { "met" } else { "**missed**" }
    )
}

pub(super) fn table(tables: &[Table]) -> String {
    let mut out = "| operation | against |".to_owned();
    let tables: Vec<&Table> = tables.iter().filter(|table| table.setting.main).collect();
    for table in &tables {
        let _ = write!(out, " {} |", table.setting.name);
    }
    let _ = writeln!(
        out,
        " html and text |\n|---|---|{}---|",
        "---|".repeat(tables.len())
    );
    for target in &TARGETS {
        let against = target.against.unwrap_or("the best peer");
        let _ = write!(out, "| {} | {against} |", target.what);
        let mut markup = Vec::new();
        for table in &tables {
            let rows = || table.rows.iter().filter(|row| target.holds(row));
            let of_prose = |row: &&Row| row.key.kind == prose(&row.key.language).name();
            let cell = wanted(target, table).map_or("–".to_owned(), |wanted| {
                cell(rows().filter(of_prose), target.against, wanted)
            });
            let _ = write!(out, " {cell} |");
            let others = rows().filter(|row| row.key.kind != "dense");
            if let Some(mean) = Mean::of(others, target.against) {
                markup.push(format!("{:.2}", mean.ratio));
            }
        }
        let _ = writeln!(out, " {} |", markup.join(" / "));
    }
    out.push_str("| rows below 0.95 (legacy: 1.00) | the best peer |");
    for table in &tables {
        let after = after(table);
        let clear = after.iter().filter(|(.., clearly)| *clearly).count();
        let _ = write!(
            out,
            " {clear} of {} clearly: {} |",
            table.rows.len(),
            if clear == 0 { "met" } else { "**missed**" }
        );
    }
    out.push_str(" |\n");
    out
}

/// The ratio that is wanted in a setting.
fn wanted(target: &Target, table: &Table) -> Option<f64> {
    match table.setting.name {
        "AVX2" => Some(target.avx2),
        name if name.starts_with("AVX-512") => Some(target.avx512),
        _ => None,
    }
}
