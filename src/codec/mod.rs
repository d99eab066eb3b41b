//! The state machines of the standard (sections 8 to 14), one file each.
//!
//! A machine examines the front of its input and says what is there: [`Decode::step`] and [`Encode::step`]
//! are pure functions from a state and the input to an [`Item`] (or [`Emit`]) and the state after it. The
//! caller (`drive/`) adopts the new state only once the item has fitted in the output, so a machine never has
//! to undo anything; bytes that the standard *restores* to the queue are simply not taken.
//!
//! Tested in `tests/exhaustive` against a transcription of the standard and against encoding_rs.

#[cfg(not(all(feature = "legacy-cjk", feature = "legacy-single-byte")))]
mod absent;
#[cfg(feature = "legacy-cjk")]
pub(crate) mod big5;
#[cfg(feature = "legacy-cjk")]
pub(crate) mod euc_jp;
#[cfg(feature = "legacy-cjk")]
pub(crate) mod euc_kr;
#[cfg(feature = "legacy-cjk")]
pub(crate) mod gb18030;
#[cfg(feature = "legacy-cjk")]
pub(crate) mod iso_2022_jp;
#[cfg(feature = "legacy-cjk")]
mod iso_2022_jp_runs;
mod list;
#[cfg(any(feature = "legacy-cjk", feature = "legacy-single-byte"))]
mod lossy;
pub(crate) mod replacement;
#[cfg(feature = "legacy-cjk")]
pub(crate) mod shift_jis;
#[cfg(feature = "legacy-single-byte")]
pub(crate) mod single_byte;
pub(crate) mod source;
#[cfg(feature = "legacy-cjk")]
mod tables;
#[cfg(feature = "legacy-cjk")]
mod two_byte;
pub(crate) mod utf16;
pub(crate) mod utf8;
pub(crate) mod x_user_defined;

#[cfg(not(feature = "legacy-cjk"))]
pub(crate) use absent::cjk::{big5, euc_jp, euc_kr, gb18030, iso_2022_jp, shift_jis};
#[cfg(not(feature = "legacy-single-byte"))]
pub(crate) use absent::single_byte;
pub(crate) use list::{AnyDecoder, AnyEncoder, Codec, on_machine};
#[cfg(test)]
pub(crate) use list::{two_byte_cells, two_byte_indexes};

use crate::output::run::ToAscii;
use crate::output::{ByteOut, Bytes, Sink};
use crate::simd::fill::{Fill, LittleRoom};
use crate::simd::{Kernels, Transcoded};
use source::{TextSource, starts_with_ascii};

/// The escape character, with which the escape sequences of ISO-2022-JP begin.
pub(crate) const ESC: u8 = 0x1B;

/// Returns the index of ISO-2022-JP, the one that all decoders use: another test may have caused its flat table
/// to be built already.
#[cfg(all(test, feature = "legacy-cjk"))]
pub(crate) fn iso_2022_jp_index() -> &'static crate::simd::TwoByteIndex {
    iso_2022_jp_runs::INDEX.get()
}

/// Returns the table that all encoders to ISO-2022-JP use: another test may have caused its flat table to be
/// built already.
#[cfg(all(test, feature = "legacy-cjk"))]
pub(crate) fn iso_2022_jp_cells() -> &'static crate::simd::TwoByteCells {
    &iso_2022_jp_runs::CELLS
}

/// Makes another such table, which has no flat table yet.
#[cfg(all(test, feature = "legacy-cjk"))]
pub(crate) fn new_iso_2022_jp_cells() -> crate::simd::TwoByteCells {
    tables::JIS0208_ENCODE.kernel_cells(0)
}

/// What is at the front of a decoder's input. Lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// A character and its length.
    Char(char, usize),
    /// Two characters from one sequence (Big5), and the length of the sequence.
    Pair(char, char, usize),
    /// Bytes that produce no text: an escape sequence, or what the replacement decoder drops.
    Nothing(usize),
    /// A malformed sequence of this length.
    Malformed(usize),
    /// An escape sequence of ISO-2022-JP immediately after another one. The previous one, whose three bytes
    /// these are, is malformed.
    EscapeAfterEscape([u8; 3]),
    /// The front of a sequence whose rest has not arrived yet. Never returned at the end of the stream.
    Incomplete,
}

