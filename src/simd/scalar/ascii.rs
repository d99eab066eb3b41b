//! ASCII runs, a word of eight bytes at a time.

use core::mem::MaybeUninit;

/// The highest bit of each of eight bytes, which ASCII lacks.
pub(in crate::simd) const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The highest bit of each of 16 bytes.
pub(in crate::simd) const HIGH_BITS_OF_16: u128 = (HIGH_BITS as u128) << 64 | HIGH_BITS as u128;

/// The byte that begins an escape sequence.
pub(in crate::simd) const ESC: u8 = 0x1B;

/// Returns the number of ASCII bytes at the front of eight bytes that are not all ASCII; `high` is the word,
/// read little-endian, masked with `HIGH_BITS`.
#[inline(always)]
fn ascii_bytes_below(high: u64) -> usize {
    (high.trailing_zeros() / 8) as usize
}

/// Returns the length of the ASCII prefix.
pub(in crate::simd) fn ascii_prefix(src: &[u8]) -> usize {
    let (words, rest) = src.as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        let high = u64::from_le_bytes(*word) & HIGH_BITS;
        if high != 0 {
            return 8 * i + ascii_bytes_below(high);
        }
    }
    8 * words.len() + rest.iter().take_while(|byte| byte.is_ascii()).count()
}

/// Returns the length of the prefix that is ASCII without ESC, SO and SI.
#[inline(always)]
pub(in crate::simd) fn unshifted_prefix(src: &[u8]) -> usize {
    prefix_without(src, |byte| {
        (byte == ESC) | (byte & 0xFE == 0x0E) | (byte >= 0x80)
    })
}

/// Returns the length of the prefix without control characters that do not occur in text, which are those of
/// C0 except BEL to SI (07 to 0F) and ESC.
#[inline(always)]
pub(in crate::simd) fn textual_prefix(src: &[u8]) -> usize {
    prefix_without(src, |byte| {
        (byte < 0x07) | ((byte & 0xF0 == 0x10) & (byte != ESC))
    })
}

/// Returns the length of the prefix without bytes for which `stops` is true. The compiler vectorises it for
/// the features of the function that it is inlined into.
#[inline(always)]
fn prefix_without(src: &[u8], stops: impl Fn(u8) -> bool) -> usize {
    const BLOCK: usize = 64;
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let plain = blocks
        .iter()
        .take_while(|block| !block.iter().fold(false, |any, &byte| any | stops(byte)))
        .count();
    let rest = src.get(BLOCK * plain..).unwrap_or_default();
    BLOCK * plain + rest.iter().take_while(|&&byte| !stops(byte)).count()
}

/// Copies the ASCII prefix. Returns its length.
pub(in crate::simd) fn ascii_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    copy_ascii(src, dst, |byte| byte)
}

/// Widens the ASCII prefix. Returns its length.
pub(in crate::simd) fn ascii_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    copy_ascii(src, dst, u16::from)
}

#[inline(always)]
fn copy_ascii<T>(src: &[u8], dst: &mut [MaybeUninit<T>], widen: impl Fn(u8) -> T) -> usize {
    let len = src.len().min(dst.len());
    let (words, rest) = src[..len].as_chunks::<8>();
    let (to_words, to_rest) = dst[..len].as_chunks_mut::<8>();
    for (i, (word, to)) in words.iter().zip(to_words).enumerate() {
        let high = u64::from_le_bytes(*word) & HIGH_BITS;
        for (to, &byte) in to.iter_mut().zip(word) {
            to.write(widen(byte));
        }
        if high != 0 {
            return 8 * i + ascii_bytes_below(high);
        }
    }
    let mut copied = 8 * words.len();
    for (&byte, to) in rest.iter().zip(to_rest) {
        if !byte.is_ascii() {
            break;
        }
        to.write(widen(byte));
        copied += 1;
    }
    copied
}
