//! The bytes of a file as they are, and where in it they are.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// What records are read from: a file, or bytes in memory.
pub trait Input: Read + Seek + Send {}

impl<T: Read + Seek + Send> Input for T {}

/// A buffered reader that knows its offset.
pub(crate) struct Raw {
    inner: BufReader<Box<dyn Input>>,
    offset: u64,
    /// Bytes of the whole file, when it was opened.
    len: u64,
}

impl Raw {
    pub(crate) fn new(mut input: Box<dyn Input>) -> io::Result<Self> {
        let here = input.stream_position()?;
        let len = input.seek(SeekFrom::End(0))?;
        input.seek(SeekFrom::Start(here))?;
        Ok(Self {
            inner: BufReader::with_capacity(64 * 1024, input),
            offset: 0,
            len,
        })
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

    /// Bytes of the whole file, when it was opened.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// [`BufRead::fill_buf`] that an interrupted system call does not end.
    pub(crate) fn fill(&mut self) -> io::Result<&[u8]> {
        loop {
            match self.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                // Asked again, because a borrow in this arm would last for the whole loop.
                Ok(_) => break,
            }
        }
        self.inner.fill_buf()
    }

    /// Nothing more can be read: that is the end, unless the file was longer when it was opened.
    fn check_end(&self) -> io::Result<()> {
        if self.offset >= self.len {
            return Ok(());
        }
        Err(io::Error::other(format!(
            "the file had {} bytes and ends after {}: it was changed while it was read",
            self.len, self.offset
        )))
    }
}

impl Read for Raw {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.offset += n as u64;
        if n == 0 && !buffer.is_empty() {
            self.check_end()?;
        }
        Ok(n)
    }
}

impl BufRead for Raw {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.inner.fill_buf()?.is_empty() {
            self.check_end()?;
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.inner.consume(n);
        self.offset += n as u64;
    }
}
