//! Converts a vector of UTF-16 to UTF-8 (`utf16_to_utf8.rs` has a diagram of the lanes): makes the bytes of
//! the code units, and moves those in use together.

use core::mem::MaybeUninit;

use super::utf16_to_utf8::Converted;
use crate::simd::scalar::utf16::{ByteOrder, FixedOrder};
use crate::simd::shared::shuffles::{ONE_OR_TWO_HIGH_FIRST, UP_TO_THREE};
use crate::simd::vector::Vector;

/// Swaps the bytes of each unit.
static SWAPPED: [u8; 16] = [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14];

/// Leaves them as they are.
static KEPT: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// A byte order of units in vectors.
pub(in crate::simd) trait VectorOrder: ByteOrder {
    /// Returns the shuffle that makes native units of bytes; `None` if there is nothing to do.
    fn shuffle(self) -> Option<&'static [u8; 16]>;
}

impl<const BE: bool> VectorOrder for FixedOrder<BE> {
    #[inline(always)]
    fn shuffle(self) -> Option<&'static [u8; 16]> {
        BE.then_some(&SWAPPED)
    }
}

impl VectorOrder for bool {
    #[inline(always)]
    fn shuffle(self) -> Option<&'static [u8; 16]> {
        Some(if self { &SWAPPED } else { &KEPT })
    }
}

/// The bits of [`Vector::mask_of_lengths`] that say whether a unit takes three bytes.
const THREE: u32 = 0xAAAA_AAAA;

/// Returns the room, in bytes, for the characters of a vector of `lanes` bytes, including what the last store
/// may overrun them by.
#[inline(always)]
pub(in crate::simd) const fn room_for(lanes: usize) -> usize {
    3 * lanes / 2 + 8
}

/// Loads the first units in native byte order, with zeros if there are fewer than a vector has.
#[inline(always)]
pub(super) fn load_units<V: Vector>(v: V, order: impl VectorOrder, from: &[u8]) -> V::V {
    units_of(v, order, v.load(from))
}

/// Returns the units in native byte order.
#[inline(always)]
pub(super) fn units_of<V: Vector>(v: V, order: impl VectorOrder, bytes: V::V) -> V::V {
    match order.shuffle() {
        Some(shuffle) => v.look_up(bytes, v.table(shuffle)),
        None => bytes,
    }
}

/// Returns whether all units of both vectors are ASCII.
#[inline(always)]
pub(super) fn are_ascii<V: Vector>(v: V, a: V::V, b: V::V) -> bool {
    !v.any_of(v.or(a, b), v.splat_u16(0xFF80))
}

/// Writes the low bytes of a vector, and nothing after them. Returns `None` if there is no room.
#[inline(always)]
pub(super) fn narrow_one<V: Vector>(v: V, units: V::V, to: &mut [MaybeUninit<u8>]) -> Option<()> {
    let to = to.get_mut(..V::LANES / 2)?;
    let narrow = v.narrow_u16(units, units);
    if V::LANES == 32 {
        v.part().store(to, v.part_of([narrow; 2], 0));
    } else {
        let mut bytes = [MaybeUninit::uninit(); 16];
        v.store(&mut bytes, narrow);
        to.copy_from_slice(&bytes[..V::LANES / 2]);
    }
    Some(())
}

/// Sets some bits of all units.
#[inline(always)]
fn with<V: Vector>(v: V, units: V::V, bits: u16) -> V::V {
    v.or(units, v.splat_u16(bits))
}

/// Keeps only some bits of the units.
#[inline(always)]
fn only<V: Vector>(v: V, units: V::V, bits: u16) -> V::V {
    v.and(units, v.splat_u16(bits))
}

/// Returns all ones in units whose bits under `mask` are `top`.
#[inline(always)]
pub(super) fn has_top<V: Vector>(v: V, units: V::V, mask: u16, top: u16) -> V::V {
    v.eq_u16(only(v, units, mask), v.splat_u16(top))
}

