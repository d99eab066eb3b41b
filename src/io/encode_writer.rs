//! [`EncodeWriter`]: UTF-8, written in any encoding.

use std::boxed::Box;
use std::fmt;
use std::io::{self, Write};
use std::vec;
use std::vec::Vec;

use super::BUFFER_LEN;
use crate::convert::{DecodeError, EncodeError};
use crate::encoder::Encoder;
use crate::encoding::{Encoding, UTF_8};
use crate::output::utf8_prefix;
use crate::progress::{MIN_ENCODED, Malformed, Status, Unmappable};
use crate::simd;

/// Room for two escape sequences and what is written for one character.
const SPARE_ROOM: usize = 2 * MIN_ENCODED;

/// Takes UTF-8 and writes it in another encoding.
///
/// Bytes may be written in any pieces; a character cut by the end of a piece waits for its rest.
/// No byte order mark is written, unless the text has U+FEFF.
///
/// **Call [`finish`](Self::finish).** Output is buffered, and text in ISO-2022-JP may need a last
/// escape sequence. Dropping the writer does neither: what is buffered is lost.
///
/// ```
/// use simdtext::{ISO_2022_JP, Unmappable, io::EncodeWriter};
/// use std::io::Write;
///
/// let mut writer = EncodeWriter::new(Vec::new(), ISO_2022_JP, Unmappable::Ncr)?;
/// writer.write_all("日本☃".as_bytes())?;
/// assert_eq!(writer.errors(), 1);
/// assert_eq!(writer.finish()?, b"\x1B$BF|K\\\x1B(B&#9731;");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors of `write`
///
/// Of the kind [`InvalidData`](io::ErrorKind::InvalidData): around a [`DecodeError`] with the offset in the
/// stream, where the bytes are not UTF-8; around an [`EncodeError`], where the encoding lacks a character and
/// the caller chose [`Unmappable::Strict`]. The text before the error is taken first. After such an error the
/// writer takes nothing more, and each call returns the error again, including [`finish`](Self::finish); but
/// `finish` and [`flush`](Write::flush) still write what came before.
///
/// Errors of the underlying writer lose and duplicate nothing: `write` returns them only if it has taken
/// nothing, and may be called again.
pub struct EncodeWriter<W> {
    inner: W,
    encoder: Encoder,
    unmappable: Unmappable,
    /// Encoded bytes that `inner` has not yet taken: `buffer[start..end]`.
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    /// The start of a character whose rest is to come: `held[..held_len]`.
    held: [u8; 4],
    held_len: usize,
    /// Bytes taken since the start of the text, held ones included.
    taken: u64,
    errors: u64,
    fault: Option<InputFault>,
}

/// The error in the text, if one was found.
#[derive(Clone, Copy)]
enum InputFault {
    Malformed(DecodeError),
    Unmappable(EncodeError),
}

impl From<InputFault> for io::Error {
    fn from(fault: InputFault) -> Self {
        match fault {
            InputFault::Malformed(error) => error.into(),
            InputFault::Unmappable(error) => error.into(),
        }
    }
}

impl<W: Write> EncodeWriter<W> {
    /// Encodes to `encoding` into `inner`.
    ///
    /// UTF-16BE and UTF-16LE are written as such; [`Encoding::output_encoding`] gives the web's
    /// rule.
    ///
    /// # Errors
    ///
    /// [`EncodeError::NoEncoder`] for the replacement encoding.
    pub fn new(
        inner: W,
        encoding: &'static Encoding,
        unmappable: Unmappable,
    ) -> Result<Self, EncodeError> {
        let encoder = encoding
            .encoder()
            .ok_or(EncodeError::NoEncoder { encoding })?;
        Ok(Self {
            inner,
            encoder,
            unmappable,
            buffer: vec![0; BUFFER_LEN + SPARE_ROOM].into_boxed_slice(),
            start: 0,
            end: 0,
            held: [0; 4],
            held_len: 0,
            taken: 0,
            errors: 0,
            fault: None,
        })
    }

