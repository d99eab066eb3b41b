//! Adapters for [`Read`](std::io::Read) and [`Write`](std::io::Write) (feature `std`).
//!
//! [`DecodeReader`] gives the UTF-8 of what it reads in any encoding; [`EncodeWriter`] takes UTF-8
//! and writes it in any encoding. Both work in fixed buffers of 16 KiB, so memory does not grow with
//! the stream. Tested in `tests/api/io.rs`.

mod decode_reader;
mod encode_writer;
mod undecoded;

pub use decode_reader::DecodeReader;
pub use encode_writer::EncodeWriter;

/// Length of each adapter's buffers, in bytes.
const BUFFER_LEN: usize = 16 * 1024;
