//! The output: the only place that checks room, and the one bridge from bytes to `str`.
//!
//! - `sink.rs`: the trait of all outputs of decoders. `utf8.rs`, `utf16.rs`: the two that all encodings have;
//!   `unicode.rs`: the others. `bytes.rs`: the output of encoders. `filled.rs`: the buffer in all of them.
//! - `run/`: the conversions that an output lets kernels do. `utf16_bytes.rs`: code units as bytes.
//! - `prefix.rs`: text that is borrowed from the input. `parts.rs`: output that several threads write.
//!
//! Together with `simd/` this is the only folder that may contain `unsafe`: strings and vectors grow by what
//! an output reports as written.

/// Whether native code units are big-endian.
pub(crate) const NATIVE_BE: bool = cfg!(target_endian = "big");

mod bytes;
mod filled;
#[cfg(feature = "rayon")]
mod parts;
mod prefix;
pub(crate) mod run;
mod sink;
mod unicode;
mod utf16;
mod utf16_bytes;
mod utf8;

#[cfg(feature = "alloc")]
pub(crate) use bytes::append_bytes;
pub(crate) use bytes::{ByteOut, Bytes};
#[cfg(feature = "rayon")]
pub(crate) use parts::{Adjacent, Part, PartUnits, Spare, append_parts, append_parts_of_text};
pub(crate) use prefix::{ascii_len, utf8_prefix};
#[cfg(feature = "alloc")]
pub(crate) use prefix::{ascii_prefix, short_ascii, unshifted_prefix};
pub(crate) use sink::Sink;
pub(crate) use unicode::{Latin1Out, Nowhere, Utf16BeOut, Utf16BytesOut, Utf16LeOut, Utf32Out};
#[cfg(feature = "alloc")]
pub(crate) use utf8::append_text;
pub(crate) use utf8::{Utf8Out, overwrite_text};
pub(crate) use utf16::Utf16Out;
#[cfg(feature = "alloc")]
pub(crate) use utf16::append_units;
