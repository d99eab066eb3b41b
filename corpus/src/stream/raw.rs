//! The bytes of a file as they are, and where in it they are.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

/// What records are read from: a file, or bytes in memory.
pub trait Input: Read + Seek + Send {}

impl<T: Read + Seek + Send> Input for T {}

/// The number of bytes that are read at a time. A seek throws away what was read ahead, so more costs time where a file is
/// searched back and forth.
const READ: usize = 64 * 1024;
/// The maximum number of bytes that can be buffered.
const BUFFER: usize = 256 * 1024;

/// Reads as [`Read::read`] does, again where a system call is interrupted: decoders take that for damage.
pub(crate) fn read_some(input: &mut dyn Input, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

/// A buffered reader that knows its offset, and can show all that it has buffered.
pub(crate) struct Raw {
    input: Box<dyn Input>,
    buffer: Box<[u8]>,
    /// The part of the buffer that was read and not yet consumed.
    start: usize,
    end: usize,
    /// The offset in the file of the byte at `start`.
    offset: u64,
    /// Bytes of the whole file, when it was opened.
    len: u64,
}

impl Raw {
    pub(crate) fn new(mut input: Box<dyn Input>) -> io::Result<Self> {
        let len = input.seek(SeekFrom::End(0)).map_err(|error| {
            if error.kind() != io::ErrorKind::NotSeekable {
                return error;
            }
            let what = "a pipe can't be read from any offset; save what it gives to a file first";
            io::Error::new(io::ErrorKind::NotSeekable, what)
        })?;
        // Offsets are those in the file, wherever its reader was before.
        input.seek(SeekFrom::Start(0))?;
        Ok(Self {
            input,
            buffer: vec![0; BUFFER].into_boxed_slice(),
            start: 0,
            end: 0,
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
        // The buffer may still hold bytes before `start`.
        let first = self.offset - self.start as u64;
        let at = offset.checked_sub(first).map(usize::try_from);
        match at {
            Some(Ok(at)) if at <= self.end => self.start = at,
            _ => {
                let end = self.offset + (self.end - self.start) as u64;
                match i64::try_from(i128::from(offset) - i128::from(end)) {
                    Ok(by) => self.input.seek(SeekFrom::Current(by))?,
                    Err(_) => self.input.seek(SeekFrom::Start(offset))?,
                };
                self.start = 0;
                self.end = 0;
            }
        }
        self.offset = offset;
        Ok(())
    }

    /// Returns the file; what was buffered is lost.
    pub(crate) fn into_input(self) -> Box<dyn Input> {
        self.input
    }

    /// Bytes of the whole file, when it was opened.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Buffers at least `n` bytes, or all that are left, though the input may give fewer at a time.
    pub(crate) fn fill_to(&mut self, n: usize) -> io::Result<&[u8]> {
        if self.at_hand().len() < n {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        while self.at_hand().len() < n {
            match read_some(&mut *self.input, &mut self.buffer[self.end..READ])? {
                0 => break,
                read => self.end += read,
            }
        }
        if self.start == self.end {
            self.check_end()?;
        }
        Ok(self.at_hand())
    }

    /// Returns what is buffered, without reading.
    pub(crate) fn at_hand(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Reads until the buffer is full or the file ends, and returns whether that added any bytes. An error is left to the
    /// next read, which meets it again.
    pub(crate) fn read_more(&mut self) -> bool {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        let before = self.end;
        while self.end < self.buffer.len() {
            match read_some(&mut *self.input, &mut self.buffer[self.end..]) {
                Ok(0) | Err(_) => break,
                Ok(read) => self.end += read,
            }
        }
        self.end > before
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
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.start == self.end && out.len() >= READ {
            // Not through the buffer.
            let n = read_some(&mut *self.input, out)?;
            self.start = 0;
            self.end = 0;
            self.offset += n as u64;
            if n == 0 {
                self.check_end()?;
            }
            return Ok(n);
        }
        if out.is_empty() {
            return Ok(0);
        }
        let shown = self.fill_buf()?;
        let n = shown.len().min(out.len());
        out[..n].copy_from_slice(&shown[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Raw {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            self.start = 0;
            self.end = 0;
            self.end = read_some(&mut *self.input, &mut self.buffer[..READ])?;
            if self.end == 0 {
                self.check_end()?;
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, n: usize) {
        let n = n.min(self.end - self.start);
        self.start += n;
        self.offset += n as u64;
    }
}
