//! A buffer in front of a writer. Converters fill it in place, without a copy.

use std::io::Write;

use super::output::WriteError;

const BUFFER: usize = 64 * 1024;

/// A new buffer, for [`Buffered::with_buffer`].
pub(crate) fn buffer() -> Vec<u8> {
    vec![0; BUFFER]
}

/// A writer with a buffer in front of it.
pub(crate) struct Buffered<W> {
    writer: W,
    buffer: Vec<u8>,
    filled: usize,
}

impl<W: Write> Buffered<W> {
    /// `buffer` must come from [`buffer`]; its content does not matter.
    pub(crate) fn with_buffer(writer: W, buffer: Vec<u8>) -> Self {
        Self {
            writer,
            buffer,
            filled: 0,
        }
    }

    pub(crate) fn writer_mut(&mut self) -> &mut W {
        &mut self.writer
    }

    /// Returns both; what was not passed on is lost.
    pub(crate) fn into_parts(self) -> (W, Vec<u8>) {
        (self.writer, self.buffer)
    }

    /// Room for at least `least` bytes, which is at most the size of the buffer.
    pub(crate) fn room(&mut self, least: usize) -> Result<&mut [u8], WriteError> {
        if self.buffer.len() - self.filled < least {
            self.flush()?;
        }
        Ok(&mut self.buffer[self.filled..])
    }

    /// Takes over `written` bytes that were put into the room.
    pub(crate) fn advance(&mut self, written: usize) {
        self.filled = self.buffer.len().min(self.filled + written);
    }

    /// Writes `bytes`. Large pieces bypass the buffer.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        let large = bytes.len() >= self.buffer.len() / 2;
        if large || self.buffer.len() - self.filled < bytes.len() {
            self.flush()?;
        }
        if large {
            return Ok(self.writer.write_all(bytes)?);
        }
        self.buffer[self.filled..][..bytes.len()].copy_from_slice(bytes);
        self.filled += bytes.len();
        Ok(())
    }

    /// Passes on the content of the buffer.
    pub(crate) fn flush(&mut self) -> Result<(), WriteError> {
        let filled = std::mem::take(&mut self.filled);
        Ok(self.writer.write_all(&self.buffer[..filled])?)
    }
}
