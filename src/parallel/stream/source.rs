//! Cuts what a reader reads into pieces.

use std::io::{self, ErrorKind, Read};
use std::vec::Vec;

use super::super::cut::{LOOK_AHEAD, LOOK_BACK, Window};
use crate::encoding::Encoding;
use crate::progress::{Bom, MIN_UTF8};

/// A piece of input, and the buffer that it is a part of.
#[derive(Debug, Default)]
pub(super) struct Input {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The offset of the piece in the stream.
    pub(super) offset: u64,
    pub(super) starts_at_cut: bool,
    /// Whether the bytes after it can't change its text.
    pub(super) ends_at_cut: bool,
}

impl Input {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }
}

/// The first size of a buffer for a piece that is at least as long.
const FIRST_READ: usize = 1024 * 1024;

/// Reads the pieces of a stream.
pub(super) struct PieceReader<R> {
    reader: R,
    encoding: &'static Encoding,
    bom: Bom,
    piece_len: usize,
    /// What was read and is in no piece yet, after the last `after` bytes of the piece before.
    ahead: Vec<u8>,
    after: usize,
    /// The offset in the stream of what is in no piece yet.
    offset: u64,
    at_cut: bool,
    is_at_end: bool,
    error: Option<io::Error>,
}

impl<R: Read> PieceReader<R> {
    pub(super) fn new(reader: R, encoding: &'static Encoding, bom: Bom, piece_len: usize) -> Self {
        PieceReader {
            reader,
            encoding,
            bom,
            piece_len,
            ahead: Vec::new(),
            after: 0,
            offset: 0,
            at_cut: true,
            is_at_end: false,
            error: None,
        }
    }

    /// Reads the first piece. Returns whether it is the only one.
    pub(super) fn begin(&mut self) -> bool {
        let mut first = Vec::new();
        let len = self.read(&mut first, 0, self.piece_len + LOOK_AHEAD);
        first.truncate(len);
        if self.error.is_some() && self.is_cut_mark(&first) {
            first.clear();
        }
        let (encoding, mark) = self.encoding.after_bom(&first, self.bom);
        self.encoding = encoding;
        self.ahead = first;
        (self.after, self.offset) = (mark, mark as u64);
        self.is_at_end
    }

    /// Whether all that could be read may be the front of a byte order mark, so that it is not known what it is.
    fn is_cut_mark(&self, first: &[u8]) -> bool {
        const LONGEST: usize = 3;
        let mut decoder = self.encoding.decoder(self.bom);
        first.len() < LONGEST && {
            let _ = decoder.decode_to_utf8(first, &mut [0; LONGEST * MIN_UTF8], false);
            decoder.is_at_bom()
        }
    }

    /// The encoding, which is final after [`PieceReader::begin`].
    pub(super) fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// The offset in the stream of what is in no piece yet.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// The error that ended the stream, if one did.
    pub(super) fn into_error(self) -> Option<io::Error> {
        self.error
    }

    /// Reads the next piece. Returns false if there is none.
    pub(super) fn next(&mut self, input: &mut Input) -> bool {
        let start = self.after;
        let wanted = start + self.piece_len + LOOK_AHEAD;
        let read = self.ahead.len();
        if input.buffer.len() < read {
            input.buffer.resize(read, 0);
        }
        input.buffer[..read].copy_from_slice(&self.ahead);
        let len = if read < wanted && !self.is_at_end {
            self.read(&mut input.buffer, read, wanted)
        } else {
            read
        };
        if len == start {
            return false;
        }
        let (end, ends_at_cut) = if self.is_at_end && len - start <= self.piece_len {
            // After an error the rest of a character may be missing, so what the decoder holds is not text.
            (len, self.error.is_none())
        } else {
            let window = Window {
                bytes: &input.buffer[..len],
                offset: self.offset - start as u64,
            };
            window.piece_end(self.encoding.codec(), start, self.at_cut, self.piece_len)
        };
        (input.start, input.end, input.offset) = (start, end, self.offset);
        (input.starts_at_cut, input.ends_at_cut) = (self.at_cut, ends_at_cut);

        self.after = end.min(LOOK_BACK);
        self.ahead.clear();
        (self.ahead).extend_from_slice(&input.buffer[end - self.after..len]);
        self.offset += (end - start) as u64;
        self.at_cut = ends_at_cut;
        true
    }

    /// Fills the buffer from `len` up to `wanted`. Returns how much is filled, which is less only at the end
    /// of the stream.
    ///
    /// The buffer grows with what there is to read, so that a short stream takes little memory however long
    /// pieces may be.
    fn read(&mut self, buffer: &mut Vec<u8>, mut len: usize, wanted: usize) -> usize {
        while len < wanted {
            if len == buffer.len() {
                buffer.resize(wanted.min((2 * len).max(FIRST_READ)), 0);
            }
            let room = wanted.min(buffer.len());
            match self.reader.read(&mut buffer[len..room]) {
                Ok(0) => {
                    self.is_at_end = true;
                    break;
                }
                // A reader may claim more than it was asked for.
                Ok(read) => len = len.saturating_add(read).min(room),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.is_at_end = true;
                    self.error = Some(error);
                    break;
                }
            }
        }
        len
    }
}