/// Returns the first two bytes of three-byte characters.
#[inline(always)]
fn first<V: Vector>(v: V, units: V::V) -> V::V {
    let lead = with(v, v.shr_u16::<12>(units), 0x80E0);
    v.or(lead, middle(v, units))
}

/// Returns the last byte of each character in the low half of its lane, and the first byte of two-byte
/// characters in the high half. For characters below 80, the last byte is the first.
#[inline(always)]
fn last<V: Vector>(v: V, units: V::V) -> V::V {
    let last = v.min_u16(units, tail(v, units));
    v.or(last, with(v, middle(v, units), 0xC000))
}

/// Returns the six bits above the lowest six, in the high half of each lane.
#[inline(always)]
fn middle<V: Vector>(v: V, units: V::V) -> V::V {
    only(v, v.shl_u16::<2>(units), 0x3F00)
}

/// Returns the lowest six bits as a continuation byte.
#[inline(always)]
fn tail<V: Vector>(v: V, bits: V::V) -> V::V {
    with(v, only(v, bits, 0x3F), 0x80)
}

/// Stores the `i`-th 16 bytes of an interleaved pair of vectors, the first `len` of which are text; with `EXACT`, only
/// these where there is less room.
///
/// # Safety
///
/// `to` has at least 16 bytes from `at` on, or with `EXACT`, `len`.
#[inline(always)]
unsafe fn store_part<const EXACT: bool, V: Vector>(
    v: V,
    to: &mut [MaybeUninit<u8>],
    at: usize,
    len: usize,
    interleaved: [V::V; 2],
    i: usize,
) {
    let part = v.part_of(interleaved, i);
    if EXACT && to.len() - at < 16 {
        let mut bytes = [MaybeUninit::uninit(); 16];
        v.part().store(&mut bytes, part);
        debug_assert!(at + len <= to.len(), "the text fits");
        // SAFETY: with `EXACT`, the caller guarantees that `len` bytes from `at` on are in the slice.
        copy_front(&bytes, unsafe { to.get_unchecked_mut(at..at + len) });
        return;
    }
    debug_assert!(at + 16 <= to.len(), "a part fits");
    let to = to
        .as_mut_ptr()
        .wrapping_add(at)
        .cast::<[MaybeUninit<u8>; 16]>();
    // SAFETY: the caller guarantees that they are in the slice.
    v.part().store(unsafe { &mut *to }, part);
}

/// Copies the first bytes to all of `to`, which has at most 16: those of known length are copied twice where they
/// overlap.
#[inline(always)]
pub(super) fn copy_front(from: &[MaybeUninit<u8>; 16], to: &mut [MaybeUninit<u8>]) {
    fn ends<const N: usize>(from: &[MaybeUninit<u8>; 16], to: &mut [MaybeUninit<u8>]) -> bool {
        let last = to.len().wrapping_sub(N);
        let (Some(first), Some(last)) = (
            from.first_chunk::<N>(),
            from.get(last..).and_then(<[_]>::first_chunk::<N>),
        ) else {
            return false;
        };
        debug_assert!(to.len() >= N, "the first and the last `N` bytes fit");
        if let Some(to) = to.first_chunk_mut() {
            *to = *first;
        }
        if let Some(to) = to.last_chunk_mut() {
            *to = *last;
        }
        true
    }
    if !(ends::<8>(from, to) || ends::<4>(from, to)) {
        for (to, from) in to.iter_mut().zip(from) {
            *to = *from;
        }
    }
}

