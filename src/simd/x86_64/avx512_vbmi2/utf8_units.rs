//! For every position of a block of UTF-8: whether it is malformed, and both halves of the code unit of the
//! character that ends there.
//!
//! A look-up takes six bits of each byte, so tables have 64 entries, and nothing has to be masked off before
//! it.

use core::arch::x86_64::*;
use core::hint::black_box;

use crate::simd::generic::utf8_errors::FOUR_TOO_LONG;
use crate::simd::generic::utf8_errors::TWO_CONTINUATIONS;
use crate::simd::generic::utf8_units::FAULTS_BY_HALF;
use crate::simd::x86_64::avx512::wide::bytes;
use crate::simd::x86_64::avx512::{LANES, load};

/// The possible errors of two neighbouring bytes, by the upper six bits of the first, its lower six bits, and
/// the upper six bits of the second.
type Faults = [[u8; LANES]; 3];

/// The errors in any text.
const FAULTS: Faults = faults(0);

/// The errors in text without four-byte characters: lead bytes of these are errors as well.
const FAULTS_AND_FOURS: Faults = faults(FOUR);

/// A bit that only lead bytes of four-byte characters have. Its meaning as an error is part of what it means
/// here.
const FOUR: u8 = FOUR_TOO_LONG;

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
    tables
}

/// The vectors that a loop keeps in registers.
#[repr(align(64))]
struct Tables {
    faults: Faults,
    /// The four bits of the last byte but one that are in the upper half of a unit.
    upper_four: [u8; LANES],
    /// The positions of a vector.
    positions: [u8; LANES],
    /// The positions of a vector, each twice: those of its first half, and those of its second.
    twice: [[u8; LANES]; 2],
}

const fn tables(faults: Faults) -> Tables {
    let mut tables = Tables {
        faults,
        upper_four: [0; LANES],
        positions: [0; LANES],
        twice: [[0; LANES]; 2],
    };
    let mut i = 0;
    while i < LANES {
        tables.upper_four[i] = (i >> 2) as u8;
        tables.positions[i] = i as u8;
        tables.twice[0][i] = (i / 2) as u8;
        tables.twice[1][i] = ((i + LANES) / 2) as u8;
        i += 1;
    }
    tables
}

static TABLES: Tables = tables(FAULTS);
static TABLES_WITHOUT_FOURS: Tables = tables(FAULTS_AND_FOURS);

/// The tables and other constants, the same for all blocks.
#[derive(Clone, Copy)]
pub(super) struct Vbmi2Constants {
    faults: [__m512i; 3],
    upper_four: __m512i,
    pub(super) positions: __m512i,
    pub(super) twice: [__m512i; 2],
    /// A mask of every other byte.
    pub(super) seconds: __mmask64,
}

const SECONDS: __mmask64 = 0xAAAA_AAAA_AAAA_AAAA;

impl Vbmi2Constants {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn new(tables: &Tables, seconds: __mmask64) -> Self {
        Vbmi2Constants {
            faults: [
                load(&tables.faults[0]),
                load(&tables.faults[1]),
                load(&tables.faults[2]),
            ],
            upper_four: load(&tables.upper_four),
            positions: load(&tables.positions),
            twice: [load(&tables.twice[0]), load(&tables.twice[1])],
            seconds,
        }
    }

    /// Constants for one block of any text.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn known() -> Self {
        Self::new(&TABLES, SECONDS)
    }

    /// Constants for one block of text without four-byte characters, which are treated as errors.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn known_without_fours() -> Self {
        Self::new(&TABLES_WITHOUT_FOURS, SECONDS)
    }

    /// Constants for a loop. Hidden from the optimiser, so that they are kept in registers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn kept() -> Self {
        Self::new(black_box(&TABLES), black_box(SECONDS))
    }

    /// Constants for a loop over text without four-byte characters.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn kept_without_fours() -> Self {
        Self::new(black_box(&TABLES_WITHOUT_FOURS), black_box(SECONDS))
    }
}

/// Returns the possible errors of each byte and the one before it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn pair_faults(c: &Vbmi2Constants, x: __m512i, p1: __m512i) -> __m512i {
    const AND: i32 = 0x80;
    let [first_high, first_low, second_high] = c.faults;
    _mm512_ternarylogic_epi32::<AND>(
        _mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(p1), first_high),
        _mm512_permutexvar_epi8(p1, first_low),
        _mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(x), second_high),
    )
}

