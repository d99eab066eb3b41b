//! Tables in Parquet: a column holds the documents, as bytes, text or base64.

use std::io::{self, Read, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrowPrimitiveType, RecordBatch};
use arrow_schema::DataType;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};
use simdtext::UTF_8;

use super::Contained;
use super::jsonl::undo_base64;
use crate::limits::Limits;
use crate::options::Columns;
use crate::record::{Item, Origin, Record};
use crate::rejected::{Reason, Rejection};
use crate::stream::Input;

/// The number of rows that are read at a time.
const ROWS: usize = 16;

pub(crate) struct Table {
    reader: ParquetRecordBatchReader,
    columns: Columns,
    limits: Limits,
    batch: Option<RecordBatch>,
    /// The next row in the batch; `row` counts in the file.
    at: usize,
    row: u64,
    rows: u64,
    len: u64,
    is_done: bool,
}

fn invalid(error: impl std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

impl Table {
    pub(crate) fn new(
        mut input: Box<dyn Input>,
        limits: Limits,
        columns: Columns,
    ) -> io::Result<Self> {
        let len = input.seek(SeekFrom::End(0))?;
        let file = InputReader {
            input: Arc::new(Mutex::new(input)),
            len,
            offset: 0,
        };
        // Columns are read as they are stored, whatever form the writer had them in (dictionaries or views).
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options)
            .map_err(invalid)?;
        let content = builder.schema().column_with_name(&columns.content);
        if let Some((_, field)) = content {
            if !holds_bytes(field.data_type()) {
                return Err(invalid(format!(
                    "the column {:?} is of the type {}, and holds neither bytes nor text",
                    columns.content,
                    field.data_type()
                )));
            }
        } else {
            let names: Vec<_> = builder
                .schema()
                .fields()
                .iter()
                .map(|it| it.name().as_str())
                .collect();
            return Err(invalid(format!(
                "there is no column {:?} among {}; --content names it",
                columns.content,
                names.join(", ")
            )));
        }
        let names = [&columns.content, &columns.url, &columns.content_type];
        let names = names.map(String::as_str);
        let mask = ProjectionMask::columns(builder.parquet_schema(), names);
        let rows = builder.metadata().file_metadata().num_rows();
        let reader = builder
            .with_projection(mask)
            .with_batch_size(ROWS)
            .build()
            .map_err(invalid)?;
        Ok(Self {
            reader,
            columns,
            limits,
            batch: None,
            at: 0,
            row: 0,
            rows: u64::try_from(rows).unwrap_or(0),
            len,
            is_done: false,
        })
    }

    /// Rejects the rows that can't be read.
    fn damaged(&self, what: &str) -> Item {
        let origin = Origin {
            offset: self.row,
            ..Origin::default()
        };
        let last = self.rows.saturating_sub(1);
        let detail = format!("{what}; rows {} to {last} can't be read", self.row);
        Record::rejected(origin, Rejection::new(Reason::Damaged, detail))
    }

    fn record(&self, batch: &RecordBatch) -> Record {
        let mut origin = Origin {
            offset: self.row,
            ..Origin::default()
        };
        let text = |name: &str| {
            let column = batch.column_by_name(name)?;
            let text = value(column, self.at).map(|it| String::from_utf8_lossy(it.0).into_owned());
            text.or_else(|| number(column, self.at))
        };
        origin.name = text(&self.columns.url).unwrap_or_default();
        origin.content_type = text(&self.columns.content_type);
        let content = batch.column_by_name(&self.columns.content);
        let Some((bytes, is_text)) = content.and_then(|column| value(column, self.at)) else {
            let detail = format!("row {} has no bytes", self.row);
            return Record::new(origin, Err(Rejection::new(Reason::Empty, detail)));
        };
        let len = bytes.len() as u64;
        let body = match len {
            len if len > self.limits.max_record => Err(self.limits.too_large(len)),
            _ if self.columns.base64 && is_text => undo_base64(bytes),
            _ => Ok(bytes.to_vec()),
        };
        let mut record = Record::new(origin, body);
        if is_text && !self.columns.base64 {
            // It was decoded when the table was written, whatever it declares.
            record.encoding = Some(UTF_8);
        }
        record
    }
}

