//! How bad a result is. Of several results, the worst counts.

/// How bad the result of a run or of one file is. Ordered from best to worst. No variants will be
/// added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Everything was read, and nothing was wrong with it.
    #[default]
    Clean,
    /// The data has faults: something was malformed, unmappable, replaced or left out; or a file was left
    /// alone for a reason that was reported.
    Faults,
    /// Something could not be read or written.
    Error,
}

impl Severity {
    /// Keeps the worse of the two.
    pub fn worsen(&mut self, other: Self) {
        *self = (*self).max(other);
    }
}
