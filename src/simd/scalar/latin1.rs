//! Latin-1 (true ISO-8859-1, in which a byte is the code point of the same value) to and from UTF-8, UTF-16
//! and UTF-32.

use core::mem::MaybeUninit;

use super::fill::{FillSource, FillUnit, Front, fill};
use crate::simd::kernels::Transcoded;

/// Converts Latin-1 as far as there is room. Returns the number of bytes read and written.
pub(in crate::simd) fn latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    Transcoded::from(fill(Latin1, src, dst)).counts()
}

/// Converts UTF-8 up to the first character above U+00FF or the first malformed byte, as far as there is
/// room. Returns the number of bytes read and written.
pub(in crate::simd) fn utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    Transcoded::from(fill(Utf8, src, dst)).counts()
}

/// Latin-1, to be converted to UTF-8.
#[derive(Clone, Copy)]
struct Latin1;

impl FillSource<u8> for Latin1 {
    type From = u8;
    const ASCII_UNITS: usize = 1;
    const ASCII_BY_FRONT: bool = true;

    #[inline(always)]
    fn front(self, src: &[u8]) -> Option<Front> {
        Some(u8::of_unit(u16::from(*src.first()?), 1))
    }
}

/// UTF-8, to be converted to Latin-1.
#[derive(Clone, Copy)]
struct Utf8;

impl FillSource<u8> for Utf8 {
    type From = u8;
    const ASCII_UNITS: usize = 1;

    #[inline(always)]
    fn front(self, src: &[u8]) -> Option<Front> {
        let (byte, read) = match *src {
            [ascii @ ..0x80, ..] => (ascii, 1),
            [lead @ 0xC2..=0xC3, trail @ 0x80..0xC0, ..] => (lead << 6 | trail & 0x3F, 2),
            _ => return None,
        };
        Some(Front::new(byte.into(), 1, read))
    }
}

/// Narrows UTF-16 up to the first unit above 00FF, as far as there is room.
#[inline(always)]
pub(in crate::simd) fn utf16_to_latin1(src: &[u16], dst: &mut [MaybeUninit<u8>]) -> usize {
    narrow::<_, 32>(src, dst, |unit| unit as u8, |unit| unit > 0xFF)
}

/// Narrows UTF-32 up to the first unit above 00FF, as far as there is room.
#[inline(always)]
pub(in crate::simd) fn utf32_to_latin1(src: &[u32], dst: &mut [MaybeUninit<u8>]) -> usize {
    narrow::<_, 32>(src, dst, |unit| unit as u8, |unit| unit > 0xFF)
}

/// Narrows units, in blocks and then one by one, up to the first that is above FF.
#[inline(always)]
pub(super) fn narrow<T: Copy, const BLOCK: usize>(
    src: &[T],
    dst: &mut [MaybeUninit<u8>],
    byte: impl Fn(T) -> u8,
    is_wide: impl Fn(T) -> bool,
) -> usize {
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let (to_blocks, _) = dst.as_chunks_mut::<BLOCK>();
    let mut done = 0;
    for (block, to) in blocks.iter().zip(to_blocks) {
        let mut wide = false;
        for (to, &unit) in to.iter_mut().zip(block) {
            to.write(byte(unit));
            wide |= is_wide(unit);
        }
        if wide {
            break;
        }
        done += BLOCK;
    }
    for (&unit, to) in src[done..].iter().zip(&mut dst[done..]) {
        if is_wide(unit) {
            break;
        }
        to.write(byte(unit));
        done += 1;
    }
    done
}
