//! What is read, and how much of it.

use simdtext::Encoding;

use crate::limits::Limits;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Container {
    /// One document.
    File,
    /// A web archive.
    Warc,
    /// An archive of tar.
    Tar,
    /// An archive of zip.
    Zip,
    /// Lines of JSON.
    Jsonl,
    /// A table in Parquet.
    Parquet,
    /// Mail.
    Mbox,
}

/// Which fields of a table hold what.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Columns {
    /// The document.
    pub content: String,
    /// Where it was fetched from.
    pub url: String,
    /// The Content-Type that came with it.
    pub content_type: String,
    /// Whether the document is in base64, where it is a string.
    pub base64: bool,
}

impl Default for Columns {
    fn default() -> Self {
        Self {
            content: String::from("content"),
            url: String::from("url"),
            content_type: String::from("content_type"),
            base64: false,
        }
    }
}

/// How records are read and decoded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Bytes that a record may have, decompressed; larger ones are rejected. Some twelve times as much
    /// memory is needed at most.
    pub max_record: u64,
    /// The largest ratio of a record's decompressed to its compressed size, if that is more than 1 MiB.
    pub max_ratio: u64,
    /// What the files hold; `None` where the first bytes of each, or its name, tell.
    pub container: Option<Container>,
    /// What to decode with where nothing tells the encoding and no guess is plausible. `None` rejects
    /// such records.
    pub fallback: Option<&'static Encoding>,
    /// Which fields of JSON lines and tables hold what.
    pub columns: Columns,
}

/// The most that [`Options::max_record`] can be.
pub const MAX_RECORD: u64 = 512 << 20;

impl Default for Options {
    fn default() -> Self {
        Self {
            max_record: 16 << 20,
            max_ratio: 500,
            container: None,
            fallback: None,
            columns: Columns::default(),
        }
    }
}

impl Options {
    /// The defaults: records of 16 MiB, which become 500 times as large as they are compressed.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`Options::max_record`].
    #[must_use]
    pub fn max_record(self, max_record: u64) -> Self {
        Self { max_record, ..self }
    }

    /// Sets [`Options::max_ratio`].
    #[must_use]
    pub fn max_ratio(self, max_ratio: u64) -> Self {
        Self { max_ratio, ..self }
    }

    /// Sets [`Options::container`].
    #[must_use]
    pub fn container(self, container: impl Into<Option<Container>>) -> Self {
        Self {
            container: container.into(),
            ..self
        }
    }

    /// Sets [`Options::fallback`].
    #[must_use]
    pub fn fallback(self, fallback: impl Into<Option<&'static Encoding>>) -> Self {
        Self {
            fallback: fallback.into(),
            ..self
        }
    }

    /// Sets [`Options::columns`].
    #[must_use]
    pub fn columns(self, columns: Columns) -> Self {
        Self { columns, ..self }
    }

    pub(crate) fn limits(&self) -> Limits {
        Limits {
            // A batch of Arrow has no more than 2 GiB of text, three times as much as its bytes.
            max_record: self.max_record.min(MAX_RECORD),
            max_ratio: self.max_ratio,
        }
    }
}
