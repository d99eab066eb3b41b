//! The undecoded side of a [`DecodeReader`](super::DecodeReader).

use std::boxed::Box;
use std::io::{self, Read};
use std::vec;

use super::BUFFER_LEN;
use crate::convert::DecodeError;
use crate::decoder::Decoder;
use crate::encoding::{Encoding, UTF_8};
use crate::progress::{Bom, Malformed, Progress, Status};

/// The reader, the decoder, and the bytes between them.
pub(super) struct Undecoded<R> {
    pub(super) reader: R,
    pub(super) decoder: Decoder,
    /// Bytes that were read and not yet decoded: `input[start..end]`.
    input: Box<[u8]>,
    start: usize,
    end: usize,
    /// The reader has said that it is at its end.
    at_end: bool,
    /// The decoder has said that it is at its end.
    pub(super) finished: bool,
    pub(super) strict: bool,
    pub(super) pass_through: bool,
    /// Whether this stream is passed on unchanged, once that is known.
    pub(super) passes: Option<bool>,
    pub(super) errors: u64,
    /// A malformed sequence to report after the text before it.
    malformed: Option<Malformed>,
}

impl<R> Undecoded<R> {
    pub(super) fn new(reader: R, decoder: Decoder) -> Self {
        Self {
            reader,
            decoder,
            input: vec![0; BUFFER_LEN].into_boxed_slice(),
            start: 0,
            end: 0,
            at_end: false,
            finished: false,
            strict: false,
            pass_through: false,
            passes: None,
            errors: 0,
            malformed: None,
        }
    }

    /// Begins a stream of which nothing was read yet. The caller resets the decoder.
    pub(super) fn restart(&mut self, reader: R) {
        self.reader = reader;
        (self.start, self.end) = (0, 0);
        (self.at_end, self.finished) = (false, false);
        self.passes = None;
        (self.errors, self.malformed) = (0, None);
    }

    /// Returns the error that is pending, once.
    fn check(&mut self) -> io::Result<()> {
        match self.malformed.take() {
            None => Ok(()),
            Some(malformed) => {
                let encoding = self.decoder.encoding();
                Err(DecodeError {
                    encoding,
                    malformed,
                }
                .into())
            }
        }
    }
}

impl<R: Read> Undecoded<R> {
    /// Writes text into `dst`: at least one byte unless the text is at its end. `dst` must have room for a
    /// character.
    pub(super) fn decode_into(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        if self.passes()? {
            return self.pass_into(dst);
        }
        let strict = self.strict;
        loop {
            let progress = self.step(|decoder, src, last| {
                if strict {
                    decoder.decode_to_utf8_strict(src, dst, last)
                } else {
                    decoder.decode_to_utf8(src, dst, last)
                }
            })?;
            if progress.written > 0 || self.finished {
                return Ok(progress.written);
            }
        }
    }

    /// Whether the stream is passed on unchanged. The first call reads until a byte order mark would be
    /// complete, and skips what the decoder would remove.
    pub(super) fn passes(&mut self) -> io::Result<bool> {
        if let Some(passes) = self.passes {
            return Ok(passes);
        }
        if !self.pass_through {
            return Ok(false);
        }
        if self.decoder.total_read() > 0 {
            // Asked for in the middle of the stream.
            self.passes = Some(false);
            return Ok(false);
        }
        while !self.at_end && self.end - self.start < LONGEST_BOM {
            let len = self.read(self.end)?;
            self.end += len;
            self.at_end = len == 0;
        }
        let head = &self.input[self.start..self.end];
        let head = head.get(..LONGEST_BOM).unwrap_or(head);
        let mut decoder = self.decoder.clone();
        // What counts is the encoding that the decoder decides on.
        let _ = decoder.decode_to_utf8(head, &mut [0; 4 * LONGEST_BOM], false);
        let passes = decoder.encoding() == UTF_8;
        if passes {
            if decoder.removes_bom()
                && let Some((_, len)) = Encoding::for_bom(head).filter(|(it, _)| *it == UTF_8)
            {
                self.start += len;
            }
            self.decoder.reset_to(UTF_8, Bom::Keep);
        }
        self.passes = Some(passes);
        Ok(passes)
    }

    /// Copies bytes to `dst`, at least one unless the stream is at its end.
    fn pass_into(&mut self, dst: &mut [u8]) -> io::Result<usize> {
        if self.start == self.end && !self.at_end {
            if dst.len() >= self.input.len() {
                let len = read(&mut self.reader, dst)?;
                self.at_end = len == 0;
                self.finished = self.at_end;
                return Ok(len);
            }
            self.refill()?;
        }
        let rest = &self.input[self.start..self.end];
        let len = rest.len().min(dst.len());
        dst[..len].copy_from_slice(&rest[..len]);
        self.start += len;
        self.finished = len == 0;
        Ok(len)
    }

    /// Calls the decoder once, with new input if it needs some. An error of the reader changes nothing.
    pub(super) fn step(
        &mut self,
        convert: impl FnOnce(&mut Decoder, &[u8], bool) -> Progress,
    ) -> io::Result<Progress> {
        self.check()?;
        if self.finished {
            return Ok(Progress {
                status: Status::InputEmpty,
                read: 0,
                written: 0,
                errors: 0,
            });
        }
        if self.start == self.end && !self.at_end {
            self.refill()?;
        }
        let src = &self.input[self.start..self.end];
        let progress = convert(&mut self.decoder, src, self.at_end);
        self.start += progress.read;
        self.errors += progress.errors as u64;
        self.finished = self.at_end && progress.status == Status::InputEmpty;
        if let Status::Malformed(malformed) = progress.status {
            self.malformed = Some(malformed);
        }
        Ok(progress)
    }

    fn refill(&mut self) -> io::Result<()> {
        let len = self.read(0)?;
        (self.start, self.end) = (0, len);
        self.at_end = len == 0;
        Ok(())
    }

    /// Reads the first bytes of a stream of which nothing was read yet: as many as there is room for, or all. Returns
    /// whether they are all. The caller resets the decoder. After an error the stream is at its end.
    pub(super) fn read_head(&mut self) -> io::Result<(&[u8], bool)> {
        (self.at_end, self.finished) = (true, true);
        let mut len = 0;
        while len < self.input.len() {
            match self.read(len)? {
                0 => break,
                more => len += more,
            }
        }
        self.end = len;
        self.at_end = len < self.input.len();
        self.finished = false;
        Ok((&self.input[..len], self.at_end))
    }

    /// Reads into the input, from `start` on.
    fn read(&mut self, start: usize) -> io::Result<usize> {
        read(&mut self.reader, &mut self.input[start..])
    }
}

/// Reads, and tries again if the call was interrupted.
fn read(reader: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // A reader may claim more than it was asked for.
            result => return result.map(|len| len.min(room.len())),
        }
    }
}

/// The length of the longest byte order mark, UTF-8's, in bytes.
const LONGEST_BOM: usize = 3;
