//! Single-byte encodings to UTF-16, by look-ups in rows of 16 (`single_byte_rows.rs`). A look-up past
//! the end of a row gives 0, so that a row adds nothing to the bytes of others. Where letters need
//! many rows, one look-up for each byte is as fast.

use core::arch::wasm32::{
    i8x16_add, i8x16_lt, i8x16_min, i8x16_swizzle, u8x16_bitmask, u8x16_splat, v128, v128_and,
    v128_any_true, v128_or, v128_xor,
};
use core::mem::MaybeUninit;

use super::{LANES, high_half, interleaved, load, store};
use crate::simd::scalar;
use crate::simd::shared::as_bytes;
use crate::simd::single_byte::SingleByteTable;
use crate::simd::single_byte_rows::{ROW_BITS, Rows};

/// Bytes that are looked up together.
const BLOCK: usize = 2 * LANES;

/// So many rows of letters, from C0 on, that do not go on in steps of one are worth it.
const FEW_ROWS: u8 = 3;

/// Writes the code units of a block. Returns whether there is one for each byte.
#[inline(always)]
fn block_to_utf16<const FULL: bool>(
    table: &SingleByteTable,
    from: &[u8; BLOCK],
    to: &mut [MaybeUninit<u16>; BLOCK],
) -> bool {
    let ([a, b], _) = from.as_chunks() else {
        return false;
    };
    let (a, b) = (load(a), load(b));
    if u8x16_bitmask(v128_or(a, b)) == 0 {
        let zero = u8x16_splat(0);
        put(to, interleaved(a, zero), interleaved(b, zero));
        return true;
    }
    let rows = &table.byte_rows;
    let (row_a, row_b) = (high_half(a), high_half(b));
    if !FULL {
        let unmapped = |bytes, row| {
            let column = v128_and(bytes, u8x16_splat(0x0F));
            let rows = i8x16_swizzle(load(&rows.unmapped), column);
            v128_and(rows, i8x16_swizzle(load(&ROW_BITS), row))
        };
        if v128_any_true(v128_or(unmapped(a, row_a), unmapped(b, row_b))) {
            return false;
        }
    }
    // Each by itself: what is kept in an array goes to memory.
    let base = load(&rows.low);
    let mut low_a = i8x16_add(a, i8x16_swizzle(base, row_a));
    let mut low_b = i8x16_add(b, i8x16_swizzle(base, row_b));
    let base = load(&rows.high);
    let mut high_a = i8x16_swizzle(base, row_a);
    let mut high_b = i8x16_swizzle(base, row_b);
    let others = first_row(rows, a, b)..usize::from(rows.counts[2]);
    for row in rows.others.get(others).unwrap_or_default() {
        let first = load(&row.first);
        let (column_a, column_b) = (v128_xor(a, first), v128_xor(b, first));
        let low = load(&row.low);
        low_a = i8x16_add(low_a, i8x16_swizzle(low, column_a));
        low_b = i8x16_add(low_b, i8x16_swizzle(low, column_b));
        if row.has_high {
            let high = load(&row.high);
            high_a = v128_or(high_a, i8x16_swizzle(high, column_a));
            high_b = v128_or(high_b, i8x16_swizzle(high, column_b));
        }
    }
    put(to, interleaved(low_a, high_a), interleaved(low_b, high_b));
    true
}

#[inline(always)]
fn put(to: &mut [MaybeUninit<u16>; BLOCK], a: [v128; 2], b: [v128; 2]) {
    let (to, _) = as_bytes(to).as_chunks_mut();
    for (to, units) in to.iter_mut().zip([a[0], a[1], b[0], b[1]]) {
        store(to, units);
    }
}

/// The first of the other rows that these bytes may need: most letters are in the last ones.
#[inline(always)]
fn first_row(rows: &Rows, a: v128, b: v128) -> usize {
    let [below_a0, below_c0, _] = rows.counts.map(usize::from);
    // Signed, ASCII is above all others.
    let least = i8x16_min(a, b);
    let any_below = |first: u8| v128_any_true(i8x16_lt(least, u8x16_splat(first)));
    if !any_below(0xC0) {
        below_c0
    } else if !any_below(0xA0) {
        below_a0
    } else {
        0
    }
}

/// Decodes up to the first unmapped byte.
pub(in crate::simd) fn single_byte_to_utf16(
    table: &SingleByteTable,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let [_, below_c0, all] = table.byte_rows.counts;
    let done = if all - below_c0 > FEW_ROWS {
        0
    } else if table.is_full() {
        blocks_to_utf16::<true>(table, src, dst)
    } else {
        blocks_to_utf16::<false>(table, src, dst)
    };
    done + scalar::single_byte::single_byte_to_utf16(table, &src[done..], &mut dst[done..])
}

/// Decodes whole blocks, up to one with an unmapped byte. With `FULL`, all bytes are mapped.
#[inline(always)]
fn blocks_to_utf16<const FULL: bool>(
    table: &SingleByteTable,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let mut done = 0;
    while let Some(from) = src[done..].first_chunk()
        && let Some(to) = dst[done..].first_chunk_mut()
        && block_to_utf16::<FULL>(table, from, to)
    {
        done += BLOCK;
    }
    done
}
