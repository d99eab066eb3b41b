//! ASCII runs for AVX2, with the algorithms of `generic/ascii.rs`. Less than a vector at the end of a short
//! text goes to the kernels of SSE4.2.

use core::arch::x86_64::{
    __m256i, _mm256_adds_epu8, _mm256_and_si256, _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_testz_si256,
};
use core::mem::MaybeUninit;

use super::vector::Vectors256;
use super::{LANES, load};
use crate::simd::generic;
use crate::simd::scalar;
use crate::simd::x86_64::sse4;

/// The number of vectors that are tested together in long runs.
const UNROLLED: usize = 4;

/// Returns the length of the ASCII prefix.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn ascii_prefix(src: &[u8]) -> usize {
    if src.len() < LANES {
        return sse4::kernels::ascii_prefix(src);
    }
    generic::ascii::ascii_prefix(Vectors256::here(), src)
}

/// Copies the ASCII prefix, as far as there is room. Returns its length.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn ascii_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    if src.len().min(dst.len()) < LANES {
        return sse4::kernels::ascii_to_utf8(src, dst);
    }
    generic::ascii::ascii_to_utf8(Vectors256::here(), src, dst)
}

/// Widens the ASCII prefix, as far as there is room. Returns its length.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn ascii_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    if src.len().min(dst.len()) < LANES {
        return sse4::kernels::ascii_to_utf16(src, dst);
    }
    generic::ascii::ascii_to_utf16(Vectors256::here(), src, dst)
}

/// Counts each CR, and each LF that is not right after one. With vectors of 64 bytes the plain loop was no
/// faster.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn line_ends(src: &[u8]) -> usize {
    scalar::count::line_ends(src)
}

/// Indexed by the lower half of a control character. An entry and the character plus `0x60` have a bit in common if the
/// character does not occur in text. None of 00 to 06 and 10 to 16 does; of the others, only 07 to 0F and 1B do.
pub(in crate::simd::x86_64) const UNTEXTUAL: [u8; 16] = [
    0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x10, 0x10, 0x10, 0x10, 0, 0x10, 0x10, 0x10, 0x10,
];

/// Returns the length of the prefix without control characters that do not occur in text.
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

/// Returns non-zero in bytes that do not occur in text.
#[inline]
#[target_feature(enable = "avx2")]
fn untextual(bytes: __m256i) -> __m256i {
    // All but control characters now have the high bit, for which the shuffle gives 0.
    let bytes = _mm256_adds_epu8(bytes, _mm256_set1_epi8(0x60));
    let table = _mm256_broadcastsi128_si256(sse4::load(&UNTEXTUAL));
    _mm256_and_si256(_mm256_shuffle_epi8(table, bytes), bytes)
}

/// Narrows the ASCII prefix of UTF-16 bytes, as far as there is room. Returns the number of code units.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_ascii<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    if (src.len() / 2).min(dst.len()) < LANES {
        return sse4::kernels::utf16_to_ascii::<BE>(src, dst);
    }
    generic::ascii::utf16_to_ascii::<BE, _>(Vectors256::here(), src, dst)
}
