//! The saved rows of the matrix, in `docs/performance/FAMILY.tsv`, from which the report is drawn; and the
//! geometric means of the operations, in `operations.tsv`.

use std::path::{self, Path};

use crate::operations::{self, Operation};
use crate::select::{Subject, shown, size};
use crate::timing::Measured;
use simdtext_bench::corpus::{WHOLE, WORDS};
use simdtext_bench::median;
use simdtext_bench::tsv::Tsv;

const COLUMNS: &str = "operation\tsetting\tencoding\tlanguage\tkind\tsize\tgb/s\tns\ttimes\tlow\thigh\t\
                       peer\tbehind\tpeers";

/// What `operations.tsv` says of itself.
const MEANS: &str = "geometric means over all texts of 64 KiB, of legacy encodings over whole texts; the rows are in the \
                     other files, whose first lines say how they were measured";

/// What identifies a row from run to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) operation: String,
    pub(crate) encoding: String,
    pub(crate) language: String,
    pub(crate) kind: String,
    pub(crate) size: usize,
}

impl Key {
    pub(crate) fn new(operation: &str, subject: Subject) -> Self {
        Key {
            operation: operation.to_owned(),
            encoding: subject.encoding.unwrap_or_default().to_owned(),
            language: subject.language.to_owned(),
            kind: subject.kind.name().to_owned(),
            size: subject.size,
        }
    }

    /// The text as `windows-1251 ru html`.
    pub(crate) fn text(&self) -> String {
        let encoding = &self.encoding;
        let space = if encoding.is_empty() { "" } else { " " };
        format!("{encoding}{space}{} {}", self.language, self.kind)
    }

    pub(crate) fn title(&self) -> String {
        format!("{}, {}, {}", self.operation, self.text(), shown(self.size))
    }
}

/// A row with one set of kernels.
#[derive(Clone, Debug)]
pub(crate) struct Published {
    pub(super) setting: String,
    pub(super) key: Key,
    /// Indexed by the constants below. Numbers that earlier reports did not save are missing.
    numbers: [Option<f64>; 5],
    /// The best peer.
    pub(super) peer: String,
    /// Whether that peer is faster: in every run (`clearly`), in some (`unclear`), or not.
    pub(super) behind: String,
    /// GB/s of each peer.
    pub(super) peers: Vec<(String, f64)>,
}

/// Index of the speed of simdtext, in GB/s of input and in nanoseconds per call.
const SPEED: usize = 0;
const NS: usize = 1;
/// Index of how many times as long the best peer takes, followed by the quartiles of that, or by the lowest
/// and the highest run if these are further apart.
const TIMES: usize = 2;
const LOW: usize = 3;
const HIGH: usize = 4;

impl Published {
    pub(crate) fn new(setting: &str, key: Key, measured: &Measured) -> Self {
        let (ours, peers) = (&measured.entries[0], &measured.entries[1..]);
        let best = measured.best_peer();
        let peers = peers.iter().map(|it| (it.name.clone(), measured.speed(it)));
        Published {
            setting: setting.to_owned(),
            key,
            numbers: [
                Some(measured.speed(ours)),
                Some(measured.call(ours)),
                best.map(|best| best.ratio),
                best.map(|best| best.spread.0),
                best.map(|best| best.spread.1),
            ],
            peer: best.map_or(String::new(), |best| best.name.clone()),
            behind: String::new(),
            peers: peers.collect(),
        }
    }

    /// A line of a table on the screen: the speed, or nanoseconds for less than 1 KiB; the ratio to the best
    /// peer, its name, and the quartiles; and the speed of each peer.
    pub(crate) fn line(&self) -> String {
        let number = |number: usize| self.numbers[number].map_or("–".to_owned(), precise);
        let (text, size) = (self.key.text(), shown(self.key.size));
        let speed = match self.key.size {
            ..1024 | WORDS => format!("{} ns", number(NS)),
            _ => number(SPEED),
        };
        let (times, low, high) = (number(TIMES), number(LOW), number(HIGH));
        let peer = &self.peer;
        let peers = peers(self);
        format!("| {text} | {size} | {speed} | {times} {peer} ({low}–{high}) | {peers} |")
    }

    /// The speed of simdtext, in GB/s of input.
    pub(super) fn speed(&self) -> Option<f64> {
        self.numbers[SPEED]
    }

    /// How many times as long the best peer takes.
    pub(super) fn times(&self) -> Option<f64> {
        self.numbers[TIMES]
    }
}

/// Reads all saved rows.
pub(super) fn read() -> Result<Vec<Published>, String> {
    let mut rows = Vec::new();
    for family in operations::families() {
        rows.extend(parse_all(&Tsv::read(family)?)?);
    }
    Ok(rows)
}

/// Reads what a process has measured, and with which texts.
pub(super) fn read_run(path: &Path) -> Result<(String, Vec<Published>), String> {
    let run = Tsv::read(path)?;
    Ok((run.about.clone(), parse_all(&run)?))
}

