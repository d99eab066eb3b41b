//! Lengths and counts for AVX-512: short texts by masks, the last bytes by a masked load; long ones
//! by sums in the lanes of vectors.

use core::arch::x86_64::{
    __m512i, __mmask64, _mm512_add_epi8, _mm512_add_epi64, _mm512_and_si512,
    _mm512_cmpge_epu8_mask, _mm512_cmpgt_epi8_mask, _mm512_mask_sub_epi8, _mm512_movepi8_mask,
    _mm512_reduce_add_epi64, _mm512_sad_epu8, _mm512_set1_epi8, _mm512_setzero_si512,
    _mm512_shuffle_epi8, _mm512_srli_epi16,
};

use super::{LANES, broadcast, lanes_below, load, load_front};
use crate::simd::scalar;
use crate::simd::x86_64::avx2;

/// Vectors that are summed up at once; also where sums of vectors win over masks, each of which goes
/// through a general register.
const UNROLLED: usize = 4;

/// From here on vectors of 256 bits are faster, where one comparison is all that there is to do:
/// more of them are added up at once than masks of 512, and fewer loads lie across two cache lines.
const LONG: usize = 4096;

/// How many of these a byte can count: each adds two vectors to a sum, and a byte of them two at the
/// most.
const WITHIN_A_BYTE: usize = 60;

/// Code units of UTF-16 in UTF-8.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi2")]
pub(in crate::simd) fn utf16_len_from_utf8(src: &[u8]) -> usize {
    // By the upper four bits.
    let units = broadcast(&[1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 2]);
    count(
        src,
        |sum, bytes| {
            let upper = _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), splat(0x0F));
            _mm512_add_epi8(sum, _mm512_shuffle_epi8(units, upper))
        },
        |bytes| {
            let four = _mm512_cmpge_epu8_mask(bytes, splat(0xF0));
            (is_no_continuation(bytes), four)
        },
    )
}

/// Characters in UTF-8.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi2")]
pub(in crate::simd) fn count_scalars_utf8(src: &[u8]) -> usize {
    if src.len() >= LONG {
        return avx2::count::count_scalars_utf8(src);
    }
    count(
        src,
        |sum, bytes| add_one(sum, is_no_continuation(bytes)),
        |bytes| (is_no_continuation(bytes), 0),
    )
}

/// Bytes of UTF-8 in Latin-1.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi2")]
pub(in crate::simd) fn utf8_len_from_latin1(src: &[u8]) -> usize {
    if src.len() >= LONG {
        return avx2::count::utf8_len_from_latin1(src);
    }
    let longer = count(
        src,
        |sum, bytes| add_one(sum, _mm512_movepi8_mask(bytes)),
        |bytes| (_mm512_movepi8_mask(bytes), 0),
    );
    src.len() + longer
}

/// Bytes of UTF-8 in UTF-32.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi2")]
pub(in crate::simd) fn utf8_len_from_utf32(src: &[u32]) -> usize {
    scalar::count::utf8_len_from_utf32(src)
}

/// Code units of UTF-16 in UTF-32.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi2")]
pub(in crate::simd) fn utf16_len_from_utf32(src: &[u32]) -> usize {
    scalar::count::utf16_len_from_utf32(src)
}

/// Counts the bytes in both masks; of long texts by `add`, which adds as much to each lane of a sum.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi2")]
fn count(
    src: &[u8],
    add: impl Fn(__m512i, __m512i) -> __m512i,
    masks: impl Fn(__m512i) -> (__mmask64, __mmask64),
) -> usize {
    let (blocks, rest) = src.as_chunks::<{ UNROLLED * LANES }>();
    let mut count = 0;
    if !blocks.is_empty() {
        let zero = _mm512_setzero_si512();
        let mut total = zero;
        for blocks in blocks.chunks(WITHIN_A_BYTE) {
            let (mut even, mut odd) = (zero, zero);
            for block in blocks {
                if let ([a, b, c, d], _) = block.as_chunks() {
                    even = add(even, load(a));
                    odd = add(odd, load(b));
                    even = add(even, load(c));
                    odd = add(odd, load(d));
                }
            }
            let sums = _mm512_add_epi64(_mm512_sad_epu8(even, zero), _mm512_sad_epu8(odd, zero));
            total = _mm512_add_epi64(total, sums);
        }
        count = _mm512_reduce_add_epi64(total) as usize;
    }
    let ones = |(first, second): (u64, u64)| (first.count_ones() + second.count_ones()) as usize;
    let (vectors, rest) = rest.as_chunks::<LANES>();
    for from in vectors {
        count += ones(masks(load(from)));
    }
    let inside = lanes_below(rest.len());
    let (first, second) = masks(load_front(rest));
    count + ones((first & inside, second & inside))
}

/// Adds 1 to the lanes of the mask.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add_one(sum: __m512i, lanes: __mmask64) -> __m512i {
    _mm512_mask_sub_epi8(sum, lanes, sum, splat(0xFF))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn is_no_continuation(bytes: __m512i) -> __mmask64 {
    // Signed, continuation bytes are the smallest.
    _mm512_cmpgt_epi8_mask(bytes, splat(0xBF))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}
