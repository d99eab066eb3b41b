//! UTF-16, validated, copied and counted. Surrogates are rare: they are examined only if a group of four
//! vectors has any.

use core::mem::MaybeUninit;

use super::unit_vector::UnitVector;
use super::utf16_pairs::SurrogatePairs;
use crate::simd::generic::load_4;
use crate::simd::scalar::blocks::convert_all;
use crate::simd::scalar::utf16::code_unit;
use crate::simd::shared::as_bytes;

/// The number of groups whose sums fit in a byte: each adds at most four.
const WITHIN_A_BYTE: usize = 60;

/// Up to this many units, vectors of 64 bytes do not pay.
const MAX_SHORT_UNITS: usize = 160;

/// Calls a function with the vectors for a text of this length.
macro_rules! by_len {
    ($v:ident, $units:ident, $call:expr) => {
        if V::LANES == 64 && $units.len() <= MAX_SHORT_UNITS {
            let $v = $v.short();
            $call
        } else {
            $call
        }
    };
}

/// Returns the length of the longest well-formed prefix, in units.
#[inline(always)]
pub(super) fn valid_prefix<V: UnitVector>(v: V, units: &[u16]) -> usize
where
    V::Short: UnitVector,
{
    by_len!(
        v,
        units,
        with_surrogates_apart(v, units, |v, units| {
            valid_len::<false, false, _>(v, bytemuck::cast_slice(units), &mut [])
        })
    )
}

/// Returns the length of the text in front of surrogates, by groups of vectors, and what `others` returns for the text
/// from there on, added up. `others` is compiled separately: text without surrogates needs few registers.
#[inline(always)]
fn with_surrogates_apart<V: UnitVector>(
    v: V,
    units: &[u16],
    others: impl Fn(V, &[u16]) -> usize,
) -> usize {
    #[inline(never)]
    fn apart<V: UnitVector>(v: V, units: &[u16], others: impl Fn(V, &[u16]) -> usize) -> usize {
        v.run_on(
            units,
            &mut [0; 0],
            #[inline(always)]
            |v, units, _| others(v, units),
        )
    }
    let at = before_surrogates(v, units);
    if at < units.len() {
        at + apart(v, &units[at..], others)
    } else {
        at
    }
}

/// Returns the length of the text in front of the first group of vectors that has surrogates.
#[inline(always)]
fn before_surrogates<V: UnitVector>(v: V, units: &[u16]) -> usize {
    let mut at = 0;
    // The last group overlaps the one before it.
    while let Some(group) = units[at..].get(..=2 * V::LANES) {
        if v.has_surrogates(load_4(v, bytemuck::cast_slice(group))) {
            return at;
        }
        at += 2 * V::LANES;
    }
    let has_surrogates = test_last_4(
        v,
        bytemuck::cast_slice(units),
        #[inline(always)]
        |last| v.has_surrogates(last),
    );
    if has_surrogates { at } else { units.len() }
}

/// Converts up to `MAX_LEN` units without surrogates to UTF-32, if they fit. Returns their number, or `None`. They are
/// tested first, and then widened; in longer text it is better to do both for one block after the other.
#[inline(always)]
pub(super) fn short_to_utf32<const MAX_LEN: usize, V: UnitVector>(
    v: V,
    units: &[u16],
    dst: &mut [MaybeUninit<u32>],
) -> Option<usize> {
    let len = units.len();
    let is_short = len <= MAX_LEN && len <= dst.len();
    (is_short && before_surrogates(v, units) == len).then(
        #[inline(always)]
        || convert_all(units, dst, u32::from),
    )
}

/// Copies well-formed UTF-16, as far as there is room. Returns the number of units.
#[inline(always)]
pub(super) fn utf16_to_utf16<const BE: bool, V: UnitVector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize
where
    V::Short: UnitVector,
{
    let (units, _) = src.as_chunks();
    by_len!(v, units, copy::<BE, _>(v, units, dst))
}

