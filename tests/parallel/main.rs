//! `simdtext::parallel`: whatever the input, the piece size and the pool, the result is that of one
//! core. (That one is compared with the standard's algorithms in `tests/exhaustive`.)

mod batch;
mod decode;
mod encode;
mod inputs;
mod pools;
mod stream;
mod stream_ends;
