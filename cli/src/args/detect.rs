//! The flags of `detect`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::ArgGroup;
use simdtext::sniff::Format;

use super::guess::GuessArgs;
use super::help::{DETECT_EXAMPLES, detect_after_help};
use super::walk::{WalkArgs, parse_jobs};

/// Find out which encoding files are in, and say how that is known
///
/// Reads each PATH, or standard input if there is none or PATH is "-", and prints one line for each:
/// the file, the encoding, whether it is certain, and why. Folders are walked on all cores.
///
/// A byte order mark comes first, then a declaration in HTML, XML or CSS. Without these, all of the
/// file is read to see whether it is ASCII or UTF-8. Otherwise the encoding is guessed from a sample.
/// No file is written.
#[derive(Debug, clap::Args)]
#[command(after_help = DETECT_EXAMPLES, after_long_help = detect_after_help())]
#[command(group = ArgGroup::new("format").args(["html", "xml", "css", "text"]))]
pub(crate) struct DetectArgs {
    /// The files are HTML: look for meta elements
    ///
    /// Without --html, --xml, --css and --text, --content-type says what the files are, or else the
    /// first bytes of each.
    #[arg(long)]
    pub(crate) html: bool,

    /// The files are XML: look for an XML declaration
    #[arg(long)]
    pub(crate) xml: bool,

    /// The files are style sheets: look for @charset
    #[arg(long)]
    pub(crate) css: bool,

    /// The files are plain text, which declares nothing
    #[arg(long)]
    pub(crate) text: bool,

    /// The Content-Type that the files came with, such as "text/html; charset=gbk"
    ///
    /// Its charset wins over everything except a byte order mark, as in browsers.
    #[arg(long, value_name = "VALUE")]
    pub(crate) content_type: Option<String>,

    #[command(flatten)]
    pub(crate) guess: GuessArgs,

    /// Look into gzip, zstd, xz and bzip2 files
    #[arg(short = 'z', long)]
    pub(crate) decompress: bool,

    /// Print one JSON object per line instead, with all candidates
    ///
    /// A "file" object has "path", "encoding" (null for binary files), "evidence", "confidence",
    /// "reason", "double_encoded" and "candidates": the most plausible encodings, each with its
    /// language, its cost in eighths of a bit (the lower, the more plausible) and its malformed
    /// sequences. An "error" object has a
    /// "message". A path that is not valid Unicode has its bytes in hexadecimal in "path_bytes" as
    /// well.
    #[arg(long)]
    pub(crate) json: bool,

    /// Use at most N cores [default: all]
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Files to read, or folders to walk; "-" is standard input
    #[arg(value_name = "PATH")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,
}

impl DetectArgs {
    /// The hints that the flags stand for.
    pub(crate) fn format(&self) -> Format {
        if self.html {
            Format::Html
        } else if self.xml {
            Format::Xml
        } else if self.css {
            Format::Css
        } else if self.text {
            Format::Text
        } else {
            Format::Unknown
        }
    }
}
