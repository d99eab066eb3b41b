//! UTF-8 and UTF-16 as sources of encoders, with `fill.rs`.

use super::fill::{FillSource, Front, ascii_front};
use crate::simd::single_byte::SingleByteCells;
use crate::simd::two_byte::cells::TwoByteCells;

/// A map from characters of the Basic Multilingual Plane above U+007F to one or two bytes.
pub(crate) trait ByteMap: Copy {
    /// See [`FillSource::ASCII_BY_FRONT`]; for UTF-8.
    const ASCII_BY_FRONT: bool = false;

    /// Returns the bytes of a code unit, the first one lowest, and their number; `None` if it has none, as a surrogate.
    fn bytes(self, unit: u16) -> Option<(u16, usize)>;
}

impl ByteMap for SingleByteCells {
    #[inline(always)]
    fn bytes(self, unit: u16) -> Option<(u16, usize)> {
        match self.get(unit) {
            0 => None,
            byte => Some((u16::from(byte), 1)),
        }
    }
}

impl ByteMap for &TwoByteCells {
    const ASCII_BY_FRONT: bool = true;

    #[inline(always)]
    fn bytes(self, unit: u16) -> Option<(u16, usize)> {
        match self.get(unit) {
            0 => None,
            bytes => Some((bytes.swap_bytes(), 2)),
        }
    }
}

/// Well-formed UTF-8 to encode, up to the first character outside of the Basic Multilingual Plane.
#[derive(Clone, Copy)]
pub(crate) struct Utf8Text<M>(pub(crate) M);

impl<M: ByteMap> FillSource<u8> for Utf8Text<M> {
    type From = u8;
    const ASCII_UNITS: usize = 1;
    const ASCII_BY_FRONT: bool = M::ASCII_BY_FRONT;
    const HAS_AT_MOST_TWO: bool = true;

    #[inline(always)]
    fn front(self, src: &[u8]) -> Option<Front> {
        let bits = |byte: u8| u16::from(byte & 0x3F);
        let (unit, read) = match *src {
            [ascii @ ..0x80, ..] => return ascii_front(ascii.into(), 1),
            [a @ 0xC0..0xE0, b, ..] => (bits(a & 0x1F) << 6 | bits(b), 2),
            [a @ 0xE0..0xF0, b, c, ..] => (u16::from(a) << 12 | bits(b) << 6 | bits(c), 3),
            _ => return None,
        };
        let (bytes, written) = self.0.bytes(unit)?;
        Some(Front::new(bytes.into(), written, read))
    }
}

/// UTF-16 text to encode, up to the first surrogate.
#[derive(Clone, Copy)]
pub(crate) struct Utf16Text<M>(pub(crate) M);

impl<M: ByteMap> FillSource<u8> for Utf16Text<M> {
    type From = u16;
    const ASCII_UNITS: usize = 1;
    const ASCII_BY_FRONT: bool = true;
    const HAS_AT_MOST_TWO: bool = true;

    #[inline(always)]
    fn front(self, src: &[u16]) -> Option<Front> {
        let unit = *src.first()?;
        if unit < 0x80 {
            return ascii_front(u32::from(unit), 1);
        }
        let (bytes, written) = self.0.bytes(unit)?;
        Some(Front::new(bytes.into(), written, 1))
    }
}
