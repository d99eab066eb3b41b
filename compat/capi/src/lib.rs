//! The symbols of encoding_c and encoding_c_mem, the C interfaces of encoding_rs, over simdtext. A program
//! that was written for them can be linked with this library instead, unchanged.
//!
//! Each function calls that of the same name in `simdtext_encoding_rs`. Some of what encoding_c leaves
//! undefined can be recognised from the arguments, and is defined here:
//!
//! - NULL is allowed for buffers of length 0, and in `decoder_free` and `encoder_free`.
//! - NULL anywhere else, a misaligned pointer, a length of more than half the address space and a panic of the function
//!   called (there is too little room in the output, or the stream is finished) abort the process with a message: there
//!   is no value that could report them. A function that is `extern "C"` lets no panic out.
//!
//! Tested in `tests.rs`, and in `.ci/encoding_c`, which compiles C programs with the headers of encoding_c.
#![allow(
    unsafe_code,
    reason = "names for C are unsafe attributes, and its pointers and lengths become slices"
)]

// The functions are similar, but written out: each has the arguments of its C declaration, and `tests.rs` reads
// their names from the source.
mod boundary;
mod decoder;
mod encoder;
mod encoding;
mod encodings;
mod mem;
#[cfg(test)]
mod tests;
