//! Finds out the encoding of one input.

use std::io;

use simdtext::sniff::{Format, Hints};
use simdtext::{Bom, detect};

use crate::decide::{Answer, Question, Unknown};
use crate::input::Input;

/// What is known about the inputs beforehand.
#[derive(Clone, Debug, Default)]
pub struct DetectOptions {
    content_type: Option<String>,
    format: Format,
    tld: Option<String>,
    decompress: bool,
}

impl DetectOptions {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// The Content-Type that came with the inputs. Its charset wins over everything but a byte order mark.
    #[must_use]
    pub fn content_type(mut self, value: Option<&str>) -> Self {
        self.content_type = value.map(String::from);
        self
    }

    /// The format of the inputs, which says where a declaration may be.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// The top-level domain that the inputs come from, as a hint for guesses: for example `jp` or `ru`.
    #[must_use]
    pub fn tld(mut self, tld: Option<&str>) -> Self {
        self.tld = tld.map(String::from);
        self
    }

    /// Whether to look into files that are compressed with gzip, zstd, xz or bzip2.
    #[must_use]
    pub fn decompress(mut self, decompress: bool) -> Self {
        self.decompress = decompress;
        self
    }
}

/// Finds out the encoding of an input, which is read to its end.
///
/// # Errors
///
/// The input can't be read.
///
/// ```
/// use simdtext_convert::{DetectOptions, Input, detect};
///
/// # fn main() -> std::io::Result<()> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("page");
/// std::fs::write(&path, "<meta charset=big5>")?;
/// let answer = detect(&Input::Path(path), &DetectOptions::new())?;
/// assert_eq!(answer.charset.map(|charset| charset.name()), Some("Big5"));
/// assert_eq!(answer.basis.name(), "prescan");
/// # Ok(())
/// # }
/// ```
pub fn detect(input: &Input, options: &DetectOptions) -> io::Result<Answer> {
    let tld = (options.tld.as_deref()).map(|tld| tld.trim_start_matches('.'));
    let question = Question {
        hints: Hints::new()
            .transport(options.content_type.as_deref())
            .format(options.format)
            .late_meta(true),
        guess: detect::Options::new().tld(tld),
        doubled: Some(Bom::Strip),
        to_end: true,
        ..Question::default()
    };
    let source = input.open()?;
    let mut source = if options.decompress {
        source.unpacked()?
    } else {
        source
    };
    question
        .of_source(&mut source)
        .map_err(|unknown| match unknown {
            Unknown::Read(error) => error,
            Unknown::Invalid(faults) => io::Error::other(faults),
        })
}
