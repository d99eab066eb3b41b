//! The API of [encoding_rs] 0.8, with all its names, signatures and results, over [simdtext]: programs that
//! use encoding_rs decode and encode with vector instructions, without any change in them.
//!
//! ```toml
//! encoding_rs = { package = "simdtext-encoding_rs", version = "0.1" }   # for your own calls
//! ```
//!
//! To serve the calls of your dependencies as well, patch the package; the README says how.
//!
//! ```
//! use simdtext_encoding_rs as encoding_rs;
//!
//! let (text, encoding, had_errors) = encoding_rs::SHIFT_JIS.decode(b"\x93\xFA\x96{");
//! assert_eq!((&*text, encoding, had_errors), ("日本", encoding_rs::SHIFT_JIS, false));
//! ```
//!
//! # What is the same
//!
//! Text, encoded bytes, error flags, the encoding after a byte order mark, what is malformed and how it is
//! attributed, which calls panic, and the room that the `max_…` functions ask for. All this is tested against
//! encoding_rs itself, with generated streams.
//!
//! # What may differ
//!
//! - When an output is nearly full, a call may write more before it returns `OutputFull`, and has then read
//!   more.
//! - A call may overwrite up to 256 units ([`simdtext::MAX_OVERWRITTEN`]) of the output after those that it says
//!   it has written. Functions that promise to leave the rest of the output alone keep that promise.
//! - `Encoding::decode` and others may borrow where encoding_rs would not, and allocate other capacities.
//!
//! # Features
//!
//! - `std` (default): detection of the CPU at run time; without it the kernels are those that the target is compiled for.
//! - `alloc` (default): functions that return `String`, `Vec` and `Cow`.
//! - `avx512` (default): kernels for AVX-512.
//! - `serde`: an encoding is stored as its name, and read from any of its labels.
//! - `simd-accel`, `fast-…`, `less-slow-…`: without effect. They exist so that programs that enable them can
//!   be built.
//!
//! [encoding_rs]: https://docs.rs/encoding_rs/0.8
//! [simdtext]: https://docs.rs/simdtext
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

mod attribution;
mod decoder;
mod encoder;
mod encoding;
mod latin1_compatible;
mod lengths;
mod list;
pub mod mem;
mod output;
mod results;
#[cfg(feature = "serde")]
mod with_serde;

pub use decoder::Decoder;
pub use encoder::Encoder;
pub use encoding::Encoding;
pub use list::*;
pub use results::{CoderResult, DecoderResult, EncoderResult};
