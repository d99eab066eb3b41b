//! ASCII runs for SSE4.2. Each kernel stores a vector before it looks for the end of the run in it,
//! and leaves the last bytes, fewer than a vector, to the scalar kernel.

use core::arch::x86_64::{
    _mm_and_si128, _mm_cmpeq_epi16, _mm_movemask_epi8, _mm_packs_epi16, _mm_packus_epi16,
    _mm_set1_epi16, _mm_setzero_si128, _mm_srli_epi16, _mm_unpackhi_epi8, _mm_unpacklo_epi8,
};
use core::mem::MaybeUninit;

use super::{LANES, load, store, store_units};
use crate::simd::scalar;

/// The length of the ASCII prefix.
#[target_feature(enable = "sse4.2")]
pub(in crate::simd) fn ascii_prefix(src: &[u8]) -> usize {
    let (vectors, rest) = src.as_chunks::<LANES>();
    for (i, from) in vectors.iter().enumerate() {
        let high = _mm_movemask_epi8(load(from));
        if high != 0 {
            return LANES * i + high.trailing_zeros() as usize;
        }
    }
    LANES * vectors.len() + scalar::ascii::ascii_prefix(rest)
}

/// Copies the ASCII prefix, as far as there is room.
#[target_feature(enable = "sse4.2")]
pub(in crate::simd) fn ascii_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len().min(dst.len());
    let (vectors, rest) = src[..len].as_chunks::<LANES>();
    let (to_vectors, to_rest) = dst[..len].as_chunks_mut::<LANES>();
    for (i, (from, to)) in vectors.iter().zip(to_vectors).enumerate() {
        let bytes = load(from);
        store(to, bytes);
        let high = _mm_movemask_epi8(bytes);
        if high != 0 {
            return LANES * i + high.trailing_zeros() as usize;
        }
    }
    LANES * vectors.len() + scalar::ascii::ascii_to_utf8(rest, to_rest)
}

/// Widens the ASCII prefix, as far as there is room.
#[target_feature(enable = "sse4.2")]
pub(in crate::simd) fn ascii_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    let len = src.len().min(dst.len());
    let (vectors, rest) = src[..len].as_chunks::<LANES>();
    let (to_vectors, to_rest) = dst[..len].as_chunks_mut::<LANES>();
    let zero = _mm_setzero_si128();
    for (i, (from, to)) in vectors.iter().zip(to_vectors).enumerate() {
        let bytes = load(from);
        if let ([low, high], _) = to.as_chunks_mut::<{ LANES / 2 }>() {
            store_units(low, _mm_unpacklo_epi8(bytes, zero));
            store_units(high, _mm_unpackhi_epi8(bytes, zero));
        }
        let high = _mm_movemask_epi8(bytes);
        if high != 0 {
            return LANES * i + high.trailing_zeros() as usize;
        }
    }
    LANES * vectors.len() + scalar::ascii::ascii_to_utf16(rest, to_rest)
}

/// Narrows the ASCII prefix of UTF-16 bytes, as far as there is room.
#[target_feature(enable = "sse4.2")]
pub(in crate::simd) fn utf16_to_ascii<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let units = (src.len() / 2).min(dst.len());
    let (vectors, _) = src[..2 * units].as_chunks::<{ 2 * LANES }>();
    let (to_vectors, _) = dst[..units].as_chunks_mut::<LANES>();
    let not_ascii = _mm_set1_epi16(if BE { 0x80FF_u16 } else { 0xFF80 }.cast_signed());
    let zero = _mm_setzero_si128();
    let mut i = 0;
    for (from, to) in vectors.iter().zip(to_vectors) {
        let ([low, high], _) = from.as_chunks::<LANES>() else {
            break;
        };
        let (low, high) = (load(low), load(high));
        let low_ascii = _mm_cmpeq_epi16(_mm_and_si128(low, not_ascii), zero);
        let high_ascii = _mm_cmpeq_epi16(_mm_and_si128(high, not_ascii), zero);
        let (low, high) = if BE {
            (_mm_srli_epi16::<8>(low), _mm_srli_epi16::<8>(high))
        } else {
            (low, high)
        };
        store(to, _mm_packus_epi16(low, high));
        let ascii = _mm_movemask_epi8(_mm_packs_epi16(low_ascii, high_ascii));
        if ascii != 0xFFFF {
            return i + ascii.trailing_ones() as usize;
        }
        i += LANES;
    }
    i + scalar::utf16::utf16_to_ascii::<BE>(&src[2 * i..2 * units], &mut dst[i..units])
}
