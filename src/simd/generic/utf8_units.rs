//! What stands at every position of UTF-8: the code unit of the character that ends before it; and
//! how blocks come in, and code units go out.
//!
//! ```text
//! bytes                 é = C3 A9      日 = E6 97 A5      A = 41     (next)
//! one before            ..   C3   A9   E6   97   A5   41            the last byte of a character, where the
//! two before            ..   ..   C3   A9   E6   97   A5            byte here starts something
//! three before          ..   ..   ..   C3   A9   E6   97
//! starts                1    0    1    0    0    1    1    →  ends  the units at these lanes are written
//!
//! unit at a lane        llll0000 0yyyyyyy            lead (three before, its low half), last without its top bit
//!                     + ssxxxxxx xx000000            before (two before, less C0), with its sign, times 64
//! ```

use core::mem::MaybeUninit;

use super::utf8_vector::Text;
use super::{BLOCK, LANES, shuffled};
use crate::simd::shared::shuffles::WINDOWS;
use crate::simd::uninit::room_at;
use crate::simd::vector::Vector;

/// Bytes before a block that it looks at.
pub(super) const BEFORE: usize = 4;

/// Those bytes and a block.
pub(super) type Block = [u8; BEFORE + BLOCK];

/// Room for the units of a block, as bytes.
pub(super) type Units = [MaybeUninit<u8>; 2 * BLOCK];

/// Up to a block and the bytes before it from `at` on, and zeros on both sides.
#[inline(always)]
pub(super) fn block_around(src: &[u8], at: usize) -> Block {
    let mut block = [0; BEFORE + BLOCK];
    let start = at.saturating_sub(BEFORE);
    let end = src.len().min(at + BLOCK);
    let skipped = BEFORE - (at - start);
    block[skipped..][..end - start].copy_from_slice(&src[start..end]);
    block
}

/// The vector that is `back` bytes before the one at `at` in the block.
#[inline(always)]
pub(super) fn before<V: Vector<LANES>>(v: V, block: &Block, at: usize, back: usize) -> V::V {
    let bytes = block.get(BEFORE + at - back..);
    match bytes.and_then(<[_]>::first_chunk) {
        Some(bytes) => v.load(bytes),
        None => v.splat_u8(0),
    }
}

/// The bytes `back` before those of the block.
#[inline(always)]
pub(super) fn view<V: Vector<LANES>>(v: V, block: &Block, back: usize) -> [V::V; 4] {
    [
        before(v, block, 0, back),
        before(v, block, LANES, back),
        before(v, block, 2 * LANES, back),
        before(v, block, 3 * LANES, back),
    ]
}

/// The vector at `at` in the block.
#[inline(always)]
pub(super) fn text<V: Vector<LANES>>(v: V, block: &Block, at: usize) -> Text<V::V> {
    Text {
        bytes: before(v, block, at, 0),
        one_before: before(v, block, at, 1),
        two_before: before(v, block, at, 2),
        three_before: before(v, block, at, 3),
    }
}

/// The text of a block.
#[inline(always)]
pub(super) fn texts<V: Vector<LANES>>(v: V, block: &Block) -> [Text<V::V>; 4] {
    [
        text(v, block, 0),
        text(v, block, LANES),
        text(v, block, 2 * LANES),
        text(v, block, 3 * LANES),
    ]
}

/// All ones where a byte is a continuation byte.
#[inline(always)]
pub(super) fn continuations<V: Vector<LANES>>(v: V, bytes: V::V) -> V::V {
    // Signed, these are the smallest.
    v.lt_i8(bytes, v.splat_u8(0xC0))
}

/// Not 0 in some byte where something is wrong, if no lead byte is one of three or four.
#[inline(always)]
pub(super) fn errors_of_two<V: Vector<LANES>>(v: V, text: Text<V::V>) -> V::V {
    let before = text.one_before;
    let leads = v.at_least_u8(before, 0xC0);
    // C0 and C1.
    let too_long = v.eq_u8(v.and(before, v.splat_u8(0xFE)), v.splat_u8(0xC0));
    v.or(v.xor(continuations(v, text.bytes), leads), too_long)
}