/// Writes both bytes of every lane whose bit in the [mask](Vector::mask_u16) is set, the high one first, and the low byte
/// of the others. Returns the number of bytes, without those of the zeros after `count` lanes. `to` has at least a vector's
/// length, or with `EXACT`, that number.
#[inline(always)]
pub(in crate::simd) fn write_up_to_two<const EXACT: bool, V: Vector>(
    v: V,
    last: V::V,
    [low, high]: [u8; 2],
    count: usize,
    to: &mut [MaybeUninit<u8>],
) -> usize {
    let len = count + (low.count_ones() + high.count_ones()) as usize;
    debug_assert!(to.len() >= if EXACT { len } else { V::LANES });
    let kept = v.look_up(last, v.rows(&ONE_OR_TWO_HIGH_FIRST.0, [low, high]));
    let low_len = 8 + low.count_ones() as usize;
    // In one part, zeros may follow the text.
    let low_len = if V::LANES == 32 { low_len } else { len };
    // SAFETY: the front has room, as `to` has a vector's length, or that of the text.
    unsafe { store_part::<EXACT, _>(v, to, 0, low_len, [kept; 2], 0) };
    if V::LANES == 32 {
        // SAFETY: the eight lanes before take at most 16 bytes of a vector's 32, or what is stored is the text's end.
        unsafe { store_part::<EXACT, _>(v, to, low_len, len - low_len, [kept; 2], 2) };
    }
    len
}

/// Writes both bytes of `first` and the low byte of `last` of every three-byte lane; the high and the low
/// byte of `last` of every two-byte lane; and the low byte of `last` of the others. `lengths` is a
/// [`Vector::mask_of_lengths`]. Returns the number of bytes, without those of the zeros after `count` lanes. `to` has
/// [`room_for`] a vector, or with `EXACT`, that number.
#[inline(always)]
fn write_up_to_three<const EXACT: bool, V: Vector>(
    v: V,
    first: V::V,
    last: V::V,
    lengths: u32,
    count: usize,
    to: &mut [MaybeUninit<u8>],
) -> usize {
    let len = count + lengths.count_ones() as usize;
    debug_assert!(to.len() >= if EXACT { len } else { room_for(V::LANES) });
    let [a, b, c, d] = lengths.to_le_bytes();
    let [low, high] = v.interleave_u16(first, last);
    let low = v.look_up(low, v.rows(&UP_TO_THREE.0, [a, c]));
    let high = v.look_up(high, v.rows(&UP_TO_THREE.0, [b, d]));
    let parts = [low, high];
    // The offset after groups of four lanes: one byte for each lane, and one for each bit.
    let after = |fours: u32| (4 * fours + (lengths << (32 - 8 * fours)).count_ones()) as usize;
    let one = after(1);
    // SAFETY: the front has room, as `to` has `room_for` a vector, or that of the text.
    unsafe { store_part::<EXACT, _>(v, to, 0, one, parts, 0) };
    let two = if V::LANES == 32 { after(2) } else { len };
    // SAFETY: the four lanes before take at most 12 bytes, and `room_for` a vector is at least 12 + 16.
    unsafe { store_part::<EXACT, _>(v, to, one, two - one, parts, 1) };
    if V::LANES == 32 {
        let three = after(3);
        // SAFETY: the eight lanes before take at most 24 bytes, and `room_for` 32 is 56.
        unsafe { store_part::<EXACT, _>(v, to, two, three - two, parts, 2) };
        // SAFETY: the twelve lanes before take at most 36 bytes, and `room_for` 32 is 56.
        unsafe { store_part::<EXACT, _>(v, to, three, len - three, parts, 3) };
    }
    len
}

/// Writes characters of the Basic Multilingual Plane and returns their length in bytes. `None` if there are
/// surrogates, or less than [`room_for`] a vector.
#[inline(always)]
pub(in crate::simd) fn bmp_to_utf8<V: Vector>(
    v: V,
    units: V::V,
    to: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    bmp::<false, _>(v, units, V::LANES / 2, to)
}

/// Does what [`bmp_to_utf8`] does for the first `count` units, which are all but at most four and followed by zeros,
/// in as much room as they take. `None` if there are surrogates, or less.
#[inline(always)]
pub(in crate::simd) fn bmp_to_utf8_exactly<V: Vector>(
    v: V,
    units: V::V,
    count: usize,
    to: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    bmp::<true, _>(v, units, count, to)
}

