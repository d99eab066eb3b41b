//! `Encoding` and the errors as values, and the parts of the API that are built on the decoders and
//! encoders: `hooks`, `web` and `io`.
//!
//! Expected results were written by hand, are examples of the standards, or come from encoding_rs.

mod encodings;
mod errors;
mod hooks;
mod io;
mod one_shot;
mod sample_files;
mod samples;
mod states;
#[cfg(all(feature = "rayon", feature = "detect"))]
mod traits;
mod web;
