//! The command-line arguments.

use std::path::PathBuf;

use crate::{Columns, Container, Format, MAX_RECORD, Options, RunOptions};
use clap::{Parser, ValueEnum};
use simdtext::Encoding;

/// Reads records from files, trees and archives, decides which encoding each is in, and writes their text
#[derive(Debug, Parser)]
#[command(
    name = "simdtext-corpus",
    version,
    max_term_width = 100,
    after_help = "\
Exit status: 0 if all input was read, 1 if some of it is damaged or can't be read (the rest was read), 2 if the \
output could not be finished.

DIR/text has the rows, DIR/rejected the records without text and why, DIR/_state what --resume needs."
)]
pub(super) struct Args {
    /// Files, or folders of files, which are read in the order of their names
    #[arg(required = true, value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
    /// The folder to write to; it must be new or empty
    #[arg(short, long, value_name = "DIR")]
    pub(super) out: PathBuf,
    /// The format of the rows
    #[arg(long, value_enum, default_value_t = FormatArg::Parquet)]
    pub(super) format: FormatArg,
    /// The format of all inputs [default: by their first bytes and their names]
    #[arg(long, value_enum, value_name = "KIND")]
    pub(super) container: Option<ContainerArg>,
    /// The encoding of records that don't declare one and for which no guess is plausible [default: reject
    /// them]
    #[arg(long, value_name = "LABEL")]
    pub(super) fallback: Option<String>,
    /// The field of JSON lines, or column of Parquet, that holds the document
    #[arg(long, value_name = "NAME", default_value = "content")]
    pub(super) content: String,
    /// The field that holds its URL
    #[arg(long, value_name = "NAME", default_value = "url")]
    pub(super) url: String,
    /// The field that holds its Content-Type
    #[arg(long, value_name = "NAME", default_value = "content_type")]
    pub(super) content_type: String,
    /// Documents that are strings are base64
    #[arg(long)]
    pub(super) base64: bool,
    /// The largest record, in decompressed bytes: 500K, 16M
    #[arg(long, value_name = "SIZE", default_value = "16M", value_parser = size)]
    pub(super) max_record: u64,
    /// The largest ratio of a record's decompressed to its compressed size
    #[arg(long, value_name = "TIMES", default_value_t = 500)]
    pub(super) max_ratio: u64,
    /// The size at which a part of the output is full
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = size)]
    pub(super) part_size: u64,
    /// The size of the pieces into which the input is divided for threads
    #[arg(long, value_name = "SIZE", default_value = "64M", value_parser = size)]
    pub(super) unit_size: u64,
    /// The number of threads [default: one for each core]
    #[arg(short, long, value_name = "N")]
    pub(super) jobs: Option<usize>,
    /// Continue a run that was interrupted: complete parts are kept
    #[arg(long)]
    pub(super) resume: bool,
    /// Write a report as one page of HTML: encodings, the records with the most malformed sequences, doubtful guesses
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Print the summary as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Print no summary, no errors in the data, and no progress
    #[arg(short, long)]
    pub(super) quiet: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FormatArg {
    Parquet,
    Jsonl,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ContainerArg {
    /// Each file is one document
    File,
    /// Web archives
    Warc,
    Tar,
    Zip,
    /// Lines of JSON
    Jsonl,
    /// Tables, see --content
    Parquet,
    /// Mail
    Mbox,
}

/// Bytes, with a suffix for powers of 1,024.
fn size(text: &str) -> Result<u64, String> {
    let (number, shift) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 20),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let bytes = number
        .parse::<u64>()
        .ok()
        .and_then(|it| it.checked_mul(1 << shift));
    bytes
        .filter(|it| *it > 0)
        .ok_or_else(|| String::from("a size is a number of bytes, or ends in K, M or G"))
}

impl Args {
    pub(super) fn options(&self) -> Result<(Options, RunOptions), String> {
        let fallback = match &self.fallback {
            None => None,
            Some(label) => Some(
                Encoding::for_label(label.as_bytes())
                    .ok_or_else(|| format!("--fallback: unknown label {label}"))?,
            ),
        };
        if self.max_record > MAX_RECORD {
            return Err(String::from("--max-record: the maximum is 512M"));
        }
        let mut columns = Columns::default();
        columns.content.clone_from(&self.content);
        columns.url.clone_from(&self.url);
        columns.content_type.clone_from(&self.content_type);
        columns.base64 = self.base64;
        let options = Options::new()
            .columns(columns)
            .max_record(self.max_record)
            .max_ratio(self.max_ratio)
            .fallback(fallback)
            .container(self.container.map(|it| match it {
                ContainerArg::File => Container::File,
                ContainerArg::Warc => Container::Warc,
                ContainerArg::Tar => Container::Tar,
                ContainerArg::Zip => Container::Zip,
                ContainerArg::Jsonl => Container::Jsonl,
                ContainerArg::Parquet => Container::Parquet,
                ContainerArg::Mbox => Container::Mbox,
            }));
        let mut run = RunOptions::new(&self.out);
        run.format = match self.format {
            FormatArg::Parquet => Format::Parquet,
            FormatArg::Jsonl => Format::Jsonl,
        };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        run.jobs = self.jobs.unwrap_or_else(cores).max(1);
        run.resume = self.resume;
        run.part_bytes = self.part_size;
        run.unit_bytes = self.unit_size;
        Ok((options, run))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn arguments_are_consistent() {
        super::Args::command().debug_assert();
    }

    #[test]
    fn sizes() {
        for (text, expected) in [
            ("1", Some(1)),
            ("16M", Some(16 << 20)),
            ("2k", Some(2048)),
            ("3G", Some(3 << 30)),
            ("0", None),
            ("", None),
            ("M", None),
            ("-1", None),
            ("99999999999G", None),
        ] {
            assert_eq!(super::size(text).ok(), expected, "{text}");
        }
    }
}