#[inline(always)]
fn copy<const BE: bool, V: UnitVector>(
    v: V,
    units: &[[u8; 2]],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let len = units.len().min(dst.len());
    let (units, dst) = (&units[..len], &mut dst[..len]);
    let valid = valid_len::<BE, true, _>(v, units, dst);
    let whole_groups = valid - valid % (2 * V::LANES);
    convert_all(
        &units[whole_groups..valid],
        &mut dst[whole_groups..],
        code_unit::<BE>,
    );
    valid
}

/// Returns the length of the longest well-formed prefix, in units. With `COPY`, whole groups of vectors in it
/// are copied to `dst`, which is as long as `units`.
#[inline(always)]
fn valid_len<const BE: bool, const COPY: bool, V: UnitVector>(
    v: V,
    units: &[[u8; 2]],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let (mut pairs, mut at) = (SurrogatePairs::new(), 0);
    let groups = units.chunks_exact(2 * V::LANES);
    let rest = groups.remainder();
    for group in groups {
        let loaded = load_4(v, group.as_flattened());
        if COPY {
            store_4::<BE, _>(v, &mut dst[at..], loaded);
        }
        let group = upper_bytes_of_4::<BE, _>(v, loaded);
        if v.has_surrogates(group) {
            let [low, high] = kinds_of_halves(v, group);
            if V::LANES == 32 {
                if let Some(wrong) = pairs.first_wrong(in_one(low, high), 64) {
                    return at + wrong - pairs.half();
                }
            } else {
                if let Some(wrong) = pairs.first_wrong(low, V::LANES) {
                    return at + wrong - pairs.half();
                }
                if let Some(wrong) = pairs.first_wrong(high, V::LANES) {
                    return at + V::LANES + wrong - pairs.half();
                }
            }
            at += 2 * V::LANES;
        } else if pairs.half() == 1 {
            return at - 1;
        } else {
            at += 2 * V::LANES;
        }
    }
    for from in rest.chunks(V::LANES) {
        let units = v.load_units(from.as_flattened());
        let kinds = v.kinds(upper_bytes::<BE, _>(v, units));
        if let Some(wrong) = pairs.first_wrong(kinds, V::LANES) {
            return at + wrong - pairs.half();
        }
        at += from.len();
    }
    at - pairs.half()
}

/// Tests the last four vectors of text; if there is less, vectors that overlap, or one that zeros follow.
#[inline(always)]
pub(super) fn test_last_4<V: UnitVector>(
    v: V,
    bytes: &[u8],
    test: impl Fn([V::V; 4]) -> bool,
) -> bool {
    if bytes.len() < V::LANES {
        return test([v.load_front(bytes); 4]);
    }
    let from_end = |vectors| v.load(&bytes[bytes.len().saturating_sub(vectors * V::LANES)..]);
    test([from_end(4), from_end(3), from_end(2), from_end(1)])
}

/// Stores four vectors of units in native byte order at the front of `to`, which has room for them.
#[inline(always)]
fn store_4<const BE: bool, V: UnitVector>(v: V, to: &mut [MaybeUninit<u16>], units: [V::V; 4]) {
    for (i, units) in units.into_iter().enumerate() {
        let native = if BE {
            v.or(v.shl_u16::<8>(units), v.shr_u16::<8>(units))
        } else {
            units
        };
        v.store(as_bytes(&mut to[i * V::LANES / 2..]), native);
    }
}

#[inline(always)]
fn upper_bytes_of_4<const BE: bool, V: UnitVector>(v: V, [a, b, c, d]: [V::V; 4]) -> [V::V; 4] {
    let [a, b] = upper_bytes::<BE, _>(v, [a, b]);
    let [c, d] = upper_bytes::<BE, _>(v, [c, d]);
    [a, b, c, d]
}

/// Moves the upper byte of each unit to where native units have it: it alone distinguishes surrogates.
#[inline(always)]
fn upper_bytes<const BE: bool, V: UnitVector>(v: V, [a, b]: [V::V; 2]) -> [V::V; 2] {
    if BE {
        [v.shl_u16::<8>(a), v.shl_u16::<8>(b)]
    } else {
        [a, b]
    }
}

