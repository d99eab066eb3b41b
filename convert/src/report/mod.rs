//! The results for the files of a run, one by one and in total.

mod file;
mod summary;

pub(crate) use file::Refusal;
pub use file::{FileReport, State};
pub use summary::{EncodingTotals, Summary};
