//! The rows of the matrix as they are kept, in `docs/performance/FAMILY.tsv`, from which the report is
//! drawn; and in `operations.tsv` the geometric mean of each operation.

use std::collections::BTreeMap;
use std::path::Path;

use super::rows::{Key, Row};
use crate::corpus::WHOLE;
use crate::operations::{self, Operation};
use crate::tsv::Tsv;

const COLUMNS: &str =
    "operation setting encoding language kind size gb/s ns times low high peer behind peers";

/// A row with one set of kernels.
#[derive(Clone, Debug)]
pub(super) struct Published {
    pub(super) setting: String,
    pub(super) key: Key,
    /// By the constants below. Numbers that were not kept in earlier reports are missing.
    numbers: [Option<f64>; 5],
    /// The best peer.
    pub(super) peer: String,
    /// Whether that peer is ahead: in every run (`clearly`), in some (`unclear`), or not.
    pub(super) behind: String,
    /// GB/s of each peer.
    pub(super) peers: Vec<(String, f64)>,
}

/// Ours, in GB/s of input, and in nanoseconds a call.
const SPEED: usize = 0;
const NS: usize = 1;
/// How many times as long the best peer takes; and the quartiles of that, or the lowest and the highest of a
/// run where that is wider.
const TIMES: usize = 2;
const LOW: usize = 3;
const HIGH: usize = 4;

impl Published {
    /// Ours, in GB/s of input.
    pub(super) fn speed(&self) -> Option<f64> {
        self.numbers[SPEED]
    }

    /// How many times as long the best peer takes.
    pub(super) fn times(&self) -> Option<f64> {
        self.numbers[TIMES]
    }
}

/// Every row that is kept.
pub(super) fn read() -> Result<Vec<Published>, String> {
    let mut rows = Vec::new();
    for family in operations::families() {
        rows.extend(parse_all(&Tsv::read(family)?)?);
    }
    Ok(rows)
}

/// What a process has measured, and of which texts.
pub(super) fn read_run(path: &Path) -> Result<(String, Vec<Published>), String> {
    let run = Tsv::read_file(path)?;
    Ok((run.about.clone(), parse_all(&run)?))
}

fn parse_all(table: &Tsv) -> Result<Vec<Published>, String> {
    let rows = table.rows.iter();
    rows.map(|cells| parse(cells).ok_or_else(|| format!("{}: {cells:?}", table.about)))
        .collect()
}

fn parse(cells: &[String]) -> Option<Published> {
    let [
        operation,
        setting,
        encoding,
        language,
        kind,
        size,
        rest @ ..,
    ] = cells
    else {
        return None;
    };
    let [numbers @ .., peer, behind, peers] = rest else {
        return None;
    };
    let number = |cell: &String| match cell.as_str() {
        "" => Some(None),
        cell => cell.parse().ok().map(Some),
    };
    let numbers: Vec<Option<f64>> = numbers.iter().map(number).collect::<Option<_>>()?;
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
            size: size
                .parse()
                .or((size == "whole").then_some(WHOLE).ok_or(()))
                .ok()?,
        },
        numbers: numbers.try_into().ok()?,
        peer: peer.clone(),
        behind: behind.clone(),
        peers: peers.map(peer_speed).collect::<Option<_>>()?,
    })
}

fn cells(row: &Published) -> Vec<String> {
    let Published { setting, key, .. } = row;
    let peers = row.peers.iter();
    let peers: Vec<String> = peers
        .map(|(name, speed)| format!("{name} {}", precise(*speed)))
        .collect();
    let size = match key.size {
        WHOLE => "whole".to_owned(),
        size => size.to_string(),
    };
    let text = [
        &key.operation,
        setting,
        &key.encoding,
        &key.language,
        &key.kind,
        &size,
    ];
    let numbers = row.numbers.iter();
    let numbers = numbers.map(|number| number.map_or(String::new(), precise));
    let last = [row.peer.clone(), row.behind.clone(), peers.join("; ")];
    text.into_iter()
        .cloned()
        .chain(numbers)
        .chain(last)
        .collect()
}

