//! UTF-16 to UTF-8, eight code units at a time. Stops before the first lone surrogate (or not, if it is to
//! be replaced), before a leading surrogate at the end, and before what there is no room for. Writes with
//! room for 32 bytes only; the scalar kernel does the rest.
//!
//! ```text
//! a lane                 last (high, low byte)      first (high, low byte)
//! U+0041                 ........  01000001
//! U+00E9  xxxxx yyyyyy   110xxxxx  10yyyyyy
//! U+65E5  wwww xxxxxx yyyyyy
//!                        ........  10yyyyyy         10xxxxxx  1110wwww
//! ```
//!
//! A row of a table of shuffles then takes of each lane the bytes that its character has. Each half of a
//! surrogate pair is two bytes of the four, and takes the place of `last`.

use core::mem::MaybeUninit;

use super::ascii::utf16_to_ascii;
use super::table::{InstructionSet, kernels_of};
use super::{LANES, shuffled};
use crate::simd::kernels::Transcoded;
use crate::simd::scalar;
use crate::simd::scalar::utf16::code_unit;
use crate::simd::shared::shuffles::{ONE_OR_TWO, UP_TO_THREE};
use crate::simd::uninit::room_at;
use crate::simd::vector::Vector;

/// Code units in a vector.
const UNITS: usize = 8;

/// The bytes of each unit in the other order.
const SWAPPED: [u8; LANES] = [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14];

/// Room for the units of a vector, and for what the last store may overrun them by.
type Room = [MaybeUninit<u8>; 32];

/// The units with some bits more.
#[inline(always)]
fn with<V: Vector<LANES>>(v: V, units: V::V, bits: u16) -> V::V {
    v.or(units, v.splat_u16(bits))
}

/// Only some bits of the units.
#[inline(always)]
fn only<V: Vector<LANES>>(v: V, units: V::V, bits: u16) -> V::V {
    v.and(units, v.splat_u16(bits))
}

/// All ones where the bits of a unit under `mask` are `top`.
#[inline(always)]
pub(super) fn has_top<V: Vector<LANES>>(v: V, units: V::V, mask: u16, top: u16) -> V::V {
    v.eq_u16(only(v, units, mask), v.splat_u16(top))
}

/// The first two bytes of three.
#[inline(always)]
fn first<V: Vector<LANES>>(v: V, units: V::V) -> V::V {
    let lead = with(v, v.shr_u16::<12>(units), 0x80E0);
    v.or(lead, middle(v, units))
}

/// The last byte of each character in the low half of each lane (below 80 the first as well), the
/// first of two in the high one.
#[inline(always)]
fn last<V: Vector<LANES>>(v: V, units: V::V) -> V::V {
    let last = v.min_u16(units, tail(v, units));
    v.or(last, with(v, middle(v, units), 0xC000))
}

/// The six bits above the lowest six, in the high half of each lane.
#[inline(always)]
fn middle<V: Vector<LANES>>(v: V, units: V::V) -> V::V {
    only(v, v.shl_u16::<2>(units), 0x3F00)
}

/// The lowest six bits as a byte that is not the first.
#[inline(always)]
fn tail<V: Vector<LANES>>(v: V, bits: V::V) -> V::V {
    with(v, only(v, bits, 0x3F), 0x80)
}

/// Writes of every lane in `three` both bytes of `first` and the low one of `last`, of every other in
/// `longer` the high byte of `last` and the low one, and of the others the low byte of `last`.
/// Returns their number.
#[inline(always)]
fn write<V: Vector<LANES>>(
    v: V,
    first: V::V,
    last: V::V,
    longer: V::V,
    three: V::V,
    to: &mut Room,
) -> usize {
    if !v.any(three) {
        let longer = v.mask_u16(longer) as u8;
        if let Some(to) = to.first_chunk_mut() {
            v.store(to, shuffled(v, last, &ONE_OR_TWO[usize::from(longer)]));
        }
        return UNITS + longer.count_ones() as usize;
    }
    let [low, high, ..] = v.mask_pairs(longer, three).to_le_bytes();
    let low_len = UNITS / 2 + low.count_ones() as usize;
    let [low_half, high_half] = v.interleave_u16(first, last);
    // Each by itself: what is kept in an array goes to memory.
    if let Some(to) = to.first_chunk_mut() {
        v.store(to, shuffled(v, low_half, &UP_TO_THREE[usize::from(low)]));
    }
    if let Some(to) = room_at(to, low_len) {
        v.store(to, shuffled(v, high_half, &UP_TO_THREE[usize::from(high)]));
    }
    low_len + UNITS / 2 + high.count_ones() as usize
}

/// Writes eight characters of the Basic Multilingual Plane and returns their length in bytes. None
/// of the units is a surrogate.
#[inline(always)]
fn bmp_to_utf8<V: Vector<LANES>>(v: V, units: V::V, to: &mut Room) -> usize {
    let longer = v.at_least_u16(units, 0x80);
    let three = v.at_least_u16(units, 0x800);
    write(v, first(v, units), last(v, units), longer, three, to)
}

