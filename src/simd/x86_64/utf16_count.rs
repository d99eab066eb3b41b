//! UTF-16 checked and counted. Surrogates are rare: they are only looked at where a group of four vectors has
//! any.

use super::unit_vector::{UnitVector, load_4};
use super::utf16_pairs::Pairs;

/// Groups whose sums a byte can hold: four from each.
const WITHIN_A_BYTE: usize = 60;

/// The longest texts for which vectors of 64 bytes do not pay.
const SHORT: usize = 160;

/// Calls a function with the vectors for a text of this length.
macro_rules! by_len {
    ($function:ident, $v:ident, $units:ident) => {
        if V::LANES == 64 && $units.len() <= SHORT {
            $function($v.short(), $units)
        } else {
            $function($v, $units)
        }
    };
}

/// The length of the longest well-formed prefix, in units.
#[inline(always)]
pub(super) fn valid_prefix<V: UnitVector>(v: V, units: &[u16]) -> usize
where
    V::Short: UnitVector,
{
    by_len!(valid_len, v, units)
}

#[inline(always)]
fn valid_len<V: UnitVector>(v: V, units: &[u16]) -> usize {
    let (mut pairs, mut at) = (Pairs::new(), 0);
    let groups = units.chunks_exact(2 * V::LANES);
    let rest = groups.remainder();
    for group in groups {
        let group = load_4(v, bytemuck::cast_slice(group));
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
        if let Some(wrong) = pairs.first_wrong(kinds(v, from), V::LANES) {
            return at + wrong - pairs.half();
        }
        at += from.len();
    }
    at - pairs.half()
}

/// The bytes of UTF-8 that UTF-16 becomes, three for each lone surrogate.
#[inline(always)]
pub(super) fn utf8_len<V: UnitVector>(v: V, units: &[u16]) -> usize
where
    V::Short: UnitVector,
{
    by_len!(sum_of_bytes, v, units)
}

#[inline(always)]
fn sum_of_bytes<V: UnitVector>(v: V, units: &[u16]) -> usize {
    let mut pairs = Pairs::new();
    let zero = v.splat_u8(0);
    let mut less = zero;
    let rest = units.chunks_exact(2 * V::LANES).remainder();
    for groups in units.chunks(WITHIN_A_BYTE * 2 * V::LANES) {
        let mut sum = zero;
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
        less = v.add_to_sums(less, sum);
    }
    let mut after = 0;
    for from in rest.chunks(V::LANES) {
        let units = v.load_units(bytemuck::cast_slice(from));
        pairs.count(v.kinds(units), V::LANES);
        less = v.add_to_sums(less, v.less_than_three(units));
        // A zero after the last unit is two less than three.
        after = V::LANES - from.len();
    }
    // A half of a pair was counted three as well; the pair is four.
    3 * units.len() + 2 * after - v.total(less) - 2 * pairs.counted()
}

/// The scalar values of UTF-16, a lone surrogate being one.
#[inline(always)]
pub(super) fn scalars<V: UnitVector>(v: V, units: &[u16]) -> usize
where
    V::Short: UnitVector,
{
    by_len!(count_scalars, v, units)
}

#[inline(always)]
fn count_scalars<V: UnitVector>(v: V, units: &[u16]) -> usize {
    let mut pairs = Pairs::new();
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
        pairs.count(kinds(v, from), V::LANES);
    }
    units.len() - pairs.counted()
}

/// The leading and the trailing surrogates of no more units than two vectors have.
#[inline(always)]
fn kinds<V: UnitVector>(v: V, units: &[u16]) -> [u64; 2] {
    v.kinds(v.load_units(bytemuck::cast_slice(units)))
}

/// The leading and the trailing surrogates of the first and of the last two vectors of a group.
#[inline(always)]
fn kinds_of_halves<V: UnitVector>(v: V, [a, b, c, d]: [V::V; 4]) -> [[u64; 2]; 2] {
    [v.kinds([a, b]), v.kinds([c, d])]
}

/// Masks of 32 bits as one of 64.
#[inline(always)]
fn in_one(low: [u64; 2], high: [u64; 2]) -> [u64; 2] {
    [low[0] | high[0] << 32, low[1] | high[1] << 32]
}

/// Counts the pairs of a group.
#[inline(always)]
fn count_group<V: UnitVector>(v: V, group: [V::V; 4], pairs: &mut Pairs) {
    let [low, high] = kinds_of_halves(v, group);
    if V::LANES == 32 {
        pairs.count(in_one(low, high), 64);
    } else {
        pairs.count(low, V::LANES);
        pairs.count(high, V::LANES);
    }
}
