//! Adapters for [`Read`](std::io::Read) and [`Write`](std::io::Write) (feature `std`).
//!
//! [`DecodeReader`] reads any encoding as UTF-8; [`EncodeWriter`] writes UTF-8 in any encoding.
//! Both use fixed buffers of 16 KiB, so memory does not grow with the stream. Tested in
//! `tests/api/io.rs`.

mod decode_reader;
mod encode_writer;
mod undecoded;

pub use decode_reader::DecodeReader;
pub use encode_writer::EncodeWriter;

/// Length of each adapter's buffers, in bytes.
const BUFFER_LEN: usize = 16 * 1024;
