//! x-user-defined (section 14.5).

use super::source::TextSource;
use super::{Bytes, Cuts, Decode, Emit, Encode, Growth, Item};
use crate::output::run::{FromUserDefined, ToUserDefined};
use crate::output::{ByteOut, Sink};
use crate::simd::fill::{Fill, LittleRoom};
use crate::simd::{Kernels, Transcoded};

/// The x-user-defined decoder and encoder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct XUserDefined;

impl Decode for XUserDefined {
    const IS_ASCII_COMPATIBLE: bool = true;
    const CUTS: Cuts = Cuts::Everywhere;

    #[inline(always)]
    fn step(self, src: &[u8], _: bool) -> (Item, Self) {
        let byte = src[0];
        let code_point = match byte {
            // Step 2.
            0x00..=0x7F => u32::from(byte),
            // Step 3.
            0x80..=0xFF => 0xF780 + u32::from(byte) - 0x80,
        };
        let ch = char::from_u32(code_point).unwrap_or('\u{FFFD}');
        (Item::Char(ch, 1), self)
    }

    fn kernel<S: Sink>(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
        _: bool,
        out: &mut S,
    ) -> Transcoded {
        out.run(kernels, FromUserDefined, src)
    }

    const LITTLE_ROOM: LittleRoom = LittleRoom { utf8: 96, utf16: 0 };

    #[inline(always)]
    fn fill<S: Sink>(&mut self, kernels: &Kernels, src: &[u8], out: &mut S) -> Fill {
        out.fill(kernels, FromUserDefined, src)
    }

    #[inline(always)]
    fn wants_kernel(self, _: &[u8]) -> bool {
        true
    }

    #[inline(always)]
    fn starts_with_character(self, src: &[u8]) -> bool {
        !src.is_empty()
    }

    #[inline(always)]
    fn try_short<S: Sink>(self, src: &[u8], out: &mut S) -> bool {
        out.try_short(FromUserDefined, src)
    }
}

impl Encode for XUserDefined {
    const KEEPS_ASCII: bool = true;

    const GROWTH: Growth = Growth {
        utf8: 1,
        utf16: 1,
        extra: 0,
    };

    #[inline(always)]
    fn step(self, ch: char) -> (Emit, Self) {
        let emit = match u32::from(ch) {
            // Step 2.
            ascii @ 0x00..=0x7F => Emit::Bytes(Bytes::one(ascii as u8)),
            // Step 3.
            code_point @ 0xF780..=0xF7FF => {
                Emit::Bytes(Bytes::one((code_point - 0xF780 + 0x80) as u8))
            }
            // Step 4.
            _ => Emit::Unmappable(ch),
        };
        (emit, self)
    }

    fn kernel<T: TextSource>(
        &mut self,
        kernels: &Kernels,
        text: T,
        out: &mut ByteOut<'_>,
    ) -> usize {
        text.run(kernels, ToUserDefined, out)
    }

    const LITTLE_ROOM: LittleRoom = LittleRoom {
        utf8: 128,
        utf16: 12,
    };

    #[inline(always)]
    fn fill<T: TextSource>(self, kernels: &Kernels, text: T, out: &mut ByteOut<'_>) -> Fill {
        text.fill(kernels, ToUserDefined, out)
    }

    #[inline(always)]
    fn try_short<T: TextSource>(self, text: T, out: &mut ByteOut<'_>) -> bool {
        text.try_short(ToUserDefined, out)
    }
}
