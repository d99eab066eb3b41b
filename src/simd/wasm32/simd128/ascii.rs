//! ASCII runs. Each kernel stores a vector before it looks for the end of the run in it. The last
//! vector may overlap the one before it; less than a vector goes to the scalar kernel.

use core::arch::wasm32::{
    i8x16_eq, i8x16_narrow_i16x8, i16x8_ne, u8x16_bitmask, u8x16_narrow_i16x8, u8x16_splat,
    u16x8_shr, u16x8_splat, v128, v128_and, v128_any_true, v128_or,
};
use core::mem::MaybeUninit;

use super::{BLOCK, LANES, interleaved, is_ascii, load, load_block, mask, store};
use crate::simd::scalar;
use crate::simd::shared::as_bytes;

/// The length of the ASCII prefix.
pub(in crate::simd) fn ascii_prefix(src: &[u8]) -> usize {
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let ascii = blocks
        .iter()
        .take_while(|block| is_ascii(load_block(block)));
    let start = BLOCK * ascii.count();
    let rest = &src[start..];
    start
        + before_stop(
            rest,
            |bytes| u8x16_bitmask(bytes),
            scalar::ascii::ascii_prefix,
        )
}

/// The length of the prefix that is ASCII without ESC, SO and SI.
pub(in crate::simd) fn unshifted_prefix(src: &[u8]) -> usize {
    let stops = |bytes| {
        let escape = i8x16_eq(bytes, u8x16_splat(0x1B));
        let shift = i8x16_eq(v128_and(bytes, u8x16_splat(0xFE)), u8x16_splat(0x0E));
        u8x16_bitmask(v128_or(v128_or(escape, shift), bytes))
    };
    before_stop(src, stops, scalar::ascii::unshifted_prefix)
}

/// The length of the prefix without a byte that `stops` marks in a vector; `short` is for less than
/// one.
#[inline(always)]
fn before_stop(src: &[u8], stops: impl Fn(v128) -> u16, short: impl Fn(&[u8]) -> usize) -> usize {
    let Some(last) = src.last_chunk::<LANES>() else {
        return short(src);
    };
    let (vectors, _) = src.as_chunks::<LANES>();
    for (i, from) in vectors.iter().enumerate() {
        let stops = stops(load(from));
        if stops != 0 {
            return LANES * i + stops.trailing_zeros() as usize;
        }
    }
    let stops = stops(load(last));
    if stops == 0 {
        src.len()
    } else {
        src.len() - LANES + stops.trailing_zeros() as usize
    }
}

/// Copies the ASCII prefix, as far as there is room.
pub(in crate::simd) fn ascii_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let put = |to: &mut _, bytes| store(to, bytes);
    put_ascii(src, dst, put, scalar::ascii::ascii_to_utf8)
}

/// Widens the ASCII prefix, as far as there is room.
pub(in crate::simd) fn ascii_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    ascii_to_utf16_bytes::<false>(src, as_bytes(dst))
}

/// Widens the ASCII prefix to bytes in the given order, as far as there is room. Returns the number
/// of units.
#[inline(always)]
pub(super) fn ascii_to_utf16_bytes<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let (dst, _) = dst.as_chunks_mut::<2>();
    put_ascii(src, dst, widen::<BE>, |src, dst| {
        let ascii = src.iter().take_while(|byte| byte.is_ascii());
        let units = ascii.zip(dst).map(|(&byte, to)| {
            *to = if BE { [0, byte] } else { [byte, 0] }.map(MaybeUninit::new);
        });
        units.count()
    })
}

/// Writes bytes as code units in the given order.
#[inline(always)]
pub(super) fn widen<const BE: bool>(to: &mut [[MaybeUninit<u8>; 2]; LANES], bytes: v128) {
    let zero = u8x16_splat(0);
    let [low, high] = if BE {
        interleaved(zero, bytes)
    } else {
        interleaved(bytes, zero)
    };
    if let ([to_low, to_high], _) = to.as_flattened_mut().as_chunks_mut() {
        store(to_low, low);
        store(to_high, high);
    }
}

/// Writes the ASCII prefix with `put`, as far as there is room, and less than a vector with `short`.
/// Returns its length.
#[inline(always)]
fn put_ascii<To>(
    src: &[u8],
    dst: &mut [To],
    put: impl Fn(&mut [To; LANES], v128),
    short: impl Fn(&[u8], &mut [To]) -> usize,
) -> usize {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    let Some(last) = src.last_chunk::<LANES>() else {
        return short(src, dst);
    };
    let mut at = 0;
    while let Some(from) = src[at..].first_chunk::<BLOCK>()
        && let Some(to) = dst[at..].first_chunk_mut::<BLOCK>()
    {
        let bytes = load_block(from);
        for (bytes, to) in bytes.into_iter().zip(to.as_chunks_mut().0) {
            put(to, bytes);
        }
        if !is_ascii(bytes) {
            return at + mask(bytes).trailing_zeros() as usize;
        }
        at += BLOCK;
    }
    while let Some(from) = src[at..].first_chunk()
        && let Some(to) = dst[at..].first_chunk_mut()
    {
        let bytes = load(from);
        put(to, bytes);
        let others = u8x16_bitmask(bytes);
        if others != 0 {
            return at + others.trailing_zeros() as usize;
        }
        at += LANES;
    }
    let bytes = load(last);
    if let Some(to) = dst.last_chunk_mut() {
        put(to, bytes);
    }
    let others = u8x16_bitmask(bytes);
    if others == 0 {
        len
    } else {
        len - LANES + others.trailing_zeros() as usize
    }
}

/// Narrows the ASCII prefix of UTF-16 bytes, as far as there is room.
pub(in crate::simd) fn utf16_to_ascii<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let units = (src.len() / 2).min(dst.len());
    let (vectors, _) = src[..2 * units].as_chunks::<{ 2 * LANES }>();
    let (to_vectors, _) = dst[..units].as_chunks_mut::<LANES>();
    let not_ascii = u16x8_splat(if BE { 0x80FF } else { 0xFF80 });
    let mut i = 0;
    for (from, to) in vectors.iter().zip(to_vectors) {
        let ([low, high], _) = from.as_chunks::<LANES>() else {
            break;
        };
        let halves = [low, high].map(load);
        let [low, high] = halves.map(|units| if BE { u16x8_shr(units, 8) } else { units });
        store(to, u8x16_narrow_i16x8(low, high));
        let [low, high] = halves.map(|units| v128_and(units, not_ascii));
        if v128_any_true(v128_or(low, high)) {
            let [low, high] = [low, high].map(|bits| i16x8_ne(bits, u16x8_splat(0)));
            // All ones are -1: narrowed with a sign they stay so.
            let others = u8x16_bitmask(i8x16_narrow_i16x8(low, high));
            return i + others.trailing_zeros() as usize;
        }
        i += LANES;
    }
    i + scalar::utf16::utf16_to_ascii::<BE>(&src[2 * i..2 * units], &mut dst[i..units])
}
