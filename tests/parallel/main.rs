//! `simdtext::parallel`: for any input, piece size and pool, the result is the same as on one core.
//! (`tests/exhaustive` compares that with the standard's algorithms.)

mod batch;
mod decode;
mod encode;
mod inputs;
mod pools;
mod stream;
mod stream_ends;
