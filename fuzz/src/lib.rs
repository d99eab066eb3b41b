//! The fuzz targets: functions that take any bytes, and panic if simdtext's result differs from that of
//! `std`, encoding_rs or a simple model.
//!
//! libFuzzer calls them (`fuzz_targets/`, `cargo +nightly fuzz run utf8`); the generator in `tests/seeded.rs`
//! does so with any toolchain.

mod counts;
mod decode;
mod detect;
mod drop_in;
mod encode;
mod hooks;
mod latin1;
#[path = "../../tests/sniff/markup.rs"]
mod markup;
#[expect(dead_code, reason = "also serves the tests that it is from")]
#[path = "../../tests/unicode/model.rs"]
mod model;
mod offsets;
#[path = "../../tests/unicode/pairs.rs"]
mod pairs;
mod sniff;
#[path = "../../tests/sniff/steps.rs"]
mod steps;
mod unicode;
mod utf16;
mod utf32;
mod utf8;
mod web;

pub use counts::counts;
pub use decode::decode;
pub use detect::detect;
pub use drop_in::drop_in;
pub use encode::encode;
pub use hooks::hooks;
pub use latin1::latin1;
pub use offsets::offsets;
pub use sniff::sniff;
pub use utf8::utf8;
pub use utf16::utf16;
pub use utf32::utf32;
pub use web::web;

/// Returns the length that a byte of the input stands for: itself, or from 192 on 192 to 2208, in steps of 32. Pieces
/// and rooms are small most often, and sometimes larger than all of the text.
fn length(byte: u8) -> usize {
    let above = byte.saturating_sub(192);
    usize::from(byte - above) + 32 * usize::from(above)
}