    /// Writes a whole text. Unlike [`write_all`](Write::write_all), this need not validate it.
    ///
    /// # Errors
    ///
    /// As for `write`. An error does not tell how much was taken before it.
    ///
    /// ```
    /// use simdtext::{KOI8_R, Unmappable, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), KOI8_R, Unmappable::Ncr)?;
    /// writer.write_str("мир ☮")?;
    /// assert_eq!(writer.errors(), 1);
    /// assert_eq!(writer.finish()?, b"\xCD\xC9\xD2 &#9774;");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_str(&mut self, text: &str) -> io::Result<()> {
        self.check()?;
        if text.is_empty() {
            return Ok(());
        }
        if self.held_len > 0 {
            return Err(self.malformed_held());
        }
        let (read, result) = self.encode(text, self.taken);
        self.taken += read as u64;
        result
    }

    /// Ends the text: writes what is buffered and the encoding's last escape sequence, flushes, and returns
    /// the underlying writer.
    ///
    /// # Errors
    ///
    /// As for [`try_finish`](Self::try_finish), which keeps the writer.
    ///
    /// ```
    /// use simdtext::{ISO_2022_JP, Unmappable, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), ISO_2022_JP, Unmappable::Ncr)?;
    /// writer.write_str("日")?;
    /// assert_eq!(writer.finish()?, b"\x1B$BF|\x1B(B");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(mut self) -> io::Result<W> {
        self.try_finish()?;
        Ok(self.inner)
    }

    /// Ends the text like [`finish`](Self::finish), and may be called again after an error of the underlying
    /// writer. What is written afterwards is a new text.
    ///
    /// # Errors
    ///
    /// Those of the underlying writer, and [`InvalidData`](io::ErrorKind::InvalidData) if the text ends
    /// inside a character or had an error before. What came before that error is ended and written all the
    /// same.
    pub fn try_finish(&mut self) -> io::Result<()> {
        loop {
            self.make_room()?;
            // At the end of a text the encoder starts over, so a second call writes nothing.
            let progress = self.encoder.encode_from_utf8(
                "",
                &mut self.buffer[self.end..],
                true,
                self.unmappable,
            );
            self.end += progress.written;
            self.errors += progress.errors as u64;
            if progress.status != Status::OutputFull {
                break;
            }
        }
        let written = self.flush();
        if self.held_len == 0 {
            // A new text has begun, even if the bytes of this one are not yet written.
            self.taken = 0;
        }
        written?;
        self.check()?;
        if self.held_len > 0 {
            return Err(self.malformed_held());
        }
        Ok(())
    }

    /// Takes the rest of the held character from `buf`. Returns the bytes taken; the character is
    /// encoded once it is whole.
    fn complete_held(&mut self, buf: &[u8]) -> (usize, io::Result<()>) {
        for (taken, &byte) in buf.iter().enumerate() {
            self.held[self.held_len] = byte;
            let held = self.held;
            match core::str::from_utf8(&held[..=self.held_len]) {
                Ok(text) => {
                    let offset = self.taken - self.held_len as u64;
                    let (read, result) = self.encode(text, offset);
                    if read < text.len() {
                        return (taken, result);
                    }
                    self.held_len = 0;
                    self.taken += 1;
                    return (taken + 1, result);
                }
                Err(error) if error.error_len().is_none() => {
                    self.held_len += 1;
                    self.taken += 1;
                }
                Err(_) => return (taken, Err(self.malformed_held())),
            }
        }
        (buf.len(), Ok(()))
    }

    /// Takes text from `buf` while nothing is held.
    fn take(&mut self, buf: &[u8]) -> (usize, io::Result<()>) {
        // Validating no more than this keeps the time linear even if the underlying writer is slow.
        let window = &buf[..buf.len().min(BUFFER_LEN)];
        let text = utf8_prefix(simd::active(), window);
        let (read, result) = self.encode(text, self.taken);
        self.taken += read as u64;
        let rest = &window[read..];
        if result.is_err() || read < text.len() || rest.is_empty() {
            return (read, result);
        }
        // Its first bytes are no character.
        let front = core::str::from_utf8(&rest[..rest.len().min(4)]);
        match front.err().and_then(|error| error.error_len()) {
            // The character continues in `buf`, or in the next call's.
            None if window.len() < buf.len() => (read, Ok(())),
            None => {
                self.held[..rest.len()].copy_from_slice(rest);
                self.held_len = rest.len();
                self.taken += rest.len() as u64;
                (buf.len(), Ok(()))
            }
            // The text before them is taken first; the next call meets the malformed bytes.
            Some(_) if read > 0 => (read, Ok(())),
            Some(len) => (0, Err(self.malformed(self.taken, &rest[..len]))),
        }
    }

    /// Encodes `text`, whose offset is `offset`. Returns how much of it is encoded, in bytes, and why not
    /// more.
    fn encode(&mut self, text: &str, offset: u64) -> (usize, io::Result<()>) {
        let (mut read, mut is_full) = (0, false);
        loop {
            let rest = &text[read..];
            // A full buffer may end in the escape sequence for a character that is not yet encoded. The spare room at
            // its end is for that character: if the writer fails, the caller need not write it after all.
            let (src, room) = if is_full {
                let first = rest.chars().next().map_or(0, char::len_utf8);
                (&rest[..first], self.buffer.len())
            } else if let Err(error) = self.make_room() {
                return (read, Err(error));
            } else {
                (rest, BUFFER_LEN)
            };
            let progress = self.encoder.encode_from_utf8(
                src,
                &mut self.buffer[self.end..room],
                false,
                self.unmappable,
            );
            is_full = !is_full && progress.status == Status::OutputFull;
            self.end += progress.written;
            self.errors += progress.errors as u64;
            let mut piece = progress.read;
            if let Status::Unmappable { ch, .. } = progress.status {
                // The encoder has passed the character, but it does not count as taken. (Its length need not
                // be that of `ch`, which is U+FFFD for some characters.)
                let passed = &text[read..read + piece];
                piece -= passed.chars().next_back().map_or(0, char::len_utf8);
                self.fault = Some(InputFault::Unmappable(EncodeError::Unmappable {
                    encoding: self.encoder.encoding(),
                    ch,
                    offset: offset + (read + piece) as u64,
                }));
            }
            read += piece;
            if let Err(error) = self.check() {
                return (read, Err(error));
            }
            if read == text.len() {
                return (read, Ok(()));
            }
        }
    }

    /// Makes sure that an encoder can make progress in the rest of the buffer.
    fn make_room(&mut self) -> io::Result<()> {
        if self.end + MIN_ENCODED > BUFFER_LEN {
            self.write_out()?;
        }
        Ok(())
    }

    /// Writes what is buffered. After an error, what `inner` has not taken stays.
    fn write_out(&mut self) -> io::Result<()> {
        while self.start < self.end {
            match self.inner.write(&self.buffer[self.start..self.end]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                // A writer may claim more than it was given.
                Ok(len) => self.start = self.start.saturating_add(len).min(self.end),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        (self.start, self.end) = (0, 0);
        Ok(())
    }
}

impl<W> EncodeWriter<W> {
    /// The encoding that is written.
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoder.encoding()
    }

    /// The number of characters so far that the encoding does not have.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// The underlying writer.
    #[must_use]
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// The underlying writer. What is written to it here comes before what is buffered.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// The underlying writer, and the encoded bytes that it has not yet taken, without ending the text.
    /// [`finish`](Self::finish) is for a text that is complete.
    ///
    /// ```
    /// use simdtext::{KOI8_R, Unmappable, io::EncodeWriter};
    ///
    /// let mut writer = EncodeWriter::new(Vec::new(), KOI8_R, Unmappable::Ncr)?;
    /// writer.write_str("мир")?;
    /// let (written, buffered) = writer.into_parts();
    /// assert_eq!((&*written, &*buffered), (&b""[..], &b"\xCD\xC9\xD2"[..]));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use = "the bytes are lost if nothing writes them"]
    pub fn into_parts(self) -> (W, Vec<u8>) {
        let buffered = self.buffer.get(self.start..self.end).unwrap_or_default();
        (self.inner, buffered.to_vec())
    }

    fn check(&self) -> io::Result<()> {
        self.fault.map_or(Ok(()), |fault| Err(fault.into()))
    }

    /// The held bytes are not the start of a character: what follows does not continue them.
    fn malformed_held(&mut self) -> io::Error {
        let held = self.held;
        self.malformed(self.taken - self.held_len as u64, &held[..self.held_len])
    }

    fn malformed(&mut self, offset: u64, sequence: &[u8]) -> io::Error {
        // A malformed sequence has at most three bytes.
        let mut bytes = [0; 4];
        bytes[..sequence.len()].copy_from_slice(sequence);
        let len = sequence.len() as u8;
        let fault = InputFault::Malformed(DecodeError {
            encoding: UTF_8,
            malformed: Malformed { offset, len, bytes },
        });
        self.fault = Some(fault);
        fault.into()
    }
}

impl<W: Write> Write for EncodeWriter<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.check()?;
        let (mut taken, mut result) = (0, Ok(()));
        if self.held_len > 0 {
            (taken, result) = self.complete_held(buf);
        }
        if result.is_ok() && taken < buf.len() {
            let (more, rest) = self.take(&buf[taken..]);
            (taken, result) = (taken + more, rest);
        }
        // An error now would mean that nothing was taken. The next call returns it.
        if taken > 0 {
            Ok(taken)
        } else {
            result.map(|()| 0)
        }
    }

    /// Writes what is buffered and flushes the underlying writer. The text goes on: a character that was cut
    /// stays held, and ISO-2022-JP stays in its state.
    fn flush(&mut self) -> io::Result<()> {
        self.write_out()?;
        self.inner.flush()
    }
}

impl<W: fmt::Debug> fmt::Debug for EncodeWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EncodeWriter")
            .field("inner", &self.inner)
            .field("encoding", &self.encoding())
            .field("errors", &self.errors())
            .finish_non_exhaustive()
    }
}
