//! Rows as Parquet: zstd, and row groups of a bounded size.

use std::io::{self, Write};

use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::batch::{Builder, schema_of_rows};
use crate::row::Row;

/// The size of a row group in bytes, as encoded in memory.
const ROW_GROUP: usize = 48 << 20;

/// Columns whose values are all different: a dictionary of them, or their minimum and maximum, would be
/// useless.
const ALL_DIFFERENT: [&str; 2] = ["text", "sha256"];

pub(super) struct Rows<W: Write + Send> {
    writer: ArrowWriter<W>,
    builder: Builder,
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

impl<W: Write + Send> Rows<W> {
    pub(super) fn new(file: W) -> io::Result<Self> {
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            // How often the writer checks whether a page is full.
            .set_write_batch_size(16)
            .set_created_by(concat!("simdtext-corpus ", env!("CARGO_PKG_VERSION")).into());
        for name in ALL_DIFFERENT {
            let column = ColumnPath::from(name);
            properties = properties
                .set_column_dictionary_enabled(column.clone(), false)
                .set_column_statistics_enabled(column, EnabledStatistics::None);
        }
        let writer = ArrowWriter::try_new(file, schema_of_rows(), Some(properties.build()));
        Ok(Self {
            writer: writer.map_err(failed)?,
            builder: Builder::for_writing(),
        })
    }

    pub(super) fn write(&mut self, row: &Row) -> io::Result<()> {
        self.builder.row(row);
        if self.builder.is_full() {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let batch = self.builder.finish_rows().map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(failed)?;
        if self.writer.memory_size() >= ROW_GROUP {
            self.writer.flush().map_err(failed)?;
        }
        Ok(())
    }

    /// Returns the number of bytes written, including those of the row group in memory.
    pub(super) fn bytes(&self) -> u64 {
        (self.writer.bytes_written() + self.writer.in_progress_size()) as u64
    }

    /// Returns the file, and the number of rows in its row groups.
    pub(super) fn finish(mut self) -> io::Result<(W, u64)> {
        if !self.builder.is_empty() {
            self.flush()?;
        }
        self.writer.flush().map_err(failed)?;
        let groups = self.writer.flushed_row_groups().iter();
        let rows: i64 = groups.map(|it| it.num_rows()).sum();
        let file = self.writer.into_inner().map_err(failed)?;
        Ok((file, u64::try_from(rows).unwrap_or(0)))
    }
}
