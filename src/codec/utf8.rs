//! UTF-8 (section 8.1).

use super::source::TextSource;
use super::{Bytes, Cuts, Decode, Emit, Encode, Growth, Item};
use crate::output::run::{FromUtf8, FromUtf8Lossy, ToUtf8};
use crate::output::{ByteOut, Sink};
use crate::simd::fill::{Fill, LittleRoom, whole_characters};
use crate::simd::{Kernels, Transcoded};

/// The UTF-8 decoder and encoder; neither has a state between two items.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Utf8;

impl Decode for Utf8 {
    const CUTS: Cuts = Cuts::Utf8;
    const IS_ASCII_COMPATIBLE: bool = true;

    #[inline(always)]
    fn step(self, src: &[u8], at_end: bool) -> (Item, Self) {
        (decode(src, at_end), self)
    }

    // As a call, 64 bytes take a tenth longer.
    #[inline(always)]
    fn kernel<S: Sink>(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
        replace: bool,
        out: &mut S,
    ) -> Transcoded {
        // An incomplete character at the end is no reason to look for malformed sequences.
        let src = src.get(..whole_characters(src)).unwrap_or_default();
        if replace {
            out.run(kernels, FromUtf8Lossy, src)
        } else {
            out.run(kernels, FromUtf8, src)
        }
    }

    const LITTLE_ROOM: LittleRoom = LittleRoom {
        utf8: 1025,
        utf16: 24,
    };

    /// As long as no more bytes are read than units fit, the kernel never comes near the end of the room: with VBMI2
    /// pages take half the time into 256 units, 0.8 into 1,024 and 0.95 into 4,096. With an error every 100 bytes it is
    /// 1.6, 1.4 and 1.1 times.
    const LITTLE_ROOM_FOR_ASCII: LittleRoom = LittleRoom {
        utf8: 0,
        utf16: 4097,
    };

    /// The lossy kernel takes half the time of a copy into 256 bytes or more that ends at the next malformed sequence.
    #[inline(always)]
    fn little_room_to_replace(_: &Kernels) -> LittleRoom {
        LittleRoom {
            utf8: 129,
            ..<Self as Decode>::LITTLE_ROOM
        }
    }

    #[inline(always)]
    fn fill<S: Sink>(&mut self, kernels: &Kernels, src: &[u8], out: &mut S) -> Fill {
        out.fill(kernels, FromUtf8, src)
    }

    /// Kernels, which start anew after each malformed sequence, take up to three times as long into 100 to 256 units.
    const LITTLE_ROOM_NEAR_ERROR: LittleRoom = LittleRoom {
        utf8: 257,
        utf16: 513,
    };

    /// A kernel stops at the next malformed sequence. To UTF-8, most of what follows one is copied faster than it is read
    /// one character at a time.
    const LITTLE_ROOM_AFTER_ERROR: LittleRoom = LittleRoom { utf8: 0, utf16: 49 };

    #[inline(always)]
    fn fill_replacing<S: Sink>(&mut self, kernels: &Kernels, src: &[u8], out: &mut S) -> Fill {
        out.fill(kernels, FromUtf8Lossy, src)
    }

    #[inline(always)]
    fn wants_kernel(self, _: &[u8]) -> bool {
        true
    }
}

/// Returns the character at the front of `src`, or the maximal subpart of one: the bytes that the standard
/// has read when it finds that they can't be continued (step 4, which restores the current byte).
#[inline(always)]
fn decode(src: &[u8], at_end: bool) -> Item {
    let lead = src[0];
    // Step 3: the number of continuation bytes, the bits of the lead byte that count, and the
    // lower and upper boundary of the next byte.
    let (needed, bits, lower, upper) = match lead {
        0x00..=0x7F => return Item::Char(char::from(lead), 1),
        0xC2..=0xDF => (1, lead & 0x1F, 0x80, 0xBF),
        0xE0 => (2, lead & 0xF, 0xA0, 0xBF),
        0xED => (2, lead & 0xF, 0x80, 0x9F),
        0xE1..=0xEF => (2, lead & 0xF, 0x80, 0xBF),
        0xF0 => (3, lead & 0x7, 0x90, 0xBF),
        0xF4 => (3, lead & 0x7, 0x80, 0x8F),
        0xF1..=0xF3 => (3, lead & 0x7, 0x80, 0xBF),
        _ => return Item::Malformed(1),
    };
    let mut code_point = u32::from(bits);
    for seen in 1..=needed {
        let Some(&byte) = src.get(seen) else {
            return Item::cut_short(src, at_end);
        };
        // Steps 4 and 5: the boundaries hold for the second byte only.
        let range = if seen == 1 {
            lower..=upper
        } else {
            0x80..=0xBF
        };
        if !range.contains(&byte) {
            return Item::Malformed(seen);
        }
        code_point = code_point << 6 | u32::from(byte & 0x3F);
    }
    match char::from_u32(code_point) {
        Some(ch) => Item::Char(ch, needed + 1),
        // Unreachable: the boundaries exclude surrogates and values above U+10FFFF.
        None => Item::Malformed(1),
    }
}

impl Encode for Utf8 {
    const KEEPS_ASCII: bool = true;

    const GROWTH: Growth = Growth {
        utf8: 1,
        utf16: 3,
        extra: 0,
    };

    #[inline(always)]
    fn step(self, ch: char) -> (Emit, Self) {
        let mut bytes = [0; 4];
        let bytes = match ch.encode_utf8(&mut bytes).len() {
            1 => Bytes::one(bytes[0]),
            2 => Bytes::two([bytes[0], bytes[1]]),
            3 => Bytes::three([bytes[0], bytes[1], bytes[2]]),
            _ => Bytes::four(bytes),
        };
        (Emit::Bytes(bytes), self)
    }

    fn kernel<T: TextSource>(
        &mut self,
        kernels: &Kernels,
        text: T,
        out: &mut ByteOut<'_>,
    ) -> usize {
        text.run(kernels, ToUtf8, out)
    }

    const LITTLE_ROOM: LittleRoom = LittleRoom { utf8: 0, utf16: 97 };

    #[inline(always)]
    fn fill<T: TextSource>(self, kernels: &Kernels, text: T, out: &mut ByteOut<'_>) -> Fill {
        text.fill(kernels, ToUtf8, out)
    }

    #[inline(always)]
    fn try_short<T: TextSource>(self, text: T, out: &mut ByteOut<'_>) -> bool {
        text.try_short(ToUtf8, out)
    }
}