/// Returns whether [`value`] supports columns of this type.
fn holds_bytes(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::FixedSizeBinary(_)
    )
}

/// Returns a value as bytes, and whether it is text. `None` for null, and for unsupported types.
fn value(column: &dyn Array, at: usize) -> Option<(&[u8], bool)> {
    if column.is_null(at) {
        return None;
    }
    if let Some(column) = column.as_binary_opt::<i32>() {
        Some((column.value(at), false))
    } else if let Some(column) = column.as_binary_opt::<i64>() {
        Some((column.value(at), false))
    } else if let Some(column) = column.as_binary_view_opt() {
        Some((column.value(at), false))
    } else if let Some(column) = column.as_string_opt::<i32>() {
        Some((column.value(at).as_bytes(), true))
    } else if let Some(column) = column.as_string_opt::<i64>() {
        Some((column.value(at).as_bytes(), true))
    } else if let Some(column) = column.as_string_view_opt() {
        Some((column.value(at).as_bytes(), true))
    } else {
        let column = column.as_fixed_size_binary_opt()?;
        Some((column.value(at), false))
    }
}

/// Returns a whole number as text.
fn number(column: &dyn Array, at: usize) -> Option<String> {
    fn of<T: ArrowPrimitiveType<Native: ToString>>(
        column: &dyn Array,
        at: usize,
    ) -> Option<String> {
        let numbers = column.as_primitive_opt::<T>()?;
        numbers.is_valid(at).then(|| numbers.value(at).to_string())
    }
    of::<Int64Type>(column, at)
        .or_else(|| of::<Int32Type>(column, at))
        .or_else(|| of::<UInt64Type>(column, at))
        .or_else(|| of::<UInt32Type>(column, at))
}

impl Iterator for Table {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        loop {
            if let Some(batch) = self.batch.take() {
                if self.at < batch.num_rows() {
                    let record = self.record(&batch);
                    self.batch = Some(batch);
                    self.at += 1;
                    self.row += 1;
                    return Some(Item::Record(record));
                }
                self.at = 0;
            }
            if self.is_done {
                return None;
            }
            match self.reader.next() {
                Some(Ok(batch)) => self.batch = Some(batch),
                None => {
                    self.is_done = true;
                    let is_whole = self.row == self.rows;
                    return (!is_whole).then(|| self.damaged("the table has other rows"));
                }
                Some(Err(error)) => {
                    self.is_done = true;
                    return Some(self.damaged(&error.to_string()));
                }
            }
        }
    }
}

impl Contained for Table {
    fn read_of_file(&self) -> u64 {
        // In proportion to the rows.
        let read = u128::from(self.len) * u128::from(self.row) / u128::from(self.rows.max(1));
        u64::try_from(read).unwrap_or(self.len)
    }
}

/// Reads at any offset of a file, from several places at once.
struct InputReader {
    input: Arc<Mutex<Box<dyn Input>>>,
    len: u64,
    /// The offset of this reader.
    offset: u64,
}

impl Read for InputReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        input.seek(SeekFrom::Start(self.offset))?;
        let n = input.read(buffer)?;
        self.offset += n as u64;
        Ok(n)
    }
}

impl Length for InputReader {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for InputReader {
    type T = io::BufReader<Self>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(io::BufReader::new(Self {
            input: Arc::clone(&self.input),
            len: self.len,
            offset: start,
        }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        if start.saturating_add(length as u64) > self.len {
            return Err(ParquetError::EOF(String::from("the file ends early")));
        }
        let mut bytes = Vec::with_capacity(length);
        let mut reader = self.get_read(start)?.take(length as u64);
        reader.read_to_end(&mut bytes)?;
        Ok(bytes.into())
    }
}
