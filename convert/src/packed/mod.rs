//! Compressed files: reading their content, and writing them.

mod gzip;
mod xz;

use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use crate::format::{Format, LONGEST_MARK};
use crate::input::Source;
use crate::options::Compression;
use crate::read_fn::ReadFn;

impl From<Compression> for Format {
    fn from(arg: Compression) -> Self {
        match arg {
            Compression::Zstd => Self::Zstd,
            Compression::Gzip => Self::Gzip,
        }
    }
}

/// The window of Zstandard may have up to 2 to this power bytes; level 19 needs 8 MiB. For larger ones
/// (`--ultra`, `--long`) the decoder returns an error that says so.
const ZSTD_WINDOW: u32 = 25;

/// The path without the ending that stands for a compressed file.
pub(crate) fn without_ending(path: &Path) -> PathBuf {
    let compressed = path.extension().is_some_and(|extension| {
        [Format::Gzip, Format::Zstd, Format::Xz, Format::Bzip2]
            .iter()
            .any(|format| extension.eq_ignore_ascii_case(format.ending()))
    });
    if compressed {
        path.with_extension("")
    } else {
        path.to_path_buf()
    }
}

impl<'a> Source<'a> {
    /// Reads the content of a compressed file with all its members and frames, and any other file as it is. Zero
    /// bytes after the last member of gzip are skipped.
    pub(crate) fn unpacked(mut self) -> io::Result<Self> {
        let head = self.head(LONGEST_MARK)?;
        let Some(format) = Format::of(&head) else {
            return Ok(self);
        };
        let whole = self.reader;
        let unpacked: Box<dyn Read + Send + 'a> = match format {
            Format::Gzip => Box::new(gzip::Decoder::new(BufReader::new(whole))),
            Format::Zstd => {
                let mut decoder = zstd::stream::read::Decoder::new(whole)?;
                decoder.window_log_max(ZSTD_WINDOW)?;
                Box::new(decoder)
            }
            Format::Xz => Box::new(xz::Decoder::new(BufReader::new(whole))?),
            Format::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(BufReader::new(whole))),
        };
        Ok(Self {
            reader: naming(format, unpacked),
            size: None,
            format: Some(format),
            ..self
        })
    }
}

/// Says in errors that it is the compressed data that is damaged.
fn naming<'a>(format: Format, mut reader: Box<dyn Read + Send + 'a>) -> Box<dyn Read + Send + 'a> {
    Box::new(ReadFn(move |buffer: &mut [u8]| {
        reader.read(buffer).map_err(|error| {
            // The system's own errors are about the file.
            let kind = error.kind();
            if error.raw_os_error().is_some() || kind == io::ErrorKind::Interrupted {
                return error;
            }
            let format = format.name();
            io::Error::new(
                kind,
                format!("its {format} data can't be decompressed: {error}"),
            )
        })
    }))
}

/// A writer that compresses, or passes bytes on.
pub(crate) enum Packer<W: Write> {
    Plain(W),
    Zstd(Blocks<zstd::stream::write::Encoder<'static, W>>),
    Gzip(Blocks<flate2::write::GzEncoder<W>>),
}

impl<W: Write> Packer<W> {
    pub(crate) fn new(writer: W, compress: Option<Compression>) -> io::Result<Self> {
        Ok(match compress {
            None => Self::Plain(writer),
            Some(Compression::Zstd) => {
                let level = zstd::DEFAULT_COMPRESSION_LEVEL;
                let mut encoder = zstd::stream::write::Encoder::new(writer, level)?;
                encoder.include_checksum(true)?;
                Self::Zstd(Blocks::new(encoder))
            }
            Some(Compression::Gzip) => {
                let level = flate2::Compression::default();
                Self::Gzip(Blocks::new(flate2::write::GzEncoder::new(writer, level)))
            }
        })
    }

    /// Whether it compresses.
    pub(crate) fn packs(&self) -> bool {
        !matches!(self, Self::Plain(_))
    }

    /// Finishes the compressed file.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(writer) => Ok(writer),
            Self::Zstd(blocks) => blocks.finish()?.finish(),
            Self::Gzip(blocks) => blocks.finish()?.finish(),
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(writer) => writer.write(bytes),
            Self::Zstd(blocks) => blocks.write(bytes),
            Self::Gzip(blocks) => blocks.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Passes bytes on in blocks of one size. Encoders give other bytes if they receive the same text in other pieces,
/// and the number of cores that are free decides about these.
pub(crate) struct Blocks<W> {
    writer: W,
    block: Vec<u8>,
}

const BLOCK: usize = 128 * 1024;

impl<W: Write> Blocks<W> {
    fn new(writer: W) -> Self {
        Self {
            writer,
            block: Vec::new(),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(BLOCK - self.block.len());
        self.block.extend_from_slice(&bytes[..n]);
        if self.block.len() == BLOCK {
            self.writer.write_all(&self.block)?;
            self.block.clear();
        }
        Ok(n)
    }

    fn finish(mut self) -> io::Result<W> {
        self.writer.write_all(&self.block)?;
        Ok(self.writer)
    }
}
