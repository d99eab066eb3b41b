//! UTF-16 to UTF-8, eight code units at a time.

use core::arch::wasm32::{
    i8x16_shuffle, i16x8_bitmask, i16x8_eq, u8x16_bitmask, u16x8_add, u16x8_extract_lane, u16x8_ge,
    u16x8_min, u16x8_shl, u16x8_shr, u16x8_splat, u16x8_sub, v128, v128_and, v128_andnot,
    v128_any_true, v128_bitselect, v128_or,
};
use core::mem::MaybeUninit;

use super::ascii::utf16_to_ascii;
use super::table::kernels;
use super::{LANES, load, shuffled, store};
use crate::simd::kernels::Transcoded;
use crate::simd::scalar;
use crate::simd::scalar::utf16::code_unit;
use crate::simd::shared::shuffles::{ONE_OR_TWO, UP_TO_THREE};

/// Code units in a vector.
const UNITS: usize = 8;

/// Room for the units of a vector, and for what the last store may overrun them by.
pub(super) type Room = [MaybeUninit<u8>; 32];

#[inline(always)]
fn with(units: v128, bits: u16) -> v128 {
    v128_or(units, u16x8_splat(bits))
}

#[inline(always)]
fn only(units: v128, bits: u16) -> v128 {
    v128_and(units, u16x8_splat(bits))
}

/// Native code units.
#[inline(always)]
fn units_of<const BE: bool>(bytes: &[u8; LANES]) -> v128 {
    let bytes = load(bytes);
    if BE {
        i8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(bytes, bytes)
    } else {
        bytes
    }
}

/// All ones where the bits of a unit under `mask` are `top`.
#[inline(always)]
fn has_top(units: v128, mask: u16, top: u16) -> v128 {
    i16x8_eq(only(units, mask), u16x8_splat(top))
}

/// The first two bytes of three.
#[inline(always)]
fn first(units: v128) -> v128 {
    v128_or(with(u16x8_shr(units, 12), 0x80E0), middle(units))
}

/// The last byte of each character in the low half of each lane (below 80 the first as well), the
/// first of two in the high one.
#[inline(always)]
fn last(units: v128) -> v128 {
    let last = u16x8_min(units, tail(units));
    v128_or(last, with(middle(units), 0xC000))
}

/// The six bits above the lowest six, in the high half of each lane.
#[inline(always)]
fn middle(units: v128) -> v128 {
    only(u16x8_shl(units, 2), 0x3F00)
}

/// The lowest six bits as a byte that is not the first.
#[inline(always)]
fn tail(bits: v128) -> v128 {
    with(only(bits, 0x3F), 0x80)
}

/// Writes of every lane in `three` both bytes of `first` and the low one of `last`, of every other in
/// `longer` the high byte of `last` and the low one, and of the others the low byte of `last`.
/// Returns their number.
#[inline(always)]
fn write(first: v128, last: v128, longer: v128, three: v128, to: &mut Room) -> usize {
    if !v128_any_true(three) {
        let longer = i16x8_bitmask(longer);
        if let Some(to) = to.first_chunk_mut() {
            store(to, shuffled(last, &ONE_OR_TWO[usize::from(longer)]));
        }
        return UNITS + longer.count_ones() as usize;
    }
    // For each lane the bit of `longer`, then that of `three`.
    let lanes = u8x16_bitmask(v128_bitselect(longer, three, u16x8_splat(0x00FF)));
    let [low, high] = lanes.to_le_bytes();
    let low_len = UNITS / 2 + low.count_ones() as usize;
    // Each by itself: what is kept in an array goes to memory.
    let mut put = |at: usize, half, lanes: u8| {
        if let Some(to) = to[at..].first_chunk_mut() {
            store(to, shuffled(half, &UP_TO_THREE[usize::from(lanes)]));
        }
    };
    let low_half =
        i8x16_shuffle::<0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23>(first, last);
    let high_half =
        i8x16_shuffle::<8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31>(first, last);
    put(0, low_half, low);
    put(low_len, high_half, high);
    low_len + UNITS / 2 + high.count_ones() as usize
}

/// Writes eight characters of the Basic Multilingual Plane and returns their length in bytes. None
/// of the units is a surrogate.
#[inline(always)]
pub(super) fn block_to_utf8(units: v128, to: &mut Room) -> usize {
    let longer = u16x8_ge(units, u16x8_splat(0x80));
    let three = u16x8_ge(units, u16x8_splat(0x800));
    write(first(units), last(units), longer, three, to)
}

