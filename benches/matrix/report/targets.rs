//! What the project holds itself to, and whether it does.

use std::fmt::Write as _;

use super::Table;
use super::rows::Row;
use crate::corpus::prose;
use crate::select::{SCRIPTS, USUAL};

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

const TARGETS: [Target; 14] = [
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
        "UTF-16LE and BE → UTF-8",
        &["utf16le-to-utf8", "utf16be-to-utf8"],
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

/// Geometric means of ratios: of the medians, and of the quartiles.
pub(super) fn mean<'a>(
    rows: impl Iterator<Item = &'a Row>,
    against: Option<&str>,
) -> Option<[f64; 3]> {
    let (mut sums, mut count) = ([0.0; 3], 0.0);
    for row in rows {
        let Some(entry) = row.ratio(against) else {
            continue;
        };
        let ratios = [entry.ratio, entry.spread.0, entry.spread.1];
        for (sum, ratio) in sums.iter_mut().zip(ratios) {
            *sum += ratio.ln();
        }
        count += 1.0;
    }
    (count > 0.0).then(|| sums.map(|sum| (sum / count).exp()))
}

pub(super) fn table(tables: &[Table]) -> String {
    let mut out = "| operation | against |".to_owned();
    let tables: Vec<&Table> = tables
        .iter()
        .filter(|table| wanted(&TARGETS[0], table).is_some())
        .collect();
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
            match (
                mean(rows().filter(of_prose), target.against),
                wanted(target, table),
            ) {
                (Some([mean, low, high]), Some(wanted)) => {
                    let than = if mean < wanted { "**<**" } else { "≥" };
                    let _ = write!(out, " {mean:.2} ({low:.2}–{high:.2}) {than} {wanted:.2} |");
                }
                _ => out.push_str(" – |"),
            }
            let others = rows().filter(|row| row.key.kind != "dense");
            if let Some([mean, ..]) = mean(others, target.against) {
                markup.push(format!("{mean:.2}"));
            }
        }
        let _ = writeln!(out, " {} |", markup.join(" / "));
    }
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
