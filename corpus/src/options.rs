//! What is read, and how much of it.

use simdtext::Encoding;

use crate::limits::Limits;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Container {
    /// A single document.
    File,
    /// A web archive.
    Warc,
    /// A tar archive.
    Tar,
    /// A zip archive.
    Zip,
    /// Lines of JSON.
    Jsonl,
    /// A Parquet table.
    Parquet,
    /// Mail.
    Mbox,
}

/// The names of the fields of JSON lines and tables.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Columns {
    /// The field with the document.
    pub content: String,
    /// The field with the URL that it was fetched from.
    pub url: String,
    /// The field with its Content-Type.
    pub content_type: String,
    /// Whether a document that is a string is in base64.
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
    /// The maximum size of a record in bytes, decompressed; larger ones are rejected. At most about twelve
    /// times as much memory is needed.
    pub max_record: u64,
    /// The maximum ratio of a record's decompressed to its compressed size, for records of more than 1 MiB.
    pub max_ratio: u64,
    /// The format of the files; if `None`, the first bytes of each file, or its name, determine it.
    pub container: Option<Container>,
    /// The encoding of records that don't declare one and for which no guess is plausible. If `None`, such
    /// records are rejected.
    pub fallback: Option<&'static Encoding>,
    /// The names of the fields of JSON lines and tables.
    pub columns: Columns,
}

/// The largest possible [`Options::max_record`], in bytes.
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
    /// The defaults: records of up to 16 MiB, which are at most 500 times as large as they are compressed.
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
            // An Arrow batch has at most 2 GiB of text, which may be three times as long as its bytes.
            max_record: self.max_record.min(MAX_RECORD),
            max_ratio: self.max_ratio,
        }
    }
}
