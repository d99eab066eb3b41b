//! What a decoder or an encoder records about a stream: how many errors it has, and the first of them.

/// The errors of a stream.
#[derive(Debug)]
pub(crate) struct Record<T> {
    errors: u64,
    found: Vec<T>,
    /// How many errors are recorded until they are taken.
    keep: usize,
    /// Whether the stream has ended, so that the next call begins another.
    ended: bool,
}

impl<T> Record<T> {
    pub(crate) fn new() -> Self {
        Record {
            errors: 0,
            found: Vec::new(),
            keep: 0,
            ended: false,
        }
    }

    /// Begins a call that records at most `keep` errors, including those of earlier calls that were not taken yet;
    /// `stream` says whether the stream continues after it.
    pub(crate) fn begin(&mut self, stream: bool, keep: usize) {
        if self.ended {
            self.errors = 0;
            self.found.clear();
        }
        self.keep = keep;
        self.ended = !stream;
    }

    pub(crate) fn count(&mut self, errors: usize) {
        self.errors += errors as u64;
    }

    /// Returns whether another error would be recorded.
    pub(crate) fn wants_more(&self) -> bool {
        self.found.len() < self.keep
    }

    pub(crate) fn push(&mut self, error: T) {
        if self.wants_more() {
            self.found.push(error);
        }
    }

    /// Returns the number of errors since the stream began.
    pub(crate) fn errors(&self) -> f64 {
        self.errors as f64
    }

    /// Returns the errors that were recorded since the last call of this function.
    pub(crate) fn take(&mut self) -> Vec<T> {
        std::mem::take(&mut self.found)
    }
}