/// For every byte before one the code unit of a character of up to `LONGEST` bytes that ends there; of
/// four bytes, what [`surrogates`] needs.
#[inline(always)]
pub(super) fn units<const LONGEST: usize, V: Vector<LANES>>(v: V, text: Text<V::V>) -> [V::V; 2] {
    let last = text.one_before;
    let low_bits = v.and(last, v.splat_u8(0x7F));
    // Less C0, which for a continuation byte (of three) is 40 too much; the 1 that the lead byte of
    // three bytes has too much makes up for it. Lead bytes end nothing, so that all that are not
    // ASCII may be taken for continuation bytes.
    let before = v.sub_u8(text.two_before, v.splat_u8(0xC0));
    let before = v.and(before, v.lt_i8(last, v.splat_u8(0)));
    let lead = if LONGEST == 2 {
        v.splat_u8(0)
    } else {
        // Of the lead its low half counts, as the highest four bits.
        let lead = v.saturating_sub_u8(text.three_before, v.splat_u8(0xDF));
        v.low_half_above_zeros(lead)
    };
    let [ends_low, ends_high] = v.interleave_u8(low_bits, lead);
    let [before_low, before_high] = v.widen_times_64(before);
    [
        v.add_u16(ends_low, before_low),
        v.add_u16(ends_high, before_high),
    ]
}

/// Makes surrogates of the units at `third` and `fourth` bytes of characters of four.
#[inline(always)]
pub(super) fn surrogates<V: Vector<LANES>>(
    v: V,
    [low, high]: [V::V; 2],
    third: V::V,
    fourth: V::V,
) -> [V::V; 2] {
    let lead = |unit| v.add_u16(v.shr_u16::<4>(unit), v.splat_u16(0xD7C0));
    let trail = |unit| v.or(v.and(unit, v.splat_u16(0x3FF)), v.splat_u16(0xDC00));
    let with_leads = blend(v, [low, high], [lead(low), lead(high)], third);
    blend(v, with_leads, [trail(low), trail(high)], fourth)
}

/// `others` where `lanes`, of bytes, are all ones, `units` elsewhere.
#[inline(always)]
pub(super) fn blend<V: Vector<LANES>>(
    v: V,
    units: [V::V; 2],
    others: [V::V; 2],
    lanes: V::V,
) -> [V::V; 2] {
    let [low, high] = v.interleave_u8(lanes, lanes);
    [
        v.select(low, others[0], units[0]),
        v.select(high, others[1], units[1]),
    ]
}

/// All ones for every set bit of the lower 16.
#[inline(always)]
pub(super) fn lanes_of<V: Vector<LANES>>(v: V, mask: u64) -> V::V {
    const BYTE: [u8; LANES] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];
    const BIT: [u8; LANES] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    let bits = v.load(&BIT);
    let spread = shuffled(v, v.splat_u16(mask as u16), &BYTE);
    v.eq_u8(v.and(spread, bits), bits)
}

/// Writes the units at `ends` at `at`. Returns where they end. What is after them in `to` may be
/// overwritten.
#[inline(always)]
pub(super) fn emit<const BE: bool, V: Vector<LANES>>(
    v: V,
    to: &mut Units,
    at: usize,
    ends: u16,
    [low, high]: [V::V; 2],
) -> usize {
    let rows = &WINDOWS[usize::from(BE)].0;
    let [low_ends, high_ends] = ends.to_le_bytes();
    let middle = at + 2 * low_ends.count_ones() as usize;
    if let Some(to) = room_at(to, at) {
        v.store(to, shuffled(v, low, &rows[usize::from(low_ends)]));
    }
    if let Some(to) = room_at(to, middle) {
        v.store(to, shuffled(v, high, &rows[usize::from(high_ends)]));
    }
    middle + 2 * high_ends.count_ones() as usize
}
