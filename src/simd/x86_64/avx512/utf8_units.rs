//! What stands at every position of a block of UTF-8: whether it is wrong there, and the code unit of
//! the character that ends there.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_alignr_epi8, _mm512_alignr_epi64, _mm512_and_si512,
    _mm512_cmpge_epu8_mask, _mm512_cmplt_epi8_mask, _mm512_maddubs_epi16, _mm512_mask_blend_epi16,
    _mm512_maskz_sub_epi8, _mm512_maskz_subs_epu8, _mm512_movepi16_mask, _mm512_movm_epi8,
    _mm512_or_si512, _mm512_set1_epi8, _mm512_set1_epi16, _mm512_setzero_si512,
    _mm512_shuffle_epi8, _mm512_slli_epi16, _mm512_srli_epi16, _mm512_subs_epu8,
    _mm512_ternarylogic_epi32, _mm512_test_epi8_mask, _mm512_unpackhi_epi8, _mm512_unpacklo_epi8,
};

use super::broadcast;
use crate::simd::x86_64::utf8_tables::{FAULTS_BY_HALF, SECOND_CONTINUATION};

/// Where a byte is at least `byte`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn at_least(x: __m512i, byte: u8) -> u64 {
    _mm512_cmpge_epu8_mask(x, bytes(byte))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn bytes(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn continuations(x: __m512i) -> u64 {
    _mm512_cmplt_epi8_mask(x, bytes(0xC0))
}

/// What is wrong with each byte and the one before it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn pair_faults(x: __m512i, p1: __m512i) -> __m512i {
    const AND: i32 = 0x80;
    let half = bytes(0x0F);
    let high = |x| _mm512_and_si512(_mm512_srli_epi16::<4>(x), half);
    _mm512_ternarylogic_epi32::<AND>(
        _mm512_shuffle_epi8(broadcast(&FAULTS_BY_HALF[0]), high(p1)),
        _mm512_shuffle_epi8(broadcast(&FAULTS_BY_HALF[1]), _mm512_and_si512(p1, half)),
        _mm512_shuffle_epi8(broadcast(&FAULTS_BY_HALF[2]), high(x)),
    )
}

/// Where a byte is wrong, in a block of characters of at most three bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn second_continuation_is_wrong(faults: __m512i, p2: __m512i) -> u64 {
    /// (a & b) ^ c
    const AND_XOR: i32 = 0x6A;
    let due = _mm512_subs_epu8(p2, bytes(0xE0 - 0x80));
    let bit = bytes(SECOND_CONTINUATION);
    let wrong = _mm512_ternarylogic_epi32::<AND_XOR>(due, bit, faults);
    _mm512_test_epi8_mask(wrong, wrong)
}

/// Where a byte is wrong.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn wrong_continuations(faults: __m512i, p2: __m512i, p3: __m512i) -> u64 {
    /// (a & b) ^ c
    const AND_XOR: i32 = 0x6A;
    let third = _mm512_subs_epu8(p2, bytes(0xE0 - 0x80));
    let fourth = _mm512_subs_epu8(p3, bytes(0xF0 - 0x80));
    let bit = bytes(SECOND_CONTINUATION);
    let due = _mm512_or_si512(third, fourth);
    let wrong = _mm512_ternarylogic_epi32::<AND_XOR>(due, bit, faults);
    _mm512_test_epi8_mask(wrong, wrong)
}

/// For every byte `p1` the code unit of a character of up to three bytes that ends there; of four
/// bytes, what [`surrogates`] needs. `third` says which bytes may be third ones. Each 16 bytes of
/// the first vector are followed by 16 bytes of the second.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn words(
    p1: __m512i,
    p2: __m512i,
    p3: __m512i,
    third: u64,
    continuation: u64,
) -> [__m512i; 2] {
    // Less C0, which for a continuation byte (of three) is 40 too much; the 1 that the lead byte
    // of three bytes has too much makes up for it. And 2 more, because `p1` counts as a number with
    // a sign.
    let before = _mm512_maskz_sub_epi8(continuation, p2, bytes(0xC0 - 2));
    let lead = bytes(0xDF);
    let lead = if third == !0 {
        _mm512_subs_epu8(p3, lead)
    } else {
        _mm512_maskz_subs_epu8(third, p3, lead)
    };
    let zero = _mm512_setzero_si512();
    let weights = _mm512_set1_epi16(64 << 8 | 1);
    let low = _mm512_maddubs_epi16(weights, _mm512_unpacklo_epi8(p1, before));
    let high = _mm512_maddubs_epi16(weights, _mm512_unpackhi_epi8(p1, before));
    [
        _mm512_add_epi16(
            low,
            _mm512_slli_epi16::<4>(_mm512_unpacklo_epi8(zero, lead)),
        ),
        _mm512_add_epi16(
            high,
            _mm512_slli_epi16::<4>(_mm512_unpackhi_epi8(zero, lead)),
        ),
    ]
}

/// Makes surrogates of the words at `third` and `fourth` bytes of characters of four.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn surrogates(words: [__m512i; 2], third: u64, fourth: u64) -> [__m512i; 2] {
    let (thirds, fourths) = (spread(third), spread(fourth));
    let lead = _mm512_set1_epi16(0xD7C0_u16.cast_signed());
    let trail = _mm512_set1_epi16(0xDC00_u16.cast_signed());
    let bits = _mm512_set1_epi16(0x3FF);
    /// (a & b) | c
    const AND_OR: i32 = 0xEA;
    let one = |word, third, fourth| {
        let leads = _mm512_add_epi16(_mm512_srli_epi16::<4>(word), lead);
        let trails = _mm512_ternarylogic_epi32::<AND_OR>(word, bits, trail);
        let word = _mm512_mask_blend_epi16(third, word, leads);
        _mm512_mask_blend_epi16(fourth, word, trails)
    };
    [
        one(words[0], thirds[0], fourths[0]),
        one(words[1], thirds[1], fourths[1]),
    ]
}

/// A mask of bytes as masks of the words of [`words`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn spread(mask: u64) -> [u32; 2] {
    let bytes = _mm512_movm_epi8(mask);
    [
        _mm512_movepi16_mask(_mm512_unpacklo_epi8(bytes, bytes)),
        _mm512_movepi16_mask(_mm512_unpackhi_epi8(bytes, bytes)),
    ]
}

/// The bytes moved up by 1, 2 and 3, after zeros.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn shifted(x: __m512i) -> [__m512i; 3] {
    let before = _mm512_alignr_epi64::<6>(x, _mm512_setzero_si512());
    [
        _mm512_alignr_epi8::<15>(x, before),
        _mm512_alignr_epi8::<14>(x, before),
        _mm512_alignr_epi8::<13>(x, before),
    ]
}
