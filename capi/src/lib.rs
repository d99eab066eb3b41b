//! The C library: the functions of `simdtext.h`.
//!
//! `cargo cinstall` builds it and installs it with its header, which cbindgen writes from this source. Rust
//! programs use the crate `simdtext` instead. What all functions have in common (pointers, lengths, threads)
//! is at the top of the header, in `cbindgen.toml`. Tested in `tests/`, from Rust and by C programs that
//! `.ci/capi` builds.
#![allow(
    unsafe_code,
    clippy::missing_safety_doc,
    reason = "C programs pass pointers; the header says what they must point to"
)]
#![allow(
    non_camel_case_types,
    clippy::enum_variant_names,
    reason = "names are those of the header"
)]

// Functions are written out even if they are similar, here and in the modules: cbindgen reads the source to write
// the header, and does not see functions made by a macro.
mod boundary;
mod types;

// In the order of the header; the blank lines keep rustfmt from sorting them.

mod version;

mod status;

mod encoding;

mod whole;

mod decoder;

mod encoder;

mod sniff;

mod detect;

mod detector;

mod binary;

mod mixed;

mod offsets;

mod percent;

mod unicode;

mod allocator;

pub use allocator::{simdtext_allocator, simdtext_free};
pub use binary::*;
pub use decoder::*;
pub use detect::*;
pub use detector::*;
pub use encoder::*;
pub use encoding::*;
pub use mixed::*;
pub use offsets::*;
pub use percent::*;
pub use sniff::*;
pub use status::*;
pub use types::*;
pub use unicode::*;
pub use version::*;
pub use whole::*;
