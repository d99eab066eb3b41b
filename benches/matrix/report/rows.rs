//! Rows of results: on the screen, and in files that the report is made from.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::corpus::Kind;
use crate::select::{Subject, shown};
use crate::timing::{Entry, Measured, Role};

/// What identifies a row from run to run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) operation: String,
    pub(crate) encoding: String,
    pub(crate) language: String,
    pub(crate) kind: String,
    pub(crate) size: usize,
}

impl Key {
    /// `windows-1251 ru html`.
    pub(crate) fn text(&self) -> String {
        let Key {
            encoding,
            language,
            kind,
            ..
        } = self;
        let space = if encoding.is_empty() { "" } else { " " };
        format!("{encoding}{space}{language} {kind}")
    }

    fn title(&self) -> String {
        format!("{}, {}, {}", self.operation, self.text(), shown(self.size))
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) key: Key,
    pub(crate) measured: Measured,
}

impl Row {
    pub(crate) fn new(
        operation: &str,
        subject: Subject,
        measured: Result<Measured, String>,
    ) -> Result<Self, String> {
        let key = Key {
            operation: operation.to_owned(),
            encoding: subject.encoding.unwrap_or_default().to_owned(),
            language: subject.language.to_owned(),
            kind: subject.kind.name().to_owned(),
            size: subject.size,
        };
        match measured {
            Ok(measured) => Ok(Row { key, measured }),
            Err(error) => Err(format!("{}: {error}", key.title())),
        }
    }

    pub(crate) fn title(&self) -> String {
        self.key.title()
    }

    pub(crate) fn heading(&self) -> Vec<String> {
        let entries = self.measured.entries.iter();
        entries.map(|entry| entry.name.clone()).collect()
    }

    /// A line of a table.
    pub(crate) fn line(&self) -> String {
        let size = self.key.size;
        let mut line = format!("| {} | {} |", self.key.text(), shown(size));
        for entry in &self.measured.entries {
            let speed = if size < 1024 {
                format!("{:.1} ns", self.measured.call(entry))
            } else {
                format!("{:.2}", self.measured.speed(entry))
            };
            let (low, high) = entry.spread;
            let _ = match entry.role {
                Role::Ours => write!(line, " {speed} |"),
                _ => write!(line, " {speed} ({:.2}, {low:.2}–{high:.2}) |", entry.ratio),
            };
        }
        line
    }
}

const COLUMNS: &str =
    "operation\tencoding\tlanguage\tkind\tsize\tbytes\tcalls\tentrant\trole\tns\tratio\tlow\thigh";

/// Writes rows to a file: a line for each entrant, in columns with tabs between.
pub(crate) fn write(path: &Path, texts: &str, rows: &[Row]) -> Result<(), String> {
    let mut out = format!("# {texts}\n{COLUMNS}\n");
    for Row { key, measured } in rows {
        for entry in &measured.entries {
            let _ = writeln!(
                out,
                "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.3}\t{:.4}\t{:.4}\t{:.4}",
                key.operation,
                key.encoding,
                key.language,
                key.kind,
                key.size,
                measured.bytes,
                measured.calls,
                entry.name,
                role_name(entry.role),
                entry.ns,
                entry.ratio,
                entry.spread.0,
                entry.spread.1,
            );
        }
    }
    fs::write(path, out).map_err(|error| format!("{}: {error}", path.display()))
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Ours => "ours",
        Role::Peer => "peer",
        Role::Limit => "limit",
    }
}

/// Reads files that [`write`] wrote, runs of the same, and returns what the texts were, and rows:
/// medians over the runs.
pub(crate) fn read(paths: &[impl AsRef<Path>]) -> Result<(String, Vec<Row>), String> {
    let mut texts = String::new();
    let mut order = Vec::new();
    let mut runs: BTreeMap<Key, Vec<Measured>> = BTreeMap::new();
    for path in paths {
        let path = path.as_ref();
        let file =
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let mut lines = file.lines();
        texts = lines
            .next()
            .unwrap_or("")
            .trim_start_matches("# ")
            .to_owned();
        for line in lines.skip(1) {
            let (key, bytes, calls, entry) =
                parse(line).ok_or_else(|| format!("{}: {line}", path.display()))?;
            let measured = runs.entry(key.clone()).or_insert_with(|| {
                order.push(key);
                Vec::new()
            });
            if entry.role == Role::Ours {
                measured.push(Measured {
                    bytes,
                    calls,
                    entries: Vec::new(),
                });
            }
            let last = measured.last_mut().ok_or("a row begins with ours")?;
            last.entries.push(entry);
        }
    }
    let rows = order.into_iter().filter_map(|key| {
        let measured = merged(runs.get(&key)?)?;
        Some(Row { key, measured })
    });
    Ok((texts, rows.collect()))
}

fn parse(line: &str) -> Option<(Key, usize, usize, Entry)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [
        operation,
        encoding,
        language,
        kind,
        size,
        bytes,
        calls,
        name,
        role,
        ns,
        ratio,
        low,
        high,
    ] = fields[..]
    else {
        return None;
    };
    let key = Key {
        operation: operation.to_owned(),
        encoding: encoding.to_owned(),
        language: language.to_owned(),
        kind: Kind::ALL
            .iter()
            .find(|known| known.name() == kind)?
            .name()
            .to_owned(),
        size: size.parse().ok()?,
    };
    let roles = [Role::Ours, Role::Peer, Role::Limit];
    let entry = Entry {
        name: name.to_owned(),
        role: roles.into_iter().find(|known| role_name(*known) == role)?,
        ns: ns.parse().ok()?,
        ratio: ratio.parse().ok()?,
        spread: (low.parse().ok()?, high.parse().ok()?),
        runs: vec![ratio.parse().ok()?],
    };
    Some((key, bytes.parse().ok()?, calls.parse().ok()?, entry))
}

fn merged(runs: &[Measured]) -> Option<Measured> {
    let first = runs.first()?;
    let entries = first.entries.iter().map(|entry| {
        let same = || {
            let entries = runs.iter().flat_map(|run| &run.entries);
            entries.filter(|other| other.name == entry.name)
        };
        Entry {
            ns: median(same().map(|entry| entry.ns)),
            ratio: median(same().map(|entry| entry.ratio)),
            spread: (
                median(same().map(|entry| entry.spread.0)),
                median(same().map(|entry| entry.spread.1)),
            ),
            runs: same().map(|entry| entry.ratio).collect(),
            ..entry.clone()
        }
    });
    Some(Measured {
        entries: entries.collect(),
        ..first.clone()
    })
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.len().saturating_sub(1) / 2, values.len() / 2);
    match (values.get(low), values.get(high)) {
        (Some(low), Some(high)) => f64::midpoint(*low, *high),
        _ => f64::NAN,
    }
}
