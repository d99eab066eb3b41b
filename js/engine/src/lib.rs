//! What the two engines of the JavaScript package have in common: the library, in a form that crosses the
//! boundary to JavaScript cheaply. Bytes are slices, and strings are code units; encodings are numbers, their
//! positions in [`Encoding::all`]; text is returned as [`Text`], from which a string can be made without
//! examining it again.
//!
//! `../native` (a Node addon) and `../wasm` wrap this. `../src/engine` is the JavaScript side of both, on
//! which `../src` builds the classes. The tests are in `../test`; each runs with both engines.

mod decode;
mod detect;
mod encode;
mod mixed;
mod offsets;
mod record;
mod report;

pub use decode::{Failure, Setup, Text, TextDecoder, decode, is_utf16le};
pub use detect::{Hints, detect};
pub use encode::{EncodeFailure, Encoder, OnUnmappable, encode, encode_into, percent_encode};
pub use mixed::{FirstValid, first_valid, segments};
pub use offsets::{OffsetMapper, map_offsets, read_map, source_range, text_offset};
pub use report::Decoder;

use simdtext::Encoding;

/// The encoding with this number; UTF-8, the first, if there is none.
fn encoding(number: u32) -> &'static Encoding {
    let all = Encoding::all();
    all.get(number as usize).unwrap_or(&all[0])
}

/// The number of an encoding.
fn number(encoding: &Encoding) -> u32 {
    let place = Encoding::all().iter().position(|&it| it == encoding);
    place.unwrap_or_default() as u32
}

/// The names and labels of the encodings: one line for each, with fields separated by tabs: the name, `single-byte` or
/// nothing, and the labels.
#[must_use]
pub fn encodings() -> String {
    let mut lines = String::new();
    for encoding in Encoding::all() {
        lines += encoding.name();
        lines.push('\t');
        if encoding.is_single_byte() {
            lines += "single-byte";
        }
        for label in encoding.labels() {
            lines.push('\t');
            lines += label;
        }
        lines.push('\n');
    }
    lines
}
