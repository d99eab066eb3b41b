#![doc = include_str!("../README.md")]

mod batch;
pub mod command;
mod container;
mod decide;
mod error;
pub mod http;
mod inflate;
mod limits;
mod noted;
mod options;
mod record;
mod rejected;
pub mod report;
mod row;
mod run;
mod split;
mod stream;
mod tally;
mod walk;

pub use batch::{Batches, read, schema};
pub use container::{Records, warc};
pub use error::Error;
pub use noted::Noted;
pub use options::{Columns, Container, MAX_RECORD, Options};
pub use record::{Item, Origin, Record};
pub use rejected::{Reason, Rejection};
pub use row::{Rejected, Row, decode};
pub use run::{Event, Format, Observer, RunOptions, run};
pub use split::{Range, Split, read_input, read_split, splits};
pub use stream::Input;
pub use tally::{Encoded, Tally};
pub use walk::total_bytes;

/// The guide, `docs/corpora.md`; its examples run as tests.
#[doc = include_str!("../../docs/corpora.md")]
#[cfg(doctest)]
pub struct Guide;
