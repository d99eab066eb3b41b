//! The results for the files of a run, one by one and in total.

mod file;
mod summary;

pub use file::{FileReport, State};
pub(crate) use file::{Refusal, RefusalKind};
pub use summary::{EncodingTotals, Summary};
