//! How bad something is: of several, the worst counts.

/// What became of a run, or of one file. Ordered from best to worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Everything was read, and nothing was wrong with it.
    #[default]
    Clean,
    /// The data has faults: something was malformed, unmappable, replaced or left out, or a file was left
    /// alone for a reason that was reported.
    Faults,
    /// Something could not be read or written.
    Trouble,
}

impl Severity {
    /// Keeps the worse of the two.
    pub fn worsen(&mut self, other: Self) {
        *self = (*self).max(other);
    }
}
