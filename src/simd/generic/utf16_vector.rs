//! Vectors of 16 bytes, as the conversion of UTF-16 to UTF-8 sees them (`utf16_to_utf8.rs`, which has a
//! diagram of the lanes).

use core::mem::MaybeUninit;

use super::utf16_to_utf8::{Converted, Utf16Vector};
use super::{LANES, shuffled};
use crate::simd::shared::shuffles::{ONE_OR_TWO, UP_TO_THREE};
use crate::simd::uninit::room_at;
use crate::simd::vector::Vector;

/// Code units in a vector of 16 bytes.
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

// SAFETY: `Vector` says so of the instructions; the tests of the kernels check what is written.
unsafe impl<V: Vector<LANES>> Utf16Vector for V {
    type Units = V::V;

    const BYTES: usize = LANES;

    const ROOM: usize = size_of::<Room>();

    #[inline(always)]
    fn load_units<const BE: bool>(self, from: &[u8]) -> V::V {
        let units = match from.first_chunk() {
            Some(from) => self.load(from),
            None => self.splat_u8(0),
        };
        if BE {
            shuffled(self, units, &SWAPPED)
        } else {
            units
        }
    }

    #[inline(always)]
    fn are_ascii(self, a: V::V, b: V::V) -> bool {
        !self.any_of(self.or(a, b), self.splat_u16(0xFF80))
    }

    #[inline(always)]
    fn narrow_two(self, a: V::V, b: V::V, to: &mut [MaybeUninit<u8>]) {
        if let Some(to) = room_at(to, 0) {
            self.store(to, self.narrow_u16(a, b));
        }
    }

    #[inline(always)]
    fn narrow_one(self, units: V::V, to: &mut [MaybeUninit<u8>]) -> Option<()> {
        let to = to.first_chunk_mut::<UNITS>()?;
        let mut bytes = [MaybeUninit::uninit(); LANES];
        self.store(&mut bytes, self.narrow_u16(units, units));
        to.copy_from_slice(&bytes[..UNITS]);
        Some(())
    }

    #[inline(always)]
    fn bmp_to_utf8(self, units: V::V, to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let to = to.first_chunk_mut()?;
        if self.any(has_top(self, units, 0xF800, 0xD800)) {
            return None;
        }
        let longer = self.at_least_u16(units, 0x80);
        let three = self.at_least_u16(units, 0x800);
        let (first, last) = (first(self, units), last(self, units));
        Some(write(self, first, last, longer, three, to))
    }

    #[inline(always)]
    fn front_len(self, units: V::V, count: usize) -> usize {
        let longer = self.at_least_u16(units, 0x80);
        let three = self.at_least_u16(units, 0x800);
        let lanes = self.mask_pairs(longer, three) & !(u32::MAX << (2 * count));
        count + lanes.count_ones() as usize
    }

    #[inline(always)]
    fn pairs_to_utf8<const LOSSY: bool>(
        self,
        units: V::V,
        before: u16,
        after: u16,
        to: &mut [MaybeUninit<u8>],
    ) -> Option<Converted> {
        let (v, to) = (self, to.first_chunk_mut()?);
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
}