/// (a & b) ^ c
const AND_XOR: i32 = 0x6A;

/// Returns whether a byte is malformed, in a block without four-byte characters.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
pub(super) fn is_wrong_without_fours(
    c: &Vbmi2Constants,
    x: __m512i,
    p1: __m512i,
    p2: __m512i,
) -> bool {
    let faults = pair_faults(c, x, p1);
    let due = _mm512_subs_epu8(p2, bytes(0xE0 - 0x80));
    let wrong = _mm512_ternarylogic_epi32::<AND_XOR>(due, bytes(TWO_CONTINUATIONS), faults);
    _mm512_test_epi8_mask(wrong, wrong) != 0
}

/// Returns whether a byte is malformed.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
pub(super) fn is_wrong(
    c: &Vbmi2Constants,
    x: __m512i,
    p1: __m512i,
    p2: __m512i,
    p3: __m512i,
) -> bool {
    let faults = pair_faults(c, x, p1);
    let third = _mm512_subs_epu8(p2, bytes(0xE0 - 0x80));
    let fourth = _mm512_subs_epu8(p3, bytes(0xF0 - 0x80));
    let due = _mm512_or_si512(third, fourth);
    let wrong = _mm512_ternarylogic_epi32::<AND_XOR>(due, bytes(TWO_CONTINUATIONS), faults);
    _mm512_test_epi8_mask(wrong, wrong) != 0
}

/// Returns where characters start. Leaves port 5 to the look-ups, which a comparison would not.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn character_starts(x: __m512i) -> u64 {
    const BELOW_START: i8 = -65;
    _mm512_movepi8_mask(_mm512_subs_epi8(_mm512_set1_epi8(BELOW_START), x))
}

/// Returns a mask of the lead bytes of two-byte characters.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(super) fn leads_of_two(x: __m512i) -> u64 {
    _mm512_cmplt_epu8_mask(_mm512_sub_epi8(x, bytes(0xC2)), bytes(0xE0 - 0xC2))
}

/// The lower and the upper halves of code units.
#[derive(Clone, Copy)]
pub(super) struct UnitHalves {
    pub(super) low: __m512i,
    pub(super) high: __m512i,
}

/// For every byte in `p1`, returns the code unit of a character of up to two bytes that ends there.
/// `continuation` is a mask of the non-ASCII bytes in `p1`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
pub(super) fn halves_of_two(
    c: &Vbmi2Constants,
    p1: __m512i,
    p2: __m512i,
    continuation: u64,
) -> UnitHalves {
    UnitHalves {
        low: low(p1, p2, continuation),
        high: _mm512_maskz_permutexvar_epi8(continuation, p2, c.upper_four),
    }
}

/// Returns the lower halves of code units.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
fn low(p1: __m512i, p2: __m512i, continuation: u64) -> __m512i {
    // Two bits of the byte before, in place of the two that mark a continuation byte.
    let two = _mm512_slli_epi16::<6>(p2);
    let two = _mm512_ternarylogic_epi32::<AND_XOR>(two, bytes(0xC0), bytes(0x80));
    _mm512_mask_add_epi8(p1, continuation, p1, two)
}

/// For every byte in `p1`, returns the code unit of a character of up to three bytes that ends there; for
/// four bytes, the bits that surrogates are made of.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi")]
pub(super) fn halves<const FOURS: bool>(
    c: &Vbmi2Constants,
    p1: __m512i,
    p2: __m512i,
    p3: __m512i,
    continuation: u64,
) -> UnitHalves {
    let low = low(p1, p2, continuation);
    let lead = _mm512_subs_epu8(p3, bytes(0xE0));
    let lead = if FOURS {
        _mm512_and_si512(lead, bytes(0x0F))
    } else {
        lead
    };
    let lead = _mm512_slli_epi16::<4>(lead);
    let four = _mm512_permutexvar_epi8(p2, c.upper_four);
    UnitHalves {
        low,
        high: _mm512_mask_add_epi8(lead, continuation, lead, four),
    }
}
