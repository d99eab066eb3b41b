//! A record as it is found: bytes, and where they are from.

use std::sync::Arc;

use simdtext::Encoding;

use crate::rejected::Rejection;

/// Where a record is from, and what its container says of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Origin {
    /// The file, as it was named or found.
    pub source: Arc<str>,
    /// The number of the record in its file, from 0, those included that are skipped.
    pub number: u64,
    /// Where in the file it begins, in bytes. In a compressed file it is where the member begins that holds its first
    /// byte; in Parquet the number of the row.
    pub offset: u64,
    /// The URL that it was fetched from, or its path in an archive; for a file its own path.
    pub name: String,
    /// The Content-Type that came with it.
    pub content_type: Option<String>,
    /// The status of the HTTP response.
    pub status: Option<u16>,
    /// `WARC-Date`, as it stands there.
    pub date: Option<String>,
    /// Whether it is not whole, and known to be.
    pub truncated: bool,
}

/// Bytes to be decoded, or why there are none.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// Where it is from.
    pub origin: Origin,
    /// The encoding, where the container knows it for certain.
    pub encoding: Option<&'static Encoding>,
    /// All of its bytes.
    pub body: Result<Vec<u8>, Rejection>,
}

/// What a container holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Item {
    /// A document.
    Record(Record),
    /// A record of a kind that holds no document: the kind.
    Skipped(String),
}

impl Record {
    /// A record, of which nobody says what it is in.
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
