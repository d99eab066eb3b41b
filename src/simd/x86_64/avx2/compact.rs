//! Writes 32 characters of one or two bytes without gaps, for the kernels that convert from other encodings.

use core::arch::x86_64::__m256i;
use core::mem::MaybeUninit;

use super::vector::Vectors256;
use crate::simd::generic::utf16_lanes::write_up_to_two;

/// The number of characters in a vector of words.
const HALF: usize = 16;

/// The bytes that 32 characters of up to three bytes take at most, plus what the last store may overrun them
/// by.
pub(super) const ROOM_OF_32_CHARS: usize = 3 * 32 + 16;

/// Writes the high and the low byte of every lane in `longer`, and the low byte of the others.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn pack_1_2(
    [low, high]: [__m256i; 2],
    longer: u32,
    to: &mut [MaybeUninit<u8>; ROOM_OF_32_CHARS],
) {
    let v = Vectors256::here();
    let [a, b, c, d] = longer.to_le_bytes();
    let middle = write_up_to_two::<false, _>(v, low, [a, b], HALF, to);
    write_up_to_two::<false, _>(v, high, [c, d], HALF, &mut to[middle..]);
}
