//! UTF-16 to UTF-8: code units as bytes, before those that count are brought together.
//!
//! Every code unit gets four bytes in two lanes of 16 bits, which are right for every length at once:
//!
//! ```text
//! unit                 aaaabbbbbbcccccc
//! first   bytes 0, 1   1110aaaa 10bbbbbb    the first two of three bytes
//! last    bytes 2, 3   10cccccc 11bbbbbb    the last byte, and the first of two (bbbbbb is 0bbbbb then)
//!                      0ccccccc             byte 2 of ASCII
//! ```
//!
//! Unpacked, four characters are the 16 bytes of a shuffle, which takes bytes 0, 1 and 2 of those of three
//! bytes, 3 and 2 of those of two, and 2 of ASCII; a byte with two bits for each character chooses its row
//! in a table of 256 (`compact.rs`). Where none has three bytes, `last` alone does, eight at a time.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_min_epu16, _mm256_or_si256, _mm256_set1_epi16,
    _mm256_slli_epi16, _mm256_srli_epi16,
};

#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn splat(unit: u16) -> __m256i {
    _mm256_set1_epi16(unit.cast_signed())
}

/// The first two bytes of three.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn first(units: __m256i) -> __m256i {
    let lead = _mm256_or_si256(_mm256_srli_epi16::<12>(units), splat(0x80E0));
    _mm256_or_si256(lead, middle(units))
}

/// The last byte of each character in the low half of each lane (below 80 the first as well), the
/// first of two in the high one.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn last(units: __m256i) -> __m256i {
    let last = _mm256_min_epu16(units, tail(units));
    _mm256_or_si256(last, _mm256_or_si256(middle(units), splat(0xC000)))
}

/// The six bits above the lowest six, in the high half of each lane.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn middle(units: __m256i) -> __m256i {
    _mm256_and_si256(_mm256_slli_epi16::<2>(units), splat(0x3F00))
}

/// The lowest six bits as a byte that is not the first.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn tail(bits: __m256i) -> __m256i {
    _mm256_or_si256(_mm256_and_si256(bits, splat(0x3F)), splat(0x80))
}
