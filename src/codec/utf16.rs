//! UTF-16BE and UTF-16LE: the shared UTF-16 decoder (section 14.2) and, as an extension of the
//! standard, encoders.

use super::source::TextSource;
use super::{Bytes, Codec, Cuts, Decode, Emit, Encode, Growth, Initial, Item};
use crate::output::run::{FromUtf16, FromUtf16Lossy, ToUtf16Bytes};
use crate::output::{ByteOut, NATIVE_BE, Sink};
use crate::simd::fill::{Fill, LittleRoom};
use crate::simd::{Kernels, Transcoded};

/// With less room than this, no kernel is called again.
const MIN_ROOM: LittleRoom = LittleRoom { utf8: 12, utf16: 1 };

/// The shared UTF-16 decoder, and the encoder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Utf16 {
    /// The standard's *is UTF-16BE decoder*.
    pub(crate) is_big_endian: bool,
}

impl Utf16 {
    pub(crate) const BE: Utf16 = Utf16 {
        is_big_endian: true,
    };
    pub(crate) const LE: Utf16 = Utf16 {
        is_big_endian: false,
    };
    pub(crate) const NATIVE: Utf16 = Utf16 {
        is_big_endian: NATIVE_BE,
    };

    #[inline(always)]
    fn code_unit(self, bytes: [u8; 2]) -> u16 {
        if self.is_big_endian {
            u16::from_be_bytes(bytes)
        } else {
            u16::from_le_bytes(bytes)
        }
    }

    #[inline(always)]
    fn decode(self, src: &[u8], at_end: bool) -> Item {
        // Step 3: a lone lead byte.
        let &[first, second, ref rest @ ..] = src else {
            return Item::cut_short(src, at_end);
        };
        // Step 4.
        let unit = self.code_unit([first, second]);
        match unit {
            // Step 6: a leading surrogate.
            0xD800..=0xDBFF => {
                let &[first, second, ..] = rest else {
                    return Item::cut_short(src, at_end);
                };
                let trail = self.code_unit([first, second]);
                match trail {
                    // Step 5.1.
                    0xDC00..=0xDFFF => {
                        let code_point = 0x10000
                            + ((u32::from(unit) - 0xD800) << 10)
                            + (u32::from(trail) - 0xDC00);
                        Item::Char(char::from_u32(code_point).unwrap_or('\u{FFFD}'), 4)
                    }
                    // Steps 5.2 to 5.5: the second unit is restored.
                    _ => Item::Malformed(2),
                }
            }
            // Step 7: a lone trailing surrogate.
            0xDC00..=0xDFFF => Item::Malformed(2),
            // Step 8.
            _ => Item::Char(char::from_u32(u32::from(unit)).unwrap_or('\u{FFFD}'), 2),
        }
    }

    #[inline(always)]
    fn bytes(self, unit: u16) -> [u8; 2] {
        if self.is_big_endian {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        }
    }
}

impl Initial for Utf16 {
    #[inline(always)]
    fn initial(codec: Codec) -> Option<Self> {
        let is_big_endian = codec == Codec::Utf16Be;
        Some(Utf16 { is_big_endian })
    }
}

/// Evaluates an expression with the byte order as a constant.
macro_rules! by_order {
    ($utf16:expr, $BE:ident => $body:expr) => {
        if $utf16.is_big_endian {
            const $BE: bool = true;
            $body
        } else {
            const $BE: bool = false;
            $body
        }
    };
}

impl Decode for Utf16 {
    const CUTS: Cuts = Cuts::Utf16;

    #[inline(always)]
    fn step(self, src: &[u8], at_end: bool) -> (Item, Self) {
        (self.decode(src, at_end), self)
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
        let run = by_order!(self, BE => out.run(kernels, FromUtf16::<BE>, src));
        // The run may have ended for lack of room.
        if !replace || run.read == src.len() || out.has_less_room_than(MIN_ROOM, usize::MAX) {
            return run;
        }
        let rest = src.get(run.read..).unwrap_or_default();
        run.then(by_order!(self, BE => out.run(kernels, FromUtf16Lossy::<BE>, rest)))
    }

    const LITTLE_ROOM: LittleRoom = LittleRoom {
        utf8: 97,
        utf16: 17,
    };

    #[inline(always)]
    fn fill<S: Sink>(&mut self, kernels: &Kernels, src: &[u8], out: &mut S) -> Fill {
        by_order!(self, BE => out.fill(kernels, FromUtf16::<BE>, src))
    }

    #[inline(always)]
    fn starts_with_character(self, src: &[u8]) -> bool {
        src.first_chunk()
            .is_some_and(|unit| self.code_unit(*unit) & 0xF800 != 0xD800)
    }

    #[inline(always)]
    fn try_short<S: Sink>(self, src: &[u8], out: &mut S) -> bool {
        by_order!(self, BE => out.try_short(FromUtf16::<BE>, src))
    }

    #[inline(always)]
    fn wants_kernel(self, _: &[u8]) -> bool {
        true
    }
}

/// The standard has no such encoder: its forms and URLs send UTF-8 instead.
impl Encode for Utf16 {
    const GROWTH: Growth = Growth {
        utf8: 2,
        utf16: 2,
        extra: 0,
    };

    #[inline(always)]
    fn step(self, ch: char) -> (Emit, Self) {
        let mut units = [0; 2];
        let bytes = match ch.encode_utf16(&mut units) {
            [lead, trail] => {
                let ([a, b], [c, d]) = (self.bytes(*lead), self.bytes(*trail));
                Bytes::four([a, b, c, d])
            }
            _ => Bytes::two(self.bytes(units[0])),
        };
        (Emit::Bytes(bytes), self)
    }

    fn kernel<T: TextSource>(
        &mut self,
        kernels: &Kernels,
        text: T,
        out: &mut ByteOut<'_>,
    ) -> usize {
        by_order!(self, BE => text.run(kernels, ToUtf16Bytes::<BE>, out))
    }
}
