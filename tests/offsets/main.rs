//! `simdtext::offsets`: every offset of every text and source, there and back, as a model has it that
//! runs the standard's own algorithms byte by byte.

mod documents;
#[expect(dead_code, reason = "also serves the tests that they are from")]
#[path = "../parallel/inputs.rs"]
mod inputs;
#[expect(dead_code, reason = "also serves the tests that it is from")]
#[path = "../spec/mod.rs"]
mod spec;

mod allocations;
mod answers;
mod model;
mod saved;
mod size;
mod streams;
