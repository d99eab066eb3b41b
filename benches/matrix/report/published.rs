//! The rows of the matrix as they are kept, in `docs/performance/FAMILY.tsv`, from which the report is
//! drawn; and in `operations.tsv` the geometric mean of each operation.

use super::Table;
use super::rows::{Key, Row};
use crate::corpus::WHOLE;
use crate::operations::{self, Operation};
use crate::timing::{Entry, Role};
use crate::tsv::Tsv;

const COLUMNS: [&str; 14] = [
    "operation",
    "setting",
    "encoding",
    "language",
    "kind",
    "size",
    "gb/s",
    "ns",
    "times",
    "low",
    "high",
    "peer",
    "behind",
    "peers",
];

/// A row with one set of kernels.
#[derive(Clone, Debug)]
pub(super) struct Published {
    pub(super) setting: String,
    pub(super) key: Key,
    /// Ours, in GB/s of input.
    pub(super) speed: Option<f64>,
    /// How many times as long the best peer takes.
    pub(super) times: Option<f64>,
    /// The fastest peer, where it is ahead.
    pub(super) peer: String,
    /// Whether that peer is ahead: in every run (`clearly`), in some (`unclear`), or not.
    pub(super) behind: String,
    /// GB/s of each peer.
    pub(super) peers: Vec<(String, f64)>,
}

/// The families that were measured, in the order of the matrix.
pub(super) fn families() -> Vec<&'static str> {
    let mut families: Vec<&str> = operations::all()
        .map(|operation| operation.family)
        .collect();
    families.dedup();
    families
}

/// Every row that is kept.
pub(super) fn read() -> Result<Vec<Published>, String> {
    let mut rows = Vec::new();
    for family in families() {
        for cells in Tsv::read(family)?.rows {
            rows.push(parse(&cells).ok_or_else(|| format!("{family}.tsv: {cells:?}"))?);
        }
    }
    Ok(rows)
}

fn parse(cells: &[String]) -> Option<Published> {
    let [
        operation,
        setting,
        encoding,
        language,
        kind,
        size,
        speed,
        _ns,
        times,
        _low,
        _high,
        peer,
        behind,
        peers,
    ] = cells
    else {
        return None;
    };
    let number = |cell: &str| match cell {
        "" => Some(None),
        cell => cell.parse().ok().map(Some),
    };
    let peer_speed = |peer: &str| {
        let (name, speed) = peer.rsplit_once(' ')?;
        Some((name.to_owned(), speed.parse().ok()?))
    };
    let peers = peers.split("; ").filter(|peer| !peer.is_empty());
    Some(Published {
        setting: setting.clone(),
        key: Key {
            operation: operation.clone(),
            encoding: encoding.clone(),
            language: language.clone(),
            kind: kind.clone(),
            size: if size == "whole" {
                WHOLE
            } else {
                size.parse().ok()?
            },
        },
        speed: number(speed)?,
        times: number(times)?,
        peer: peer.clone(),
        behind: behind.clone(),
        peers: peers.map(peer_speed).collect::<Option<_>>()?,
    })
}

/// Keeps what was measured of whole families, in place of what was there.
pub(super) fn write(tables: &[Table], families: &[&str], about: &str) -> Result<(), String> {
    let mut means = Tsv::read("operations")
        .unwrap_or_else(|_| Tsv::new(about.to_owned(), &["operation", "setting", "gb/s", "times"]));
    for family in families {
        let mut out = Tsv::new(about.to_owned(), &COLUMNS);
        for operation in operations::all().filter(|it| it.family == *family) {
            means.rows.retain(|row| row[0] != operation.name);
            for table in tables {
                let of = |row: &&Row| row.key.operation == operation.name;
                let rows = || table.rows.iter().filter(of);
                out.rows.extend(rows().map(|row| cells(table, row)));
                means.rows.extend(mean(table, operation, rows()));
            }
        }
        out.write(family)?;
    }
    let order = |name: &String| operations::all().position(|it| it.name == name);
    means.rows.sort_by_key(|row| order(&row[0]));
    means.write("operations")
}

fn cells(table: &Table, row: &Row) -> Vec<String> {
    let Row { key, measured } = row;
    let ours = &measured.entries[0];
    let best = measured.best_peer();
    let behind = best.map_or("", |best| behind(row, best));
    let peers = measured.entries.iter().skip(1);
    let peers: Vec<String> = peers
        .map(|entry| format!("{} {}", entry.name, digits(measured.speed(entry))))
        .collect();
    let of_best = |value: &dyn Fn(&Entry) -> String| best.map_or(String::new(), value);
    vec![
        key.operation.clone(),
        table.setting.name.to_owned(),
        key.encoding.clone(),
        key.language.clone(),
        key.kind.clone(),
        if key.size == WHOLE {
            "whole".to_owned()
        } else {
            key.size.to_string()
        },
        digits(measured.speed(ours)),
        format!("{:.1}", measured.call(ours)),
        of_best(&|best| format!("{:.2}", best.ratio)),
        of_best(&|best| format!("{:.2}", best.range().0)),
        of_best(&|best| format!("{:.2}", best.range().1)),
        of_best(&|best| best.name.clone()),
        behind.to_owned(),
        peers.join("; "),
    ]
}

/// Whether a peer is ahead of us: below 0.95, or 1.00 in the legacy encodings.
fn behind(row: &Row, best: &Entry) -> &'static str {
    let level = if row.key.encoding.is_empty() {
        0.95
    } else {
        1.0
    };
    let clearly = match best.runs[..] {
        // Of one run, the quartiles must do.
        [_] => best.spread.1 < level,
        ref runs => runs.iter().all(|ratio| *ratio < level),
    };
    match best.ratio < level {
        true if clearly => "clearly",
        true => "unclear",
        false => "",
    }
}

/// The geometric means of the texts of the usual size.
fn mean<'a>(
    table: &Table,
    operation: &Operation,
    rows: impl Iterator<Item = &'a Row>,
) -> Option<Vec<String>> {
    let rows: Vec<&Row> = rows
        .filter(|row| row.key.size == operation.usual())
        .collect();
    let ours = |row: &&Row| {
        let mut entries = row.measured.entries.iter();
        entries
            .find(|entry| entry.role == Role::Ours)
            .map(|ours| row.measured.speed(ours))
    };
    let times = |row: &&Row| row.measured.best_peer().map(|best| best.ratio);
    Some(vec![
        operation.name.to_owned(),
        table.setting.name.to_owned(),
        digits(geometric_mean(rows.iter().filter_map(ours))?),
        format!("{:.2}", geometric_mean(rows.iter().filter_map(times))?),
    ])
}

pub(super) fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| {
        (count + 1.0, sum + value.ln())
    });
    (count > 0.0).then(|| f64::exp(sum / count))
}

/// Three digits.
pub(super) fn digits(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}
