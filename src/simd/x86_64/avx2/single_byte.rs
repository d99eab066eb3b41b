//! Single-byte encodings with AVX2: 64 characters at a time, by rows of 16.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_adds_epu8, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_packus_epi16, _mm256_permute4x64_epi64, _mm256_set1_epi8, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_testz_si256,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _mm256_xor_si256,
};
use core::mem::MaybeUninit;

use super::{LANES, load, store};
use crate::simd::scalar;
use crate::simd::single_byte::SingleByteTable;
use crate::simd::single_byte_rows::{ROW_BITS, Rows};
use crate::simd::x86_64::{as_bytes, sse4};

/// A table for `_mm256_shuffle_epi8`.
#[inline]
#[target_feature(enable = "avx2")]
fn both(table: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(sse4::load(table))
}

#[inline]
#[target_feature(enable = "avx2")]
fn low_half(bytes: __m256i) -> __m256i {
    _mm256_and_si256(bytes, _mm256_set1_epi8(0xF))
}

#[inline]
#[target_feature(enable = "avx2")]
fn high_half(bytes: __m256i) -> __m256i {
    low_half(_mm256_srli_epi16::<4>(bytes))
}

/// The quarters 0, 2, 1, 3: what makes up for the halves that unpacking and packing keep apart.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn dealt(bytes: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(bytes)
}

/// Where the bytes of two vectors are unmapped: nonzero.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn unmapped(rows: &Rows, bytes: __m256i) -> __m256i {
    _mm256_and_si256(
        _mm256_shuffle_epi8(both(&rows.unmapped), low_half(bytes)),
        _mm256_shuffle_epi8(both(&ROW_BITS), high_half(bytes)),
    )
}

/// The low and the high bytes of what 64 bytes become, the latter with `HIGH` only. ASCII stays as
/// it is.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn map<const HIGH: bool>(
    rows: &Rows,
    bytes: [__m256i; 2],
) -> ([__m256i; 2], [__m256i; 2]) {
    let base = both(&rows.low);
    let mut low = bytes;
    let mut high = bytes;
    let mut below_c0 = _mm256_setzero_si256();
    for i in 0..2 {
        let row = high_half(bytes[i]);
        low[i] = _mm256_add_epi8(bytes[i], _mm256_shuffle_epi8(base, row));
        if HIGH {
            high[i] = _mm256_shuffle_epi8(both(&rows.high), row);
        }
        // Bit 7 where bit 6 is not set.
        let twice = _mm256_add_epi8(bytes[i], bytes[i]);
        below_c0 = _mm256_or_si256(below_c0, _mm256_andnot_si256(twice, bytes[i]));
    }
    let [below, all] = rows.counts.map(usize::from);
    let first = if _mm256_movemask_epi8(below_c0) == 0 {
        below
    } else {
        0
    };
    for row in rows.others.get(first..all).unwrap_or_default() {
        let (start, row_low, row_high) = (both(&row.first), both(&row.low), both(&row.high));
        for i in 0..2 {
            // Below 80 in this row only, and there the column in the low half.
            let column =
                _mm256_adds_epu8(_mm256_xor_si256(bytes[i], start), _mm256_set1_epi8(0x70));
            low[i] = _mm256_add_epi8(low[i], _mm256_shuffle_epi8(row_low, column));
            if HIGH && row.has_high {
                high[i] = _mm256_add_epi8(high[i], _mm256_shuffle_epi8(row_high, column));
            }
        }
    }
    (low, high)
}

/// Characters in a block.
const BLOCK: usize = 2 * LANES;

/// Where the next block is, if `done` of `len` characters are: the last one may begin before that.
#[inline]
fn next_block(done: usize, len: usize) -> Option<usize> {
    if done >= len {
        return None;
    }
    len.checked_sub(BLOCK).map(|last| done.min(last))
}

