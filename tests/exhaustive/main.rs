//! The library compared with two things that it was not made from: the standard's algorithms (`spec`) and
//! encoding_rs (`peer`).
//!
//! Every failure prints the encoding, the input in hexadecimal, what was expected and the result.
//! `SIMDTEXT_ISA` selects the kernels, so one binary tests every set.

#[path = "../spec/mod.rs"]
mod spec;

mod byte_inputs;
mod decoder_splits;
mod encoder_splits;
mod harness;
mod hooks;
mod inputs;
mod labels;
mod lengths;
mod long;
mod oracle;
mod overwritten;
mod peer;
mod pinned;
mod properties;
mod scalar_values;
mod sizes;
mod streams;

/// Bytes in hex, for messages.
fn hex(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    bytes.join(" ")
}
