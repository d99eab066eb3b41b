//! Latin-1 (true ISO-8859-1, in which a byte is the code point of the same value) to and from UTF-8, UTF-16
//! and UTF-32.

use core::mem::MaybeUninit;

use super::ascii::HIGH_BITS;

/// Converts Latin-1 as far as there is room. Returns the number of bytes read and written.
pub(in crate::simd) fn latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(&byte) = src.get(read) {
        if let Some(block) = src[read..].first_chunk::<8>()
            && let Some(to) = dst[written..].first_chunk_mut::<8>()
            && u64::from_ne_bytes(*block) & HIGH_BITS == 0
        {
            *to = block.map(MaybeUninit::new);
            read += 8;
            written += 8;
            continue;
        }
        match dst[written..].as_mut() {
            [to, ..] if byte.is_ascii() => {
                to.write(byte);
                written += 1;
            }
            [lead, trail, ..] if !byte.is_ascii() => {
                lead.write(0xC0 | byte >> 6);
                trail.write(byte & 0xBF);
                written += 2;
            }
            _ => break,
        }
        read += 1;
    }
    (read, written)
}

/// Converts UTF-8 up to the first character above U+00FF or the first malformed byte, as far as there is
/// room. Returns the number of bytes read and written.
pub(in crate::simd) fn utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let mut read = 0;
    let mut written = 0;
    while written < dst.len() {
        if let Some(block) = src[read..].first_chunk::<8>()
            && let Some(to) = dst[written..].first_chunk_mut::<8>()
            && u64::from_ne_bytes(*block) & HIGH_BITS == 0
        {
            *to = block.map(MaybeUninit::new);
            read += 8;
            written += 8;
            continue;
        }
        let (byte, len) = match src[read..] {
            [ascii @ ..0x80, ..] => (ascii, 1),
            [lead @ 0xC2..=0xC3, trail @ 0x80..=0xBF, ..] => (lead << 6 | trail & 0x3F, 2),
            _ => break,
        };
        dst[written].write(byte);
        read += len;
        written += 1;
    }
    (read, written)
}

/// Widens Latin-1 to UTF-16 as far as there is room.
#[inline(always)]
pub(in crate::simd) fn latin1_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    widen(src, dst)
}

/// Widens Latin-1 to UTF-32 as far as there is room.
#[inline(always)]
pub(in crate::simd) fn latin1_to_utf32(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> usize {
    widen(src, dst)
}

#[inline(always)]
fn widen<T: From<u8>>(src: &[u8], dst: &mut [MaybeUninit<T>]) -> usize {
    for (&byte, to) in src.iter().zip(dst.iter_mut()) {
        to.write(T::from(byte));
    }
    src.len().min(dst.len())
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
