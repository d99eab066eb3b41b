//! The single-byte encodings (section 9): one machine, with a table for each index.

use super::lossy::by_turns;
use super::source::TextSource;
use super::{Bytes, Cuts, Decode, Emit, Encode, Growth, Item};
use crate::output::run::{FromSingleByte, FromSingleByteLossy, ToSingleByte};
use crate::output::{ByteOut, Sink};
use crate::simd::fill::{Fill, LittleRoom};
use crate::simd::{Kernels, SingleByteTable, Transcoded};

/// The number of mapped bytes in a row after which a kernel is worth its start-up.
const MIN_MAPPED_RUN: usize = 16;

/// With less room than this, kernels stop, or may have stopped.
const MIN_ROOM: LittleRoom = LittleRoom {
    utf8: 160,
    utf16: 1,
};

/// The decoder and encoder of one single-byte encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingleByte {
    table: SingleByteTable,
}

impl SingleByte {
    #[inline(always)]
    pub(crate) fn new(index: u8) -> Option<Self> {
        SingleByteTable::of_index(index).map(|table| SingleByte { table })
    }

    /// Returns whether every byte is mapped.
    pub(crate) fn is_full(self) -> bool {
        self.table.is_full()
    }

    /// Returns the maximum number of bytes of UTF-8 for one byte.
    pub(crate) fn max_utf8(self) -> usize {
        self.table.max_utf8()
    }
}

impl Decode for SingleByte {
    const CUTS: Cuts = Cuts::Everywhere;
    const IS_ASCII_COMPATIBLE: bool = true;

    #[inline(always)]
    fn step(self, src: &[u8], _: bool) -> (Item, Self) {
        let byte = src[0];
        // Step 2.
        if byte < 0x80 {
            return (Item::Char(char::from(byte), 1), self);
        }
        // Step 3: the index code point for byte − 0x80.
        let code_point = self.table.upper_unit(byte);
        let item = match char::from_u32(u32::from(code_point)) {
            // Step 5.
            Some(ch) if code_point != 0 => Item::Char(ch, 1),
            // Step 4.
            _ => Item::Malformed(1),
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
        let table = self.table;
        let run = if Decode::wants_kernel(*self, src) {
            out.run(kernels, FromSingleByte(table), src)
        } else {
            Transcoded::NOTHING
        };
        if !replace || run.read == src.len() || table.is_full() || !kernels.inline_short {
            return run;
        }
        // The run ended for lack of room.
        if out.has_less_room_than(MIN_ROOM, usize::MAX) {
            return run;
        }
        run.then(by_turns(
            &src[run.read..],
            out,
            MIN_MAPPED_RUN,
            &|out: &mut S, src, enough| {
                out.run(kernels, FromSingleByteLossy { table, enough }, src)
            },
            &|out: &mut S, src| out.run(kernels, FromSingleByte(table), src).read,
        ))
    }

    const LITTLE_ROOM: LittleRoom = LittleRoom {
        utf8: 160,
        utf16: 0,
    };

    /// Into room for 256 bytes of English, the kernel takes 1.6 times as long as one character after the other, since it
    /// leaves the end of the room alone.
    const LITTLE_ROOM_FOR_ASCII: LittleRoom = LittleRoom {
        utf8: 257,
        utf16: 0,
    };

    /// With masks, the kernel takes 0.6 times as long as one character after the other into room for 64 bytes, but 1.6
    /// times into room for 16.
    #[inline(always)]
    fn little_room(kernels: &Kernels) -> [LittleRoom; 2] {
        if kernels.masks_ends {
            [24, 65].map(|utf8| LittleRoom { utf8, utf16: 0 })
        } else {
            [
                <Self as Decode>::LITTLE_ROOM,
                <Self as Decode>::LITTLE_ROOM_FOR_ASCII,
            ]
        }
    }

    #[inline(always)]
    fn fill<S: Sink>(&mut self, kernels: &Kernels, src: &[u8], out: &mut S) -> Fill {
        out.fill(kernels, FromSingleByte(self.table), src)
    }

    #[inline(always)]
    fn wants_kernel(self, src: &[u8]) -> bool {
        // An unmapped byte is often followed by more of them.
        src.first_chunk::<4>()
            .is_some_and(|bytes| bytes.iter().all(|&byte| self.table.is_mapped(byte)))
    }

    #[inline(always)]
    fn starts_with_character(self, src: &[u8]) -> bool {
        src.first().is_some_and(|&byte| self.table.is_mapped(byte))
    }

    #[inline(always)]
    fn try_short<S: Sink>(self, src: &[u8], out: &mut S) -> bool {
        out.try_short(FromSingleByte(self.table), src)
    }
}

impl Encode for SingleByte {
    const KEEPS_ASCII: bool = true;

    const GROWTH: Growth = Growth {
        utf8: 1,
        utf16: 1,
        extra: 0,
    };

    #[inline(always)]
    fn step(self, ch: char) -> (Emit, Self) {
        let code_point = u32::from(ch);
        // Step 2.
        if code_point < 0x80 {
            return (Emit::Bytes(Bytes::one(code_point as u8)), self);
        }
        // Step 3: the index pointer, as a byte.
        let byte = match u16::try_from(code_point) {
            Ok(unit) => self.table.cells().get(unit),
            Err(_) => 0,
        };
        let emit = match byte {
            // Step 4.
            0 => Emit::Unmappable(ch),
            // Step 5.
            byte => Emit::Bytes(Bytes::one(byte)),
        };
        (emit, self)
    }

    fn kernel<T: TextSource>(
        &mut self,
        kernels: &Kernels,
        text: T,
        out: &mut ByteOut<'_>,
    ) -> usize {
        text.run(kernels, ToSingleByte(self.table), out)
    }

    const LITTLE_ROOM: LittleRoom = LittleRoom {
        utf8: 24,
        utf16: 12,
    };

    /// With masks, the kernel takes 0.6 times as long as [`Encode::fill`] for Russian into room for 16 bytes.
    #[inline(always)]
    fn little_room(kernels: &Kernels) -> LittleRoom {
        let mut little = <Self as Encode>::LITTLE_ROOM;
        if kernels.masks_ends {
            little.utf8 = 16;
        }
        little
    }

    #[inline(always)]
    fn fill<T: TextSource>(self, kernels: &Kernels, text: T, out: &mut ByteOut<'_>) -> Fill {
        text.fill(kernels, ToSingleByte(self.table), out)
    }

    #[inline(always)]
    fn try_short<T: TextSource>(self, text: T, out: &mut ByteOut<'_>) -> bool {
        text.try_short(ToSingleByte(self.table), out)
    }
}
