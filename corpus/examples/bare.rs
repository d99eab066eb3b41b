//! How long it takes to decompress archives and to write the rows of a run again, and nothing else: what reading a corpus
//! could at best come down to. One thread.
//!
//! ```sh
//! cargo run --release -p simdtext-corpus --example bare -- ARCHIVES OUT
//! ```
//!
//! ARCHIVES is a folder of archives that gzip compresses, and OUT what `simdtext-corpus ARCHIVES --out OUT` wrote. Prints
//! seconds, a line each:
//!
//! - `streaming`: the members of the files by flate2, as readers of WARC usually do;
//! - `one-step`: the same by libdeflate, each member at once;
//! - `codings-streaming`, `codings-one-step`: the content codings of the bodies in them, likewise;
//! - `writing`: the Parquet.

use std::error::Error;
use std::ffi::c_void;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flate2::bufread::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use libdeflate_sys::{
    libdeflate_alloc_decompressor, libdeflate_decompressor, libdeflate_deflate_decompress_ex,
    libdeflate_free_decompressor, libdeflate_gzip_decompress_ex, libdeflate_zlib_decompress_ex,
};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use simdtext_corpus::http::dechunk;
use simdtext_corpus::warc::parse_header;

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

#[derive(Clone, Copy)]
enum Coding {
    Gzip,
    Zlib,
    Deflate,
    Zstd,
}

/// The bodies of the responses in an archive, each with its coding. Those whose coding was undone already are left out.
fn bodies_of(archive: &[u8], bodies: &mut Vec<(Coding, Vec<u8>)>) {
    let mut rest = archive;
    while let Ok((header, len)) = parse_header(rest) {
        let end = len + usize::try_from(header.len).expect("it fits into memory");
        bodies.extend(body_of(&rest[len..end]));
        rest = &rest[end + b"\r\n\r\n".len()..];
    }
}

fn body_of(block: &[u8]) -> Option<(Coding, Vec<u8>)> {
    let mut headers = [httparse::EMPTY_HEADER; 16];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(len) = response.parse(block).ok()? else {
        return None;
    };
    let value = |name: &str| {
        let headers = response.headers.iter();
        let mut named = headers.filter(|it| it.name.eq_ignore_ascii_case(name));
        named.next().map(|it| it.value)
    };
    let coding = value("Content-Encoding")?;
    let mut body = block[len..].to_vec();
    if value("Transfer-Encoding").is_some() {
        dechunk(&mut body);
    }
    let coding = match (coding, &body[..]) {
        (b"gzip", [0x1F, 0x8B, ..]) => Coding::Gzip,
        (b"deflate", [0x78, ..]) => Coding::Zlib,
        (b"deflate", _) => Coding::Deflate,
        (b"zstd", _) => Coding::Zstd,
        _ => return None,
    };
    Some((coding, body))
}

fn stream(coding: Coding, packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match coding {
        Coding::Gzip => MultiGzDecoder::new(packed).read_to_end(&mut bytes)?,
        Coding::Zlib => ZlibDecoder::new(packed).read_to_end(&mut bytes)?,
        Coding::Deflate => DeflateDecoder::new(packed).read_to_end(&mut bytes)?,
        Coding::Zstd => zstd::Decoder::with_buffer(packed)?.read_to_end(&mut bytes)?,
    };
    Ok(bytes)
}

/// libdeflate with room for all that a member holds here.
struct OneStep {
    decompressor: *mut libdeflate_decompressor,
    room: Vec<u8>,
}

impl OneStep {
    /// How much was read and written.
    #[expect(unsafe_code, reason = "these are functions of C")]
    fn run(&mut self, coding: Coding, packed: &[u8]) -> (usize, usize) {
        let decompress = match coding {
            Coding::Gzip => libdeflate_gzip_decompress_ex,
            Coding::Zlib => libdeflate_zlib_decompress_ex,
            Coding::Deflate | Coding::Zstd => libdeflate_deflate_decompress_ex,
        };
        let (mut read, mut written) = (0, 0);
        // SAFETY: the decompressor is libdeflate's and used by nobody else; the pointers and lengths are those of slices.
        let result = unsafe {
            decompress(
                self.decompressor,
                packed.as_ptr().cast::<c_void>(),
                packed.len(),
                self.room.as_mut_ptr().cast::<c_void>(),
                self.room.len(),
                &raw mut read,
                &raw mut written,
            )
        };
        assert_eq!(result, 0, "the archives are not damaged");
        (read, written)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [archives, out] = &arguments[..] else {
        return Err("two folders are wanted: the archives, and what a run made of them".into());
    };
    let files = files_of(archives)?;

    let begin = Instant::now();
    for path in &files {
        let file = BufReader::with_capacity(64 * 1024, File::open(path)?);
        io::copy(&mut MultiGzDecoder::new(file), &mut io::sink())?;
    }
    println!("streaming {:.3}", begin.elapsed().as_secs_f64());

    #[expect(unsafe_code, reason = "this is a function of C")]
    // SAFETY: it has no preconditions.
    let decompressor = unsafe { libdeflate_alloc_decompressor() };
    assert!(!decompressor.is_null(), "there is memory");
    let room = vec![0; 64 << 20];
    let mut one_step = OneStep { decompressor, room };
    let begin = Instant::now();
    for path in &files {
        let packed = fs::read(path)?;
        let mut rest = &packed[..];
        while !rest.is_empty() {
            let (read, _) = one_step.run(Coding::Gzip, rest);
            rest = &rest[read..];
        }
    }
    println!("one-step {:.3}", begin.elapsed().as_secs_f64());

    let mut bodies = Vec::new();
    for path in &files {
        let mut archive = Vec::new();
        MultiGzDecoder::new(&fs::read(path)?[..]).read_to_end(&mut archive)?;
        bodies_of(&archive, &mut bodies);
    }
    let begin = Instant::now();
    for (coding, packed) in &bodies {
        black_box(stream(*coding, packed)?);
    }
    println!("codings-streaming {:.3}", begin.elapsed().as_secs_f64());
    let begin = Instant::now();
    for (coding, packed) in &bodies {
        if matches!(coding, Coding::Zstd) {
            black_box(stream(*coding, packed)?);
        } else {
            let (_, written) = one_step.run(*coding, packed);
            black_box(one_step.room[..written].to_vec());
        }
    }
    println!("codings-one-step {:.3}", begin.elapsed().as_secs_f64());
    #[expect(unsafe_code, reason = "this is a function of C")]
    // SAFETY: it was allocated above, and is not used after this.
    unsafe {
        libdeflate_free_decompressor(decompressor);
    }

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
    println!("writing {:.3}", writing.as_secs_f64());
    Ok(())
}
