//! `simdtext::offsets`: every offset of every text and source, both ways, compared with a model that runs the
//! standard's algorithms byte by byte.

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
