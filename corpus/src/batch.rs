//! Rows as Arrow batches.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use arrow_array::builder::{
    BooleanBuilder, Int32Builder, Int64Builder, ListBuilder, StringBuilder, StructBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};

use crate::options::Options;
use crate::record::{Item, Origin};
use crate::row::{Rejected, Row, decode};
use crate::run::hex;
use crate::split::{Split, read_split};
use crate::walk::Files;

/// The number of rows at which a batch is full.
const MAX_ROWS: usize = 1024;
/// The number of bytes of text at which a batch is full that is handed to a caller.
const MAX_BYTES: usize = 8 << 20;
/// The number of columns that only rejected records have.
const ONLY_REJECTED: usize = 2;

fn error_fields() -> Fields {
    Fields::from(vec![
        Field::new("offset", DataType::Int64, false),
        Field::new("bytes", DataType::Utf8, false),
    ])
}

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let error = Field::new("item", DataType::Struct(error_fields()), false);
    let fields = [
        ("source", DataType::Utf8, false),
        ("record", DataType::Int64, false),
        ("record_offset", DataType::Int64, false),
        ("url", DataType::Utf8, false),
        ("content_type", DataType::Utf8, true),
        ("http_status", DataType::Int32, true),
        ("warc_date", DataType::Utf8, true),
        ("truncated", DataType::Boolean, false),
        ("encoding", DataType::Utf8, true),
        ("evidence", DataType::Utf8, true),
        ("confidence", DataType::Utf8, true),
        ("language", DataType::Utf8, true),
        ("margin", DataType::Int32, true),
        ("text", DataType::Utf8, true),
        ("malformed", DataType::Int64, true),
        ("first_errors", DataType::List(Arc::new(error)), true),
        ("bytes", DataType::Int64, true),
        ("sha256", DataType::Utf8, true),
        ("reason", DataType::Utf8, true),
        ("detail", DataType::Utf8, true),
    ];
    let fields = fields.map(|(name, data_type, nullable)| Field::new(name, data_type, nullable));
    Arc::new(Schema::new(fields.to_vec()))
});

/// The columns of batches. `text` is null if a record was rejected; `reason` and `detail` then say why.
#[must_use]
pub fn schema() -> SchemaRef {
    Arc::clone(&SCHEMA)
}

/// The columns of rows, without those that say why a record was rejected.
pub(crate) fn schema_of_rows() -> SchemaRef {
    let fields = &SCHEMA.fields()[..SCHEMA.fields().len() - ONLY_REJECTED];
    Arc::new(Schema::new(fields.to_vec()))
}

/// Collects rows until a batch is full.
pub(crate) struct Builder {
    source: StringBuilder,
    record: Int64Builder,
    record_offset: Int64Builder,
    url: StringBuilder,
    content_type: StringBuilder,
    http_status: Int32Builder,
    warc_date: StringBuilder,
    truncated: BooleanBuilder,
    encoding: StringBuilder,
    evidence: StringBuilder,
    confidence: StringBuilder,
    language: StringBuilder,
    margin: Int32Builder,
    text: StringBuilder,
    malformed: Int64Builder,
    first_errors: ListBuilder<StructBuilder>,
    bytes: Int64Builder,
    sha256: StringBuilder,
    reason: StringBuilder,
    detail: StringBuilder,
    rows: usize,
    text_bytes: usize,
    max_bytes: usize,
    /// The number of bytes allocated for the text of a batch from the start.
    text_room: usize,
}

