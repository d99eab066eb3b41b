//! Single-byte encodings to and from UTF-16, two vectors of characters at a time, by rows of 16 entries.

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::single_byte_map::{Upper, map, needs_more_than, others, rows_for, unmapped};
use crate::simd::scalar;
use crate::simd::shared::as_bytes;
use crate::simd::single_byte::{SingleByteToUtf16, UnitsToSingleByte};
use crate::simd::vector::Vector;

/// Returns where the next block of two vectors begins if `done` of `len` characters are done: the last one may begin
/// earlier.
#[inline(always)]
fn next_block<V: Vector>(done: usize, len: usize) -> Option<usize> {
    if done >= len {
        return None;
    }
    len.checked_sub(2 * V::LANES).map(|last| done.min(last))
}

/// Loads two vectors.
#[inline(always)]
fn load_2<V: Vector>(v: V, from: &[u8]) -> [V::V; 2] {
    [
        v.load(from),
        v.load(from.get(V::LANES..).unwrap_or_default()),
    ]
}

/// Decodes up to the first unmapped byte. Returns the number of code units.
#[inline(always)]
pub(in crate::simd) fn single_byte_to_utf16<V: Vector>(
    v: V,
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let mut done = 0;
    while let Some(at) = next_block::<V>(done, src.len().min(dst.len())) {
        let rows = rows_for(v, load_2(v, &src[at..]));
        let before = done;
        done = match (table.byte_rows.wants_chain(), rows) {
            (false, _) => blocks_to_utf16::<0, V>(v, table, src, dst, done, rows),
            (true, 4) => blocks_to_utf16::<4, V>(v, table, src, dst, done, rows),
            (true, 6) => blocks_to_utf16::<6, V>(v, table, src, dst, done, rows),
            (true, _) => blocks_to_utf16::<8, V>(v, table, src, dst, done, rows),
        };
        if done == before {
            break;
        }
    }
    done + scalar::single_byte::single_byte_to_utf16(table, &src[done..], &mut dst[done..])
}

/// Decodes after the first `done` bytes, up to a block that has an unmapped byte or needs more than `rows`
/// rows. Returns how many bytes are done then. After a block that needed many rows, the next ones are likely
/// to need them too, but not forever: with vectors of 16 bytes, Russian in windows-1251 took 1.1 times as long with 64
/// blocks instead of 8.
#[inline(always)]
fn blocks_to_utf16<const CHAIN: usize, V: Vector>(
    v: V,
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
    done: usize,
    rows: usize,
) -> usize {
    // Hidden from the compiler: otherwise all rows would be loaded before the first block, whichever it needs.
    let table = black_box(table);
    let block = 2 * V::LANES;
    let rows = if CHAIN > 0 { CHAIN } else { rows };
    let upper = Upper {
        rows: &table.byte_rows,
        others: others(&table.byte_rows, rows),
        chain: &table.byte_chain,
    };
    let full = table.is_full();
    let len = src.len().min(dst.len());
    let enough = match rows {
        4 => len,
        _ if V::LANES == 16 => len.min(done + 8 * block),
        _ => len.min(done + 64 * block),
    };
    let mut done = done;
    while let Some(at) = next_block::<V>(done, len).filter(|&at| at < enough)
        && let Some(from) = src.get(at..at + block)
        && let Some(to) = dst.get_mut(at..at + block)
    {
        let bytes = load_2(v, from);
        let to = as_bytes(to);
        let any_upper = !v.is_ascii(v.or(bytes[0], bytes[1]));
        let bytes = [v.for_interleaving(bytes[0]), v.for_interleaving(bytes[1])];
        let mut mapped = [bytes, [v.splat_u8(0); 2]];
        if any_upper {
            if needs_more_than(v, rows, bytes) {
                break;
            }
            match upper.map::<CHAIN, V>(v, full, bytes) {
                Some(units) => mapped = units,
                None => break,
            }
        }
        let [low, high] = mapped;
        for i in 0..2 {
            let [front, back] = v.interleave_u8(low[i], high[i]);
            v.store(&mut to[2 * i * V::LANES..], front);
            v.store(&mut to[(2 * i + 1) * V::LANES..], back);
        }
        done = at + block;
    }
    done
}

/// Encodes UTF-16 up to the first unit that the encoding lacks. Returns the number of units.
#[inline(always)]
pub(in crate::simd) fn utf16_to_single_byte<V: Vector>(
    v: V,
    table: &UnitsToSingleByte,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let block = 2 * V::LANES;
    let mut done = 0;
    while let Some(at) = next_block::<V>(done, src.len().min(dst.len()))
        && let Some(from) = src.get(at..at + block)
        && let Some(to) = dst.get_mut(at..at + block)
    {
        let (bytes, [low, high]) = map_from_units(v, table, from.split_at(V::LANES).into());
        v.store(to, bytes[0]);
        v.store(&mut to[V::LANES..], bytes[1]);
        let missing = low | high << V::LANES;
        if missing != 0 {
            let encoded = table.add_missing(missing, from, to);
            if encoded < block {
                return at + encoded;
            }
        }
        done = at + block;
    }
    done + scalar::single_byte::utf16_to_single_byte(table, &src[done..], &mut dst[done..])
}

/// Returns the bytes of twice as many units as a vector has bytes, and for each half a mask of the units that are
/// neither ASCII nor on the first page.
#[inline(always)]
pub(in crate::simd) fn map_from_units<V: Vector>(
    v: V,
    table: &UnitsToSingleByte,
    from: [&[u16]; 2],
) -> ([V::V; 2], [u64; 2]) {
    let rows = &table.page_rows;
    let zero = v.splat_u8(0);
    let page = v.splat_u8(table.pages[0]);
    let mut bytes = [zero; 2];
    let mut ascii = bytes;
    let mut inside = bytes;
    for i in 0..2 {
        let [a, b] = load_2(v, bytemuck::cast_slice(from[i]));
        let seven_bits = v.splat_u16(0x7F);
        bytes[i] = v.pack_u16(v.and(a, seven_bits), v.and(b, seven_bits));
        // Numbers above FF become FF, which is not a page of any encoding.
        let number = v.pack_u16(v.shr_u16::<7>(a), v.shr_u16::<7>(b));
        ascii[i] = v.eq_u8(number, zero);
        inside[i] = v.eq_u8(number, page);
    }
    let all = u64::MAX >> (64 - V::LANES);
    let mut missing = [0; 2];
    if v.mask_u8(v.and(ascii[0], ascii[1])) != all {
        for i in 0..2 {
            bytes[i] = v.or(bytes[i], v.and(inside[i], v.splat_u8(0x80)));
            let mapped = v.eq_u8(unmapped(v, rows, bytes[i]), zero);
            let known = v.and(v.or(ascii[i], inside[i]), mapped);
            missing[i] = v.mask_u8(v.packed_in_order(known)) ^ all;
        }
        [bytes, _] = map::<false, V>(v, rows, others(rows, rows_for(v, bytes)), bytes);
    }
    for bytes in &mut bytes {
        *bytes = v.packed_in_order(*bytes);
    }
    (bytes, missing)
}
