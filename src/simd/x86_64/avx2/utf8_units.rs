//! What stands at every position of a block of UTF-8: whether it is wrong there, and the code unit of
//! the character that ends there.

use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_add_epi16, _mm256_and_si256, _mm256_blendv_epi8,
    _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8, _mm256_maddubs_epi16,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_set1_epi32,
    _mm256_set1_epi64x, _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_slli_epi16, _mm256_srli_epi16, _mm256_sub_epi8, _mm256_subs_epu8, _mm256_testz_si256,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _mm256_xor_si256,
};

use super::utf8_blocks::{Bytes, Words};
use crate::simd::x86_64::utf8_tables::{FAULTS_BY_HALF, SECOND_CONTINUATION};

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn bytes(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte.cast_signed())
}

/// The highest bit of every byte.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn mask([low, high]: Bytes) -> u64 {
    let [low, high] = [low, high].map(|half| _mm256_movemask_epi8(half).cast_unsigned());
    u64::from(low) | u64::from(high) << 32
}

/// Where a byte is not 0.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn set(x: Bytes) -> u64 {
    !mask(x.map(|half| _mm256_cmpeq_epi8(half, _mm256_setzero_si256())))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn is_zero([low, high]: Bytes) -> bool {
    let any = _mm256_or_si256(low, high);
    _mm256_testz_si256(any, any) != 0
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn is_ascii([low, high]: Bytes) -> bool {
    _mm256_movemask_epi8(_mm256_or_si256(low, high)) == 0
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn continuations(x: Bytes) -> u64 {
    mask(x.map(|half| _mm256_cmpgt_epi8(bytes(0xC0), half)))
}

/// Where a byte is at least `byte`, which is 80 or more.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn at_least(x: Bytes, byte: u8) -> u64 {
    mask(x.map(|half| _mm256_subs_epu8(half, bytes(byte - 0x80))))
}

/// What the bytes of a block are compared and computed with.
#[derive(Clone, Copy)]
pub(super) struct Constants {
    pub(super) faults: [__m256i; 3],
    pub(super) half: __m256i,
    pub(super) three: __m256i,
    pub(super) four: __m256i,
    pub(super) second_continuation: __m256i,
    pub(super) before: __m256i,
    pub(super) lead: __m256i,
    pub(super) weights: __m256i,
}

/// Rows of bytes, of which [`Constants`] are made.
pub(super) static BYTES: [u8; 7] = [
    0x0F,
    0xE0 - 0x80,
    0xF0 - 0x80,
    SECOND_CONTINUATION,
    0xC0 - 2,
    0xE0 - 1,
    0,
];

impl Constants {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(rows: &[u8; 7]) -> Self {
        Constants {
            faults: [0, 1, 2].map(|row| {
                // SAFETY: a row has the 16 bytes that are read; the load needs no alignment.
                let row = unsafe { _mm_loadu_si128(FAULTS_BY_HALF[row].as_ptr().cast()) };
                _mm256_broadcastsi128_si256(row)
            }),
            half: bytes(rows[0]),
            three: bytes(rows[1]),
            four: bytes(rows[2]),
            second_continuation: bytes(rows[3]),
            before: bytes(rows[4]),
            lead: bytes(rows[5]),
            weights: _mm256_set1_epi16(64 << 8 | 1),
        }
    }

    /// Constants that the compiler knows.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn known() -> Self {
        Self::new(&BYTES)
    }

    /// Constants that it does not know, so that it keeps them in registers or on the stack. Those
    /// that it knows it broadcasts from single bytes, again for each block, which costs two
    /// operations each.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn kept() -> Self {
        Self::new(core::hint::black_box(&BYTES))
    }
}

/// What is wrong with each byte and the one before it.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn pair_faults_of_half(c: &Constants, x: __m256i, p1: __m256i) -> __m256i {
    let high = |x| _mm256_and_si256(_mm256_srli_epi16::<4>(x), c.half);
    _mm256_and_si256(
        _mm256_and_si256(
            _mm256_shuffle_epi8(c.faults[0], high(p1)),
            _mm256_shuffle_epi8(c.faults[1], _mm256_and_si256(p1, c.half)),
        ),
        _mm256_shuffle_epi8(c.faults[2], high(x)),
    )
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn pair_faults(c: &Constants, x: Bytes, p1: Bytes) -> Bytes {
    [
        pair_faults_of_half(c, x[0], p1[0]),
        pair_faults_of_half(c, x[1], p1[1]),
    ]
}

