//! UTF-16, validated, copied and counted. Surrogates are rare: they are examined only if a group of four
//! vectors has any. With vectors of 64 bytes and masks, it took as long (0.97 to 1.02 of the time).

use core::mem::MaybeUninit;

use super::load_4;
use super::utf16_pairs::SurrogatePairs;
use super::utf32::{before_surrogates, have_surrogates};
use crate::simd::scalar::blocks::convert_all;
use crate::simd::scalar::utf16::code_unit;
use crate::simd::shared::as_bytes;
use crate::simd::vector::Vector;

/// The number of groups whose sums fit in a byte: each adds at most four.
const WITHIN_A_BYTE: usize = 60;

/// Returns the number of units in a group of four vectors, two of which have a bit for each unit in a mask.
#[inline(always)]
const fn group_len<V: Vector>() -> usize {
    const { assert!(V::LANES <= 32) };
    2 * V::LANES
}

/// Returns the length of the longest well-formed prefix, in units.
#[inline(always)]
pub(super) fn valid_prefix<V: Vector>(v: V, units: &[u16]) -> usize {
    let at = before_surrogates(v, units);
    if at == units.len() {
        return at;
    }
    at + v.run_apart(
        bytemuck::cast_slice(&units[at..]),
        &mut [],
        #[inline(always)]
        |v, units, dst| valid_len::<false, false, _>(v, units, dst),
    )
}

/// Copies well-formed UTF-16, as far as there is room. Returns the number of units.
#[inline(always)]
pub(super) fn utf16_to_utf16<const BE: bool, V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let (units, _) = src.as_chunks();
    let len = units.len().min(dst.len());
    let (units, dst) = (&units[..len], &mut dst[..len]);
    let valid = valid_len::<BE, true, _>(v, units, dst);
    let whole_groups = valid - valid % group_len::<V>();
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
fn valid_len<const BE: bool, const COPY: bool, V: Vector>(
    v: V,
    units: &[[u8; 2]],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let (mut pairs, mut at) = (SurrogatePairs::new(), 0);
    let groups = units.chunks_exact(group_len::<V>());
    let rest = groups.remainder();
    for group in groups {
        let loaded = load_4(v, group.as_flattened());
        if COPY {
            store_4::<BE, _>(v, &mut dst[at..], loaded);
        }
        let group = upper_bytes::<BE, _>(v, loaded);
        if have_surrogates(v, group) {
            if let Some(wrong) = pairs.first_wrong(kinds_of_group(v, group), group_len::<V>()) {
                return at + wrong - pairs.half();
            }
        } else if pairs.half() == 1 {
            return at - 1;
        }
        at += group_len::<V>();
    }
    for from in rest.chunks(V::LANES) {
        let [a, b] = load_two(v, from);
        let [a, b, ..] = upper_bytes::<BE, _>(v, [a, b, a, b]);
        if let Some(wrong) = pairs.first_wrong(kinds(v, [a, b]), V::LANES) {
            return at + wrong - pairs.half();
        }
        at += from.len();
    }
    at - pairs.half()
}

/// Loads up to two vectors of units, followed by zeros.
#[inline(always)]
fn load_two<V: Vector>(v: V, units: &[[u8; 2]]) -> [V::V; 2] {
    let (low, high) = units.split_at(units.len().min(V::LANES / 2));
    [
        v.load_front(low.as_flattened()),
        v.load_front(high.as_flattened()),
    ]
}

/// Stores four vectors of units in native byte order at the front of `to`, which has room for them.
#[inline(always)]
fn store_4<const BE: bool, V: Vector>(v: V, to: &mut [MaybeUninit<u16>], units: [V::V; 4]) {
    for (i, units) in units.into_iter().enumerate() {
        let native = if BE {
            v.or(v.shl_u16::<8>(units), v.shr_u16::<8>(units))
        } else {
            units
        };
        v.store(as_bytes(&mut to[i * V::LANES / 2..]), native);
    }
}

/// Moves the upper byte of each unit to where native units have it: it alone distinguishes surrogates.
#[inline(always)]
fn upper_bytes<const BE: bool, V: Vector>(v: V, units: [V::V; 4]) -> [V::V; 4] {
    if !BE {
        return units;
    }
    let [a, b, c, d] = units;
    let (a, b) = (v.shl_u16::<8>(a), v.shl_u16::<8>(b));
    [a, b, v.shl_u16::<8>(c), v.shl_u16::<8>(d)]
}

