//! What is encoded: UTF-8, or UTF-16 that need not be well-formed.

use std::vec::Vec;

use crate::encoder::Encoder;
use crate::progress::{MIN_ENCODED, Progress, Status, Unmappable};
use crate::simd::surrogate_pair;

/// Text that can be cut between characters.
pub(super) trait EncoderInput: Copy + Send + Sync {
    const UNIT_BYTES: usize;

    /// The length in code units (bytes of UTF-8).
    fn units(self) -> usize;

    /// Whether `at` is between two characters.
    fn is_boundary(self, at: usize) -> bool;

    fn part(self, from: usize, to: usize) -> Self;

    /// The most bytes that the text can become, if nothing in it is unmappable.
    fn max_len(self, encoder: &Encoder) -> Option<usize>;

    /// Encodes the text as one part of a stream.
    fn encode(self, encoder: &mut Encoder, dst: &mut [u8], unmappable: Unmappable) -> Progress;

    /// The length of the first character.
    fn front(self) -> usize;

    /// The end of the piece that begins at `start`: between two characters, after about `len` units.
    fn piece_end(self, start: usize, len: usize) -> usize {
        let whole = self.units();
        if whole - start <= len {
            return whole;
        }
        let end = start + len;
        // No character has more than four units.
        let near = (end.saturating_sub(3)..=end).rev().chain(end..whole);
        let mut near = near.filter(|at| *at > start);
        near.find(|at| self.is_boundary(*at)).unwrap_or(whole)
    }
}

impl EncoderInput for &str {
    const UNIT_BYTES: usize = 1;

    fn units(self) -> usize {
        self.len()
    }

    fn is_boundary(self, at: usize) -> bool {
        self.is_char_boundary(at)
    }

    fn part(self, from: usize, to: usize) -> Self {
        &self[from..to]
    }

    fn max_len(self, encoder: &Encoder) -> Option<usize> {
        encoder.max_len_from_utf8(self.len())
    }

    fn encode(self, encoder: &mut Encoder, dst: &mut [u8], unmappable: Unmappable) -> Progress {
        encoder.encode_from_utf8(self, dst, false, unmappable)
    }

    fn front(self) -> usize {
        self.chars().next().map_or(0, char::len_utf8)
    }
}

impl EncoderInput for &[u16] {
    const UNIT_BYTES: usize = 2;

    fn units(self) -> usize {
        self.len()
    }

    fn is_boundary(self, at: usize) -> bool {
        match (self.get(at.wrapping_sub(1)), self.get(at)) {
            (Some(lead), Some(trail)) => surrogate_pair(*lead, *trail).is_none(),
            _ => true,
        }
    }

    fn part(self, from: usize, to: usize) -> Self {
        &self[from..to]
    }

    fn max_len(self, encoder: &Encoder) -> Option<usize> {
        encoder.max_len_from_utf16(self.len())
    }

    fn encode(self, encoder: &mut Encoder, dst: &mut [u8], unmappable: Unmappable) -> Progress {
        encoder.encode_from_utf16(self, dst, false, unmappable)
    }

    fn front(self) -> usize {
        if self.is_boundary(1) { 1 } else { 2 }
    }
}

/// The bytes that a piece is encoded to, in a buffer that is reused and has some free room before them.
#[derive(Debug, Default)]
pub(super) struct EncodedPiece {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

/// Room before the bytes, where an escape sequence may have to be inserted.
const ROOM_BEFORE: usize = 16;

impl EncodedPiece {
    pub(super) fn clear(&mut self) {
        (self.start, self.end) = (ROOM_BEFORE, ROOM_BEFORE);
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Replaces the first `len` bytes by `by`.
    pub(super) fn replace_front(&mut self, len: usize, by: &[u8]) {
        let after = self.start + len;
        match after.checked_sub(by.len()) {
            Some(start) => {
                self.buffer[start..after].copy_from_slice(by);
                self.start = start;
            }
            None => {
                self.buffer.splice(self.start..after, by.iter().copied());
                self.end = self.end - len + by.len();
            }
        }
    }

    /// Calls `encode` to write after the bytes, with room for `room` more.
    pub(super) fn append(
        &mut self,
        room: usize,
        encode: impl FnOnce(&mut [u8]) -> Progress,
    ) -> Progress {
        let wanted = self.end + room.max(MIN_ENCODED);
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted, 0);
        }
        let progress = encode(&mut self.buffer[self.end..]);
        self.end += progress.written;
        progress
    }
}

/// What was unmappable in a piece.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Missing {
    pub(super) count: usize,
    /// With [`Unmappable::Strict`]: the character and its place in the piece, in units.
    pub(super) stop: Option<(char, usize)>,
}

/// Encodes one piece, with [`Unmappable::Strict`] only up to the first character that the encoding does not
/// have.
pub(super) fn encode_piece<T: EncoderInput>(
    encoder: &mut Encoder,
    piece: T,
    unmappable: Unmappable,
    to: &mut EncodedPiece,
) -> Missing {
    to.clear();
    let start = encoder.total_read();
    let mut missing = Missing::default();
    let mut rest = piece;
    let mut is_flushed = false;
    loop {
        // Most text needs much less room than the worst case.
        let room = rest.units() + rest.units() / 2;
        let progress = to.append(room, |dst| {
            if rest.units() > 0 {
                rest.encode(encoder, dst, unmappable)
            } else {
                // The rest is in another piece, and does not complete a leading surrogate at the end of this
                // one. A call with UTF-8, even if it is empty, tells the encoder so.
                is_flushed = true;
                encoder.encode_from_utf8("", dst, false, unmappable)
            }
        });
        rest = rest.part(progress.read, rest.units());
        missing.count += progress.errors;
        match progress.status {
            Status::Unmappable { ch, offset } => {
                missing.stop = Some((ch, (offset - start) as usize));
                return missing;
            }
            Status::InputEmpty if is_flushed => return missing,
            Status::InputEmpty | Status::OutputFull | Status::Malformed(_) => {}
        }
    }
}
