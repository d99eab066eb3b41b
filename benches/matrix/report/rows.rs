//! Rows of results, and how they look on the screen.

use std::fmt::Write as _;

use crate::select::{Subject, shown};
use crate::timing::{Measured, Role};

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

    pub(crate) fn title(&self) -> String {
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
