//! The loop: kernel, state machine, kernel, …
//!
//! A kernel reads a run of well-formed input and stops wherever it likes. The machine then reads at least one
//! item, exactly as the standard says, and continues until the input looks worth a kernel again. Replacement,
//! strict and callback modes are implemented here, once, for all encodings and outputs.
//!
//! `decode.rs` and `encode.rs` have the loop in either direction, `queue.rs` what a decoder keeps from one
//! call to the next, and `ncr.rs` writes unmappable characters as references.

mod decode;
mod encode;
mod ncr;
mod queue;
#[cfg(all(test, feature = "legacy-cjk", feature = "legacy-single-byte"))]
mod tests;

pub(crate) use decode::{
    ErrorMode, Front, MAX_SHORT_BYTES, Run, decode, decode_run, decode_short, front,
    replaces_without_kernel,
};
pub(crate) use encode::{encode, encode_run};
pub(crate) use queue::Queue;

use crate::progress::Status;

/// The result of a run of the loop. The sink knows how much was written.
pub(crate) struct Outcome {
    pub(crate) status: Status,
    /// The number of units read from the call's input.
    pub(crate) read: usize,
    pub(crate) errors: usize,
}

impl Outcome {
    /// The result for no input.
    pub(crate) const EMPTY: Outcome = Outcome {
        status: Status::InputEmpty,
        read: 0,
        errors: 0,
    };
}