/// Returns masks of the leading and the trailing surrogates in two vectors: a bit for each unit.
#[inline(always)]
fn kinds<V: Vector>(v: V, [a, b]: [V::V; 2]) -> [u64; 2] {
    let upper = v.narrow_u16(v.shr_u16::<8>(a), v.shr_u16::<8>(b));
    let kind = v.and(upper, v.splat_u8(0xFC));
    let leading = v.eq_u8(kind, v.splat_u8(0xD8));
    let trailing = v.eq_u8(kind, v.splat_u8(0xDC));
    [v.mask_u8(leading), v.mask_u8(trailing)]
}

/// Returns masks of the leading and the trailing surrogates of a group.
#[inline(always)]
fn kinds_of_group<V: Vector>(v: V, [a, b, c, d]: [V::V; 4]) -> [u64; 2] {
    let (low, high) = (kinds(v, [a, b]), kinds(v, [c, d]));
    [low[0] | high[0] << V::LANES, low[1] | high[1] << V::LANES]
}

/// Returns, for each unit in two vectors, in any order, how many bytes less than three it has in UTF-8.
#[inline(always)]
fn less_than_three<V: Vector>(v: V, [a, b]: [V::V; 2]) -> V::V {
    // 0 for ASCII, and up to F for characters of two bytes.
    let upper = v.pack_u16(v.shr_u16::<7>(a), v.shr_u16::<7>(b));
    let less = v.table(&[2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    v.look_up_or_0(less, upper)
}

/// Returns the number of bytes of UTF-16 text in UTF-8, three for each lone surrogate.
#[inline(always)]
pub(super) fn utf8_len<V: Vector>(v: V, units: &[u16]) -> usize {
    if units.len() <= V::LANES / 2 {
        let text = v.load_front(bytemuck::cast_slice(units));
        if !have_surrogates(v, [text; 4]) {
            let less = v.sum_u8(less_than_three(v, [text, v.splat_u8(0)]));
            // A zero after the last unit counts as two less than three.
            return units.len() + 2 * V::LANES - less;
        }
    }
    let mut pairs = SurrogatePairs::new();
    let mut less = 0;
    let rest = units.chunks_exact(group_len::<V>()).remainder();
    for groups in units.chunks(WITHIN_A_BYTE * group_len::<V>()) {
        let mut sum = v.splat_u8(0);
        for group in groups.chunks_exact(group_len::<V>()) {
            let group = load_4(v, bytemuck::cast_slice(group));
            let [a, b, c, d] = group;
            let (low, high) = (less_than_three(v, [a, b]), less_than_three(v, [c, d]));
            sum = v.add_u8(sum, v.add_u8(low, high));
            count_group(v, group, &mut pairs);
        }
        less += v.sum_u8(sum);
    }
    let mut after = 0;
    for from in rest.chunks(V::LANES) {
        let units = load_two(v, bytemuck::cast_slice(from));
        pairs.count(kinds(v, units), V::LANES);
        less += v.sum_u8(less_than_three(v, units));
        // A zero after the last unit counts as two less than three.
        after = V::LANES - from.len();
    }
    // Each half of a pair was counted as three as well; a pair has four.
    3 * units.len() + 2 * after - less - 2 * pairs.counted()
}

/// Counts the scalar values of UTF-16, a lone surrogate as one.
#[inline(always)]
pub(super) fn scalars<V: Vector>(v: V, units: &[u16]) -> usize {
    let at = before_surrogates(v, units);
    if at == units.len() {
        return at;
    }
    at + v.run_apart(
        &units[at..],
        &mut [0; 0],
        #[inline(always)]
        |v, units, _| {
            let mut pairs = SurrogatePairs::new();
            let groups = units.chunks_exact(group_len::<V>());
            let rest = groups.remainder();
            for group in groups {
                count_group(v, load_4(v, bytemuck::cast_slice(group)), &mut pairs);
            }
            for from in rest.chunks(V::LANES) {
                let units = load_two(v, bytemuck::cast_slice(from));
                pairs.count(kinds(v, units), V::LANES);
            }
            units.len() - pairs.counted()
        },
    )
}

/// Counts the pairs of a group.
#[inline(always)]
fn count_group<V: Vector>(v: V, group: [V::V; 4], pairs: &mut SurrogatePairs) {
    if have_surrogates(v, group) {
        pairs.count(kinds_of_group(v, group), group_len::<V>());
    } else {
        pairs.none();
    }
}
