//! Lengths and counts for NEON. Lanes that are all ones are minus one: they are added up in bytes,
//! as long as those hold the sum.

use core::arch::aarch64::{
    uint8x16_t, vaddlvq_u8, vaddq_u8, vcgeq_u8, vcgtq_s8, vdupq_n_s8, vdupq_n_u8,
    vreinterpretq_s8_u8, vsubq_u8,
};

use super::{LANES, load};
use crate::simd::scalar;

/// Code units of UTF-16 in UTF-8.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf16_len_from_utf8(src: &[u8]) -> usize {
    let (vectors, rest) = src.as_chunks();
    let four = vdupq_n_u8(0xF0);
    let len = sum(vectors, |bytes| {
        vaddq_u8(is_no_continuation(bytes), vcgeq_u8(bytes, four))
    });
    len + scalar::count::utf16_len_from_utf8(rest)
}

/// Characters in UTF-8.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn count_scalars_utf8(src: &[u8]) -> usize {
    let (vectors, rest) = src.as_chunks();
    sum(vectors, |bytes| is_no_continuation(bytes)) + scalar::count::count_scalars_utf8(rest)
}

/// Bytes of UTF-8 in Latin-1.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf8_len_from_latin1(src: &[u8]) -> usize {
    let (vectors, rest) = src.as_chunks::<LANES>();
    let two = vdupq_n_u8(0x80);
    let longer = sum(vectors, |bytes| vcgeq_u8(bytes, two));
    LANES * vectors.len() + longer + scalar::count::utf8_len_from_latin1(rest)
}

#[inline]
#[target_feature(enable = "neon")]
fn is_no_continuation(bytes: uint8x16_t) -> uint8x16_t {
    // Signed, continuation bytes are the smallest.
    vcgtq_s8(
        vreinterpretq_s8_u8(bytes),
        vdupq_n_s8(0xBF_u8.cast_signed()),
    )
}

/// Adds up what each byte counts; `minus` is 0 to 2 less than nothing.
#[inline]
#[target_feature(enable = "neon")]
fn sum(vectors: &[[u8; LANES]], minus: impl Fn(uint8x16_t) -> uint8x16_t) -> usize {
    /// So many vectors that a byte holds twice their number.
    const MANY: usize = 127;
    let of_many = |vectors: &[[u8; LANES]]| {
        let counts = vectors.iter().fold(vdupq_n_u8(0), |counts, from| {
            vsubq_u8(counts, minus(load(from)))
        });
        usize::from(vaddlvq_u8(counts))
    };
    vectors.chunks(MANY).map(of_many).sum()
}
