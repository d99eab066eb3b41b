//! UTF-8 validation where ASCII and other text alternate, as in the pages of most languages.
//!
//! Tests for ASCII one after the other, each of which decides what is examined, would be mispredicted at every
//! second change. Here the vectors of a piece of text are tested before any is examined, and each gets a bit:
//!
//! ```text
//! vectors  <a href="  ">Привет,  мир!</a>   <p class="  ...
//! marks        0          1         1           0
//! ```
//!
//! Then the marked vectors are examined, in a loop that is mispredicted once, when it ends; or all of them, if most are
//! marked. The next piece is marked before: so the end of that loop is known early, and its misprediction costs little.
//!
//! Tested with the kernels.

use super::BLOCK;
use super::utf8_valid::{BACK, LIMITS, after_ascii, errors, is_cut};
use crate::simd::vector::{MARKED, Vector};

/// The number of vectors in a piece: with 64, pages take 1.02 times as long, and with 16, 1.03 to 1.1 times.
const PIECE: usize = 2 * MARKED;

/// If so many vectors of a piece are marked, all are examined.
const MIN_DENSE: u32 = 20;

/// If so many vectors of two pieces are marked, marking what follows them does not pay.
const MIN_ALL: u32 = 56;

/// What follows text that was validated.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum After {
    /// A piece with an error.
    Error,
    /// Two pieces that are ASCII, if they are to be copied.
    Ascii,
    /// Text in which most likely few vectors are ASCII.
    Dense,
    /// Less than a piece.
    End,
}

/// Returns the piece at `at`.
#[inline(always)]
pub(super) fn piece<V: Vector>(_: V, src: &[u8], at: usize) -> Option<&[u8]> {
    if !V::MARKS_VECTORS {
        return None;
    }
    src.get(at..)?.get(..PIECE * V::LANES)
}

/// Validates pieces, of which `first` is at `at`, as long as marking them pays. There are at least three bytes before,
/// without errors. After each piece, `valid` is called with the position up to which there are no errors, except perhaps
/// a cut character at its end. Returns the last such position, and what follows.
#[inline(always)]
pub(super) fn valid_pieces<const COPIES: bool, V: Vector>(
    v: V,
    src: &[u8],
    at: usize,
    first: &[u8],
    mut valid: impl FnMut(usize),
) -> (usize, After) {
    let mut at = at;
    let mut marks = marks_of(v, first);
    if marks & 1 == 0 && is_cut(src, at) {
        return (at, After::Error);
    }
    loop {
        let next = piece(v, src, at + PIECE * V::LANES).map(
            #[inline(always)]
            |piece| marks_of(v, piece),
        );
        // What follows the last piece is not known to be ASCII.
        let both = u64::from(marks) | u64::from(next.unwrap_or(u32::MAX)) << PIECE;
        if both == 0 {
            if COPIES {
                return (at, After::Ascii);
            }
            at = after_ascii(v, src, at + 2 * PIECE * V::LANES);
            let Some(piece) = piece(v, src, at) else {
                return (at, After::End);
            };
            marks = marks_of(v, piece);
            continue;
        }
        let from = src.get(at - BACK..).unwrap_or_default();
        if marks != 0 && !is_piece_valid(v, from, marks, !(both >> 1)) {
            return (at, After::Error);
        }
        at += PIECE * V::LANES;
        valid(at);
        if both.count_ones() >= MIN_ALL {
            return (at, After::Dense);
        }
        let Some(next) = next else {
            return (at, After::End);
        };
        marks = next;
    }
}

/// Returns a bit for each vector of a piece, set if it is not ASCII.
#[inline(always)]
fn marks_of<V: Vector>(v: V, piece: &[u8]) -> u32 {
    let (front, back) = piece.split_at(MARKED * V::LANES);
    u32::from(v.marks(front)) | u32::from(v.marks(back)) << MARKED
}

/// Returns whether there is no error in the piece that starts `BACK` bytes into `text`, except perhaps a cut character
/// at its end. The bits of `ends` say which vectors are followed by ASCII.
#[inline(always)]
fn is_piece_valid<V: Vector>(v: V, text: &[u8], marks: u32, ends: u64) -> bool {
    let Some(text) = text.get(..BACK + PIECE * V::LANES) else {
        return false;
    };
    if marks.count_ones() >= MIN_DENSE {
        let last = v.load(&text[BACK + (PIECE - 1) * V::LANES..]);
        let mut any = cut_before_ascii(v, last, ends, PIECE - 1);
        let mut at = 0;
        while at < PIECE * V::LANES {
            for at in (at..at + 4 * V::LANES).step_by(V::LANES) {
                any = v.or(any, errors(v, v.text_inside(&text[at..])));
            }
            at += 4 * V::LANES;
        }
        return !v.any(any);
    }
    let mut any = v.splat_u8(0);
    let mut rest = marks;
    while rest != 0 {
        let i = rest.trailing_zeros() as usize % PIECE;
        let window = text.get(i * V::LANES..i * V::LANES + BACK + V::LANES);
        let text = v.text_inside(window.unwrap_or_default());
        any = v.or(any, errors(v, text));
        any = v.or(any, cut_before_ascii(v, text.bytes, ends, i));
        rest &= rest - 1;
    }
    !v.any(any)
}

/// Returns non-zero in bytes that start a character which does not end in the vector, if the vector is followed by
/// ASCII: that is an error in a vector that is not examined. The bits of `ends` say which vectors are.
#[inline(always)]
fn cut_before_ascii<V: Vector>(v: V, bytes: V::V, ends: u64, i: usize) -> V::V {
    let limits = &LIMITS[2 * (BLOCK - V::LANES)..][(ends >> i & 1) as usize * V::LANES..];
    v.saturating_sub_u8(bytes, v.load(limits))
}
