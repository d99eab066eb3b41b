//! The bytes of a file as they are, and where in it they are.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// What records are read from: a file, or bytes in memory.
pub trait Input: Read + Seek + Send {}

impl<T: Read + Seek + Send> Input for T {}

/// A buffered reader that knows its offset.
pub(crate) struct Raw {
    inner: BufReader<Box<dyn Input>>,
    offset: u64,
}

impl Raw {
    pub(crate) fn new(input: Box<dyn Input>) -> Self {
        Self {
            inner: BufReader::with_capacity(64 * 1024, input),
            offset: 0,
        }
    }

    /// The offset in the file of the byte that is read next.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Goes to this offset, also past the end.
    pub(crate) fn seek_to(&mut self, offset: u64) -> io::Result<()> {
        let by = i64::try_from(i128::from(offset) - i128::from(self.offset));
        match by {
            // Keeps what is buffered.
            Ok(by) => self.inner.seek_relative(by)?,
            Err(_) => drop(self.inner.seek(SeekFrom::Start(offset))?),
        }
        self.offset = offset;
        Ok(())
    }

    pub(crate) fn into_input(self) -> Box<dyn Input> {
        self.inner.into_inner()
    }

    /// Bytes of the whole file.
    pub(crate) fn len(&mut self) -> io::Result<u64> {
        let input = self.inner.get_mut();
        let here = input.stream_position()?;
        let len = input.seek(SeekFrom::End(0))?;
        input.seek(SeekFrom::Start(here))?;
        Ok(len)
    }

    /// [`BufRead::fill_buf`] that an interrupted system call does not end.
    pub(crate) fn fill(&mut self) -> io::Result<&[u8]> {
        loop {
            match self.inner.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                // Asked again, because a borrow in this arm would last for the whole loop.
                Ok(_) => break,
            }
        }
        self.inner.fill_buf()
    }
}

impl Read for Raw {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.offset += n as u64;
        Ok(n)
    }
}

impl BufRead for Raw {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.inner.consume(n);
        self.offset += n as u64;
    }
}
