//! UTF-8 and UTF-16 as sources of encoders, with `fill.rs`.

use super::fill::{FillSource, Front, ascii_front};
use crate::simd::single_byte::SingleByteCells;
use crate::simd::surrogates::surrogate_pair;
use crate::simd::two_byte::cells::TwoByteCells;

/// A map from scalar values above U+007F to bytes.
pub(crate) trait ByteMap: Copy {
    /// See [`FillSource::ASCII_BY_FRONT`]; for UTF-8.
    const ASCII_BY_FRONT: bool = false;

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
    const ASCII_BY_FRONT: bool = true;

    #[inline(always)]
    fn bytes(self, scalar: u32) -> Option<(u32, usize)> {
        match self.get(u16::try_from(scalar).ok()?) {
            0 => None,
            bytes => Some((u32::from(bytes.swap_bytes()), 2)),
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

    #[inline(always)]
    fn front(self, src: &[u8]) -> Option<Front> {
        let bits = |byte: u8| u32::from(byte & 0x3F);
        let (scalar, read) = match *src {
            [ascii @ ..0x80, ..] => return ascii_front(ascii.into(), 1),
            [a @ 0xC0..0xE0, b, ..] => (u32::from(a & 0x1F) << 6 | bits(b), 2),
            [a @ 0xE0..0xF0, b, c, ..] => (u32::from(a & 0xF) << 12 | bits(b) << 6 | bits(c), 3),
            _ => return None,
        };
        let (units, written) = self.0.bytes(scalar)?;
        Some(Front::new(units, written, read))
    }
}

/// UTF-16 text to encode.
#[derive(Clone, Copy)]
pub(crate) struct Utf16Text<M>(pub(crate) M);

impl<M: ByteMap> FillSource<u8> for Utf16Text<M> {
    type From = u16;
    const ASCII_UNITS: usize = 1;
    const ASCII_BY_FRONT: bool = true;

    #[inline(always)]
    fn front(self, src: &[u16]) -> Option<Front> {
        let unit = *src.first()?;
        let (scalar, read) = match unit {
            0..0x80 => return ascii_front(u32::from(unit), 1),
            _ if unit & 0xF800 != 0xD800 => (u32::from(unit), 1),
            _ => (u32::from(surrogate_pair(unit, *src.get(1)?)?), 2),
        };
        let (units, written) = self.0.bytes(scalar)?;
        Some(Front::new(units, written, read))
    }
}
