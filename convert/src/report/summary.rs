//! The totals of a run.

use std::collections::BTreeMap;
use std::time::Duration;

use super::file::{FileReport, State};
use crate::severity::Severity;

/// The totals of a run.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The number of files with each result.
    pub states: BTreeMap<State, u64>,
    /// Totals for each encoding of inputs, by its name. They leave out files that were not converted because
    /// they were done already, were to be kept, are not text, were not read, or could not be read or written.
    pub encodings: BTreeMap<&'static str, EncodingTotals>,
    /// The size of all inputs, in bytes.
    pub bytes_in: u64,
    /// The size of all outputs, in bytes.
    pub bytes_out: u64,
    /// Malformed sequences and unmappable characters in all inputs.
    pub errors: u64,
    /// Files whose severity is not [`Severity::Clean`].
    pub files_with_errors: u64,
    /// The worst severity of all files, and of what was reported about no file.
    pub severity: Severity,
    /// Whether the run was cancelled.
    pub cancelled: bool,
    /// How long it took.
    pub took: Duration,
}

/// The totals of the inputs in one encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodingTotals {
    /// The number of inputs.
    pub files: u64,
    /// Their size, in bytes.
    pub bytes_in: u64,
    /// The size of their outputs, in bytes.
    pub bytes_out: u64,
    /// Malformed sequences and unmappable characters in them.
    pub errors: u64,
}

impl Summary {
    /// How many files were converted or reported.
    pub fn files(&self) -> u64 {
        self.states.values().sum()
    }

    /// The number of files with the result `state`.
    pub fn count(&self, state: State) -> u64 {
        self.states.get(&state).copied().unwrap_or(0)
    }

    pub(crate) fn add(&mut self, report: &FileReport) {
        let errors = report.errors();
        self.severity.worsen(report.severity);
        *self.states.entry(report.state).or_default() += 1;
        self.bytes_in += report.bytes_in;
        self.bytes_out += report.bytes_out;
        self.errors += errors;
        self.files_with_errors += u64::from(report.severity != Severity::Clean);
        let is_left_out = matches!(report.state, State::Finished | State::Kept | State::Failed);
        if report.is_decided() && !is_left_out {
            let row = self.encodings.entry(report.from.name()).or_default();
            row.files += 1;
            row.bytes_in += report.bytes_in;
            row.bytes_out += report.bytes_out;
            row.errors += errors;
        }
    }
}
