//! ASCII runs for NEON. Each kernel stores a vector before it looks for the end of the run in it; what
//! is left at the end, less than a vector, goes to the scalar kernel.

use core::arch::aarch64::{
    uint8x16_t, vandq_u8, vceqq_u8, vcgeq_u8, vcgtq_u16, vcombine_u8, vdupq_n_u8, vdupq_n_u16,
    vmaxvq_u8, vmovn_u16, vorrq_u8, vreinterpretq_u16_u8, vrev16q_u8, vzip1q_u8, vzip2q_u8,
};
use core::mem::MaybeUninit;

use super::{BLOCK, LANES, is_ascii, lanes_before, load, load_block, store};
use crate::simd::scalar;
use crate::simd::shared::as_bytes;

/// All ones where a byte is not ASCII.
#[inline]
#[target_feature(enable = "neon")]
fn not_ascii(bytes: uint8x16_t) -> uint8x16_t {
    vcgeq_u8(bytes, vdupq_n_u8(0x80))
}

/// The length of the ASCII prefix.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn ascii_prefix(src: &[u8]) -> usize {
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let ascii = blocks.iter().position(|block| !is_ascii(load_block(block)));
    let start = BLOCK * ascii.unwrap_or(blocks.len());
    let (vectors, rest) = src[start..].as_chunks::<LANES>();
    for (i, from) in vectors.iter().enumerate() {
        let bytes = load(from);
        if vmaxvq_u8(bytes) >= 0x80 {
            return start + LANES * i + lanes_before(not_ascii(bytes));
        }
    }
    start + LANES * vectors.len() + scalar::ascii::ascii_prefix(rest)
}

/// The length of the prefix that is ASCII without ESC, SO and SI.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn unshifted_prefix(src: &[u8]) -> usize {
    let (vectors, rest) = src.as_chunks::<LANES>();
    for (i, from) in vectors.iter().enumerate() {
        let bytes = load(from);
        let escape = vceqq_u8(bytes, vdupq_n_u8(0x1B));
        let shift = vceqq_u8(vandq_u8(bytes, vdupq_n_u8(0xFE)), vdupq_n_u8(0x0E));
        let stops = vorrq_u8(vorrq_u8(escape, shift), not_ascii(bytes));
        if vmaxvq_u8(stops) != 0 {
            return LANES * i + lanes_before(stops);
        }
    }
    LANES * vectors.len() + scalar::ascii::unshifted_prefix(rest)
}

/// Copies the ASCII prefix, as far as there is room.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn ascii_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len().min(dst.len());
    let (vectors, rest) = src[..len].as_chunks::<LANES>();
    let (to_vectors, to_rest) = dst[..len].as_chunks_mut::<LANES>();
    for (i, (from, to)) in vectors.iter().zip(to_vectors).enumerate() {
        let bytes = load(from);
        store(to, bytes);
        if vmaxvq_u8(bytes) >= 0x80 {
            return LANES * i + lanes_before(not_ascii(bytes));
        }
    }
    LANES * vectors.len() + scalar::ascii::ascii_to_utf8(rest, to_rest)
}

/// Bytes as code units in the given order: the lower half of a vector, and the upper one.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn widened<const BE: bool>(bytes: uint8x16_t) -> [uint8x16_t; 2] {
    let zero = vdupq_n_u8(0);
    if BE {
        [vzip1q_u8(zero, bytes), vzip2q_u8(zero, bytes)]
    } else {
        [vzip1q_u8(bytes, zero), vzip2q_u8(bytes, zero)]
    }
}

/// Widens the ASCII prefix to bytes in the given order, as far as there is room. Returns the number
/// of units.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn ascii_to_utf16_bytes<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let len = src.len().min(dst.len() / 2);
    let (vectors, rest) = src[..len].as_chunks::<LANES>();
    let (to_vectors, to_rest) = dst[..2 * len].as_chunks_mut::<{ 2 * LANES }>();
    for (i, (from, to)) in vectors.iter().zip(to_vectors).enumerate() {
        let bytes = load(from);
        if let ([low, high], _) = to.as_chunks_mut() {
            let [units_low, units_high] = widened::<BE>(bytes);
            store(low, units_low);
            store(high, units_high);
        }
        if vmaxvq_u8(bytes) >= 0x80 {
            return LANES * i + lanes_before(not_ascii(bytes));
        }
    }
    let (to_units, _) = to_rest.as_chunks_mut::<2>();
    let ascii = rest.iter().take_while(|byte| byte.is_ascii());
    let units = ascii.zip(to_units).map(|(&byte, to)| {
        *to = if BE { [0, byte] } else { [byte, 0] }.map(MaybeUninit::new);
    });
    LANES * vectors.len() + units.count()
}

/// Widens the ASCII prefix, as far as there is room.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn ascii_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    ascii_to_utf16_bytes::<false>(src, as_bytes(dst))
}

/// Narrows the ASCII prefix of UTF-16 bytes, as far as there is room.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf16_to_ascii<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let units = (src.len() / 2).min(dst.len());
    let (vectors, _) = src[..2 * units].as_chunks::<{ 2 * LANES }>();
    let (to_vectors, _) = dst[..units].as_chunks_mut::<LANES>();
    let mut i = 0;
    for (from, to) in vectors.iter().zip(to_vectors) {
        let ([low, high], _) = from.as_chunks::<LANES>() else {
            break;
        };
        let [low, high] = [low, high].map(|from| {
            let bytes = load(from);
            vreinterpretq_u16_u8(if BE { vrev16q_u8(bytes) } else { bytes })
        });
        store(to, vcombine_u8(vmovn_u16(low), vmovn_u16(high)));
        let [low, high] = [low, high].map(|units| vmovn_u16(vcgtq_u16(units, vdupq_n_u16(0x7F))));
        let others = vcombine_u8(low, high);
        if vmaxvq_u8(others) != 0 {
            return i + lanes_before(others);
        }
        i += LANES;
    }
    i + scalar::utf16::utf16_to_ascii::<BE>(&src[2 * i..2 * units], &mut dst[i..units])
}