/// Decodes up to the first unmapped byte. Returns the number of units.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn single_byte_to_utf_16(
    table: &SingleByteTable,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let rows = &table.byte_rows;
    let mut done = 0;
    while let Some(at) = next_block(done, src.len().min(dst.len()))
        && let Some(from) = src[at..].first_chunk::<BLOCK>()
        && let Some(to) = dst[at..].first_chunk_mut::<BLOCK>()
    {
        let (halves, _) = from.as_chunks::<LANES>();
        let bytes = [load(&halves[0]), load(&halves[1])];
        let upper = _mm256_movemask_epi8(_mm256_or_si256(bytes[0], bytes[1]));
        let (to, _) = as_bytes(to).as_chunks_mut::<LANES>();
        let bytes = bytes.map(|bytes| dealt(bytes));
        let mut high = [_mm256_setzero_si256(); 2];
        let mut low = bytes;
        if upper != 0 {
            if rows.unmapped != [0; 16] {
                let unmapped = bytes.map(|bytes| unmapped(rows, bytes));
                let any = _mm256_or_si256(unmapped[0], unmapped[1]);
                if _mm256_testz_si256(any, any) == 0 {
                    break;
                }
            }
            (low, high) = map::<true>(rows, bytes);
        }
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
    done + scalar::single_byte::single_byte_to_utf_16(table, &src[done..], &mut dst[done..])
}

/// Encodes UTF-16 up to the first unit that the encoding does not have. Returns the number of units.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf_16_to_single_byte(
    table: &SingleByteTable,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let rows = &table.page_rows;
    let zero = _mm256_setzero_si256();
    let page = _mm256_set1_epi8(table.pages[0].cast_signed());
    let mut done = 0;
    while let Some(at) = next_block(done, src.len().min(dst.len()))
        && let Some(from) = src[at..].first_chunk::<BLOCK>()
        && let Some(to) = dst[at..].first_chunk_mut::<BLOCK>()
    {
        let quarters: &[[u8; LANES]; 4] = bytemuck::cast_ref(from);
        let mut bytes = [zero; 2];
        let mut ascii = bytes;
        let mut inside = bytes;
        for i in 0..2 {
            let units = [load(&quarters[2 * i]), load(&quarters[2 * i + 1])];
            let low = units.map(|units| _mm256_and_si256(units, _mm256_set1_epi16(0x7F)));
            let number = units.map(|units| _mm256_srli_epi16::<7>(units));
            // Numbers above FF become FF, which is no page of any encoding.
            let number = _mm256_packus_epi16(number[0], number[1]);
            ascii[i] = _mm256_cmpeq_epi8(number, zero);
            inside[i] = _mm256_cmpeq_epi8(number, page);
            bytes[i] = _mm256_packus_epi16(low[0], low[1]);
        }
        let (to_halves, _) = to.as_chunks_mut::<LANES>();
        let all_ascii = _mm256_and_si256(ascii[0], ascii[1]);
        if _mm256_movemask_epi8(all_ascii) == -1 {
            for (to, bytes) in to_halves.iter_mut().zip(bytes) {
                store(to, dealt(bytes));
            }
            done = at + BLOCK;
            continue;
        }
        let mut missing = 0;
        for i in 0..2 {
            let upper = _mm256_and_si256(inside[i], _mm256_set1_epi8(0x80_u8.cast_signed()));
            bytes[i] = _mm256_or_si256(bytes[i], upper);
            let known = _mm256_or_si256(ascii[i], inside[i]);
            let mapped = _mm256_cmpeq_epi8(unmapped(rows, bytes[i]), zero);
            let known = dealt(_mm256_and_si256(known, mapped));
            missing |= u64::from(!_mm256_movemask_epi8(known).cast_unsigned()) << (LANES * i);
        }
        let (bytes, _) = map::<false>(rows, bytes);
        for (to, bytes) in to_halves.iter_mut().zip(bytes) {
            store(to, dealt(bytes));
        }
        if missing != 0 {
            let encoded = table.add_missing(missing, from, to);
            if encoded < BLOCK {
                return at + encoded;
            }
        }
        done = at + BLOCK;
    }
    done + scalar::single_byte::utf_16_to_single_byte(table, &src[done..], &mut dst[done..])
}
