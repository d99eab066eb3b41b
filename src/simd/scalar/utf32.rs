//! UTF-32 (native code units) to and from UTF-8 and UTF-16.

use core::mem::MaybeUninit;

use super::fill_sources::utf8_front;
use super::short;
use crate::simd::surrogates::surrogate_pair;

/// Returns the length of the prefix of scalar values.
#[inline(always)]
pub(in crate::simd) fn utf32_valid_prefix(src: &[u32]) -> usize {
    const BLOCK: usize = 64;
    // With this subtracted, surrogates are above all other units.
    let turned = |unit: u32| unit.wrapping_sub(0xE000);
    let is_none = |unit: u32| (unit > 0x10_FFFF) | (turned(unit) > 0xFFFF_F7FF);
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let valid = blocks
        .iter()
        .take_while(|block| {
            let (mut most, mut most_turned) = (0, 0);
            for &unit in *block {
                most = most.max(unit);
                most_turned = most_turned.max(turned(unit));
            }
            (most <= 0x10_FFFF) & (most_turned <= 0xFFFF_F7FF)
        })
        .count();
    let rest = &src[BLOCK * valid..];
    BLOCK * valid + rest.iter().take_while(|&&unit| !is_none(unit)).count()
}

/// Converts UTF-32 up to the first unit that is not a scalar value, as far as there is room. Returns the
/// number of units read and of bytes written.
pub(in crate::simd) fn utf32_to_utf8(src: &[u32], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(&unit) = src.get(read)
        && char::from_u32(unit).is_some()
        && let Some(room) = dst.get_mut(written..)
        && let Some(len) = short::put_utf8(unit, room)
    {
        read += 1;
        written += len;
    }
    (read, written)
}

/// Returns 0 for characters of the Basic Multilingual Plane.
#[inline(always)]
pub(crate) fn beyond_bmp(unit: u32) -> u32 {
    let surrogate = if unit & 0xF800 == 0xD800 { !0 } else { 0 };
    unit & 0xFFFF_0000 | surrogate
}

/// Returns 0 for what is not a surrogate.
#[inline(always)]
pub(crate) fn surrogate(unit: u16) -> u16 {
    if unit & 0xF800 == 0xD800 { !0 } else { 0 }
}

/// Converts UTF-32 up to the first unit that is not a scalar value, as far as there is room. Returns the
/// numbers of units read and written.
pub(in crate::simd) fn utf32_to_utf16(src: &[u32], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let mut written = 0;
    for (read, &unit) in src.iter().enumerate() {
        let mut units = [0; 2];
        let Some(ch) = char::from_u32(unit) else {
            return (read, written);
        };
        match (&*ch.encode_utf16(&mut units), dst[written..].as_mut()) {
            (&[unit], [to, ..]) => {
                to.write(unit);
                written += 1;
            }
            (&[lead, trail], [to, to_trail, ..]) => {
                to.write(lead);
                to_trail.write(trail);
                written += 2;
            }
            _ => return (read, written),
        }
    }
    (src.len(), written)
}

/// Converts well-formed UTF-8 as far as there is room. Returns the number of bytes read and of units written.
pub(in crate::simd) fn utf8_to_utf32(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(to) = dst.get_mut(written)
        && let Some(ahead @ [_, ..]) = src.get(read..)
        && let Some((scalar, len)) = utf8_front(ahead)
    {
        to.write(scalar);
        read += len;
        written += 1;
    }
    (read, written)
}

/// Converts UTF-16 up to the first lone surrogate, as far as there is room. Returns the numbers of units read
/// and written.
pub(in crate::simd) fn utf16_to_utf32(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let mut read = 0;
    let mut written = 0;
    for to in dst {
        let (ch, len) = match src[read..] {
            [unit, ..] if !(0xD800..=0xDFFF).contains(&unit) => (u32::from(unit), 1),
            [lead, trail, ..] => match surrogate_pair(lead, trail) {
                Some(ch) => (u32::from(ch), 2),
                None => break,
            },
            _ => break,
        };
        to.write(ch);
        read += len;
        written += 1;
    }
    (read, written)
}
