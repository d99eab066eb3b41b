//! Single-byte encodings with AVX2: 64 characters at a time, by rows of 16 entries.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_packus_epi16, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_setzero_si256,
    _mm256_srli_epi16, _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
};
use core::mem::MaybeUninit;

use super::single_byte_map::{
    Upper, fix_lane_order, map, needs_more_than, others, rows_for, unmapped,
};
use super::{LANES, load, single_byte_short as short, store};
use crate::simd::scalar;
use crate::simd::single_byte::{SingleByteToUtf16, UnitsToSingleByte};
use crate::simd::x86_64::as_bytes;

/// The number of characters in a block.
const BLOCK: usize = 2 * LANES;

/// Returns where the next block begins if `done` of `len` characters are done: the last one may begin
/// earlier.
#[inline]
fn next_block(done: usize, len: usize) -> Option<usize> {
    if done >= len {
        return None;
    }
    len.checked_sub(BLOCK).map(|last| done.min(last))
}

/// Decodes up to the first unmapped byte. Returns the number of code units.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn single_byte_to_utf16(
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    if src.len() <= BLOCK {
        return short_to_utf16(table, src, dst);
    }
    let mut done = 0;
    while let Some(at) = next_block(done, src.len().min(dst.len()))
        && let Some(from) = src[at..].first_chunk::<BLOCK>()
    {
        let (halves, _) = from.as_chunks::<LANES>();
        let rows = rows_for([load(&halves[0]), load(&halves[1])]);
        let before = done;
        done = match (table.byte_rows.wants_chain(), rows) {
            (false, _) => blocks_to_utf16::<0>(table, src, dst, done, rows),
            (true, 4) => blocks_to_utf16::<4>(table, src, dst, done, rows),
            (true, 6) => blocks_to_utf16::<6>(table, src, dst, done, rows),
            (true, _) => blocks_to_utf16::<8>(table, src, dst, done, rows),
        };
        if done == before {
            break;
        }
    }
    done + scalar::single_byte::single_byte_to_utf16(table, &src[done..], &mut dst[done..])
}

/// Decodes short text up to the first unmapped byte. A separate function, so that it has the stack frame that it needs.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn short_to_utf16(table: &SingleByteToUtf16, src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    let done = short::single_byte_to_utf16(table, src, dst);
    done.unwrap_or_else(|| scalar::single_byte::single_byte_to_utf16(table, src, dst))
}

/// Decodes after the first `done` bytes, up to a block that has an unmapped byte or needs more than `rows`
/// rows. Returns how many bytes are done then. After a block that needed many rows, the next ones are likely
/// to need them too, but not forever.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn blocks_to_utf16<const CHAIN: usize>(
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
    done: usize,
    rows: usize,
) -> usize {
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
        _ => len.min(done + 64 * BLOCK),
    };
    let mut done = done;
    while let Some(at) = next_block(done, len).filter(|&at| at < enough)
        && let Some(from) = src[at..].first_chunk::<BLOCK>()
        && let Some(to) = dst[at..].first_chunk_mut::<BLOCK>()
    {
        let (halves, _) = from.as_chunks::<LANES>();
        let bytes = [load(&halves[0]), load(&halves[1])];
        let (to, _) = as_bytes(to).as_chunks_mut::<LANES>();
        let any_upper = _mm256_movemask_epi8(_mm256_or_si256(bytes[0], bytes[1])) != 0;
        let bytes = bytes.map(|bytes| fix_lane_order(bytes));
        let mut mapped = (bytes, [_mm256_setzero_si256(); 2]);
        if any_upper {
            if needs_more_than(rows, bytes) {
                break;
            }
            match upper.map::<CHAIN>(full, bytes) {
                Some(units) => mapped = units,
                None => break,
            }
        }
        let (low, high) = mapped;
        for (to, (low, high)) in to
            .as_chunks_mut::<2>()
            .0
            .iter_mut()
            .zip(low.into_iter().zip(high))
        {
            store(&mut to[0], _mm256_unpacklo_epi8(low, high));
            store(&mut to[1], _mm256_unpackhi_epi8(low, high));
        }
        done = at + BLOCK;
    }
    done
}

/// Encodes UTF-16 up to the first unit that the encoding lacks. Returns the number of units.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_single_byte(
    table: &UnitsToSingleByte,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    if let Some(done) = short::utf16_to_single_byte(table, src, dst) {
        return done;
    }
    let mut done = 0;
    while let Some(at) = next_block(done, src.len().min(dst.len()))
        && let Some(from) = src[at..].first_chunk::<BLOCK>()
        && let Some(to) = dst[at..].first_chunk_mut::<BLOCK>()
    {
        let (halves, _) = from.as_chunks();
        let (bytes, [low, high]) = map_from_units(table, [&halves[0], &halves[1]]);
        for (to, bytes) in to.as_chunks_mut::<LANES>().0.iter_mut().zip(bytes) {
            store(to, bytes);
        }
        let missing = u64::from(low) | u64::from(high) << LANES;
        if missing != 0 {
            let encoded = table.add_missing(missing, from, to);
            if encoded < BLOCK {
                return at + encoded;
            }
        }
        done = at + BLOCK;
    }
    done + scalar::single_byte::utf16_to_single_byte(table, &src[done..], &mut dst[done..])
}

/// Returns the bytes of 64 units, and for each half a mask of the units that are neither ASCII nor on the first page.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn map_from_units(
    table: &UnitsToSingleByte,
    from: [&[u16; LANES]; 2],
) -> ([__m256i; 2], [u32; 2]) {
    let rows = &table.page_rows;
    let zero = _mm256_setzero_si256();
    let page = _mm256_set1_epi8(table.pages[0].cast_signed());
    let mut bytes = [zero; 2];
    let mut ascii = bytes;
    let mut inside = bytes;
    for i in 0..2 {
        let halves: &[[u8; LANES]; 2] = bytemuck::cast_ref(from[i]);
        let units = [load(&halves[0]), load(&halves[1])];
        let low = units.map(|units| _mm256_and_si256(units, _mm256_set1_epi16(0x7F)));
        let number = units.map(|units| _mm256_srli_epi16::<7>(units));
        // Numbers above FF become FF, which is not a page of any encoding.
        let number = _mm256_packus_epi16(number[0], number[1]);
        ascii[i] = _mm256_cmpeq_epi8(number, zero);
        inside[i] = _mm256_cmpeq_epi8(number, page);
        bytes[i] = _mm256_packus_epi16(low[0], low[1]);
    }
    let mut missing = [0; 2];
    if _mm256_movemask_epi8(_mm256_and_si256(ascii[0], ascii[1])) != -1 {
        for i in 0..2 {
            let upper = _mm256_and_si256(inside[i], _mm256_set1_epi8(0x80_u8.cast_signed()));
            bytes[i] = _mm256_or_si256(bytes[i], upper);
            let known = _mm256_or_si256(ascii[i], inside[i]);
            let mapped = _mm256_cmpeq_epi8(unmapped(rows, bytes[i]), zero);
            let known = fix_lane_order(_mm256_and_si256(known, mapped));
            missing[i] = !_mm256_movemask_epi8(known).cast_unsigned();
        }
        (bytes, _) = map::<false>(rows, others(rows, rows_for(bytes)), bytes);
    }
    (bytes.map(|bytes| fix_lane_order(bytes)), missing)
}
