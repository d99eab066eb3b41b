//! [`simdtext_encoding_rs`] under the name of encoding_rs.
#![no_std]

pub use simdtext_encoding_rs::*;
