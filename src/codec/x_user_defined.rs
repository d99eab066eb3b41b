//! x-user-defined (section 14.5).

use super::tables::X_USER_DEFINED;
use super::{Bytes, Cuts, Decode, Emit, Encode, Growth, Item};
use crate::simd::{Kernels, SingleByteTable};
use crate::stream::byte_out::ByteOut;
use crate::stream::sink::Sink;
use crate::stream::source::Text;

pub(super) static TABLE: SingleByteTable = X_USER_DEFINED;

/// The x-user-defined decoder and encoder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct XUserDefined;

impl Decode for XUserDefined {
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

    fn kernel<S: Sink>(self, kernels: &Kernels, src: &[u8], out: &mut S) -> usize {
        out.put_user_defined_run(kernels, &TABLE, src)
    }

    #[inline(always)]
    fn wants_kernel(self, _: &[u8]) -> bool {
        true
    }

    #[inline(always)]
    fn few<S: Sink>(self, src: &[u8], out: &mut S) -> bool {
        out.put_few_of_user_defined(&TABLE, src)
    }
}

impl Encode for XUserDefined {
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

    fn kernel<T: Text>(self, kernels: &Kernels, text: T, out: &mut ByteOut<'_>) -> usize {
        text.run_by_utf16(kernels, out, |units, out| {
            out.put_user_defined_run(kernels, units)
        })
    }

    #[inline(always)]
    fn wants_kernel<T: Text>(self, text: T) -> bool {
        text.starts_with_mappable(self)
    }

    #[inline(always)]
    fn few<T: Text>(self, text: T, out: &mut ByteOut<'_>) -> bool {
        text.few_of_ascii(out)
            || text.few_of_bytes(out, |code_point| match code_point {
                0x00..=0x7F | 0xF780..=0xF7FF => Some(code_point as u8),
                _ => None,
            })
    }
}
