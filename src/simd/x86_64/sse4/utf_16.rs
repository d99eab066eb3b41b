//! Code units to UTF-8 for SSE4.2, eight at a time.

use core::arch::x86_64::{
    _mm_and_si128, _mm_blendv_epi8, _mm_cmpeq_epi16, _mm_movemask_epi8, _mm_or_si128,
    _mm_packs_epi16, _mm_set1_epi16, _mm_setzero_si128, _mm_shuffle_epi8, _mm_slli_epi16,
    _mm_srli_epi16, _mm_testz_si128,
};
use core::mem::MaybeUninit;

use super::{load, load_units, store};
use crate::simd::kernels::{Kernels, UpperHalf};
use crate::simd::scalar;

/// For each set of lanes that hold ASCII: the shuffle that keeps the low byte of those and both
/// bytes of the others.
static COMPACT: [[u8; 16]; 256] = {
    let mut table = [[0x80; 16]; 256];
    let mut ascii = 0;
    while ascii < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            table[ascii][at] = 2 * lane;
            at += 1;
            if ascii >> lane & 1 == 0 {
                table[ascii][at] = 2 * lane + 1;
                at += 1;
            }
            lane += 1;
        }
        ascii += 1;
    }
    table
};

/// Writes eight characters of the Basic Multilingual Plane and returns their length in bytes. None
/// of the units is a surrogate.
#[inline]
#[target_feature(enable = "sse4.2,popcnt")]
fn block_to_utf_8(units: [u16; 8], to: &mut [MaybeUninit<u8>; 32]) -> usize {
    let v = load_units(&units);
    if _mm_testz_si128(v, _mm_set1_epi16(0xF800_u16.cast_signed())) == 0 {
        return scalar::bmp_block_to_utf_8(units, to);
    }
    // All are below U+0800. Lead bytes go to the low half of each lane, trail bytes to the high one.
    let lead = _mm_srli_epi16::<6>(v);
    let trail = _mm_and_si128(_mm_slli_epi16::<8>(v), _mm_set1_epi16(0x3F00));
    let marks = _mm_set1_epi16(0x80C0_u16.cast_signed());
    let two_bytes = _mm_or_si128(_mm_or_si128(lead, trail), marks);
    let zero = _mm_setzero_si128();
    let not_ascii = _mm_set1_epi16(0xFF80_u16.cast_signed());
    let ascii = _mm_cmpeq_epi16(_mm_and_si128(v, not_ascii), zero);
    let bytes = _mm_blendv_epi8(two_bytes, v, ascii);
    let lanes = _mm_movemask_epi8(_mm_packs_epi16(ascii, zero)) as usize & 0xFF;
    if let Some(to) = to.first_chunk_mut::<16>() {
        store(to, _mm_shuffle_epi8(bytes, load(&COMPACT[lanes])));
    }
    16 - lanes.count_ones() as usize
}

/// Converts UTF-16 up to the first surrogate. Returns the bytes read and the bytes written.
#[target_feature(enable = "sse4.2,popcnt")]
pub(in crate::simd) fn utf_16_to_utf_8<const BE: bool>(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    scalar::utf_16::utf_16_to_utf_8_by::<BE>(kernels, src, dst, |units, to| {
        block_to_utf_8(units, to)
    })
}

/// Decodes a single-byte encoding up to the first unmapped byte. Returns the bytes read and the
/// bytes written.
#[target_feature(enable = "sse4.2,popcnt")]
pub(in crate::simd) fn single_byte_to_utf_8(
    kernels: &Kernels,
    upper: &UpperHalf,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    scalar::single_byte::single_byte_to_utf_8_by(kernels, upper, src, dst, |units, to| {
        block_to_utf_8(units, to)
    })
}
