//! UTF-16 checked and counted, for AVX2. Surrogates are rare: they are only looked at where a group
//! of vectors has any.

use core::arch::x86_64::{
    __m256i, _mm_add_epi64, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm256_add_epi8,
    _mm256_add_epi16, _mm256_add_epi64, _mm256_adds_epu8, _mm256_and_si256, _mm256_castsi256_si128,
    _mm256_cmpeq_epi8, _mm256_cmpeq_epi16, _mm256_extracti128_si256, _mm256_min_epu16,
    _mm256_movemask_epi8, _mm256_packus_epi16, _mm256_permute4x64_epi64, _mm256_sad_epu8,
    _mm256_set1_epi8, _mm256_setr_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_srli_epi16,
};

use super::utf16::{BLOCK, Block, UNITS, bits, block, short_block, without};
use super::utf16_lanes::splat;
use crate::simd::x86_64::utf16_pairs::Pairs;

/// Units in a group of vectors.
const GROUP: usize = 2 * UNITS;
/// Groups whose sums a byte can hold: four from each.
const WITHIN_A_BYTE: usize = 60;

/// The length of the longest well-formed prefix, in units.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn valid_prefix(units: &[u16]) -> usize {
    let (mut pairs, mut at) = (Pairs::new(), 0);
    let (groups, rest) = units.as_chunks::<GROUP>();
    for from in groups {
        let group = group(from);
        if has_surrogates(group) {
            if let Some(wrong) = pairs.first_wrong(group_kinds(group), GROUP) {
                return at + wrong - pairs.half();
            }
        } else if pairs.half() == 1 {
            return at - 1;
        }
        at += GROUP;
    }
    for from in rest.chunks(UNITS) {
        if let Some(wrong) = pairs.first_wrong(kinds(front(from)), UNITS) {
            return at + wrong - pairs.half();
        }
        at += from.len();
    }
    at - pairs.half()
}

/// The bytes of UTF-8 that UTF-16 becomes, three for each lone surrogate.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf8_len(units: &[u16]) -> usize {
    let mut pairs = Pairs::new();
    let (groups, rest) = units.as_chunks::<GROUP>();
    let mut len = 3 * GROUP * groups.len();
    if !groups.is_empty() {
        let mut less = _mm256_setzero_si256();
        for groups in groups.chunks(WITHIN_A_BYTE) {
            let mut sum = _mm256_setzero_si256();
            for from in groups {
                let group = group(from);
                let [low, high] = group;
                let two = _mm256_add_epi8(less_than_three(low), less_than_three(high));
                sum = _mm256_add_epi8(sum, two);
                if has_surrogates(group) {
                    pairs.count(group_kinds(group), GROUP);
                } else {
                    pairs.none();
                }
            }
            let sums = _mm256_sad_epu8(sum, _mm256_setzero_si256());
            less = _mm256_add_epi64(less, sums);
        }
        len -= total(less);
    }
    for from in rest.chunks(UNITS) {
        let units = front(from);
        let longer = !bits(without(units, 0xFF80));
        let three = !bits(without(units, 0xF800));
        len += from.len() + (longer.count_ones() + three.count_ones()) as usize;
        pairs.count(kinds(units), UNITS);
    }
    // A half of a pair was counted three as well; the pair is four.
    len - 2 * pairs.counted()
}

/// The scalar values of UTF-16, a lone surrogate being one.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn scalars(units: &[u16]) -> usize {
    let mut pairs = Pairs::new();
    let (groups, rest) = units.as_chunks::<GROUP>();
    for from in groups {
        let group = group(from);
        if has_surrogates(group) {
            pairs.count(group_kinds(group), GROUP);
        } else {
            pairs.none();
        }
    }
    for from in rest.chunks(UNITS) {
        pairs.count(kinds(front(from)), UNITS);
    }
    units.len() - pairs.counted()
}

#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn group(units: &[u16; GROUP]) -> [Block; 2] {
    let bytes: &[u8; 2 * BLOCK] = bytemuck::cast_ref(units);
    match bytes.as_chunks::<BLOCK>() {
        ([low, high], _) => [block::<false>(low), block::<false>(high)],
        _ => [[_mm256_setzero_si256(); 2]; 2],
    }
}

/// At most 32 units, and zeros after them.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn front(units: &[u16]) -> Block {
    let bytes: &[u8] = bytemuck::cast_slice(units);
    match bytes.first_chunk::<BLOCK>() {
        Some(whole) => block::<false>(whole),
        None => short_block::<false>(bytes),
    }
}

#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn has_surrogates([[a, b], [c, d]]: [Block; 2]) -> bool {
    // Added to this, surrogates are the smallest.
    let moved = |units: __m256i| _mm256_add_epi16(units, splat(0x2800));
    let least = _mm256_min_epu16(
        _mm256_min_epu16(moved(a), moved(b)),
        _mm256_min_epu16(moved(c), moved(d)),
    );
    let upper = _mm256_and_si256(least, splat(0xF800));
    _mm256_movemask_epi8(_mm256_cmpeq_epi16(upper, _mm256_setzero_si256())) != 0
}

/// The leading and the trailing surrogates.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn kinds([low, high]: Block) -> [u64; 2] {
    let upper = _mm256_packus_epi16(_mm256_srli_epi16::<8>(low), _mm256_srli_epi16::<8>(high));
    // The pack works on each half by itself: put the quarters in order.
    let upper = _mm256_permute4x64_epi64::<0b11_01_10_00>(upper);
    let kind = _mm256_and_si256(upper, _mm256_set1_epi8(0xFC_u8.cast_signed()));
    let of = |kind_of: u8| {
        let are = _mm256_cmpeq_epi8(kind, _mm256_set1_epi8(kind_of.cast_signed()));
        u64::from(_mm256_movemask_epi8(are).cast_unsigned())
    };
    [of(0xD8), of(0xDC)]
}

#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn group_kinds([low, high]: [Block; 2]) -> [u64; 2] {
    let (low, high) = (kinds(low), kinds(high));
    [low[0] | high[0] << UNITS, low[1] | high[1] << UNITS]
}

/// For each unit what its bytes are less than three.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn less_than_three([low, high]: Block) -> __m256i {
    let upper = _mm256_packus_epi16(_mm256_srli_epi16::<7>(low), _mm256_srli_epi16::<7>(high));
    // 70 for ASCII, up to 7F where there are two bytes, and a set upper bit is looked up as 0.
    let class = _mm256_adds_epu8(upper, _mm256_set1_epi8(0x70));
    let less = _mm256_setr_epi8(
        2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1,
    );
    _mm256_shuffle_epi8(less, class)
}

/// The sum of four numbers.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn total(sum: __m256i) -> usize {
    let two = _mm_add_epi64(
        _mm256_castsi256_si128(sum),
        _mm256_extracti128_si256::<1>(sum),
    );
    _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as usize
}
