//! What the two engines of the JavaScript package have in common: the library, in terms that cross the
//! boundary to JavaScript cheaply. Bytes come as slices and strings as code units; encodings are numbers,
//! places in [`Encoding::all`]; text goes out as [`Text`], for which a string can be made without another
//! look at it.
//!
//! `../native` (a Node addon) and `../wasm` wrap this, `../src/engine` is the JavaScript side of both, and
//! `../src` makes classes of it. Tested there, in `../test`, for both engines from one file.

mod decode;
mod detect;
mod encode;
mod report;

pub use decode::{Failure, Setup, Text, TextDecoder, decode, is_utf16le};
pub use detect::{Hints, detect};
pub use encode::{EncodeFailure, Encoder, encode, encode_into, percent_encode};
pub use report::Decoder;

use simdtext::Encoding;

/// The encoding with this number; UTF-8, the first, where there is none.
fn encoding(number: u32) -> &'static Encoding {
    let all = Encoding::all();
    all.get(number as usize).unwrap_or(&all[0])
}

/// The number of an encoding.
fn number(encoding: &Encoding) -> u32 {
    let place = Encoding::all().iter().position(|&it| it == encoding);
    place.unwrap_or_default() as u32
}

/// The names and labels of the encodings: a line for each, the name first, with tabs between.
#[must_use]
pub fn encodings() -> String {
    let mut lines = String::new();
    for encoding in Encoding::all() {
        lines += encoding.name();
        for label in encoding.labels() {
            lines.push('\t');
            lines += label;
        }
        lines.push('\n');
    }
    lines
}
