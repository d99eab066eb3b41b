//! Converts files, and trees of files, between the encodings of the [WHATWG Encoding Standard]. This is what
//! the command `simdtext` does, as a library: it prints nothing, handles no signals and never exits.
//!
//! [WHATWG Encoding Standard]: https://encoding.spec.whatwg.org/
//!
//! | to | use |
//! |---|---|
//! | convert each file of a tree on its own, on all cores | [`convert_tree`] |
//! | convert some inputs into one output | [`convert_files`] |
//! | find out the encoding of a file | [`detect`](fn@detect) |
//! | find what is malformed in a file | [`Checker`] |
//! | undo a run in place that kept backups | [`restore`](fn@restore) |
//! | list the files that paths, folders and patterns name | [`Walk`] |
//! | write messages like those of the command | [`message`] |
//!
//! [`Options`] set the encodings, where to write, and how safely. Each option has the name of the flag
//! of the command that it corresponds to. Progress and results are values: an [`Observer`] receives an
//! [`Event`] for each file, with its [`FileReport`], and [`convert_tree`] returns a [`Summary`]. A
//! [`Cancel`] token ends a run early.
//!
//! Messages name options by the flags of the command: `--accept-guess` stands for
//! [`Options::accept_guess`].

mod binary;
mod buffered;
mod by_block;
mod by_line;
mod cancel;
mod charset;
mod check;
mod converter;
mod cores;
mod decide;
mod decode;
mod detect;
mod error;
mod faults;
mod find;
mod fork;
mod format;
mod input;
pub mod labels;
mod lines;
mod locate;
pub mod message;
mod mutex;
mod observer;
mod one_output;
mod options;
mod os;
mod output;
mod packed;
mod read_fn;
mod report;
mod restore;
mod scratch;
mod settings;
mod severity;
mod similar;
mod text;
mod tree;
mod utf32;
mod walk;

pub use cancel::Cancel;
pub use charset::{Charset, UTF_32BE, UTF_32LE};
pub use check::{CheckError, Checked, Checker, Findings};
pub use decide::{Answer, Basis};
pub use decode::Fault;
pub use detect::{DetectOptions, detect};
pub use error::Error;
pub use faults::{FirstFault, FirstFaultKind};
pub use fork::prepare_for_fork;
pub use input::Input;
pub use observer::{Event, Observer};
pub use one_output::convert_files;
pub use options::{Binary, Compression, Invalid, Options, SourceEncoding, WalkOptions};
pub use os::standard_output;
pub use output::{Abort, Place, WriteError};
pub use report::{EncodingTotals, FileReport, State, Summary};
pub use restore::{RestoreEvent, RestoreOptions, RestoreSummary, Restored, restore};
pub use severity::Severity;
pub use tree::convert_tree;
pub use walk::{Found, FoundFile, UnusableInput, Walk};
