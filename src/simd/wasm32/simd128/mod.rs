//! Kernels for `simd128`: vectors of 16 bytes, in blocks of up to four.
//!
//! What is cheap depends on the machine below. On x86-64 a mask of bits and a signed comparison are
//! one instruction each; an unsigned comparison and a shuffle by a vector are two, a shift of bytes
//! is more.

pub(in crate::simd) mod ascii;
pub(in crate::simd) mod single_byte;
pub(in crate::simd) mod table;
pub(in crate::simd) mod utf16;
pub(in crate::simd) mod utf8;
pub(in crate::simd) mod utf8_lossy;
pub(in crate::simd) mod utf8_to_utf16;
mod utf8_units;

use core::arch::wasm32::{
    i8x16_shuffle, i8x16_swizzle, u8x16_bitmask, u8x16_splat, u16x8_shr, v128, v128_and, v128_load,
    v128_or, v128_store,
};
use core::mem::MaybeUninit;

/// Bytes in a vector.
pub(super) const LANES: usize = 16;

/// Bytes in a block: as many as a mask has bits.
pub(super) const BLOCK: usize = 4 * LANES;

/// The bytes of a block.
pub(super) type Bytes = [v128; 4];

#[inline(always)]
pub(super) fn load(from: &[u8; LANES]) -> v128 {
    // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
    unsafe { v128_load(from.as_ptr().cast()) }
}

#[inline(always)]
pub(super) fn store(to: &mut [MaybeUninit<u8>; LANES], value: v128) {
    // SAFETY: the array has the 16 bytes that are written; the store needs no alignment.
    unsafe { v128_store(to.as_mut_ptr().cast(), value) }
}

/// The vectors of a block.
#[inline(always)]
pub(super) fn load_block(from: &[u8; BLOCK]) -> Bytes {
    let (vectors, _) = from.as_chunks::<LANES>();
    core::array::from_fn(|i| load(&vectors[i]))
}

#[inline(always)]
pub(super) fn store_block(to: &mut [MaybeUninit<u8>; BLOCK], bytes: Bytes) {
    let (vectors, _) = to.as_chunks_mut::<LANES>();
    for (to, bytes) in vectors.iter_mut().zip(bytes) {
        store(to, bytes);
    }
}

/// Up to a block from the front of `src`, and zeros.
#[inline(always)]
pub(super) fn padded(src: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let len = src.len().min(BLOCK);
    block[..len].copy_from_slice(&src[..len]);
    block
}

#[inline(always)]
pub(super) fn is_ascii([a, b, c, d]: Bytes) -> bool {
    u8x16_bitmask(v128_or(v128_or(a, b), v128_or(c, d))) == 0
}

/// The highest bit of each byte.
#[inline(always)]
pub(super) fn mask(bytes: Bytes) -> u64 {
    let [a, b, c, d] = bytes.map(|bytes| u64::from(u8x16_bitmask(bytes)));
    a | b << 16 | c << 32 | d << 48
}

/// The high half of each byte.
#[inline(always)]
pub(super) fn high_half(bytes: v128) -> v128 {
    v128_and(u16x8_shr(bytes, 4), u8x16_splat(0x0F))
}

/// Moves bytes as a row of a table says.
#[inline(always)]
pub(super) fn shuffled(bytes: v128, row: &[u8; LANES]) -> v128 {
    i8x16_swizzle(bytes, load(row))
}

/// The bytes of two vectors by turns: of the lower halves, and of the upper ones.
#[inline(always)]
pub(super) fn interleaved(a: v128, b: v128) -> [v128; 2] {
    [
        i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
        i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
    ]
}
