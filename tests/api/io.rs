//! `DecodeReader` and `EncodeWriter` over readers and writers that are slow, are cut short, or fail.

mod decode_reader;
mod encode_writer;
mod pass_through;
mod sniffing;
mod steps;
