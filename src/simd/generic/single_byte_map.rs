//! Maps two vectors of bytes of a single-byte encoding, by look-ups in rows of 16 entries (`single_byte_rows.rs`).

use crate::simd::shared::ROW_BITS;
use crate::simd::single_byte_rows::{Chain, Row, Rows};
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

/// The tables that the upper half of an encoding is looked up in.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Upper<'a> {
    pub(in crate::simd) rows: &'a Rows,
    /// Those of the rows in use whose code points are not consecutive.
    pub(in crate::simd) others: &'a [Row],
    pub(in crate::simd) chain: &'a Chain,
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

impl Upper<'_> {
    /// Returns the low and the high bytes that the bytes map to, by rows, or by a chain of `CHAIN` rows if that is not
    /// 0. Returns `None` if a byte is unmapped, unless the encoding is `full`. ASCII stays unchanged.
    #[inline(always)]
    pub(in crate::simd) fn map<const CHAIN: usize, V: Vector>(
        self,
        v: V,
        full: bool,
        bytes: [V::V; 2],
    ) -> Option<[[V::V; 2]; 2]> {
        if CHAIN == 0 {
            let rows = self.rows;
            if !full && any_unmapped(v, rows, bytes) {
                return None;
            }
            return Some(map::<true, V>(v, rows, self.others, bytes));
        }
        let mut low = bytes;
        let mut high = [v.splat_u8(0); 2];
        // From 80 on, and so without an entry, for ASCII, and for bytes above the row.
        let mut column = bytes;
        for i in 0..2 {
            column[i] = v.xor(bytes[i], v.splat_u8(0x80));
        }
        let rows = self.chain.low.iter().zip(&self.chain.high);
        for (row_low, row_high) in rows.take(CHAIN) {
            let (row_low, row_high) = (v.table(row_low), v.table(row_high));
            for i in 0..2 {
                low[i] = v.xor(low[i], v.look_up_low_half(row_low, column[i]));
                high[i] = v.xor(high[i], v.look_up_low_half(row_high, column[i]));
                column[i] = v.saturating_add_u8(column[i], v.splat_u8(0x10));
            }
        }
        // High bytes of `UNMAPPED`, which exceed those of any encoding that is not full.
        (full || v.is_ascii(v.or(high[0], high[1]))).then_some([low, high])
    }
}
