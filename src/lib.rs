//! The whole WHATWG Encoding Standard: forty encodings, to and from UTF-8 and UTF-16.
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod codec;
#[cfg(feature = "alloc")]
mod convert;
mod decoder;
mod encoder;
mod encoding;
#[cfg(feature = "alloc")]
pub mod hooks;
#[cfg(feature = "std")]
pub mod io;
mod progress;
mod simd;
mod stream;
mod text;
#[cfg(feature = "alloc")]
pub mod web;

#[cfg(feature = "alloc")]
pub use convert::{DecodeError, Decoded, EncodeError, Encoded};
pub use decoder::Decoder;
pub use encoder::Encoder;
pub use encoding::*;
pub use progress::{
    Bom, MIN_ENCODED, MIN_UTF8, MIN_UTF16, Malformed, Progress, Status, Unmappable,
};
pub use simd::active_isa;
