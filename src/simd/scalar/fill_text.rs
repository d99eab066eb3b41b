//! UTF-8 and UTF-16 as sources of encoders that write into little room.

use super::fill::{FillSource, Front, ascii_front};
use super::fill_sources::utf8_front;
use crate::simd::single_byte::SingleByteCells;
use crate::simd::surrogates::surrogate_pair;
use crate::simd::two_byte::cells::TwoByteCells;

/// A map from scalar values above U+007F to bytes.
pub(crate) trait ByteMap: Copy {
    /// Returns the bytes of a scalar value, the first one lowest, and their number; `None` if it has none.
    fn bytes(self, scalar: u32) -> Option<(u32, usize)>;
}

impl ByteMap for SingleByteCells {
    #[inline(always)]
    fn bytes(self, scalar: u32) -> Option<(u32, usize)> {
        match self.get(u16::try_from(scalar).ok()?) {
            0 => None,
            byte => Some((u32::from(byte), 1)),
        }
    }
}

impl ByteMap for &TwoByteCells {
    #[inline(always)]
    fn bytes(self, scalar: u32) -> Option<(u32, usize)> {
        match self.get(u16::try_from(scalar).ok()?) {
            0 => None,
            bytes => Some((u32::from(bytes.swap_bytes()), 2)),
        }
    }
}

/// UTF-8 text to encode.
#[derive(Clone, Copy)]
pub(crate) struct Utf8Text<M>(pub(crate) M);

impl<M: ByteMap> FillSource<u8> for Utf8Text<M> {
    type From = u8;
    const ASCII_UNITS: usize = 1;

    #[inline(always)]
    fn front(self, src: &[u8]) -> Option<Front> {
        let (scalar, read) = utf8_front(src)?;
        if scalar < 0x80 {
            return ascii_front(scalar, read);
        }
        let (units, written) = self.0.bytes(scalar)?;
        Some(Front {
            units,
            written,
            read,
        })
    }
}

/// UTF-16 text to encode.
#[derive(Clone, Copy)]
pub(crate) struct Utf16Text<M>(pub(crate) M);

impl<M: ByteMap> FillSource<u8> for Utf16Text<M> {
    type From = u16;
    const ASCII_UNITS: usize = 1;

    #[inline(always)]
    fn front(self, src: &[u16]) -> Option<Front> {
        let unit = *src.first()?;
        let (scalar, read) = match unit {
            0..0x80 => return ascii_front(u32::from(unit), 1),
            _ if unit & 0xF800 != 0xD800 => (u32::from(unit), 1),
            _ => (u32::from(surrogate_pair(unit, *src.get(1)?)?), 2),
        };
        let (units, written) = self.0.bytes(scalar)?;
        Some(Front {
            units,
            written,
            read,
        })
    }
}
