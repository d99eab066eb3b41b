//! Where a stream of bytes may be cut, so that each piece can be decoded without the one before.
//!
//! A *cut* is a position at which a fresh decoder continues exactly as the running one does, and at which the
//! running one loses nothing: told that its input ends there, it treats the bytes that it still holds as it
//! would have treated them anyway. The rules look at only a few bytes around the position. The tests below
//! compare them with this definition, for all encodings.

use crate::codec::{Codec, Cuts, ESC};

/// The bytes around a place in a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<'a> {
    pub(super) bytes: &'a [u8],
    /// The offset of `bytes` in the stream.
    pub(super) offset: u64,
}

/// How many bytes before a position the rules look at.
pub(super) const LOOK_BACK: usize = 3;
/// How many bytes from a position on the rules look at.
pub(super) const LOOK_AHEAD: usize = 3;

impl Window<'_> {
    /// Whether `at`, a position in `bytes`, is a cut. It is not if the window lacks a byte that the rules
    /// look at.
    pub(super) fn is_cut(&self, codec: Codec, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|i| self.bytes.get(i)).copied();
        match codec.cuts() {
            Cuts::Everywhere => true,
            Cuts::Utf8 => {
                let continues = |byte: &u8| matches!(byte, 0x80..=0xBF);
                // No sequence has more than three continuation bytes, so that nothing reaches the fourth.
                let fourth = || at >= 3 && self.bytes[at - 3..at].iter().all(continues);
                (self.bytes.get(at)).is_some_and(|byte| !continues(byte) || fourth())
            }
            Cuts::Utf16 => {
                let high = usize::from(codec == Codec::Utf16Le);
                let is_even = (self.offset + at as u64).is_multiple_of(2);
                let is_trail = |unit: &[u8]| matches!(unit[high], 0xDC..=0xDF);
                is_even && (self.bytes.get(at..at + 2)).is_some_and(|unit| !is_trail(unit))
            }
            Cuts::AfterAscii => before.is_some_and(|byte| byte.is_ascii()),
            Cuts::AfterAsciiNoDigit => {
                before.is_some_and(|byte| byte.is_ascii() && !byte.is_ascii_digit())
            }
            Cuts::BeforeEscape => self.is_escape(at),
            Cuts::Nowhere => false,
        }
    }

    /// Whether an escape sequence begins at `at`, and there can't be another one just before it.
    fn is_escape(&self, at: usize) -> bool {
        let is_recognised = matches!(
            self.bytes.get(at..),
            Some([ESC, b'(', b'B' | b'J' | b'I', ..] | [ESC, b'$', b'@' | b'B', ..])
        );
        let after = match at.checked_sub(LOOK_BACK) {
            Some(from) => self.bytes.get(from..at),
            None if self.offset == 0 => self.bytes.get(..at),
            None => None,
        };
        is_recognised && after.is_some_and(|after| !after.contains(&ESC))
    }

    /// The end of the piece that begins at `start`, and whether it is a cut. The piece has at least one byte
    /// and at most `size`. The window must reach at least to the end of the longest possible piece; a cut at
    /// that end is only found with [`LOOK_AHEAD`] bytes after it.
    ///
    /// After a cut (`at_cut`), the piece is as long as possible. Otherwise it can only be decoded after the
    /// one before it, and ends at the first cut.
    pub(super) fn piece_end(
        &self,
        codec: Codec,
        start: usize,
        at_cut: bool,
        size: usize,
    ) -> (usize, bool) {
        let end = start + size;
        let mut places = start + 1..=end;
        let is_cut = |at: &usize| {
            #[cfg(test)]
            tests::count_look();
            self.is_cut(codec, *at)
        };
        let cut = if codec.cuts() == Cuts::Nowhere {
            None
        } else if at_cut {
            places.rfind(is_cut)
        } else {
            places.find(is_cut)
        };
        (cut.unwrap_or(end), cut.is_some())
    }
}

#[cfg(test)]
mod tests;
