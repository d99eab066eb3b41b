//! ASCII runs for AVX-512.

use core::arch::x86_64::{
    __m512i, _mm512_adds_epu8, _mm512_broadcast_i32x4, _mm512_movepi8_mask, _mm512_set1_epi8,
    _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_ternarylogic_epi64, _mm512_test_epi8_mask,
};
use core::mem::MaybeUninit;

use super::{LANES, lanes_below, load, load_front, store};
use crate::simd::x86_64::avx2::ascii::UNTEXTUAL;
use crate::simd::x86_64::{avx2, sse4};

/// Vectors that are tested together in long runs.
const UNROLLED: usize = 4;

/// Returns the length, in bytes, of the prefix without control characters that do not occur in text.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
pub(in crate::simd) fn textual_prefix(src: &[u8]) -> usize {
    let mut i = 0;
    while let Some(block) = src[i..].first_chunk::<{ UNROLLED * LANES }>() {
        let (vectors, _) = block.as_chunks::<LANES>();
        let any = vectors.iter().fold(_mm512_setzero_si512(), |any, from| {
            or_untextual(any, load(from))
        });
        if _mm512_test_epi8_mask(any, any) != 0 {
            break;
        }
        i += UNROLLED * LANES;
    }
    while i < src.len() {
        let from = &src[i..];
        let found = or_untextual(_mm512_setzero_si512(), load_front(from));
        let found = _mm512_test_epi8_mask(found, found) & lanes_below(from.len());
        if found != 0 {
            return i + found.trailing_zeros() as usize;
        }
        i += LANES;
    }
    src.len()
}

/// Returns `any`, with lanes set to non-zero where a byte does not occur in text.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn or_untextual(any: __m512i, bytes: __m512i) -> __m512i {
    const A_OR_B_AND_C: i32 = 0b1111_1000;
    // The same look-up as for AVX2.
    let bytes = _mm512_adds_epu8(bytes, _mm512_set1_epi8(0x60));
    let table = _mm512_broadcast_i32x4(sse4::load(&UNTEXTUAL));
    let found = _mm512_shuffle_epi8(table, bytes);
    _mm512_ternarylogic_epi64::<A_OR_B_AND_C>(any, found, bytes)
}

/// Copies the ASCII prefix, as far as there is room. Returns its length in bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn ascii_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len().min(dst.len());
    let (vectors, _) = src[..len].as_chunks::<LANES>();
    let (to_vectors, _) = dst[..len].as_chunks_mut::<LANES>();
    for (i, (from, to)) in vectors.iter().zip(to_vectors).enumerate() {
        let bytes = load(from);
        store(to, bytes);
        let high = _mm512_movepi8_mask(bytes);
        if high != 0 {
            return LANES * i + high.trailing_zeros() as usize;
        }
    }
    let i = LANES * vectors.len();
    i + avx2::ascii::ascii_to_utf8(&src[i..len], &mut dst[i..len])
}
