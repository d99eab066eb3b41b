//! UTF-16 checked and counted, for AVX-512. Surrogates are rare: they are only looked at where a
//! group of vectors has any.

use core::arch::x86_64::{
    __m256i, __m512i, _mm256_and_si256, _mm256_cmpeq_epi16_mask, _mm256_set1_epi16,
    _mm256_test_epi16_mask, _mm512_add_epi8, _mm512_add_epi16, _mm512_add_epi64, _mm512_adds_epu8,
    _mm512_and_si512, _mm512_cmpeq_epi16_mask, _mm512_min_epu16, _mm512_packus_epi16,
    _mm512_reduce_add_epi64, _mm512_sad_epu8, _mm512_set1_epi8, _mm512_set1_epi16,
    _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_srli_epi16, _mm512_testn_epi16_mask,
};

use super::{LANES, broadcast, load, load_front_half};
use crate::simd::x86_64::utf16_pairs::Pairs;

/// Code units in a vector.
const UNITS: usize = LANES / 2;
/// Units in a group of vectors.
const GROUP: usize = 4 * UNITS;
/// Units in half a vector: what is left, and short texts, for which 512 bits do not pay.
const HALF: usize = UNITS / 2;
/// The longest texts that are short.
const SHORT: usize = 160;
/// Groups whose sums a byte can hold: four from each.
const WITHIN_A_BYTE: usize = 60;

type Group = [__m512i; 4];

/// The length of the longest well-formed prefix, in units.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn valid_prefix(units: &[u16]) -> usize {
    let (mut pairs, mut at) = (Pairs::new(), 0);
    let (groups, rest) = groups(units);
    for from in groups {
        let group = group(from);
        if has_surrogates(group) {
            for halves in kinds(group) {
                if let Some(wrong) = pairs.first_wrong(halves, 2 * UNITS) {
                    return at + wrong - pairs.half();
                }
                at += 2 * UNITS;
            }
        } else if pairs.half() == 1 {
            return at - 1;
        } else {
            at += GROUP;
        }
    }
    for from in rest.chunks(HALF) {
        if let Some(wrong) = pairs.first_wrong(half_kinds(half(from)), HALF) {
            return at + wrong - pairs.half();
        }
        at += from.len();
    }
    at - pairs.half()
}

/// The bytes of UTF-8 that UTF-16 becomes, three for each lone surrogate.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf8_len(units: &[u16]) -> usize {
    let mut pairs = Pairs::new();
    let (groups, rest) = groups(units);
    let mut len = 3 * GROUP * groups.len();
    if !groups.is_empty() {
        let mut less = _mm512_setzero_si512();
        for groups in groups.chunks(WITHIN_A_BYTE) {
            let mut sum = _mm512_setzero_si512();
            for from in groups {
                let group = group(from);
                sum = _mm512_add_epi8(sum, less_than_three([group[0], group[1]]));
                sum = _mm512_add_epi8(sum, less_than_three([group[2], group[3]]));
                if has_surrogates(group) {
                    for halves in kinds(group) {
                        pairs.count(halves, 2 * UNITS);
                    }
                } else {
                    pairs.none();
                }
            }
            let sums = _mm512_sad_epu8(sum, _mm512_setzero_si512());
            less = _mm512_add_epi64(less, sums);
        }
        len -= _mm512_reduce_add_epi64(less) as usize;
    }
    for from in rest.chunks(HALF) {
        let units = half(from);
        let longer = _mm256_test_epi16_mask(units, half_splat(0xFF80));
        let three = _mm256_test_epi16_mask(units, half_splat(0xF800));
        len += from.len() + (longer.count_ones() + three.count_ones()) as usize;
        pairs.count(half_kinds(units), HALF);
    }
    // A half of a pair was counted three as well; the pair is four.
    len - 2 * pairs.counted()
}

/// The scalar values of UTF-16, a lone surrogate being one.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn scalars(units: &[u16]) -> usize {
    let mut pairs = Pairs::new();
    let (groups, rest) = groups(units);
    for from in groups {
        let group = group(from);
        if has_surrogates(group) {
            for halves in kinds(group) {
                pairs.count(halves, 2 * UNITS);
            }
        } else {
            pairs.none();
        }
    }
    for from in rest.chunks(HALF) {
        pairs.count(half_kinds(half(from)), HALF);
    }
    units.len() - pairs.counted()
}

/// The groups of a text that is not short, and what is left.
#[inline(always)]
fn groups(units: &[u16]) -> (&[[u16; GROUP]], &[u16]) {
    if units.len() > SHORT {
        units.as_chunks()
    } else {
        (&[], units)
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(unit: u16) -> __m512i {
    _mm512_set1_epi16(unit.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn group(units: &[u16; GROUP]) -> Group {
    let bytes: &[u8; 4 * LANES] = bytemuck::cast_ref(units);
    match bytes.as_chunks::<LANES>() {
        ([a, b, c, d], _) => [load(a), load(b), load(c), load(d)],
        _ => [_mm512_setzero_si512(); 4],
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn has_surrogates([a, b, c, d]: Group) -> bool {
    // Added to this, surrogates are the smallest.
    let moved = |units: __m512i| _mm512_add_epi16(units, splat(0x2800));
    let least = _mm512_min_epu16(
        _mm512_min_epu16(moved(a), moved(b)),
        _mm512_min_epu16(moved(c), moved(d)),
    );
    _mm512_testn_epi16_mask(least, splat(0xF800)) != 0
}

/// The leading and the trailing surrogates of each two vectors.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn kinds([a, b, c, d]: Group) -> [[u64; 2]; 2] {
    let of = |low: __m512i, high: __m512i, kind: u16| {
        let are = |units: __m512i| {
            _mm512_cmpeq_epi16_mask(_mm512_and_si512(units, splat(0xFC00)), splat(kind))
        };
        u64::from(are(low)) | u64::from(are(high)) << UNITS
    };
    [
        [of(a, b, 0xD800), of(a, b, 0xDC00)],
        [of(c, d, 0xD800), of(c, d, 0xDC00)],
    ]
}

/// For each unit of two vectors what its bytes are less than three.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn less_than_three([low, high]: [__m512i; 2]) -> __m512i {
    let upper = _mm512_packus_epi16(_mm512_srli_epi16::<7>(low), _mm512_srli_epi16::<7>(high));
    // 70 for ASCII, up to 7F where there are two bytes, and a set upper bit is looked up as 0.
    let class = _mm512_adds_epu8(upper, _mm512_set1_epi8(0x70));
    let less = broadcast(&[2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    _mm512_shuffle_epi8(less, class)
}

/// At most 16 units, and zeros after them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn half(units: &[u16]) -> __m256i {
    load_front_half(bytemuck::cast_slice(units))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn half_splat(unit: u16) -> __m256i {
    _mm256_set1_epi16(unit.cast_signed())
}

/// The leading and the trailing surrogates of 16 units.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
fn half_kinds(units: __m256i) -> [u64; 2] {
    let kind = _mm256_and_si256(units, half_splat(0xFC00));
    [
        _mm256_cmpeq_epi16_mask(kind, half_splat(0xD800)).into(),
        _mm256_cmpeq_epi16_mask(kind, half_splat(0xDC00)).into(),
    ]
}
