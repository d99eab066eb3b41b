//! UTF-16, validated, copied and counted. Surrogates are rare: they are examined only if a group of four
//! vectors has any. With vectors of 64 bytes and masks, it took as long (0.97 to 1.02 of the time).

use core::arch::x86_64::{
    __m256i, _mm256_adds_epu8, _mm256_packus_epi16, _mm256_shuffle_epi8, _mm256_srli_epi16,
};
use core::mem::MaybeUninit;

use super::LANES;
use super::partial::Dwords;
use super::utf16_pairs::SurrogatePairs;
use super::vector::Vectors256;
use crate::simd::generic::load_4;
use crate::simd::generic::utf32::{before_surrogates, have_surrogates};
use crate::simd::scalar::blocks::convert_all;
use crate::simd::scalar::utf16::code_unit;
use crate::simd::shared::as_bytes;
use crate::simd::vector::Vector;

/// The number of groups whose sums fit in a byte: each adds at most four.
const WITHIN_A_BYTE: usize = 60;

/// The number of units in a group of four vectors.
const GROUP: usize = 2 * LANES;

/// Returns the length of the longest well-formed prefix, in units.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn valid_prefix(units: &[u16]) -> usize {
    let at = before_surrogates(Vectors256::here(), units);
    if at == units.len() {
        return at;
    }
    at + valid_prefix_with_surrogates(&units[at..])
}

/// Does what [`valid_prefix`] does. A separate function, as text without surrogates needs few registers.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn valid_prefix_with_surrogates(units: &[u16]) -> usize {
    valid_len::<false, false>(bytemuck::cast_slice(units), &mut [])
}

/// Copies well-formed UTF-16, as far as there is room. Returns the number of units.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf16_to_utf16<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let (units, _) = src.as_chunks();
    let len = units.len().min(dst.len());
    let (units, dst) = (&units[..len], &mut dst[..len]);
    let valid = valid_len::<BE, true>(units, dst);
    let whole_groups = valid - valid % GROUP;
    convert_all(
        &units[whole_groups..valid],
        &mut dst[whole_groups..],
        code_unit::<BE>,
    );
    valid
}

/// Returns the length of the longest well-formed prefix, in units. With `COPY`, whole groups of vectors in it
/// are copied to `dst`, which is as long as `units`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn valid_len<const BE: bool, const COPY: bool>(
    units: &[[u8; 2]],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let v = Vectors256::here();
    let (mut pairs, mut at) = (SurrogatePairs::new(), 0);
    let groups = units.chunks_exact(GROUP);
    let rest = groups.remainder();
    for group in groups {
        let loaded = load_4(v, group.as_flattened());
        if COPY {
            store_4::<BE>(v, &mut dst[at..], loaded);
        }
        let [a, b, c, d] = loaded;
        let ([a, b], [c, d]) = (upper_bytes::<BE>(v, [a, b]), upper_bytes::<BE>(v, [c, d]));
        let group = [a, b, c, d];
        if have_surrogates(v, group) {
            if let Some(wrong) = pairs.first_wrong(kinds_of_group(v, group), GROUP) {
                return at + wrong - pairs.half();
            }
        } else if pairs.half() == 1 {
            return at - 1;
        }
        at += GROUP;
    }
    for from in rest.chunks(LANES) {
        let units = load_two(v, from);
        let kinds = kinds(v, upper_bytes::<BE>(v, units));
        if let Some(wrong) = pairs.first_wrong(kinds, LANES) {
            return at + wrong - pairs.half();
        }
        at += from.len();
    }
    at - pairs.half()
}

/// Loads up to two vectors of units, followed by zeros.
#[inline(always)]
fn load_two(v: Vectors256<Dwords>, units: &[[u8; 2]]) -> [__m256i; 2] {
    let (low, high) = units.split_at(units.len().min(LANES / 2));
    [
        v.load_front(low.as_flattened()),
        v.load_front(high.as_flattened()),
    ]
}

/// Stores four vectors of units in native byte order at the front of `to`, which has room for them.
#[inline(always)]
fn store_4<const BE: bool>(
    v: Vectors256<Dwords>,
    to: &mut [MaybeUninit<u16>],
    units: [__m256i; 4],
) {
    for (i, units) in units.into_iter().enumerate() {
        let native = if BE {
            v.or(v.shl_u16::<8>(units), v.shr_u16::<8>(units))
        } else {
            units
        };
        v.store(as_bytes(&mut to[i * LANES / 2..]), native);
    }
}

