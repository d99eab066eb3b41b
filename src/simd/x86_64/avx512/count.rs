//! The length of UTF-8 as UTF-16 for AVX-512: short texts by masks, the last bytes by a masked load;
//! long ones by sums in the lanes of vectors. What takes one comparison is counted as with AVX2.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi8, _mm512_add_epi64, _mm512_and_si512, _mm512_cmpge_epu8_mask,
    _mm512_cmpgt_epi8_mask, _mm512_reduce_add_epi64, _mm512_sad_epu8, _mm512_set1_epi8,
    _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_srli_epi16,
};

use super::{LANES, broadcast, lanes_below, load, load_front};

/// Vectors that are summed up at once; also where sums of vectors win over masks, each of which goes
/// through a general register.
const UNROLLED: usize = 4;

/// How many of these a byte can count: each adds two vectors to a sum, and a byte of them two at the
/// most.
const WITHIN_A_BYTE: usize = 60;

/// Code units of UTF-16 in UTF-8.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi2")]
pub(in crate::simd) fn utf16_len_from_utf8(src: &[u8]) -> usize {
    let (blocks, rest) = src.as_chunks::<{ UNROLLED * LANES }>();
    let mut count = 0;
    if !blocks.is_empty() {
        let zero = _mm512_setzero_si512();
        let mut total = zero;
        for blocks in blocks.chunks(WITHIN_A_BYTE) {
            let (mut even, mut odd) = (zero, zero);
            for block in blocks {
                if let ([a, b, c, d], _) = block.as_chunks() {
                    even = _mm512_add_epi8(even, units(load(a)));
                    odd = _mm512_add_epi8(odd, units(load(b)));
                    even = _mm512_add_epi8(even, units(load(c)));
                    odd = _mm512_add_epi8(odd, units(load(d)));
                }
            }
            let sums = _mm512_add_epi64(_mm512_sad_epu8(even, zero), _mm512_sad_epu8(odd, zero));
            total = _mm512_add_epi64(total, sums);
        }
        count = _mm512_reduce_add_epi64(total) as usize;
    }
    let (vectors, rest) = rest.as_chunks::<LANES>();
    for from in vectors {
        let [starts, fours] = starts_and_fours(load(from));
        count += (starts.count_ones() + fours.count_ones()) as usize;
    }
    let inside = lanes_below(rest.len());
    let [starts, fours] = starts_and_fours(load_front(rest)).map(|mask| mask & inside);
    count + (starts.count_ones() + fours.count_ones()) as usize
}

/// For each byte the units of the character that it starts, or 0, by its upper four bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn units(bytes: __m512i) -> __m512i {
    let units = broadcast(&[1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 2]);
    let upper = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), splat(0x0F));
    _mm512_shuffle_epi8(units, upper)
}

/// The bytes that start a character, and those that start one of four bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn starts_and_fours(bytes: __m512i) -> [u64; 2] {
    // Signed, continuation bytes are the smallest.
    let starts = _mm512_cmpgt_epi8_mask(bytes, splat(0xBF));
    [starts, _mm512_cmpge_epu8_mask(bytes, splat(0xF0))]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}
