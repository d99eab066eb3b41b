//! Pieces of text that are encoded: UTF-8, or UTF-16 that need not be well-formed.

use std::vec::Vec;

use crate::codec::source::TextFront;
use crate::convert::EncoderInput;
use crate::encoder::Encoder;
use crate::progress::{MIN_ENCODED, Status, Unmappable};
use crate::simd::surrogate_pair;

/// Text that can be cut between characters.
pub(super) trait PieceText: EncoderInput + Send + Sync {
    const UNIT_BYTES: usize;

    /// Whether `at` is between two characters.
    fn is_boundary(self, at: usize) -> bool;

    fn part(self, from: usize, to: usize) -> Self;

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

impl PieceText for &str {
    const UNIT_BYTES: usize = 1;

    fn is_boundary(self, at: usize) -> bool {
        self.is_char_boundary(at)
    }

    fn part(self, from: usize, to: usize) -> Self {
        &self[from..to]
    }
}

impl PieceText for &[u16] {
    const UNIT_BYTES: usize = 2;

    fn is_boundary(self, at: usize) -> bool {
        match (self.get(at.wrapping_sub(1)), self.get(at)) {
            (Some(lead), Some(trail)) => surrogate_pair(*lead, *trail).is_none(),
            _ => true,
        }
    }

    fn part(self, from: usize, to: usize) -> Self {
        &self[from..to]
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
/// have, and appends the bytes to `to`.
pub(super) fn encode_piece<T: PieceText>(
    encoder: &mut Encoder,
    piece: T,
    unmappable: Unmappable,
    to: &mut Vec<u8>,
) -> Missing {
    let start = encoder.total_read();
    let mut missing = Missing::default();
    let mut rest = piece;
    let mut is_flushed = false;
    loop {
        // Most text needs much less room than the worst case.
        to.reserve(rest.units() + rest.units() / 2 + MIN_ENCODED);
        let progress = if rest.units() > 0 {
            rest.encode(encoder, to, false, unmappable)
        } else {
            // The rest is in another piece, and does not complete a leading surrogate at the end of this
            // one. A call with UTF-8, even if it is empty, tells the encoder so.
            is_flushed = true;
            encoder.encode_to_vec("", to, false, unmappable)
        };
        rest = rest.skip(progress.read);
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

/// Joins a piece to the one before it.
///
/// ISO-2022-JP is the one encoding whose encoder has a state between two characters. Each piece is encoded as
/// if it began in the initial state. When it is delivered, its true state is known, and its front is encoded
/// again, up to the first character after which both states are the same. After JIS X 0208 that is the first
/// character; after Roman it is the first one that is not in both ASCII and Roman.
///
/// `encoded` is what `piece` became from the initial state, and `after` the encoder after it. Changes both to what
/// they are from the state of `before`.
pub(super) fn join<T: PieceText>(
    before: &Encoder,
    after: &mut Encoder,
    piece: T,
    unmappable: Unmappable,
    encoded: &mut Vec<u8>,
) {
    let (mut assumed, mut right) = (before.clone(), before.clone());
    assumed.reset();
    let mut rest = piece;
    let (mut assumed_front, mut front) = (Vec::new(), Vec::new());
    while !right.is_in_state_of(&assumed)
        && let TextFront::Char(_, next) = rest.front(true)
    {
        let ch = rest.part(0, rest.units() - next.units());
        rest = next;
        encode_piece(&mut assumed, ch, unmappable, &mut assumed_front);
        let missing = encode_piece(&mut right, ch, unmappable, &mut front);
        if missing.stop.is_some() {
            break;
        }
    }
    encoded.splice(..assumed_front.len(), front);
    if !right.is_in_state_of(&assumed) {
        *after = right;
    }
}
