//! How long it takes to decompress archives and to write the rows of a run again, and nothing else: what reading a corpus
//! could at best come down to. One thread; seconds of each are printed.
//!
//! ```sh
//! cargo run --release -p simdtext-corpus --example bare -- ARCHIVES OUT
//! ```
//!
//! ARCHIVES is a folder of archives that gzip compresses, and OUT what `simdtext-corpus ARCHIVES --out OUT` wrote.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flate2::bufread::MultiGzDecoder;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

fn files_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<Vec<_>>>()?;
    files.sort();
    Ok(files)
}

/// As the run writes them.
fn properties() -> WriterProperties {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_write_batch_size(16);
    for name in ["text", "sha256"] {
        let column = ColumnPath::from(name);
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_statistics_enabled(column, EnabledStatistics::None);
    }
    properties.build()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [archives, out] = &arguments[..] else {
        return Err("two folders are wanted: the archives, and what a run made of them".into());
    };

    let begin = Instant::now();
    let mut bytes = 0;
    for path in files_of(archives)? {
        let file = BufReader::with_capacity(64 * 1024, File::open(path)?);
        bytes += io::copy(&mut MultiGzDecoder::new(file), &mut io::sink())?;
    }
    let decompressing = begin.elapsed();

    let mut writing = Duration::ZERO;
    for path in files_of(&out.join("text"))? {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path)?)?
            .with_batch_size(400)
            .build()?;
        let batches = reader.collect::<Result<Vec<_>, _>>()?;
        let Some(first) = batches.first() else {
            continue;
        };
        let begin = Instant::now();
        let file = tempfile::tempfile()?;
        let mut writer = ArrowWriter::try_new(file, first.schema(), Some(properties()))?;
        for batch in &batches {
            writer.write(batch)?;
        }
        writer.into_inner()?.sync_all()?;
        writing += begin.elapsed();
    }
    println!(
        "{bytes} {:.3} {:.3}",
        decompressing.as_secs_f64(),
        writing.as_secs_f64()
    );
    Ok(())
}