/// Moves the upper byte of each unit to where native units have it: it alone distinguishes surrogates.
#[inline(always)]
fn upper_bytes<const BE: bool>(v: Vectors256<Dwords>, [a, b]: [__m256i; 2]) -> [__m256i; 2] {
    if BE {
        [v.shl_u16::<8>(a), v.shl_u16::<8>(b)]
    } else {
        [a, b]
    }
}

/// Returns masks of the leading and the trailing surrogates in two vectors: a bit for each unit.
#[inline(always)]
fn kinds(v: Vectors256<Dwords>, [a, b]: [__m256i; 2]) -> [u64; 2] {
    let upper = v.narrow_u16(v.shr_u16::<8>(a), v.shr_u16::<8>(b));
    let kind = v.and(upper, v.splat_u8(0xFC));
    [0xD8, 0xDC].map(
        #[inline(always)]
        |top| v.mask_u8(v.eq_u8(kind, v.splat_u8(top))),
    )
}

/// Returns masks of the leading and the trailing surrogates of a group.
#[inline(always)]
fn kinds_of_group(v: Vectors256<Dwords>, [a, b, c, d]: [__m256i; 4]) -> [u64; 2] {
    let (low, high) = (kinds(v, [a, b]), kinds(v, [c, d]));
    [low[0] | high[0] << LANES, low[1] | high[1] << LANES]
}

/// Returns, for each unit in two vectors, in any order, how many bytes less than three it has in UTF-8.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn less_than_three([a, b]: [__m256i; 2]) -> __m256i {
    let v = Vectors256::here();
    let upper = _mm256_packus_epi16(_mm256_srli_epi16::<7>(a), _mm256_srli_epi16::<7>(b));
    // 70 for ASCII, and up to 7F for characters of two bytes. If the top bit is set, the shuffle gives 0.
    let class = _mm256_adds_epu8(upper, v.splat_u8(0x70));
    let less = v.table(&[2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    _mm256_shuffle_epi8(less, class)
}

/// Returns the number of bytes of UTF-16 text in UTF-8, three for each lone surrogate.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_len(units: &[u16]) -> usize {
    let v = Vectors256::here();
    if units.len() <= LANES / 2 {
        let text = v.load_front(bytemuck::cast_slice(units));
        if !have_surrogates(v, [text; 4]) {
            let less = v.sum_u8(less_than_three([text, v.splat_u8(0)]));
            // A zero after the last unit counts as two less than three.
            return units.len() + 2 * LANES - less;
        }
    }
    let mut pairs = SurrogatePairs::new();
    let mut less = 0;
    let rest = units.chunks_exact(GROUP).remainder();
    for groups in units.chunks(WITHIN_A_BYTE * GROUP) {
        let mut sum = v.splat_u8(0);
        for group in groups.chunks_exact(GROUP) {
            let group = load_4(v, bytemuck::cast_slice(group));
            let [a, b, c, d] = group;
            let of_group = v.add_u8(less_than_three([a, b]), less_than_three([c, d]));
            sum = v.add_u8(sum, of_group);
            count_group(v, group, &mut pairs);
        }
        less += v.sum_u8(sum);
    }
    let mut after = 0;
    for from in rest.chunks(LANES) {
        let units = load_two(v, bytemuck::cast_slice(from));
        pairs.count(kinds(v, units), LANES);
        less += v.sum_u8(less_than_three(units));
        // A zero after the last unit counts as two less than three.
        after = LANES - from.len();
    }
    // Each half of a pair was counted as three as well; a pair has four.
    3 * units.len() + 2 * after - less - 2 * pairs.counted()
}

/// Counts the scalar values of UTF-16, a lone surrogate as one.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn scalars(units: &[u16]) -> usize {
    let at = before_surrogates(Vectors256::here(), units);
    if at == units.len() {
        return at;
    }
    at + scalars_with_surrogates(&units[at..])
}

/// Does what [`scalars`] does. A separate function, as text without surrogates needs few registers.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn scalars_with_surrogates(units: &[u16]) -> usize {
    let v = Vectors256::here();
    let mut pairs = SurrogatePairs::new();
    let groups = units.chunks_exact(GROUP);
    let rest = groups.remainder();
    for group in groups {
        count_group(v, load_4(v, bytemuck::cast_slice(group)), &mut pairs);
    }
    for from in rest.chunks(LANES) {
        let units = load_two(v, bytemuck::cast_slice(from));
        pairs.count(kinds(v, units), LANES);
    }
    units.len() - pairs.counted()
}

/// Counts the pairs of a group.
#[inline(always)]
fn count_group(v: Vectors256<Dwords>, group: [__m256i; 4], pairs: &mut SurrogatePairs) {
    if have_surrogates(v, group) {
        pairs.count(kinds_of_group(v, group), GROUP);
    } else {
        pairs.none();
    }
}
