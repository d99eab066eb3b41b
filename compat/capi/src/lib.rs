//! The symbols of encoding_c and encoding_c_mem, the C interfaces of encoding_rs, over simdtext: a program that is written
//! for them is linked with this library instead, without a change.
//!
//! Each function calls the one of `simdtext_encoding_rs` of the same name. What encoding_c leaves undefined and can be told
//! by looking at the arguments is defined here:
//!
//! - NULL is allowed for what has the length 0, and in `decoder_free` and `encoder_free`.
//! - NULL anywhere else, a misaligned pointer, a length of more than half the address space and a panic of the function
//!   called (there is too little room in the output, or the stream is finished) abort the process with a message: there
//!   is no value that could report them. A function that is `extern "C"` lets no panic out.
//!
//! Tested in `tests.rs`, and in `.ci/encoding_c`, which compiles C programs with the headers of encoding_c.
#![allow(
    unsafe_code,
    reason = "names for C are unsafe attributes, and its pointers and lengths become slices"
)]

mod boundary;
mod decoder;
mod encoder;
mod encoding;
mod encodings;
mod mem;
#[cfg(test)]
mod tests;
