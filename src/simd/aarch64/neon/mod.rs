//! Kernels for NEON: vectors of 16 bytes, in blocks of up to four.
//!
//! NEON has no instruction that makes a mask of bits from a vector: one for 64 bytes takes eight
//! instructions, and then the algebra of masks is that of all instruction sets (`shared/`).

pub(in crate::simd) mod ascii;
pub(in crate::simd) mod count;
pub(in crate::simd) mod latin1;
pub(in crate::simd) mod table;
pub(in crate::simd) mod utf16;
pub(in crate::simd) mod utf32;
pub(in crate::simd) mod utf8;
pub(in crate::simd) mod utf8_lossy;
pub(in crate::simd) mod utf8_to_utf16;
mod utf8_units;

use core::arch::aarch64::{
    uint8x8_t, uint8x16_t, uint16x8_t, uint32x4_t, vaddvq_u16, vandq_u8, vandq_u16, vget_lane_u64,
    vgetq_lane_u16, vgetq_lane_u64, vld1q_u8, vld1q_u16, vld1q_u32, vmaxvq_u8, vorrq_u8, vpaddq_u8,
    vqtbl1q_u8, vreinterpret_u64_u8, vreinterpretq_u8_u16, vreinterpretq_u16_u8,
    vreinterpretq_u64_u8, vshrn_n_u16, vst1_u8, vst1q_u8, vst1q_u16, vst1q_u32,
};
use core::mem::MaybeUninit;

/// Bytes in a vector.
pub(super) const LANES: usize = 16;

/// Bytes in a block: as many as a mask has bits.
pub(super) const BLOCK: usize = 4 * LANES;

/// The bytes of a block.
pub(super) type Bytes = [uint8x16_t; 4];

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn load(from: &[u8; LANES]) -> uint8x16_t {
    // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
    unsafe { vld1q_u8(from.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn load_units(from: &[u16; LANES / 2]) -> uint16x8_t {
    // SAFETY: the array has the 8 units that are read.
    unsafe { vld1q_u16(from.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn load_words(from: &[u32; LANES / 4]) -> uint32x4_t {
    // SAFETY: the array has the 4 units that are read.
    unsafe { vld1q_u32(from.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn store(to: &mut [MaybeUninit<u8>; LANES], value: uint8x16_t) {
    // SAFETY: the array has the 16 bytes that are written; the store needs no alignment.
    unsafe { vst1q_u8(to.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn store_half(to: &mut [MaybeUninit<u8>; LANES / 2], value: uint8x8_t) {
    // SAFETY: the array has the 8 bytes that are written; the store needs no alignment.
    unsafe { vst1_u8(to.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn store_units(to: &mut [MaybeUninit<u16>; LANES / 2], value: uint16x8_t) {
    // SAFETY: the array has the 8 units that are written.
    unsafe { vst1q_u16(to.as_mut_ptr().cast(), value) }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn store_words(to: &mut [MaybeUninit<u32>; LANES / 4], value: uint32x4_t) {
    // SAFETY: the array has the 4 units that are written.
    unsafe { vst1q_u32(to.as_mut_ptr().cast(), value) }
}

/// The vectors of a block.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn load_block(from: &[u8; BLOCK]) -> Bytes {
    let (vectors, _) = from.as_chunks::<LANES>();
    core::array::from_fn(|i| load(&vectors[i]))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn store_block(to: &mut [MaybeUninit<u8>; BLOCK], bytes: Bytes) {
    let (vectors, _) = to.as_chunks_mut::<LANES>();
    for (to, bytes) in vectors.iter_mut().zip(bytes) {
        store(to, bytes);
    }
}

/// Up to a block from the front of `src`, and zeros.
#[inline]
pub(super) fn padded(src: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let len = src.len().min(BLOCK);
    block[..len].copy_from_slice(&src[..len]);
    block
}

/// The greatest byte of a block is at least that of every byte.
#[inline]
#[target_feature(enable = "neon")]
fn any_bits([a, b, c, d]: Bytes) -> uint8x16_t {
    vorrq_u8(vorrq_u8(a, b), vorrq_u8(c, d))
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn is_ascii(block: Bytes) -> bool {
    vmaxvq_u8(any_bits(block)) < 0x80
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn is_zero(block: Bytes) -> bool {
    vmaxvq_u8(any_bits(block)) == 0
}

/// A bit of its own for each byte of half a vector.
static BITS: [u8; LANES] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

/// One bit a lane, of lanes that are all ones or zero.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn mask(lanes: Bytes) -> u64 {
    let bits = load(&BITS);
    let [a, b, c, d] = lanes.map(|lanes| vandq_u8(lanes, bits));
    let (low, high) = (vpaddq_u8(a, b), vpaddq_u8(c, d));
    let fours = vpaddq_u8(low, high);
    vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(fours, fours)))
}

/// The same for one vector.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn mask_of_bytes(lanes: uint8x16_t) -> u16 {
    let bits = vandq_u8(lanes, load(&BITS));
    let twos = vpaddq_u8(bits, bits);
    let fours = vpaddq_u8(twos, twos);
    vgetq_lane_u16::<0>(vreinterpretq_u16_u8(vpaddq_u8(fours, fours)))
}

/// The same for a vector of units.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn mask_of_units(lanes: uint16x8_t) -> u8 {
    static BITS: [u16; LANES / 2] = [1, 2, 4, 8, 16, 32, 64, 128];
    vaddvq_u16(vandq_u16(lanes, load_units(&BITS))) as u8
}

/// The number of lanes before the first that is all ones, of lanes that are all ones or zero; or
/// [`LANES`].
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn lanes_before(lanes: uint8x16_t) -> usize {
    // Four bits for each lane.
    let bits = vshrn_n_u16::<4>(vreinterpretq_u16_u8(lanes));
    (vget_lane_u64::<0>(vreinterpret_u64_u8(bits)).trailing_zeros() / 4) as usize
}

/// Moves the bytes of units as a row of a table says.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn shuffled(units: uint16x8_t, row: &[u8; LANES]) -> uint8x16_t {
    vqtbl1q_u8(vreinterpretq_u8_u16(units), load(row))
}
