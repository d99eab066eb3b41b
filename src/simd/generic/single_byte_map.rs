//! Maps two vectors of bytes of a single-byte encoding, by look-ups in rows of 16 entries (`single_byte_rows.rs`).

use crate::simd::shared::ROW_BITS;
use crate::simd::single_byte_rows::{Row, Rows};
use crate::simd::vector::Vector;

/// Returns non-zero where bytes are unmapped.
#[inline(always)]
pub(in crate::simd) fn unmapped<V: Vector>(v: V, rows: &Rows, bytes: V::V) -> V::V {
    let column = v.and(bytes, v.splat_u8(0x0F));
    let rows = v.look_up(v.table(&rows.unmapped), column);
    v.and(rows, v.look_up(v.table(&ROW_BITS), v.high_half(bytes)))
}

#[inline(always)]
fn any_unmapped<V: Vector>(v: V, rows: &Rows, [a, b]: [V::V; 2]) -> bool {
    v.any(v.or(unmapped(v, rows, a), unmapped(v, rows, b)))
}

/// Returns those of the last `count` rows whose code points are not consecutive.
#[inline(always)]
pub(in crate::simd) fn others(rows: &Rows, count: usize) -> &[Row] {
    let [below_a0, below_c0, all] = rows.counts.map(usize::from);
    let first = match count {
        4 => below_c0,
        6 => below_a0,
        _ => 0,
    };
    rows.others.get(first..all).unwrap_or_default()
}

/// Returns the low and, with `HIGH`, the high bytes that the bytes map to, by the consecutive rows and `others`.
/// ASCII stays unchanged.
#[inline(always)]
pub(in crate::simd) fn map<const HIGH: bool, V: Vector>(
    v: V,
    rows: &Rows,
    others: &[Row],
    bytes: [V::V; 2],
) -> [[V::V; 2]; 2] {
    let base = v.table(&rows.low);
    let mut low = bytes;
    let mut high = bytes;
    for i in 0..2 {
        let row = v.high_half(bytes[i]);
        low[i] = v.add_u8(bytes[i], v.look_up(base, row));
        if HIGH {
            high[i] = v.look_up(v.table(&rows.high), row);
        }
    }
    for row in others {
        let (start, row_low, row_high) =
            (v.table(&row.first), v.table(&row.low), v.table(&row.high));
        for i in 0..2 {
            let column = v.xor(bytes[i], start);
            low[i] = v.add_u8(low[i], v.look_up_or_0(row_low, column));
            if HIGH && row.has_high {
                high[i] = v.add_u8(high[i], v.look_up_or_0(row_high, column));
            }
        }
    }
    [low, high]
}

/// Returns how many of the last rows a block needs: 4 for letters only, 6 from A0 on, or all 8.
#[inline(always)]
pub(in crate::simd) fn rows_for<V: Vector>(v: V, bytes: [V::V; 2]) -> usize {
    if !needs_more_than(v, 4, bytes) {
        4
    } else if !needs_more_than(v, 6, bytes) {
        6
    } else {
        8
    }
}

/// Returns whether a block has non-ASCII bytes below the last `rows` rows.
#[inline(always)]
pub(in crate::simd) fn needs_more_than<V: Vector>(v: V, rows: usize, bytes: [V::V; 2]) -> bool {
    // As signed bytes, ASCII is above all others.
    let first = v.splat_u8((0x100 - 16 * rows) as u8);
    v.any(v.or(v.lt_i8(bytes[0], first), v.lt_i8(bytes[1], first)))
}

/// Does what [`map`] does, also for the high bytes. Returns `None` if a byte is unmapped, unless the encoding is `full`.
#[inline(always)]
pub(in crate::simd) fn map_mapped<V: Vector>(
    v: V,
    rows: &Rows,
    others: &[Row],
    full: bool,
    bytes: [V::V; 2],
) -> Option<[[V::V; 2]; 2]> {
    if !full && any_unmapped(v, rows, bytes) {
        return None;
    }
    Some(map::<true, V>(v, rows, others, bytes))
}
