//! `Encoding` and the errors as values, and the parts of the API that are built on the decoders and
//! encoders: `hooks`, `web` and `io`.
//!
//! What is expected was written by hand, from the standards' own examples, or comes from
//! encoding_rs.

mod encodings;
mod hooks;
mod io;
mod sample_files;
mod samples;
mod states;
mod web;