impl Item {
    /// A lead byte followed by a byte that does not complete it. An ASCII byte is restored to the queue, so
    /// that no sequence can mask it; any other byte is part of the malformed sequence.
    #[inline(always)]
    fn malformed_pair(trail: u8) -> Item {
        Item::Malformed(if trail.is_ascii() { 1 } else { 2 })
    }

    /// `src` is the front of a sequence, without further bytes.
    #[inline(always)]
    fn cut_short(src: &[u8], at_end: bool) -> Item {
        if at_end {
            Item::Malformed(src.len())
        } else {
            Item::Incomplete
        }
    }
}

/// Where a stream may be cut, so that a fresh decoder continues exactly like the running one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cuts {
    Everywhere,
    /// Before a byte that is not a UTF-8 continuation byte.
    Utf8,
    /// Before a two-byte code unit that is not a trailing surrogate.
    Utf16,
    /// After an ASCII byte: whether it is a trail byte, was restored or is a character by itself, nothing is
    /// pending.
    AfterAscii,
    /// After an ASCII byte that is not a digit: digits also occur inside four-byte sequences.
    AfterAsciiNoDigit,
    /// Before an escape sequence of ISO-2022-JP.
    BeforeEscape,
    Nowhere,
}

/// A machine in its initial state.
pub(crate) trait Initial: Sized {
    /// Returns the machine of `codec`; `None` if it is not compiled in.
    fn initial(codec: Codec) -> Option<Self>;
}

impl<M: Default> Initial for M {
    #[inline(always)]
    fn initial(_: Codec) -> Option<Self> {
        Some(M::default())
    }
}

/// A decoder of the standard.
pub(crate) trait Decode: Copy {
    /// Where its input may be cut; [`Cuts::Nowhere`] is always correct.
    const CUTS: Cuts = Cuts::Nowhere;

    /// Whether ASCII bytes are ASCII characters, whatever precedes them.
    const IS_ASCII_COMPATIBLE: bool = false;

    /// Returns the index of an encoding with characters of one and two bytes.
    #[cfg(test)]
    fn two_byte_index() -> Option<&'static crate::simd::TwoByteIndex> {
        None
    }

    /// Returns the item at the front of `src`, which is not empty, and the state after it. `at_end` says that
    /// nothing follows `src`.
    fn step(self, src: &[u8], at_end: bool) -> (Item, Self);

    /// Converts a run of well-formed input with the vector kernels. With `replace`, U+FFFD may be written for
    /// malformed sequences, each of which counts as an error; one that may continue after `src` is never
    /// read. May stop between any two items, and is never needed: converting nothing is always correct.
    fn kernel<S: Sink>(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
        replace: bool,
        out: &mut S,
    ) -> Transcoded;

    /// With less room than this, [`Decode::fill`] is called instead of a kernel.
    const LITTLE_ROOM: LittleRoom = LittleRoom::NEVER;

    /// With less room than this, [`Decode::fill`] is called if ASCII comes next.
    const LITTLE_ROOM_FOR_ASCII: LittleRoom = LittleRoom::NEVER;

    /// Returns [`Decode::LITTLE_ROOM`] and [`Decode::LITTLE_ROOM_FOR_ASCII`], or less for these kernels.
    #[inline(always)]
    fn little_room(_: &Kernels) -> [LittleRoom; 2] {
        [Self::LITTLE_ROOM, Self::LITTLE_ROOM_FOR_ASCII]
    }

    /// Returns the room with less than which [`Decode::fill`] is called after a malformed sequence, if the kernel could
    /// replace the next one.
    #[inline(always)]
    fn little_room_to_replace(kernels: &Kernels) -> LittleRoom {
        Self::little_room(kernels)[0]
    }

    /// Converts a run of well-formed input into little room. Converting nothing is always correct.
    #[inline(always)]
    fn fill<S: Sink>(&mut self, _: &Kernels, _: &[u8], _: &mut S) -> Fill {
        Fill::default()
    }

    /// With less room than this, [`Decode::fill_replacing`] is called near a malformed sequence if most of what comes
    /// next is ASCII.
    const LITTLE_ROOM_NEAR_ERROR: LittleRoom = LittleRoom::NEVER;

    /// With less room than this, [`Decode::fill_replacing`] is called for what follows a malformed sequence in the same call.
    const LITTLE_ROOM_AFTER_ERROR: LittleRoom = LittleRoom::NEVER;

    /// Does what [`Decode::fill`] does, with U+FFFD for malformed sequences.
    #[inline(always)]
    fn fill_replacing<S: Sink>(&mut self, _: &Kernels, _: &[u8], _: &mut S) -> Fill {
        Fill::default()
    }

    /// Returns whether `src` starts with a well-formed character. Returning false is always correct, and better
    /// than taking long.
    #[inline(always)]
    fn starts_with_character(self, src: &[u8]) -> bool {
        Self::IS_ASCII_COMPATIBLE && src.first().is_some_and(u8::is_ascii)
    }

    /// Decodes all of `src` if it is short, well-formed and fits, or else nothing. Returns whether it did.
    #[inline(always)]
    fn try_short<S: Sink>(self, _: &[u8], _: &mut S) -> bool {
        false
    }

    /// Returns whether the input ahead looks worth a kernel's start-up.
    fn wants_kernel(self, src: &[u8]) -> bool {
        starts_with_ascii(src)
    }
}