/// What became of a vector with surrogates.
struct Converted {
    bytes: usize,
    errors: usize,
    /// Whether the last unit is a leading surrogate whose trailing one follows.
    is_open: bool,
}

/// Writes a vector that has surrogates, with U+FFFD for each lone one; of a pair across its edges
/// two bytes. `before` is the unit before if it is the first half of such a pair, or else 0; `after`
/// is the unit after. `None` without `LOSSY` where there is a lone surrogate.
#[inline(always)]
fn pairs_to_utf8<const LOSSY: bool, V: Vector<LANES>>(
    v: V,
    units: V::V,
    before: u16,
    after: u16,
    to: &mut Room,
) -> Option<Converted> {
    let next = v.unit_after(units, v.splat_u16(after));
    let before = v.two_before(v.splat_u16(before), units);
    let leading = has_top(v, units, 0xFC00, 0xD800);
    let trailing = has_top(v, units, 0xFC00, 0xDC00);
    let paired_leading = v.and(leading, has_top(v, next, 0xFC00, 0xDC00));
    let paired_trailing = v.and(trailing, has_top(v, before, 0xFC00, 0xD800));
    let paired = v.or(paired_leading, paired_trailing);
    let lone = v.xor(v.or(leading, trailing), paired);
    let errors = v.mask_u16(lone).count_ones() as usize;
    if !LOSSY && errors != 0 {
        return None;
    }
    let units = v.select(lone, v.splat_u16(0xFFFD), units);
    // The leading surrogate has the upper bits of the code point, after 0x10000 is added.
    let upper = v.add_u16(units, v.splat_u16(0xD7C0_u16.wrapping_neg()));
    let lead = with(v, only(v, upper, 0xFF00), 0xF000);
    let front = v.or(lead, tail(v, v.shr_u16::<2>(upper)));
    // Its two lowest bits are the trailing one's.
    let upper = only(v, v.shl_u16::<12>(before), 0x3000);
    let lower = only(v, v.shl_u16::<2>(units), 0x0F00);
    let third = v.add_u16(v.add_u16(upper, lower), v.splat_u16(0x8000));
    let back = v.or(third, tail(v, units));
    let last = v.select(paired_leading, front, last(v, units));
    let last = v.select(paired_trailing, back, last);
    let longer = v.at_least_u16(units, 0x80);
    // Each half of a pair is two bytes.
    let three = v.xor(v.at_least_u16(units, 0x800), paired);
    Some(Converted {
        bytes: write(v, first(v, units), last, longer, three, to),
        errors,
        is_open: v.mask_u16(paired_leading) >> (UNITS - 1) == 1,
    })
}

/// Converts UTF-16, at any alignment, up to the first lone surrogate or a leading one at the end;
/// or, with `LOSSY`, writes U+FFFD for every lone surrogate but a leading one at the end.
#[inline(always)]
pub(in crate::simd) fn utf16_to_utf8<const BE: bool, const LOSSY: bool>(
    v: impl InstructionSet,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    let mut done = Transcoded::NOTHING;
    // The unit before, if it is a leading surrogate whose first half only is written.
    let mut open = 0;
    while let Some(now) = src[done.read..].first_chunk::<LANES>()
        && let Some(to) = dst[done.written..].first_chunk_mut()
    {
        let units = v.load(now);
        let units = if BE {
            shuffled(v, units, &SWAPPED)
        } else {
            units
        };
        if !v.any_of(units, v.splat_u16(0xFF80)) {
            let run = utf16_to_ascii::<BE>(v, &src[done.read..], &mut dst[done.written..]);
            done.read += 2 * run;
            done.written += run;
            continue;
        }
        if !v.any(has_top(v, units, 0xF800, 0xD800)) {
            done.written += bmp_to_utf8(v, units, to);
        } else {
            let Some(after) = src[done.read + LANES..].first_chunk() else {
                break;
            };
            let after = code_unit::<BE>(*after);
            let Some(converted) = pairs_to_utf8::<LOSSY, _>(v, units, open, after, to) else {
                break;
            };
            done.written += converted.bytes;
            done.errors += converted.errors;
            open = match now.last_chunk() {
                Some(last) if converted.is_open => code_unit::<BE>(*last),
                _ => 0,
            };
        }
        done.read += LANES;
    }
    if open != 0 {
        // A pair is not to be left half written.
        done.read -= 2;
        done.written -= 2;
    }
    // Less than a vector, or one with surrogates and no unit after it, or up to a lone one.
    let rest = scalar::utf16::utf16_to_utf8::<BE, LOSSY>(
        kernels_of(v),
        &src[done.read..],
        &mut dst[done.written..],
    );
    Transcoded {
        read: done.read + rest.read,
        written: done.written + rest.written,
        errors: done.errors + rest.errors,
    }
}
