//! What a decoder or an encoder records about a stream: how many errors it has, and the first of them.

/// The errors of a stream.
#[derive(Debug)]
pub(crate) struct Record<T> {
    errors: u64,
    found: Vec<T>,
    /// How many more errors are recorded.
    keep: usize,
    most: usize,
    /// Whether the stream has ended, so that the next call begins another.
    ended: bool,
}

impl<T> Record<T> {
    /// Records the first `keep` errors of each stream.
    pub(crate) fn new(keep: usize) -> Self {
        Record {
            errors: 0,
            found: Vec::new(),
            keep,
            most: keep,
            ended: false,
        }
    }

    /// Begins a call; `stream` says whether the stream continues after it.
    pub(crate) fn begin(&mut self, stream: bool) {
        if self.ended {
            self.errors = 0;
            self.found.clear();
            self.keep = self.most;
        }
        self.ended = !stream;
    }

    pub(crate) fn count(&mut self, errors: usize) {
        self.errors += errors as u64;
    }

    /// Returns whether another error would be recorded.
    pub(crate) fn wants_more(&self) -> bool {
        self.keep > 0
    }

    pub(crate) fn push(&mut self, error: T) {
        if self.wants_more() {
            self.keep -= 1;
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