/// What became of a vector with surrogates.
struct Converted {
    bytes: usize,
    errors: usize,
    /// The last unit if it is a leading surrogate whose trailing one follows, or else 0.
    open: u16,
}

/// Writes a vector that has surrogates, with U+FFFD for each lone one; of a pair across its edges
/// two bytes. `before` is the unit before if it is the first half of such a pair, or else 0; `after`
/// is the unit after. `None` without `LOSSY` where there is a lone surrogate.
#[inline(always)]
fn pairs_to_utf8<const LOSSY: bool>(
    units: v128,
    before: u16,
    after: u16,
    to: &mut Room,
) -> Option<Converted> {
    let next = i8x16_shuffle::<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17>(
        units,
        u16x8_splat(after),
    );
    let before = i8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(
        u16x8_splat(before),
        units,
    );
    let leading = has_top(units, 0xFC00, 0xD800);
    let trailing = has_top(units, 0xFC00, 0xDC00);
    let paired_leading = v128_and(leading, has_top(next, 0xFC00, 0xDC00));
    let paired_trailing = v128_and(trailing, has_top(before, 0xFC00, 0xD800));
    let paired = v128_or(paired_leading, paired_trailing);
    let lone = v128_andnot(v128_or(leading, trailing), paired);
    let errors = i16x8_bitmask(lone).count_ones() as usize;
    if !LOSSY && errors != 0 {
        return None;
    }
    let units = v128_bitselect(u16x8_splat(0xFFFD), units, lone);
    // The leading surrogate has the upper bits of the code point, after 0x10000 is added.
    let upper = u16x8_sub(units, u16x8_splat(0xD7C0));
    let lead = with(only(upper, 0xFF00), 0xF000);
    let front = v128_or(lead, tail(u16x8_shr(upper, 2)));
    // Its two lowest bits are the trailing one's.
    let upper = only(u16x8_shl(before, 12), 0x3000);
    let lower = only(u16x8_shl(units, 2), 0x0F00);
    let third = u16x8_add(u16x8_add(upper, lower), u16x8_splat(0x8000));
    let back = v128_or(third, tail(units));
    let last = v128_bitselect(front, last(units), paired_leading);
    let last = v128_bitselect(back, last, paired_trailing);
    let longer = u16x8_ge(units, u16x8_splat(0x80));
    // Each half of a pair is two bytes.
    let three = v128_andnot(u16x8_ge(units, u16x8_splat(0x800)), paired);
    let bytes = write(first(units), last, longer, three, to);
    Some(Converted {
        bytes,
        errors,
        open: u16x8_extract_lane::<7>(v128_and(paired_leading, units)),
    })
}

/// Converts UTF-16, at any alignment, up to the first lone surrogate or a leading one at the end;
/// or, with `LOSSY`, writes U+FFFD for every lone surrogate but a leading one at the end.
pub(in crate::simd) fn utf16_to_utf8<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    let mut done = Transcoded::NOTHING;
    // The unit before, if it is a leading surrogate whose first half only is written.
    let mut open = 0;
    while let Some(from) = src[done.read..].first_chunk::<{ LANES + 2 }>()
        && let Some(to) = dst[done.written..].first_chunk_mut()
        && let (Some(now), Some(after)) = (from.first_chunk(), from.last_chunk())
    {
        let units = units_of::<BE>(now);
        if !v128_any_true(only(units, 0xFF80)) {
            let run = utf16_to_ascii::<BE>(&src[done.read..], &mut dst[done.written..]);
            done.read += 2 * run;
            done.written += run;
            continue;
        }
        if !v128_any_true(has_top(units, 0xF800, 0xD800)) {
            done.written += block_to_utf8(units, to);
        } else {
            let after = code_unit::<BE>(*after);
            let Some(converted) = pairs_to_utf8::<LOSSY>(units, open, after, to) else {
                break;
            };
            done.written += converted.bytes;
            done.errors += converted.errors;
            open = converted.open;
        }
        done.read += LANES;
    }
    if open != 0 {
        // A pair is not to be left half written.
        done.read -= 2;
        done.written -= 2;
    }
    // Less than a vector and a unit, or up to a lone surrogate in the vector at hand.
    let rest = scalar::utf16::utf16_to_utf8::<BE, LOSSY>(
        kernels(),
        &src[done.read..],
        &mut dst[done.written..],
    );
    Transcoded {
        read: done.read + rest.read,
        written: done.written + rest.written,
        errors: done.errors + rest.errors,
    }
}