/// Bytes that are not 0 where one is wrong, in a block of characters of at most three bytes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn wrong_thirds(c: &Constants, faults: Bytes, p2: Bytes) -> Bytes {
    let one = |faults, p2| {
        let third = _mm256_subs_epu8(p2, c.three);
        _mm256_xor_si256(_mm256_and_si256(third, c.second_continuation), faults)
    };
    [one(faults[0], p2[0]), one(faults[1], p2[1])]
}

/// Bytes that are not 0 where one is wrong.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn wrong_continuations(c: &Constants, faults: Bytes, p2: Bytes, p3: Bytes) -> Bytes {
    [
        wrong_of_half(c, faults[0], p2[0], p3[0]),
        wrong_of_half(c, faults[1], p2[1], p3[1]),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn wrong_of_half(c: &Constants, faults: __m256i, p2: __m256i, p3: __m256i) -> __m256i {
    let third = _mm256_subs_epu8(p2, c.three);
    let fourth = _mm256_subs_epu8(p3, c.four);
    let due = _mm256_and_si256(_mm256_or_si256(third, fourth), c.second_continuation);
    _mm256_xor_si256(due, faults)
}

/// For every byte `p1` the code unit of a character of up to three bytes that ends there; of four
/// bytes, what [`surrogates`] needs.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn words(c: &Constants, p1: Bytes, p2: Bytes, p3: Bytes) -> Words {
    let [even, odd] = words_of_half(c, p1[0], p2[0], p3[0]);
    let [even_2, odd_2] = words_of_half(c, p1[1], p2[1], p3[1]);
    [even, odd, even_2, odd_2]
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn words_of_half(c: &Constants, p1: __m256i, p2: __m256i, p3: __m256i) -> [__m256i; 2] {
    let zero = _mm256_setzero_si256();
    // Less C0, which for a continuation byte (of three) is 40 too much; the 1 that the lead byte of
    // three bytes has too much makes up for it. And 2 more, because `p1` counts as a number with a
    // sign. Lead bytes end nothing, so that all that are not ASCII may be taken for continuation
    // bytes.
    let before = _mm256_sub_epi8(p2, c.before);
    let before = _mm256_and_si256(before, _mm256_cmpgt_epi8(zero, p1));
    let lead = _mm256_subs_epu8(p3, c.lead);
    let even = _mm256_maddubs_epi16(c.weights, _mm256_unpacklo_epi8(p1, before));
    let odd = _mm256_maddubs_epi16(c.weights, _mm256_unpackhi_epi8(p1, before));
    let lead_even = _mm256_slli_epi16::<4>(_mm256_unpacklo_epi8(zero, lead));
    let lead_odd = _mm256_slli_epi16::<4>(_mm256_unpackhi_epi8(zero, lead));
    [
        _mm256_add_epi16(even, lead_even),
        _mm256_add_epi16(odd, lead_odd),
    ]
}

/// Makes surrogates of the words at `third` and `fourth` bytes of characters of four.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn surrogates(words: Words, third: u64, fourth: u64) -> Words {
    let lead = _mm256_set1_epi16(0xD7C0_u16.cast_signed());
    let trail = _mm256_set1_epi16(0xDC00_u16.cast_signed());
    let bits = _mm256_set1_epi16(0x3FF);
    let leads = words.map(|word| _mm256_add_epi16(_mm256_srli_epi16::<4>(word), lead));
    let trails = words.map(|word| _mm256_or_si256(_mm256_and_si256(word, bits), trail));
    blend(blend(words, leads, third), trails, fourth)
}

/// `others` where `mask` has bits, `words` elsewhere.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn blend(words: Words, others: Words, mask: u64) -> Words {
    let [low, high] = expand(mask);
    [
        _mm256_blendv_epi8(words[0], others[0], _mm256_unpacklo_epi8(low, low)),
        _mm256_blendv_epi8(words[1], others[1], _mm256_unpackhi_epi8(low, low)),
        _mm256_blendv_epi8(words[2], others[2], _mm256_unpacklo_epi8(high, high)),
        _mm256_blendv_epi8(words[3], others[3], _mm256_unpackhi_epi8(high, high)),
    ]
}

/// FF for every set bit.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn expand(mask: u64) -> Bytes {
    #[rustfmt::skip]
    let byte = _mm256_setr_epi8(
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
        2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
    );
    let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
    [mask as u32, (mask >> 32) as u32].map(|half| {
        let spread = _mm256_shuffle_epi8(_mm256_set1_epi32(half.cast_signed()), byte);
        _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit)
    })
}
