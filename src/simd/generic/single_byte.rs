//! Single-byte encodings to UTF-16, by look-ups in rows of 16 entries (`single_byte_rows.rs`). A look-up past
//! the end of a row gives 0, so a row adds nothing to the bytes of other rows. If letters need many rows,
//! looking up byte by byte is as fast. Stops before the first unmapped byte, and if there is no room.

use core::mem::MaybeUninit;

use super::LANES;
use crate::simd::scalar;
use crate::simd::shared::{ROW_BITS, as_bytes};
use crate::simd::single_byte::SingleByteToUtf16;
use crate::simd::single_byte_rows::Rows;
use crate::simd::vector::Vector;

/// The number of bytes that are looked up together.
const BLOCK: usize = 2 * LANES;

/// The maximum number of rows of letters (from C0 on) whose code points are not consecutive; with more of
/// them, bytes are looked up one by one.
const MAX_ROWS: u8 = 3;

/// Writes the code units of a block. Returns whether every byte has one.
#[inline(always)]
fn block_to_utf16<const FULL: bool, V: Vector>(
    v: V,
    table: &SingleByteToUtf16,
    from: &[u8; BLOCK],
    to: &mut [MaybeUninit<u16>; BLOCK],
) -> bool {
    let (a, b) = (v.load(from), v.load(&from[LANES..]));
    if v.is_ascii(v.or(a, b)) {
        let zero = v.splat_u8(0);
        put(v, to, v.interleave_u8(a, zero), v.interleave_u8(b, zero));
        return true;
    }
    let rows = &table.byte_rows;
    let (row_a, row_b) = (v.high_half(a), v.high_half(b));
    if !FULL {
        let unmapped = v.or(unmapped(v, rows, a, row_a), unmapped(v, rows, b, row_b));
        if v.any(unmapped) {
            return false;
        }
    }
    // Separate variables: an array would be kept in memory.
    let base = v.load(&rows.low);
    let mut low_a = v.add_u8(a, v.look_up(base, row_a));
    let mut low_b = v.add_u8(b, v.look_up(base, row_b));
    let base = v.load(&rows.high);
    let mut high_a = v.look_up(base, row_a);
    let mut high_b = v.look_up(base, row_b);
    let others = first_row(v, rows, a, b)..usize::from(rows.counts[2]);
    for row in rows.others.get(others).unwrap_or_default() {
        let first = v.load(&row.first);
        let (column_a, column_b) = (v.xor(a, first), v.xor(b, first));
        let low = v.load(&row.low);
        low_a = v.add_u8(low_a, v.look_up_or_0(low, column_a));
        low_b = v.add_u8(low_b, v.look_up_or_0(low, column_b));
        if row.has_high {
            let high = v.load(&row.high);
            high_a = v.or(high_a, v.look_up_or_0(high, column_a));
            high_b = v.or(high_b, v.look_up_or_0(high, column_b));
        }
    }
    let (units_a, units_b) = (
        v.interleave_u8(low_a, high_a),
        v.interleave_u8(low_b, high_b),
    );
    put(v, to, units_a, units_b);
    true
}

/// Returns non-zero in each byte that is unmapped. `row` is its high half.
#[inline(always)]
fn unmapped<V: Vector>(v: V, rows: &Rows, bytes: V::V, row: V::V) -> V::V {
    let column = v.and(bytes, v.splat_u8(0x0F));
    let rows = v.look_up(v.load(&rows.unmapped), column);
    v.and(rows, v.look_up(v.load(&ROW_BITS), row))
}

#[inline(always)]
fn put<V: Vector>(v: V, to: &mut [MaybeUninit<u16>; BLOCK], a: [V::V; 2], b: [V::V; 2]) {
    let (to, _) = as_bytes(to).as_chunks_mut::<LANES>();
    for (to, units) in to.iter_mut().zip([a[0], a[1], b[0], b[1]]) {
        v.store(to, units);
    }
}

/// Returns the first of the other rows that these bytes may need: most letters are in the last ones.
#[inline(always)]
fn first_row<V: Vector>(v: V, rows: &Rows, a: V::V, b: V::V) -> usize {
    let [below_a0, below_c0, _] = rows.counts.map(usize::from);
    // As signed bytes, ASCII is above all others.
    let any_below = |first| {
        let first = v.splat_u8(first);
        v.any(v.or(v.lt_i8(a, first), v.lt_i8(b, first)))
    };
    if !any_below(0xC0) {
        below_c0
    } else if !any_below(0xA0) {
        below_a0
    } else {
        0
    }
}

/// Decodes up to the first unmapped byte. Returns the number of code units.
#[inline(always)]
pub(in crate::simd) fn single_byte_to_utf16(
    v: impl Vector,
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let [_, below_c0, all] = table.byte_rows.counts;
    let done = if all - below_c0 > MAX_ROWS {
        0
    } else if table.is_full() {
        blocks_to_utf16::<true>(v, table, src, dst)
    } else {
        blocks_to_utf16::<false>(v, table, src, dst)
    };
    done + scalar::single_byte::single_byte_to_utf16(table, &src[done..], &mut dst[done..])
}

/// Decodes whole blocks, up to one with an unmapped byte. With `FULL`, all bytes are mapped.
#[inline(always)]
fn blocks_to_utf16<const FULL: bool>(
    v: impl Vector,
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let mut done = 0;
    while let Some(from) = src[done..].first_chunk()
        && let Some(to) = dst[done..].first_chunk_mut()
        && block_to_utf16::<FULL, _>(v, table, from, to)
    {
        done += BLOCK;
    }
    done
}
