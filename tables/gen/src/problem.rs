//! Errors: what went wrong, where, and what to do about it.

use std::fmt;
use std::path::Path;

/// Where the standard publishes its indexes.
pub(crate) const PUBLISHED: &str = "https://encoding.spec.whatwg.org/";

pub(crate) type Result<T> = std::result::Result<T, Problem>;

/// An error, worded for the person who runs the generator.
#[derive(Debug)]
pub(crate) struct Problem {
    file: String,
    line: Option<usize>,
    what: String,
    to_do: String,
}

impl Problem {
    /// A failure that concerns `file` as a whole.
    pub(crate) fn new(
        file: impl Into<String>,
        what: impl Into<String>,
        to_do: impl Into<String>,
    ) -> Self {
        Self {
            file: file.into(),
            line: None,
            what: what.into(),
            to_do: to_do.into(),
        }
    }

    /// A source that differs from what the standard publishes.
    pub(crate) fn source(file: &str, what: impl Into<String>) -> Self {
        Self::new(file, what, format!("fetch the file again from {PUBLISHED}"))
    }

    /// The system refused to read or write `path`.
    pub(crate) fn io(
        path: &Path,
        doing: &str,
        error: &std::io::Error,
        to_do: impl Into<String>,
    ) -> Self {
        Self::new(
            path.display().to_string(),
            format!("cannot {doing}: {error}"),
            to_do,
        )
    }

    /// Adds the number of the line, counted from 1.
    pub(crate) fn at_line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}; {}", self.what, self.to_do)
    }
}

impl std::error::Error for Problem {}