fn parse_all(table: &Tsv) -> Result<Vec<Published>, String> {
    let rows = table.rows.iter();
    rows.map(|cells| parse(cells).ok_or_else(|| format!("{}: {cells:?}", table.about)))
        .collect()
}

fn parse(cells: &[String]) -> Option<Published> {
    let [texts @ .., peer, behind, peers] = cells else {
        return None;
    };
    let mut texts = texts.iter();
    let mut text = || texts.next().cloned();
    let (operation, setting) = (text()?, text()?);
    let key = Key {
        operation,
        encoding: text()?,
        language: text()?,
        kind: text()?,
        size: size(&text()?).ok()?,
    };
    let number = |cell: &String| match cell.as_str() {
        "" => Some(None),
        cell => cell.parse().ok().map(Some),
    };
    let numbers: Option<Vec<Option<f64>>> = texts.map(number).collect();
    let peer_speed = |peer: &str| {
        let (name, speed) = peer.rsplit_once(' ')?;
        Some((name.to_owned(), speed.parse().ok()?))
    };
    let peers = peers.split("; ").filter(|peer| !peer.is_empty());
    Some(Published {
        setting,
        key,
        numbers: numbers?.try_into().ok()?,
        peer: peer.clone(),
        behind: behind.clone(),
        peers: peers.map(peer_speed).collect::<Option<_>>()?,
    })
}

fn cells(row: &Published) -> Vec<String> {
    let Published { setting, key, .. } = row;
    let size = match key.size {
        WHOLE | WORDS => shown(key.size),
        size => size.to_string(),
    };
    let texts = [&key.operation, setting, &key.encoding, &key.language];
    let mut cells: Vec<String> = texts.into_iter().cloned().collect();
    cells.extend([key.kind.clone(), size]);
    cells.extend(
        row.numbers
            .map(|number| number.map_or(String::new(), precise)),
    );
    cells.extend([row.peer.clone(), row.behind.clone(), peers(row)]);
    cells
}

/// The speed of each peer.
fn peers(row: &Published) -> String {
    let peer_speed = |(name, speed): &(String, f64)| format!("{name} {}", precise(*speed));
    let peers: Vec<String> = row.peers.iter().map(peer_speed).collect();
    peers.join("; ")
}

/// Writes what this process has measured.
pub(crate) fn write_run(file: &Path, texts: &str, rows: &[Published]) -> Result<(), String> {
    let mut out = Tsv::new(texts.to_owned(), COLUMNS);
    out.rows = rows.iter().map(cells).collect();
    out.write(path::absolute(file).map_err(|error| error.to_string())?)
}

/// Saves the rows of whole families in place of the old ones.
pub(super) fn write(rows: &[Published], families: &[&str], about: &str) -> Result<(), String> {
    let mut means = Tsv::read("operations")
        .unwrap_or_else(|_| Tsv::new(String::new(), "operation\tsetting\tgb/s\ttimes"));
    MEANS.clone_into(&mut means.about);
    let mut settings: Vec<&str> = rows.iter().map(|row| row.setting.as_str()).collect();
    settings.dedup();
    for family in families {
        let mut out = Tsv::new(about.to_owned(), COLUMNS);
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

/// The rows of one set of kernels as medians over the runs, all of which have the same rows.
pub(super) fn merged(runs: &[Vec<Published>]) -> Vec<Published> {
    let rows = runs.first().into_iter().flatten().map(|first| {
        let all = || runs.iter().flatten();
        let same: Vec<&Published> = all().filter(|row| row.key == first.key).collect();
        let median = |number: usize| {
            let median = median(same.iter().filter_map(|row| row.numbers[number]));
            Some(median).filter(|median| !median.is_nan())
        };
        let times = || same.iter().filter_map(|row| row.times());
        let low = times().chain(median(LOW)).reduce(f64::min);
        let high = times().chain(median(HIGH)).reduce(f64::max);
        let mut row = Published {
            numbers: [median(SPEED), median(NS), median(TIMES), low, high],
            ..first.clone()
        };
        row.behind = behind(&row, &times().collect::<Vec<_>>()).to_owned();
        row
    });
    rows.collect()
}

/// Whether a peer is faster: a ratio below 0.95, or below 1.00 in the legacy encodings. It is clear if that
/// holds in every run; with a single run, in its upper quartile.
fn behind(row: &Published, runs: &[f64]) -> &'static str {
    let is_legacy = !row.key.encoding.is_empty();
    let level = if is_legacy { 1.0 } else { 0.95 };
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

/// The geometric means over the texts of the default size.
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

/// Formats a number with three digits.
pub(super) fn digits(value: f64) -> String {
    let decimals = [100.0, 10.0].iter().filter(|limit| value < **limit).count();
    format!("{value:.decimals$}")
}

/// Formats a number with three significant digits, even if it is below 1.
pub(super) fn precise(value: f64) -> String {
    match value {
        ..1.0 => format!("{value:.3}"),
        _ => digits(value),
    }
}
