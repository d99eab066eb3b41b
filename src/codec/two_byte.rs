//! The encodings with characters of one and two bytes: one decoder and one encoder for all of them.
//!
//! Big5, EUC-JP, EUC-KR, GBK, gb18030 and Shift_JIS each consist of an index, ranges of lead and trail
//! bytes, and a few other characters and sequences. An encoding's file states only these
//! ([`TwoByteDecoder`], [`TwoByteEncoder`]).

use super::lossy::by_turns;
use super::source::TextSource;
use super::tables::EncodeTable;
use super::{Cuts, Decode, Emit, Encode, Growth, Item};
use crate::output::run::{
    FromLongTwoByte, FromShortTwoByte, FromTwoByte, FromTwoByteLossy, ToAscii, ToTwoByte,
};
use crate::output::{ByteOut, Bytes, Sink};
use crate::simd::fill::{Fill, LittleRoom};
use crate::simd::{
    Exception, Katakana, Kernels, Pairs, Ranges, Transcoded, TwoByte, TwoByteCells, TwoByteIndex,
};

/// The number of well-formed bytes in a row after which a kernel is worth its start-up. After 32 bytes, text of which 1 %
/// is damaged takes 1.1 times as long.
const MIN_WELL_FORMED_RUN: usize = 8;

/// The maximum length of input that is decoded inline.
const MAX_SHORT_BYTES: usize = 64;

/// With less room than this, kernels stop, or may have stopped.
const MIN_ROOM: LittleRoom = LittleRoom {
    utf8: 160,
    utf16: 100,
};

/// What is specific to the decoder of an encoding with characters of one and two bytes.
pub(crate) trait TwoByteDecoder: Copy {
    /// The lead bytes of the index.
    const LEADS: Ranges;

    /// The number of pointers of the index.
    const POINTERS: usize;

    /// The half-width katakana of the index.
    const KATAKANA: Katakana = Katakana::No;

    /// Where the input may be cut.
    const CUTS: Cuts = Cuts::AfterAscii;

    /// With less room than this, in units, no kernel is called: into room for 96 bytes, kernels take 1.2 to 1.6 times as
    /// long as [`Decode::fill`].
    const LITTLE_ROOM: LittleRoom = MIN_ROOM;

    /// Returns the index, which the constants describe.
    fn index() -> &'static TwoByteIndex;

    /// Returns whether a sequence that starts with `byte`, which is not ASCII, and `next` may be well-formed
    /// even if the index lacks it.
    #[inline(always)]
    fn is_exception(_byte: u8, _next: u8) -> bool {
        false
    }

    /// Returns what is at the front of `src`, which is neither ASCII nor a character of the index. `at_end`
    /// says that nothing follows `src`.
    #[inline(always)]
    fn exception(src: &[u8], at_end: bool) -> Item {
        malformed::<Self>(src, at_end)
    }
}

/// Returns the item at the front of `src`, for which neither the index nor the encoding has a character.
#[inline(always)]
pub(super) fn malformed<E: TwoByteDecoder>(src: &[u8], at_end: bool) -> Item {
    match *src {
        [byte, ..] if !is_lead::<E>(byte) => Item::Malformed(1),
        [_, trail, ..] => Item::malformed_pair(trail),
        _ => Item::cut_short(src, at_end),
    }
}

#[inline(always)]
fn is_lead<E: TwoByteDecoder>(byte: u8) -> bool {
    let [(a, b), (c, d)] = E::LEADS;
    (a..=b).contains(&byte) || (c..=d).contains(&byte)
}

impl<E: TwoByteDecoder> Decode for E {
    const CUTS: Cuts = E::CUTS;
    const IS_ASCII_COMPATIBLE: bool = true;

