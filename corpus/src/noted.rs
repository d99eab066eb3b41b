//! The records that deserve a look: those with the most malformed sequences, and the least certain guesses.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::row::Row;

/// How many of each kind are kept.
const MOST: usize = 20;
/// Characters of context on each side.
const CONTEXT: usize = 40;

/// A record, and some of its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Noted {
    /// The rank of the record: the number of malformed sequences, or the margin of the guess in bits.
    pub rank: u64,
    /// The path of the file.
    pub source: String,
    /// The number of the record in the file.
    pub record: u64,
    /// The URL or path.
    pub url: String,
    /// The encoding that it was read in.
    pub encoding: String,
    /// The evidence for the encoding.
    pub evidence: String,
    /// The text around the first malformed sequence, or the first that is not ASCII.
    pub context: String,
}

/// The records that come first by their rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Top {
    records: Vec<Noted>,
}

impl Top {
    pub(crate) const fn new() -> Self {
        Self {
            records: Vec::new(),
        }
    }

    pub(crate) fn records(&self) -> &[Noted] {
        &self.records
    }

    /// Keeps a row if its rank is among the first.
    pub(crate) fn offer(
        &mut self,
        rank: u64,
        row: &Row,
        at: impl FnOnce(&str) -> Option<usize>,
        order: Order,
    ) {
        let is_full = self.records.len() == MOST;
        if is_full
            && self
                .records
                .last()
                .is_some_and(|last| order.ranks(last.rank, rank).is_lt())
        {
            return;
        }
        let noted = Noted {
            rank,
            source: shortened(&row.origin.source),
            record: row.origin.number,
            url: shortened(&row.origin.name),
            encoding: row.encoding.name().to_owned(),
            evidence: row.evidence.to_owned(),
            context: context(&row.text, at(&row.text).unwrap_or(0)),
        };
        self.insert(noted, order);
    }

    fn insert(&mut self, noted: Noted, order: Order) {
        let place = self
            .records
            .partition_point(|it| order.compare(it, &noted).is_lt());
        self.records.insert(place, noted);
        self.records.truncate(MOST);
    }

    pub(crate) fn merge(&mut self, other: &Self, order: Order) {
        for noted in &other.records {
            self.insert(noted.clone(), order);
        }
    }
}

/// Which records come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    LargestFirst,
    SmallestFirst,
}

impl Order {
    fn ranks(self, a: u64, b: u64) -> Ordering {
        match self {
            Self::LargestFirst => b.cmp(&a),
            Self::SmallestFirst => a.cmp(&b),
        }
    }

    /// Records of the same rank stay in the order of the inputs, in whatever order parts are added.
    fn compare(self, a: &Noted, b: &Noted) -> Ordering {
        self.ranks(a.rank, b.rank)
            .then_with(|| (&a.source, a.record).cmp(&(&b.source, b.record)))
    }
}

/// Shortens names, which can have any length in a file.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(300) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}…", &name[..end]),
    }
}

/// The text on both sides of an offset, on one line.
fn context(text: &str, at: usize) -> String {
    let before = text[..at].char_indices().rev().take(CONTEXT).last();
    let start = before.map_or(at, |(start, _)| start);
    let after = text[at..].char_indices().nth(CONTEXT);
    let end = after.map_or(text.len(), |(end, _)| at + end);
    text[start..end]
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::context;

    #[test]
    fn contexts() {
        assert_eq!(context("", 0), "");
        assert_eq!(context("a\u{FFFD}b", 1), "a\u{FFFD}b");
        let long = "é".repeat(100) + "\u{FFFD}\r\n" + &"é".repeat(100);
        let expected = "é".repeat(40) + "\u{FFFD} " + &"é".repeat(37);
        assert_eq!(context(&long, 200), expected);
    }
}