/// Returns the largest number that a column can hold if `number` is larger, which no input reaches.
fn int64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Builder {
    /// A builder for batches that are handed to a caller, who may keep them.
    pub(crate) fn new() -> Self {
        Self::with_room(MAX_BYTES, 0)
    }

    /// A builder for batches that are written and dropped at once. They fit into caches, and have room for their text from
    /// the start, because letting it grow takes 3 % of the time of a run.
    pub(crate) fn for_writing() -> Self {
        Self::with_room(2 << 20, 5 << 19)
    }

    fn with_room(max_bytes: usize, text_room: usize) -> Self {
        let error = Field::new("item", DataType::Struct(error_fields()), false);
        Self {
            source: StringBuilder::new(),
            record: Int64Builder::new(),
            record_offset: Int64Builder::new(),
            url: StringBuilder::new(),
            content_type: StringBuilder::new(),
            http_status: Int32Builder::new(),
            warc_date: StringBuilder::new(),
            truncated: BooleanBuilder::new(),
            encoding: StringBuilder::new(),
            evidence: StringBuilder::new(),
            confidence: StringBuilder::new(),
            language: StringBuilder::new(),
            margin: Int32Builder::new(),
            text: StringBuilder::with_capacity(0, text_room),
            malformed: Int64Builder::new(),
            first_errors: ListBuilder::new(StructBuilder::from_fields(error_fields(), 0))
                .with_field(error),
            bytes: Int64Builder::new(),
            sha256: StringBuilder::new(),
            reason: StringBuilder::new(),
            detail: StringBuilder::new(),
            rows: 0,
            text_bytes: 0,
            max_bytes,
            text_room,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0
    }

    pub(crate) fn is_full(&self) -> bool {
        self.rows >= MAX_ROWS || self.text_bytes >= self.max_bytes
    }

    fn origin(&mut self, origin: &Origin) {
        self.source.append_value(&*origin.source);
        self.record.append_value(int64(origin.number));
        self.record_offset.append_value(int64(origin.offset));
        self.url.append_value(&origin.name);
        self.content_type
            .append_option(origin.content_type.as_deref());
        self.http_status.append_option(origin.status.map(i32::from));
        self.warc_date.append_option(origin.date.as_deref());
        self.truncated.append_value(origin.truncated);
        self.rows += 1;
        self.text_bytes += origin.name.len() + origin.content_type.as_ref().map_or(0, String::len);
    }

    pub(crate) fn row(&mut self, row: &Row) {
        self.origin(&row.origin);
        self.encoding.append_value(row.encoding.name());
        self.evidence.append_value(row.evidence);
        self.confidence.append_value(row.confidence.to_string());
        self.language.append_option(row.language);
        self.margin
            .append_option(row.margin.map(|it| i32::try_from(it).unwrap_or(i32::MAX)));
        self.text.append_value(&row.text);
        self.malformed.append_value(int64(row.malformed));
        let errors = self.first_errors.values();
        for error in &row.first_errors {
            if let Some(offset) = errors.field_builder::<Int64Builder>(0) {
                offset.append_value(int64(error.offset));
            }
            if let Some(bytes) = errors.field_builder::<StringBuilder>(1) {
                bytes.append_value(hex(error.bytes()));
            }
            errors.append(true);
        }
        self.first_errors.append(true);
        self.bytes.append_value(int64(row.bytes));
        self.sha256.append_value(hex(&row.sha256));
        self.reason.append_null();
        self.detail.append_null();
        self.text_bytes += row.text.len();
    }

    pub(crate) fn rejected(&mut self, rejected: &Rejected) {
        self.origin(&rejected.origin);
        for column in [
            &mut self.encoding,
            &mut self.evidence,
            &mut self.confidence,
            &mut self.language,
            &mut self.text,
        ] {
            column.append_null();
        }
        self.margin.append_null();
        self.malformed.append_null();
        self.first_errors.append(false);
        let (bytes, sha256) = rejected.bytes.unzip();
        self.bytes.append_option(bytes.map(int64));
        self.sha256.append_option(sha256.map(|it| hex(&it)));
        self.reason.append_value(rejected.rejection.reason.name());
        self.detail.append_value(&rejected.rejection.detail);
    }

    /// Returns everything that was collected, as a batch.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        self.rows = 0;
        self.text_bytes = 0;
        let next_text = StringBuilder::with_capacity(0, self.text_room);
        let mut text = std::mem::replace(&mut self.text, next_text);
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.source.finish()),
            Arc::new(self.record.finish()),
            Arc::new(self.record_offset.finish()),
            Arc::new(self.url.finish()),
            Arc::new(self.content_type.finish()),
            Arc::new(self.http_status.finish()),
            Arc::new(self.warc_date.finish()),
            Arc::new(self.truncated.finish()),
            Arc::new(self.encoding.finish()),
            Arc::new(self.evidence.finish()),
            Arc::new(self.confidence.finish()),
            Arc::new(self.language.finish()),
            Arc::new(self.margin.finish()),
            Arc::new(text.finish()),
            Arc::new(self.malformed.finish()),
            Arc::new(self.first_errors.finish()),
            Arc::new(self.bytes.finish()),
            Arc::new(self.sha256.finish()),
            Arc::new(self.reason.finish()),
            Arc::new(self.detail.finish()),
        ];
        RecordBatch::try_new(schema(), columns)
    }

    /// Returns a batch without the columns of rejected records.
    pub(crate) fn finish_rows(&mut self) -> Result<RecordBatch, ArrowError> {
        let batch = self.finish()?;
        let columns = batch.columns()[..batch.num_columns() - ONLY_REJECTED].to_vec();
        RecordBatch::try_new(schema_of_rows(), columns)
    }
}

/// Decodes records to Arrow batches.
pub struct Batches<I> {
    items: I,
    options: Options,
    builder: Builder,
}

impl<I: Iterator<Item = Item>> Batches<I> {
    /// Decodes records as they come.
    pub fn new(items: I, options: &Options) -> Self {
        Self {
            items,
            options: options.clone(),
            builder: Builder::new(),
        }
    }
}

impl<I: Iterator<Item = Item>> Iterator for Batches<I> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.builder.is_full() {
            match self.items.next() {
                None => break,
                Some(Item::Skipped(_)) => {}
                Some(Item::Record(record)) => match decode(record, &self.options) {
                    Ok(row) => self.builder.row(&row),
                    Err(rejected) => self.builder.rejected(&rejected),
                },
            }
        }
        (!self.builder.is_empty()).then(|| self.builder.finish())
    }
}

/// Returns all records of files, and of the files below folders, as Arrow batches. Rejected records are
/// included, skipped ones are not. Files that can't be read are rows that are rejected.
pub fn read(
    paths: &[PathBuf],
    options: &Options,
) -> Batches<impl Iterator<Item = Item> + Send + use<>> {
    let of_file = options.clone();
    let items = Files::of(paths.to_vec())
        .flat_map(move |file| read_split(&Split::file(file.path), &of_file));
    Batches::new(items, options)
}