    #[cfg(test)]
    fn two_byte_index() -> Option<&'static TwoByteIndex> {
        Some(E::index())
    }

    #[inline(always)]
    fn step(self, src: &[u8], at_end: bool) -> (Item, Self) {
        let byte = src[0];
        if byte.is_ascii() {
            return (Item::Char(char::from(byte), 1), self);
        }
        // At the end of `src` there is no trail byte; 0 is not one.
        let next = src.get(1).copied().unwrap_or(0);
        let (unit, len) = E::index().look_up(byte, next);
        let item = match char::from_u32(u32::from(unit)) {
            Some(ch) if unit != 0 => Item::Char(ch, len),
            _ => E::exception(src, at_end),
        };
        (item, self)
    }

    fn kernel<S: Sink>(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
        replace: bool,
        out: &mut S,
    ) -> Transcoded {
        let index = E::index();
        let run = if src.len() <= MAX_SHORT_BYTES && kernels.inline_short {
            out.run(kernels, FromShortTwoByte(*self), src)
        } else {
            out.run(kernels, FromTwoByte(index), src)
        };
        if !replace || run.read == src.len() || !kernels.inline_short {
            return run;
        }
        // The run ended for lack of room.
        if out.has_less_room_than(MIN_ROOM, usize::MAX) {
            return run;
        }
        run.then(by_turns(
            &src[run.read..],
            out,
            MIN_WELL_FORMED_RUN,
            &|out: &mut S, src, enough| out.run(kernels, FromTwoByteLossy::<E>::until(enough), src),
            &|out: &mut S, src| out.run(kernels, FromLongTwoByte(index), src).read,
        ))
    }

    const LITTLE_ROOM: LittleRoom = E::LITTLE_ROOM;

    /// Into room for 64 units of English pages, the kernel takes 2.1 times as long as [`Decode::fill`], and into room for
    /// 256 units of Japanese ones 1.25 times.
    const LITTLE_ROOM_FOR_ASCII: LittleRoom = LittleRoom {
        utf8: 0,
        utf16: 257,
    };

    #[inline(always)]
    fn fill<S: Sink>(&mut self, kernels: &Kernels, src: &[u8], out: &mut S) -> Fill {
        out.fill(kernels, FromTwoByte(E::index()), src)
    }

    /// By way of [`Decode::kernel`], 16 bytes take a sixth longer.
    #[inline(always)]
    fn try_short<S: Sink>(self, src: &[u8], out: &mut S) -> bool {
        out.try_short(FromShortTwoByte(self), src)
    }

    #[inline(always)]
    fn wants_kernel(self, _: &[u8]) -> bool {
        true
    }
}

impl<E: TwoByteDecoder> TwoByte for E {
    #[inline(always)]
    fn pairs() -> Option<Pairs<'static>> {
        E::index().pairs_of(E::POINTERS, E::KATAKANA)
    }

    #[inline(always)]
    fn is_lead(byte: u8) -> bool {
        is_lead::<E>(byte)
    }

    #[inline(always)]
    fn is_exception(byte: u8, next: u8) -> bool {
        E::is_exception(byte, next)
    }

    #[inline(always)]
    fn exception(src: &[u8]) -> Exception {
        match E::exception(src, false) {
            Item::Char(ch, len) => Exception::Char(ch, len),
            Item::Malformed(len) => Exception::Malformed(len),
            _ => Exception::Other,
        }
    }
}

/// What is specific to the encoder of an encoding with characters of one and two bytes.
pub(crate) trait TwoByteEncoder: Copy {
    /// The bytes of each code point: lead << 8 | trail, without the bits of `OR_MASK`.
    const TABLE: EncodeTable;

    /// Bits that both bytes have in addition.
    const OR_MASK: u16 = 0;

    /// The table in the form for kernels.
    const CELLS: &'static TwoByteCells;

    const GROWTH: Growth = Growth {
        utf8: 1,
        utf16: 2,
        extra: 0,
    };

    /// Returns whether [`TwoByteEncoder::exception`] decides about a character, although the table has it.
    #[inline(always)]
    fn is_exception(_: char) -> bool {
        false
    }

    /// Encodes a character that is not ASCII and not in the table.
    #[inline(always)]
    fn exception(ch: char) -> Emit {
        Emit::Unmappable(ch)
    }

    /// Returns the two bytes that the table has for a code point.
    #[inline(always)]
    fn bytes(code_point: u32) -> Option<Bytes> {
        match Self::TABLE.get(code_point) {
            0 => None,
            bytes => Some(Bytes::two((bytes | Self::OR_MASK).to_be_bytes())),
        }
    }
}

impl<E: TwoByteEncoder> Encode for E {
    const KEEPS_ASCII: bool = true;

    const GROWTH: Growth = E::GROWTH;

    #[cfg(test)]
    const TWO_BYTE_CELLS: Option<&'static TwoByteCells> = Some(E::CELLS);

    #[inline(always)]
    fn step(self, ch: char) -> (Emit, Self) {
        let emit = if ch.is_ascii() {
            Emit::Bytes(Bytes::one(ch as u8))
        } else if E::is_exception(ch) {
            E::exception(ch)
        } else {
            match E::bytes(u32::from(ch)) {
                Some(bytes) => Emit::Bytes(bytes),
                None => E::exception(ch),
            }
        };
        (emit, self)
    }

    fn kernel<T: TextSource>(
        &mut self,
        kernels: &Kernels,
        text: T,
        out: &mut ByteOut<'_>,
    ) -> usize {
        text.run(kernels, ToTwoByte(E::CELLS), out)
    }

    const LITTLE_ROOM: LittleRoom = LittleRoom {
        utf8: 96,
        utf16: 97,
    };

    #[inline(always)]
    fn fill<T: TextSource>(self, kernels: &Kernels, text: T, out: &mut ByteOut<'_>) -> Fill {
        text.fill(kernels, ToTwoByte(E::CELLS), out)
    }

    #[inline(always)]
    fn try_short<T: TextSource>(self, text: T, out: &mut ByteOut<'_>) -> bool {
        text.try_short(ToAscii, out)
    }
}