/// Returns the number of bytes of UTF-16 text in UTF-8, three for each lone surrogate.
#[inline(always)]
pub(super) fn utf8_len<V: UnitVector>(v: V, units: &[u16]) -> usize
where
    V::Short: UnitVector,
{
    by_len!(v, units, sum_of_bytes(v, units))
}

#[inline(always)]
fn sum_of_bytes<V: UnitVector>(v: V, units: &[u16]) -> usize {
    if V::LANES == 32 && units.len() <= V::LANES / 2 {
        let text = v.load_front(bytemuck::cast_slice(units));
        if !v.has_surrogates([text; 4]) {
            let less = v.sum_u8(v.less_than_three([text, v.splat_u8(0)]));
            // A zero after the last unit counts as two less than three.
            return units.len() + 2 * V::LANES - less;
        }
    }
    let mut pairs = SurrogatePairs::new();
    let mut less = 0;
    let rest = units.chunks_exact(2 * V::LANES).remainder();
    for groups in units.chunks(WITHIN_A_BYTE * 2 * V::LANES) {
        let mut sum = v.splat_u8(0);
        for group in groups.chunks_exact(2 * V::LANES) {
            let group = load_4(v, bytemuck::cast_slice(group));
            let [a, b, c, d] = group;
            let of_group = v.add_u8(v.less_than_three([a, b]), v.less_than_three([c, d]));
            sum = v.add_u8(sum, of_group);
            if v.has_surrogates(group) {
                count_group(v, group, &mut pairs);
            } else {
                pairs.none();
            }
        }
        less += v.sum_u8(sum);
    }
    let mut after = 0;
    for from in rest.chunks(V::LANES) {
        let units = v.load_units(bytemuck::cast_slice(from));
        pairs.count(v.kinds(units), V::LANES);
        less += v.sum_u8(v.less_than_three(units));
        // A zero after the last unit counts as two less than three.
        after = V::LANES - from.len();
    }
    // Each half of a pair was counted as three as well; a pair has four.
    3 * units.len() + 2 * after - less - 2 * pairs.counted()
}

/// Counts the scalar values of UTF-16, a lone surrogate as one.
#[inline(always)]
pub(super) fn scalars<V: UnitVector>(v: V, units: &[u16]) -> usize
where
    V::Short: UnitVector,
{
    by_len!(v, units, with_surrogates_apart(v, units, count_scalars))
}

#[inline(always)]
fn count_scalars<V: UnitVector>(v: V, units: &[u16]) -> usize {
    let mut pairs = SurrogatePairs::new();
    let groups = units.chunks_exact(2 * V::LANES);
    let rest = groups.remainder();
    for group in groups {
        let group = load_4(v, bytemuck::cast_slice(group));
        if v.has_surrogates(group) {
            count_group(v, group, &mut pairs);
        } else {
            pairs.none();
        }
    }
    for from in rest.chunks(V::LANES) {
        let units = v.load_units(bytemuck::cast_slice(from));
        pairs.count(v.kinds(units), V::LANES);
    }
    units.len() - pairs.counted()
}

/// Returns masks of the leading and the trailing surrogates of the first and of the last two vectors of a
/// group.
#[inline(always)]
fn kinds_of_halves<V: UnitVector>(v: V, [a, b, c, d]: [V::V; 4]) -> [[u64; 2]; 2] {
    [v.kinds([a, b]), v.kinds([c, d])]
}

/// Joins masks of 32 bits to masks of 64.
#[inline(always)]
fn in_one(low: [u64; 2], high: [u64; 2]) -> [u64; 2] {
    [low[0] | high[0] << 32, low[1] | high[1] << 32]
}

/// Counts the pairs of a group.
#[inline(always)]
fn count_group<V: UnitVector>(v: V, group: [V::V; 4], pairs: &mut SurrogatePairs) {
    let [low, high] = kinds_of_halves(v, group);
    if V::LANES == 32 {
        pairs.count(in_one(low, high), 64);
    } else {
        pairs.count(low, V::LANES);
        pairs.count(high, V::LANES);
    }
}
