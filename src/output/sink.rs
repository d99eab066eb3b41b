//! The output of decoders.

use super::run::{DecodeRun, DecodeShort};
use crate::simd::fill::{Fill, LittleRoom};
use crate::simd::{Kernels, Transcoded};

/// An output for decoded text. Whatever does not fit is not written at all.
pub(crate) trait Sink {
    /// Returns the number of units written so far.
    fn written(&self) -> usize;

    /// Returns the number of units that can still be written, or more if that is not known.
    #[inline(always)]
    fn room(&self) -> usize {
        usize::MAX
    }

    /// Writes a character; returns false if it does not fit.
    fn put(&mut self, ch: char) -> bool;

    /// Writes both characters or neither; returns false if they don't fit. An output that is never used for
    /// encodings with pairs may write neither.
    fn put_pair(&mut self, _: char, _: char) -> bool {
        false
    }

    /// Returns the character that the output can't hold, if that is why it took no more.
    fn refused(&self) -> Option<char> {
        None
    }

    /// Returns how many characters the output has replaced, if it counts them itself.
    fn replaced(&self) -> Option<usize> {
        None
    }

    /// Lets kernels convert from the front of `src`, as far as they go and there is room.
    fn run<R: DecodeRun>(&mut self, kernels: &Kernels, run: R, src: &[R::From]) -> Transcoded;

    /// Returns whether the room is below the given limit, and too small for an input of this length, in
    /// units.
    #[inline(always)]
    fn has_less_room_than(&self, _: LittleRoom, _: usize) -> bool {
        false
    }

    /// Converts from the front of `src` into little room. Converting nothing is always correct.
    #[inline(always)]
    fn fill<R: DecodeRun>(&mut self, _: &Kernels, _: R, _: &[R::From]) -> Fill {
        Fill::default()
    }

    /// Converts all of `src` if it is short, well-formed and fits, or else nothing. Returns whether it did.
    /// Converting nothing is always correct.
    #[inline(always)]
    fn try_short<R: DecodeShort>(&mut self, _: R, _: &[u8]) -> bool {
        false
    }
}