/// Writes what this process has measured.
pub(crate) fn write_run(
    path: &Path,
    texts: &str,
    setting: &str,
    rows: &[Row],
) -> Result<(), String> {
    let published = rows.iter().map(|Row { key, measured }| {
        let (ours, peers) = (&measured.entries[0], &measured.entries[1..]);
        let (speed, ns) = (measured.speed(ours), measured.call(ours));
        let best = measured.best_peer();
        let low = best.map(|best| best.spread.0);
        let high = best.map(|best| best.spread.1);
        let peers = peers.iter().map(|it| (it.name.clone(), measured.speed(it)));
        cells(&Published {
            setting: setting.to_owned(),
            key: key.clone(),
            numbers: [
                Some(speed),
                Some(ns),
                best.map(|best| best.ratio),
                low,
                high,
            ],
            peer: best.map_or(String::new(), |best| best.name.clone()),
            behind: String::new(),
            peers: peers.collect(),
        })
    });
    let mut out = Tsv::new(texts.to_owned(), &columns());
    out.rows = published.collect();
    out.write_file(path)
}

fn columns() -> Vec<&'static str> {
    COLUMNS.split(' ').collect()
}

/// Keeps what was measured of whole families, in place of what was there.
pub(super) fn write(rows: &[Published], families: &[&str], about: &str) -> Result<(), String> {
    let mut means = Tsv::read("operations")
        .unwrap_or_else(|_| Tsv::new(about.to_owned(), &["operation", "setting", "gb/s", "times"]));
    let mut settings: Vec<&str> = rows.iter().map(|row| row.setting.as_str()).collect();
    settings.dedup();
    for family in families {
        let mut out = Tsv::new(about.to_owned(), &columns());
        for operation in operations::all().filter(|it| it.family == *family) {
            means.rows.retain(|row| row[0] != operation.name);
            for setting in &settings {
                let of = |row: &&Published| {
                    row.setting == *setting && row.key.operation == operation.name
                };
                out.rows.extend(rows.iter().filter(of).map(cells));
                means
                    .rows
                    .extend(mean(operation, setting, rows.iter().filter(of)));
            }
        }
        out.write(family)?;
    }
    let order = |name: &String| operations::all().position(|it| it.name == name);
    means.rows.sort_by_key(|row| order(&row[0]));
    means.write("operations")
}

/// Rows of one set of kernels: medians over the runs.
pub(super) fn merged(runs: Vec<Vec<Published>>) -> Vec<Published> {
    let mut order = Vec::new();
    let mut by_key: BTreeMap<Key, Vec<Published>> = BTreeMap::new();
    for row in runs.into_iter().flatten() {
        let same = by_key.entry(row.key.clone()).or_default();
        if same.is_empty() {
            order.push(row.key.clone());
        }
        same.push(row);
    }
    let rows = order.iter().filter_map(|key| by_key.get(key));
    rows.filter_map(|same| {
        let median = |number: usize| median(same.iter().filter_map(|row| row.numbers[number]));
        let times = || same.iter().filter_map(Published::times);
        let low = times().chain(median(LOW)).reduce(f64::min);
        let high = times().chain(median(HIGH)).reduce(f64::max);
        let mut row = Published {
            numbers: [median(SPEED), median(NS), median(TIMES), low, high],
            ..same.first()?.clone()
        };
        row.behind = behind(&row, &times().collect::<Vec<_>>()).to_owned();
        Some(row)
    })
    .collect()
}

/// Whether a peer is ahead of us: below 0.95, or 1.00 in the legacy encodings. It is clear where that is
/// so in every run; of one run, the upper quartile must do.
fn behind(row: &Published, runs: &[f64]) -> &'static str {
    let level = if row.key.encoding.is_empty() {
        0.95
    } else {
        1.0
    };
    let below = |ratio: f64| ratio < level;
    let clearly = match runs {
        [_] => row.numbers[HIGH].is_some_and(below),
        runs => runs.iter().copied().all(below),
    };
    match row.times().is_some_and(below) {
        true if clearly => "clearly",
        true => "unclear",
        false => "",
    }
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some(f64::midpoint(values[last / 2], values[values.len() / 2]))
}

/// The geometric means of the texts of the usual size.
fn mean<'a>(
    operation: &Operation,
    setting: &str,
    rows: impl Iterator<Item = &'a Published>,
) -> Option<Vec<String>> {
    let rows: Vec<&Published> = rows
        .filter(|row| row.key.size == operation.usual())
        .collect();
    Some(vec![
        operation.name.to_owned(),
        setting.to_owned(),
        precise(geometric_mean(rows.iter().filter_map(|row| row.speed()))?),
        precise(geometric_mean(rows.iter().filter_map(|row| row.times()))?),
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

/// Three digits also of what is below 1.
pub(super) fn precise(value: f64) -> String {
    if value < 1.0 {
        format!("{value:.3}")
    } else {
        digits(value)
    }
}