#[inline(always)]
fn bmp<const EXACT: bool, V: Vector>(
    v: V,
    units: V::V,
    count: usize,
    to: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    // The room for characters with `more` bytes after the first.
    let room = |most: usize, more: u32| {
        if EXACT { count + more as usize } else { most }
    };
    if !v.any_of(units, v.splat_u16(0xF800)) {
        let [low, high, ..] = v.mask_u16(v.gt_i16(units, v.splat_u16(0x7F)));
        if to.len() < room(V::LANES, low.count_ones() + high.count_ones()) {
            return None;
        }
        let last = last(v, units);
        return Some(write_up_to_two::<EXACT, _>(v, last, [low, high], count, to));
    }
    if v.any(has_top(v, units, 0xF800, 0xD800)) {
        return None;
    }
    let lengths = v.mask_of_lengths(units);
    if to.len() < room(room_for(V::LANES), lengths.count_ones()) {
        return None;
    }
    let (first, last) = (first(v, units), last(v, units));
    Some(write_up_to_three::<EXACT, _>(
        v, first, last, lengths, count, to,
    ))
}

/// Returns the length in UTF-8 of the first `count` units, none of which is a surrogate.
#[inline(always)]
pub(in crate::simd) fn front_len<V: Vector>(v: V, units: V::V, count: usize) -> usize {
    let lengths = v.mask_of_lengths(units) & !(u32::MAX << (2 * count));
    count + lengths.count_ones() as usize
}

/// Writes a vector that has surrogates, with U+FFFD for each lone one. Of a pair that crosses an edge of the
/// vector, writes two of the four bytes. `before` is the preceding unit if it begins such a pair, or else 0;
/// `after` is the unit that follows. Returns `None` if there are more lone surrogates than `tolerated`, or less
/// than [`room_for`] a vector.
#[inline(always)]
pub(super) fn pairs_to_utf8<V: Vector>(
    v: V,
    units: V::V,
    before: u16,
    after: u16,
    to: &mut [MaybeUninit<u8>],
    tolerated: usize,
) -> Option<Converted> {
    let to = to.get_mut(..room_for(V::LANES))?;
    let next = v.unit_after(units, v.splat_u16(after));
    let before = v.before::<2>(v.splat_u16(before), units);
    let leading = has_top(v, units, 0xFC00, 0xD800);
    let trailing = has_top(v, units, 0xFC00, 0xDC00);
    let paired_leading = v.and(leading, has_top(v, next, 0xFC00, 0xDC00));
    let paired_trailing = v.and(trailing, has_top(v, before, 0xFC00, 0xD800));
    let paired = v.or(paired_leading, paired_trailing);
    let lone = v.xor(v.or(leading, trailing), paired);
    let errors = v.mask_u8(lone).count_ones() as usize / 2;
    if errors > tolerated {
        return None;
    }
    let units = v.select(lone, v.splat_u16(0xFFFD), units);
    // The leading surrogate has the upper bits of the code point, after 0x10000 is added.
    let upper = v.add_u16(units, v.splat_u16(0xD7C0_u16.wrapping_neg()));
    let lead = with(v, only(v, upper, 0xFF00), 0xF000);
    let front = v.or(lead, tail(v, v.shr_u16::<2>(upper)));
    // The two lowest bits of the leading surrogate are in the third byte, which the trailing one gives.
    let upper = only(v, v.shl_u16::<12>(before), 0x3000);
    let lower = only(v, v.shl_u16::<2>(units), 0x0F00);
    let third = v.add_u16(v.or(upper, lower), v.splat_u16(0x8000));
    let back = v.or(third, tail(v, units));
    let last = v.select(paired_leading, front, last(v, units));
    let last = v.select(paired_trailing, back, last);
    // Each half of a pair has two bytes.
    let lengths = v.mask_of_lengths(units) & !(v.mask_u8(paired) as u32 & THREE);
    Some(Converted {
        bytes: write_up_to_three::<false, _>(v, first(v, units), last, lengths, V::LANES / 2, to),
        errors,
        is_open: v.mask_u8(paired_leading) >> (V::LANES - 1) == 1,
    })
}
