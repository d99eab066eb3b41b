//! A record as it is found: bytes, and where they come from.

use std::sync::Arc;

use simdtext::Encoding;

use crate::rejected::Rejection;

/// Where a record comes from, and what its container says about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin {
    /// The path of the file, as it was named or found.
    pub source: Arc<str>,
    /// The number of the record in its file, counted from 0, including records that are skipped.
    pub number: u64,
    /// The offset of the record in the file, in bytes. In a compressed file it is the offset of the member
    /// that has the record's first byte; in Parquet the number of the row.
    pub offset: u64,
    /// The URL that it was fetched from, or its path in an archive; for a file, its own path.
    pub name: String,
    /// The Content-Type that came with it.
    pub content_type: Option<String>,
    /// The status code of the HTTP response.
    pub status: Option<u16>,
    /// `WARC-Date`, unchanged.
    pub date: Option<String>,
    /// Whether it is known to be incomplete.
    pub truncated: bool,
}

/// Bytes to be decoded, or the reason why there are none.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// Where the record comes from.
    pub origin: Origin,
    /// The encoding, if the container knows it for certain.
    pub encoding: Option<&'static Encoding>,
    /// All of its bytes.
    pub body: Result<Vec<u8>, Rejection>,
}

/// An entry of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Item {
    /// A document.
    Record(Record),
    /// A record of a kind that has no document; the name of the kind.
    Skipped(String),
}

impl Record {
    /// Makes a record whose encoding nothing declares.
    #[must_use]
    pub fn new(origin: Origin, body: Result<Vec<u8>, Rejection>) -> Self {
        Self {
            origin,
            encoding: None,
            body,
        }
    }

    pub(crate) fn rejected(origin: Origin, rejection: Rejection) -> Item {
        Item::Record(Self::new(origin, Err(rejection)))
    }
}
