//! Statistics about records.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::noted::{Noted, Order, Top};
use crate::rejected::Reason;
use crate::row::{Rejected, Row};

/// The numbers of records, and of what was found in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tally {
    /// The number of records that containers gave, each of which is counted once more below.
    pub records: u64,
    /// The number of records that became rows.
    pub rows: u64,
    /// The number of records that gave no text, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// The number of records of kinds that have no document, by kind.
    pub skipped: BTreeMap<String, u64>,
    /// The rows, by encoding.
    pub encodings: BTreeMap<String, Encoded>,
    /// The number of rows, by the evidence for their encoding.
    pub evidence: BTreeMap<String, u64>,
    /// The number of guesses, by the language that makes them plausible.
    pub languages: BTreeMap<String, u64>,
    /// The number of bytes that were decoded.
    pub bytes: u64,
    /// The number of bytes of text, in UTF-8.
    pub text_bytes: u64,
    /// The number of malformed sequences.
    pub malformed: u64,
    /// The number of guesses, by their margin in bits: from 0, 1, 4, 16 bits on, and so on.
    pub margins: BTreeMap<u32, u64>,
    #[serde(default = "Top::new")]
    worst: Top,
    #[serde(default = "Top::new")]
    doubtful: Top,
}

/// The rows of one encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Encoded {
    /// The number of rows.
    pub rows: u64,
    /// The number of their bytes, before they were decoded.
    pub bytes: u64,
    /// The number of malformed sequences in them.
    pub malformed: u64,
    /// The number of rows with such sequences.
    pub rows_malformed: u64,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            records: 0,
            rows: 0,
            rejected: BTreeMap::new(),
            skipped: BTreeMap::new(),
            encodings: BTreeMap::new(),
            evidence: BTreeMap::new(),
            languages: BTreeMap::new(),
            bytes: 0,
            text_bytes: 0,
            malformed: 0,
            margins: BTreeMap::new(),
            worst: Top::new(),
            doubtful: Top::new(),
        }
    }
}

impl Tally {
    /// Returns the rows with the most malformed sequences.
    #[must_use]
    pub fn worst(&self) -> &[Noted] {
        self.worst.records()
    }

    /// Returns the guesses with the smallest margins.
    #[must_use]
    pub fn doubtful(&self) -> &[Noted] {
        self.doubtful.records()
    }

    pub(crate) fn row(&mut self, row: &Row) {
        self.rows += 1;
        self.bytes += row.bytes;
        self.text_bytes += row.text.len() as u64;
        self.malformed += row.malformed;
        add(&mut self.evidence, row.evidence, 1);
        if let Some(language) = row.language {
            add(&mut self.languages, language, 1);
        }
        let encoded = self
            .encodings
            .entry(row.encoding.name().into())
            .or_default();
        encoded.rows += 1;
        encoded.bytes += row.bytes;
        encoded.malformed += row.malformed;
        encoded.rows_malformed += u64::from(row.malformed > 0);
        if row.malformed > 0 {
            self.worst.offer(
                row.malformed,
                row,
                |text| text.find('\u{FFFD}'),
                Order::LargestFirst,
            );
        }
        if let Some(margin) = row.margin {
            // Powers of four.
            let from = margin.checked_ilog2().map_or(0, |log| 1 << (log & !1));
            *self.margins.entry(from).or_default() += 1;
            let first = |text: &str| text.find(|it: char| !it.is_ascii());
            self.doubtful
                .offer(margin.into(), row, first, Order::SmallestFirst);
        }
    }

    pub(crate) fn rejected(&mut self, rejected: &Rejected) {
        add(&mut self.rejected, rejected.rejection.reason.name(), 1);
    }

    pub(crate) fn skipped(&mut self, kind: &str) {
        // The name of a kind comes from the file.
        let kind: String = kind.chars().take(40).collect();
        if self.skipped.len() < 64 || self.skipped.contains_key(&kind) {
            add(&mut self.skipped, &kind, 1);
        } else {
            add(&mut self.skipped, "other", 1);
        }
    }

    /// Counts links, devices and so on that were skipped.
    pub(crate) fn no_files(&mut self, number: u64) {
        if number > 0 {
            self.records += number;
            add(&mut self.skipped, "no-file", number);
        }
    }

    /// Adds the numbers of another part.
    pub fn merge(&mut self, other: &Self) {
        self.records += other.records;
        self.rows += other.rows;
        self.bytes += other.bytes;
        self.text_bytes += other.text_bytes;
        self.malformed += other.malformed;
        for (to, from) in [
            (&mut self.rejected, &other.rejected),
            (&mut self.skipped, &other.skipped),
            (&mut self.evidence, &other.evidence),
            (&mut self.languages, &other.languages),
        ] {
            for (name, number) in from {
                add(to, name, *number);
            }
        }
        self.worst.merge(&other.worst, Order::LargestFirst);
        self.doubtful.merge(&other.doubtful, Order::SmallestFirst);
        for (from, number) in &other.margins {
            *self.margins.entry(*from).or_default() += number;
        }
        for (name, from) in &other.encodings {
            let to = self.encodings.entry(name.clone()).or_default();
            to.rows += from.rows;
            to.bytes += from.bytes;
            to.malformed += from.malformed;
            to.rows_malformed += from.rows_malformed;
        }
    }

    /// Returns the number of records that gave no text.
    #[must_use]
    pub fn rejected_in_all(&self) -> u64 {
        self.rejected.values().sum()
    }

    /// Returns the number of records of kinds that have no document.
    #[must_use]
    pub fn skipped_in_all(&self) -> u64 {
        self.skipped.values().sum()
    }

    /// Returns whether each record is counted exactly once as a row, as rejected or as skipped.
    #[must_use]
    pub fn adds_up(&self) -> bool {
        self.records == self.rows + self.rejected_in_all() + self.skipped_in_all()
            && self.rows == self.encodings.values().map(|it| it.rows).sum::<u64>()
            && self.rows == self.evidence.values().sum::<u64>()
    }

    /// Returns whether some of the input was damaged, or could not be read.
    #[must_use]
    pub fn has_faults(&self) -> bool {
        [Reason::Bomb, Reason::Damaged, Reason::Unreadable]
            .iter()
            .any(|reason| self.rejected.contains_key(reason.name()))
    }
}

fn add(counts: &mut BTreeMap<String, u64>, name: &str, number: u64) {
    match counts.get_mut(name) {
        Some(count) => *count += number,
        None => drop(counts.insert(name.to_owned(), number)),
    }
}