/// The result of encoding a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Emit {
    /// The character's bytes.
    Bytes(Bytes),
    /// An escape sequence; the character is to be encoded again in the new state.
    Escape(Bytes),
    /// The encoding lacks the character, which leaves the state as it is. Holds the character to report.
    Unmappable(char),
}

/// An encoder of the standard.
pub(crate) trait Encode: Copy {
    /// Whether ASCII characters are encoded as themselves, whatever precedes them.
    const KEEPS_ASCII: bool = false;

    /// Encodes `ch`; returns the result, and the state after it.
    fn step(self, ch: char) -> (Emit, Self);

    /// At the end of the stream, returns the escape sequence back to the initial state, if one is due.
    fn finish(self) -> Option<(Bytes, Self)> {
        None
    }

    /// Converts a run of mappable input with the vector kernels; returns the number of units read.
    fn kernel<T: TextSource>(
        &mut self,
        kernels: &Kernels,
        text: T,
        out: &mut ByteOut<'_>,
    ) -> usize {
        text.run(kernels, ToAscii, out)
    }

    /// With less room than this, [`Encode::fill`] is called instead of a kernel.
    const LITTLE_ROOM: LittleRoom = LittleRoom::NEVER;

    /// Returns [`Encode::LITTLE_ROOM`], or less for these kernels.
    #[inline(always)]
    fn little_room(_: &Kernels) -> LittleRoom {
        Self::LITTLE_ROOM
    }

    /// Converts a run of mappable input into little room. Converting nothing is always correct.
    #[inline(always)]
    fn fill<T: TextSource>(self, _: &Kernels, _: T, _: &mut ByteOut<'_>) -> Fill {
        Fill::default()
    }

    /// Encodes all of a text if it is short, mappable and fits, or else nothing. Returns whether it did.
    #[inline(always)]
    fn try_short<T: TextSource>(self, _: T, _: &mut ByteOut<'_>) -> bool {
        false
    }

    /// The maximum number of bytes for one unit of UTF-8 and for one unit of UTF-16.
    const GROWTH: Growth;

    /// The encoder's table of an encoding with characters of one and two bytes.
    #[cfg(test)]
    const TWO_BYTE_CELLS: Option<&'static crate::simd::TwoByteCells> = None;
}

/// The maximum growth of input, not counting unmappable characters.
pub(crate) struct Growth {
    /// Bytes per byte of UTF-8.
    pub(crate) utf8: usize,
    /// Bytes per code unit of UTF-16.
    pub(crate) utf16: usize,
    /// Additional bytes, once per call.
    pub(crate) extra: usize,
}
