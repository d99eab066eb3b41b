//! ASCII runs for AVX2. Each kernel stores a vector before it looks for the end of the run in it;
//! text is full of short runs, which this serves best. What is left at the end, less than a vector,
//! goes to the SSE4.2 kernel.

use core::arch::x86_64::{
    __m256i, _mm256_adds_epu8, _mm256_and_si256, _mm256_broadcastsi128_si256,
    _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cmpeq_epi16, _mm256_cvtepu8_epi16,
    _mm256_extracti128_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_packs_epi16,
    _mm256_packus_epi16, _mm256_permute4x64_epi64, _mm256_set1_epi8, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_testz_si256,
};
use core::mem::MaybeUninit;

use super::{LANES, load, store, store_units};
use crate::simd::scalar;
use crate::simd::x86_64::sse4;

/// Vectors that are tested together where the run is long.
const UNROLLED: usize = 4;

/// The length of the ASCII prefix.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn ascii_prefix(src: &[u8]) -> usize {
    let mut i = 0;
    while let Some(block) = src[i..].first_chunk::<{ UNROLLED * LANES }>() {
        let (vectors, _) = block.as_chunks::<LANES>();
        let any = vectors
            .iter()
            .map(|from| load(from))
            .reduce(|a, b| _mm256_or_si256(a, b));
        if any.is_some_and(|any| _mm256_movemask_epi8(any) != 0) {
            break;
        }
        i += UNROLLED * LANES;
    }
    while let Some(from) = src[i..].first_chunk::<LANES>() {
        let high = _mm256_movemask_epi8(load(from));
        if high != 0 {
            return i + high.trailing_zeros() as usize;
        }
        i += LANES;
    }
    i + sse4::kernels::ascii_prefix(&src[i..])
}

/// By the lower half of a control character: the bits of which one is set in `0x60` and the character
/// together where text does not have it. 00 to 06 and 10 to 16 are none of text, and of those after them
/// only 07 to 0F and 1B are.
pub(in crate::simd::x86_64) const UNTEXTUAL: [u8; 16] = [
    0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x10, 0x10, 0x10, 0x10, 0, 0x10, 0x10, 0x10, 0x10,
];

/// The length of the prefix without control characters that text does not have.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn textual_prefix(src: &[u8]) -> usize {
    let mut i = 0;
    while let Some(block) = src[i..].first_chunk::<{ UNROLLED * LANES }>() {
        let (vectors, _) = block.as_chunks::<LANES>();
        let any = vectors
            .iter()
            .map(|from| untextual(load(from)))
            .reduce(|a, b| _mm256_or_si256(a, b));
        if any.is_some_and(|any| _mm256_testz_si256(any, any) == 0) {
            break;
        }
        i += UNROLLED * LANES;
    }
    while let Some(from) = src[i..].first_chunk::<LANES>() {
        let text = _mm256_cmpeq_epi8(untextual(load(from)), _mm256_setzero_si256());
        let text = _mm256_movemask_epi8(text);
        if text != -1 {
            return i + text.trailing_ones() as usize;
        }
        i += LANES;
    }
    i + scalar::ascii::textual_prefix(&src[i..])
}

/// Not 0 where text does not have the byte.
#[inline]
#[target_feature(enable = "avx2")]
fn untextual(bytes: __m256i) -> __m256i {
    // What is no control character has the high bit now, for which the shuffle gives 0.
    let bytes = _mm256_adds_epu8(bytes, _mm256_set1_epi8(0x60));
    let table = _mm256_broadcastsi128_si256(sse4::load(&UNTEXTUAL));
    _mm256_and_si256(_mm256_shuffle_epi8(table, bytes), bytes)
}

/// Copies the ASCII prefix, as far as there is room.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn ascii_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len().min(dst.len());
    let (vectors, _) = src[..len].as_chunks::<LANES>();
    let (to_vectors, _) = dst[..len].as_chunks_mut::<LANES>();
    for (i, (from, to)) in vectors.iter().zip(to_vectors).enumerate() {
        let bytes = load(from);
        store(to, bytes);
        let high = _mm256_movemask_epi8(bytes);
        if high != 0 {
            return LANES * i + high.trailing_zeros() as usize;
        }
    }
    let i = LANES * vectors.len();
    i + sse4::kernels::ascii_to_utf8(&src[i..len], &mut dst[i..len])
}

/// Widens the ASCII prefix, as far as there is room.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn ascii_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    let len = src.len().min(dst.len());
    let (vectors, _) = src[..len].as_chunks::<LANES>();
    let (to_vectors, _) = dst[..len].as_chunks_mut::<LANES>();
    for (i, (from, to)) in vectors.iter().zip(to_vectors).enumerate() {
        let bytes = load(from);
        if let ([low, high], _) = to.as_chunks_mut::<{ LANES / 2 }>() {
            store_units(low, _mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes)));
            let upper = _mm256_extracti128_si256::<1>(bytes);
            store_units(high, _mm256_cvtepu8_epi16(upper));
        }
        let high = _mm256_movemask_epi8(bytes);
        if high != 0 {
            return LANES * i + high.trailing_zeros() as usize;
        }
    }
    let i = LANES * vectors.len();
    i + sse4::kernels::ascii_to_utf16(&src[i..len], &mut dst[i..len])
}

/// Narrows the ASCII prefix of UTF-16 bytes, as far as there is room.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn utf16_to_ascii<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let units = (src.len() / 2).min(dst.len());
    let (vectors, _) = src[..2 * units].as_chunks::<{ 2 * LANES }>();
    let (to_vectors, _) = dst[..units].as_chunks_mut::<LANES>();
    let not_ascii = _mm256_set1_epi16(if BE { 0x80FF_u16 } else { 0xFF80 }.cast_signed());
    let zero = _mm256_setzero_si256();
    let mut i = 0;
    for (from, to) in vectors.iter().zip(to_vectors) {
        let ([low, high], _) = from.as_chunks::<LANES>() else {
            break;
        };
        let (low, high) = (load(low), load(high));
        let low_ascii = _mm256_cmpeq_epi16(_mm256_and_si256(low, not_ascii), zero);
        let high_ascii = _mm256_cmpeq_epi16(_mm256_and_si256(high, not_ascii), zero);
        let (low, high) = if BE {
            (_mm256_srli_epi16::<8>(low), _mm256_srli_epi16::<8>(high))
        } else {
            (low, high)
        };
        // The packs work on each half by itself: put the quarters in order.
        let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low, high));
        store(to, bytes);
        let ascii = _mm256_packs_epi16(low_ascii, high_ascii);
        let ascii = _mm256_movemask_epi8(_mm256_permute4x64_epi64::<0b11_01_10_00>(ascii));
        if ascii != -1 {
            return i + ascii.trailing_ones() as usize;
        }
        i += LANES;
    }
    i + sse4::kernels::utf16_to_ascii::<BE>(&src[2 * i..2 * units], &mut dst[i..units])
}
