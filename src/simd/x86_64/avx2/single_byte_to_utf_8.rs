//! Single-byte encodings to UTF-8 with AVX2: 64 bytes at a time, copied around what is not ASCII
//! where that is rare.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_blendv_epi8, _mm256_cmpeq_epi8, _mm256_max_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8, _mm256_slli_epi16, _mm256_srli_epi16,
    _mm256_testz_si256, _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
};
use core::mem::MaybeUninit;

use super::compact::{self, ROOM};
use super::single_byte::{dealt, map, unmapped};
use super::{LANES, load, store};
use crate::simd::kernels::Kernels;
use crate::simd::scalar;
use crate::simd::single_byte::SingleByteTable;

/// Bytes in a block.
pub(in crate::simd::x86_64) const BLOCK: usize = 2 * LANES;
/// What a block and the copies of a sparse one read.
pub(in crate::simd::x86_64) const READ: usize = 2 * BLOCK + 1;
/// Where they write.
pub(in crate::simd::x86_64) const WRITTEN: usize = 3 * LANES + ROOM;

/// Decodes up to the first unmapped byte, with the kernels of `kernels` at the end. Returns the
/// bytes read and the bytes written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn single_byte_to_utf_8(
    kernels: &Kernels,
    table: &SingleByteTable,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(from) = src[read..].first_chunk::<READ>()
        && let Some(to) = dst[written..].first_chunk_mut::<WRITTEN>()
        && let ([low, high, ..], _) = from.as_chunks()
    {
        let bytes = [load(low), load(high)];
        let [low, high] = bytes.map(|bytes| _mm256_movemask_epi8(bytes).cast_unsigned());
        let upper = u64::from(low) | u64::from(high) << LANES;
        let len = match upper.count_ones() {
            0 => {
                if let ([low, high, ..], _) = to.as_chunks_mut() {
                    store(low, bytes[0]);
                    store(high, bytes[1]);
                }
                BLOCK
            }
            1..=2 => sparse_to_utf_8::<2>(table, bytes, upper, from, to),
            3..=4 => sparse_to_utf_8::<4>(table, bytes, upper, from, to),
            _ => block_to_utf_8(table, bytes, upper, to),
        };
        if len == 0 {
            break;
        }
        read += BLOCK;
        written += len;
    }
    // Where copies might read too far: dense text.
    while let Some(from) = src[read..].first_chunk::<BLOCK>()
        && let Some(to) = dst[written..].first_chunk_mut::<WRITTEN>()
        && let ([low, high], _) = from.as_chunks()
    {
        let bytes = [load(low), load(high)];
        let [low, high] = bytes.map(|bytes| _mm256_movemask_epi8(bytes).cast_unsigned());
        let upper = u64::from(low) | u64::from(high) << LANES;
        let len = match upper.count_ones() {
            0..=4 => 0,
            _ => block_to_utf_8(table, bytes, upper, to),
        };
        if len == 0 {
            break;
        }
        read += BLOCK;
        written += len;
    }
    let rest = scalar::single_byte::single_byte_to_utf_8(
        kernels,
        table,
        &src[read..],
        &mut dst[written..],
    );
    (read + rest.0, written + rest.1)
}

/// Writes the UTF-8 of the block at the front of `from`, which is `bytes` and of which `ROUNDS` bytes
/// at the most, those in `upper`, are not ASCII: copies it, and from behind each of them again, at
/// its new place. The loop runs as often even where there are fewer, so that nothing is to be
/// predicted; what it writes then lies behind the text. Returns the length, or 0 where a byte is
/// unmapped.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn sparse_to_utf_8<const ROUNDS: usize>(
    table: &SingleByteTable,
    bytes: [__m256i; 2],
    upper: u64,
    from: &[u8; READ],
    to: &mut [MaybeUninit<u8>; WRITTEN],
) -> usize {
    if let ([low, high, ..], _) = to.as_chunks_mut() {
        store(low, bytes[0]);
        store(high, bytes[1]);
    }
    let mut ahead = upper;
    let mut growth = 0;
    let mut all_mapped = true;
    for _ in 0..ROUNDS {
        // 64 where there is none.
        let at = ahead.trailing_zeros() as usize;
        ahead &= ahead.wrapping_sub(1);
        let behind = &from[at..];
        if let Some((&byte, behind)) = behind.split_first()
            && let ([low, high, ..], _) = behind.as_chunks()
        {
            let [a, b, c, len] = table.utf_8[usize::from(byte)];
            if let Some(to) = to[at + growth..].first_chunk_mut() {
                *to = [a, b, c, 0].map(MaybeUninit::new);
            }
            let inside = at < BLOCK;
            all_mapped &= !inside | (len > 0);
            growth += if inside {
                usize::from(len.saturating_sub(1) & 3)
            } else {
                0
            };
            if let ([to_low, to_high, ..], _) =
                to[at.min(BLOCK) + growth.min(2 * ROUNDS) + 1..].as_chunks_mut()
            {
                store(to_low, load(low));
                store(to_high, load(high));
            }
        }
    }
    if all_mapped { BLOCK + growth } else { 0 }
}

/// The same for any block.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn block_to_utf_8(
    table: &SingleByteTable,
    bytes: [__m256i; 2],
    upper: u64,
    to: &mut [MaybeUninit<u8>; WRITTEN],
) -> usize {
    let splat = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
    let rows = &table.byte_rows;
    if rows.unmapped != [0; 16] {
        let unmapped = bytes.map(|bytes| unmapped(rows, bytes));
        let any = _mm256_or_si256(unmapped[0], unmapped[1]);
        if _mm256_testz_si256(any, any) == 0 {
            return 0;
        }
    }
    let bytes = bytes.map(|bytes| dealt(bytes));
    let (low, high) = map::<true>(rows, bytes);
    let mut at = 0;
    for half in 0..2 {
        let Some(to) = to[at..].first_chunk_mut::<ROOM>() else {
            break;
        };
        let (low, high) = (low[half], high[half]);
        let last = _mm256_or_si256(_mm256_and_si256(low, splat(0x3F)), splat(0x80));
        let last = _mm256_blendv_epi8(low, last, bytes[half]);
        // The six bits above these.
        let middle = _mm256_or_si256(
            _mm256_and_si256(_mm256_slli_epi16::<2>(high), splat(0x3C)),
            _mm256_and_si256(_mm256_srli_epi16::<6>(low), splat(3)),
        );
        let lead = _mm256_or_si256(middle, splat(0xC0));
        let last = [
            _mm256_unpacklo_epi8(last, lead),
            _mm256_unpackhi_epi8(last, lead),
        ];
        let longer = (upper >> (LANES * half)) as u32;
        let three = _mm256_cmpeq_epi8(_mm256_max_epu8(high, splat(8)), high);
        let three = _mm256_movemask_epi8(dealt(three)).cast_unsigned();
        if three == 0 {
            compact::one_or_two(last, longer, to);
        } else {
            let first = _mm256_and_si256(_mm256_srli_epi16::<4>(high), splat(0xF));
            let first = _mm256_or_si256(first, splat(0xE0));
            let middle = _mm256_or_si256(middle, splat(0x80));
            let first = [
                _mm256_unpacklo_epi8(first, middle),
                _mm256_unpackhi_epi8(first, middle),
            ];
            compact::up_to_three(first, last, longer, three, to);
        }
        at += LANES + (longer.count_ones() + three.count_ones()) as usize;
    }
    at
}
