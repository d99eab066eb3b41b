//! What stands at every position of a block of UTF-8: whether it is wrong there, and both halves of
//! the code unit of the character that ends there.

use core::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_mask_add_epi8, _mm512_maskz_mov_epi8, _mm512_or_si512,
    _mm512_permutexvar_epi8, _mm512_slli_epi16, _mm512_srli_epi16, _mm512_subs_epu8,
    _mm512_ternarylogic_epi32, _mm512_test_epi8_mask,
};

use crate::simd::x86_64::avx512::utf_8_units::bytes;
use crate::simd::x86_64::avx512::{LANES, load};
use crate::simd::x86_64::utf_8_tables::{FAULTS_BY_HALF, SECOND_CONTINUATION};

/// What may be wrong with two neighbouring bytes, by the upper six bits of the first, its lower six
/// bits, and the upper six bits of the second: so that nothing has to be cleared before a look-up,
/// which takes six bits of each byte.
#[repr(align(64))]
pub(super) struct Faults([[u8; LANES]; 3]);

/// What is wrong in any text.
pub(super) static FAULTS: Faults = faults(0);

/// The same, with lead bytes of four among what is wrong.
pub(super) static FAULTS_AND_FOURS: Faults = faults(FOUR);

/// A bit that only lead bytes of four have. What it means is part of what it means here.
const FOUR: u8 = 0x10;

const fn faults(four: u8) -> Faults {
    let [first_high, first_low, second_high] = &FAULTS_BY_HALF;
    let mut tables = [[0; LANES]; 3];
    let mut i = 0;
    while i < LANES {
        let lead = if i >> 2 == 0xF { four } else { 0 };
        tables[0][i] = first_high[i >> 2] | lead;
        tables[1][i] = first_low[i & 0xF] | four;
        tables[2][i] = second_high[i >> 2] | four;
        i += 1;
    }
    Faults(tables)
}

/// What is wrong with each byte and the one before it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
pub(super) fn pair_faults(faults: &Faults, x: __m512i, p1: __m512i) -> __m512i {
    const AND: i32 = 0x80;
    let [first_high, first_low, second_high] = &faults.0;
    _mm512_ternarylogic_epi32::<AND>(
        _mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(p1), load(first_high)),
        _mm512_permutexvar_epi8(p1, load(first_low)),
        _mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(x), load(second_high)),
    )
}

/// (a & b) ^ c
const AND_XOR: i32 = 0x6A;
/// (a & b) | c
const AND_OR: i32 = 0xEA;

/// Whether a byte is wrong, or the lead byte of four, where the three before the block are no such
/// lead bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
pub(super) fn is_wrong_or_four(x: __m512i, p1: __m512i, p2: __m512i) -> bool {
    let faults = pair_faults(&FAULTS_AND_FOURS, x, p1);
    let due = _mm512_subs_epu8(p2, bytes(0xE0 - 0x80));
    let wrong = _mm512_ternarylogic_epi32::<AND_XOR>(due, bytes(SECOND_CONTINUATION), faults);
    _mm512_test_epi8_mask(wrong, wrong) != 0
}

/// Whether a byte is wrong.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
pub(super) fn is_wrong(x: __m512i, p1: __m512i, p2: __m512i, p3: __m512i) -> bool {
    let faults = pair_faults(&FAULTS, x, p1);
    let third = _mm512_subs_epu8(p2, bytes(0xE0 - 0x80));
    let fourth = _mm512_subs_epu8(p3, bytes(0xF0 - 0x80));
    let due = _mm512_or_si512(third, fourth);
    let wrong = _mm512_ternarylogic_epi32::<AND_XOR>(due, bytes(SECOND_CONTINUATION), faults);
    _mm512_test_epi8_mask(wrong, wrong) != 0
}

/// The lower and the upper halves of code units.
#[derive(Clone, Copy)]
pub(super) struct Halves {
    pub(super) low: __m512i,
    pub(super) high: __m512i,
}

/// For every byte `p1` the code unit of a character of up to three bytes that ends there; of four
/// bytes, what surrogates are made of. `continuation` has the bytes `p1` that are not ASCII.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn halves<const FOURS: bool>(
    p1: __m512i,
    p2: __m512i,
    p3: __m512i,
    continuation: u64,
) -> Halves {
    /// (a & b) ^ c
    const AND_XOR: i32 = 0x6A;
    // Two bits of the byte before, in the place of the two that make a continuation byte one.
    let two = _mm512_slli_epi16::<6>(p2);
    let two = _mm512_ternarylogic_epi32::<AND_XOR>(two, bytes(0xC0), bytes(0x80));
    let low = _mm512_mask_add_epi8(p1, continuation, p1, two);
    let lead = _mm512_subs_epu8(p3, bytes(0xE0));
    let lead = if FOURS {
        _mm512_and_si512(lead, bytes(0x0F))
    } else {
        lead
    };
    let lead = _mm512_slli_epi16::<4>(lead);
    let four = _mm512_srli_epi16::<2>(p2);
    let high = _mm512_ternarylogic_epi32::<AND_OR>(four, bytes(0x0F), lead);
    let high = _mm512_maskz_mov_epi8(continuation, high);
    Halves { low, high }
}
