//! Single-byte encodings to UTF-8 with AVX2: 64 bytes at a time. If few of them are not ASCII, the text is
//! copied around these.

use core::arch::x86_64::*;
use core::hint::black_box;
use core::mem::MaybeUninit;

use super::compact::{self, ROOM_OF_32_CHARS};
use super::single_byte_threes::threes_to_utf8;
use super::vector::Vectors256;
use super::{LANES, load, single_byte_short as short, store};
use crate::simd::generic::single_byte_map::{Upper, needs_more_than, others, rows_for};
use crate::simd::scalar;
use crate::simd::single_byte::SingleByteToUtf8;
use crate::simd::single_byte_rows::Row;
use crate::simd::uninit::room_at;
use crate::simd::vector::Vector as _;

/// The number of bytes in a block.
pub(in crate::simd::x86_64) const BLOCK: usize = 2 * LANES;
/// The bytes that a block, and the copies of a sparse one, may read.
pub(super) const READ: usize = 2 * BLOCK + 1;
/// The bytes that they may write.
const WRITTEN: usize = 3 * LANES + ROOM_OF_32_CHARS;

/// Decodes up to the first unmapped byte. Returns the number of bytes read and written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn single_byte_to_utf8(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    if let Some(written) = short::single_byte_to_utf8(table, src, dst) {
        return (src.len(), written);
    }
    let (mut read, mut written) = match table.threes_first {
        0 => halves_to_utf8(table, src, dst),
        _ => threes_to_utf8(table, src, dst),
    };
    while table.threes_first == 0
        && let (Some(src), Some(dst)) = (src.get(read..), dst.get_mut(written..))
        && let Some(from) = src.first_chunk::<BLOCK>()
        && let ([low, high], _) = from.as_chunks()
    {
        let rows = rows_for(Vectors256::here(), [load(low), load(high)]);
        let (more, len) = blocks_to_utf8(table, src, dst, rows);
        if more == 0 {
            break;
        }
        read += more;
        written += len;
    }
    let (src, dst) = (src.get(read..), dst.get_mut(written..));
    let (src, dst) = (src.unwrap_or_default(), dst.unwrap_or_default());
    let rest = scalar::single_byte::single_byte_to_utf8(table, src, dst);
    (read + rest.0, written + rest.1)
}

/// Decodes up to 128 bytes as two short texts, as long as they are mostly ASCII: 100 bytes of German or French take 0.9
/// times as long. Returns the number of bytes read and written.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn halves_to_utf8(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    if src.len() > 2 * BLOCK {
        return (0, 0);
    }
    let (front, back) = src.split_at(src.len() / 2);
    let Some(written) = short::single_byte_to_utf8(table, front, dst) else {
        return (0, 0);
    };
    match short::single_byte_to_utf8(table, back, &mut dst[written..]) {
        Some(more) => (src.len(), written + more),
        None => (front.len(), written),
    }
}

/// Decodes up to a block that has an unmapped byte or needs more than `rows` rows. Returns the number of
/// bytes read and written. After a block that needed many rows, the next ones are likely to need them too,
/// but not forever.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn blocks_to_utf8(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    rows: usize,
) -> (usize, usize) {
    let chain = if table.utf8_rows.wants_chain() {
        rows
    } else {
        0
    };
    let others = others(&table.utf8_rows, rows);
    let enough = match rows {
        4 => usize::MAX,
        _ => 64 * BLOCK,
    };
    let (mut read, mut written) = (0, 0);
    while read < enough
        && let Some(from) = src[read..].first_chunk::<BLOCK>()
        && let Some(to) = dst[written..].first_chunk_mut::<WRITTEN>()
        && let ([low, high], _) = from.as_chunks()
    {
        let bytes = [load(low), load(high)];
        let low = _mm256_movemask_epi8(bytes[0]).cast_unsigned();
        let high = _mm256_movemask_epi8(bytes[1]).cast_unsigned();
        let upper = u64::from(low) | u64::from(high) << LANES;
        let len = match (upper.count_ones(), src[read..].first_chunk::<READ>()) {
            (0, _) => {
                if let ([low, high, ..], _) = to.as_chunks_mut() {
                    store(low, bytes[0]);
                    store(high, bytes[1]);
                }
                BLOCK
            }
            (1..=2, Some(from)) => sparse_to_utf8::<2>(table, bytes, upper, from, to),
            (3..=4, Some(from)) => sparse_to_utf8::<4>(table, bytes, upper, from, to),
            _ if needs_more_than(Vectors256::here(), rows, bytes) => break,
            _ => block_to_utf8(table, others, chain, from, bytes, upper, to).unwrap_or(0),
        };
        if len == 0 {
            break;
        }
        read += BLOCK;
        written += len;
    }
    (read, written)
}

/// Writes the UTF-8 of the block at the front of `from`, which is `bytes` and of which at most `ROUNDS` bytes, those in
/// `upper`, are not ASCII. Copies the block, and then the bytes after each non-ASCII byte again, at their new place.
/// The loop always runs `ROUNDS` times, so that nothing is mispredicted; what it writes needlessly is after the text.
/// Returns the length in bytes, or 0 if a byte is unmapped.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn sparse_to_utf8<const ROUNDS: usize>(
    table: &SingleByteToUtf8,
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
        // 64 if there is none.
        let at = ahead.trailing_zeros() as usize;
        ahead &= ahead.wrapping_sub(1);
        let after = &from[at..];
        if let Some((&byte, after)) = after.split_first()
            && let ([low, high, ..], _) = after.as_chunks()
        {
            let [a, b, c, len] = table.utf8[usize::from(byte)];
            if let Some(to) = room_at(to, at + growth) {
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

/// Writes the UTF-8 of any block, by a chain of `chain` rows if that is not 0, or by rows, of which `others` have
/// code points that are not consecutive. Returns `None` if a byte is unmapped.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn block_to_utf8(
    table: &SingleByteToUtf8,
    others: &[Row],
    chain: usize,
    from: &[u8; BLOCK],
    bytes: [__m256i; 2],
    upper: u64,
    to: &mut [MaybeUninit<u8>; WRITTEN],
) -> Option<usize> {
    // Hidden from the compiler: otherwise short text would wait for all rows to be loaded before the first
    // block.
    let table = black_box(table);
    let v = Vectors256::here();
    let both = Upper {
        rows: &table.utf8_rows,
        others,
        chain: &table.utf8_chain,
    };
    let bytes = [v.for_interleaving(bytes[0]), v.for_interleaving(bytes[1])];
    // A chain maps an unmapped byte to what looks like the first byte of three, so that the table decides.
    let [last, lead] = match chain {
        0 => both.map::<0, _>(v, table.is_full(), bytes)?,
        4 => both.map::<4, _>(v, true, bytes)?,
        6 => both.map::<6, _>(v, true, bytes)?,
        _ => both.map::<8, _>(v, true, bytes)?,
    };
    let ([front, back], _) = from.as_chunks() else {
        return None;
    };
    let len = half_to_utf8(
        table,
        front,
        last[0],
        lead[0],
        upper as u32,
        to.first_chunk_mut()?,
    )?;
    let to = to.get_mut(len..)?.first_chunk_mut()?;
    let upper = (upper >> LANES) as u32;
    Some(len + half_to_utf8(table, back, last[1], lead[1], upper, to)?)
}

/// Writes half a block. `lead` and `last` are the first and the last bytes of its characters.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn half_to_utf8(
    table: &SingleByteToUtf8,
    from: &[u8; LANES],
    last: __m256i,
    lead: __m256i,
    upper: u32,
    to: &mut [MaybeUninit<u8>; ROOM_OF_32_CHARS],
) -> Option<usize> {
    let three = _mm256_max_epu8(lead, _mm256_set1_epi8(0xE0_u8.cast_signed()));
    if _mm256_movemask_epi8(_mm256_cmpeq_epi8(three, lead)) != 0 {
        return half_by_table(table, from, to);
    }
    let words = [
        _mm256_unpacklo_epi8(last, lead),
        _mm256_unpackhi_epi8(last, lead),
    ];
    compact::pack_1_2(words, upper, to);
    Some(LANES + upper.count_ones() as usize)
}

/// Writes half a block that has three-byte characters. (If this is inlined, the compiler vectorises the
/// look-ups.)
#[inline(never)]
pub(super) fn half_by_table(
    table: &SingleByteToUtf8,
    from: &[u8; LANES],
    to: &mut [MaybeUninit<u8>; ROOM_OF_32_CHARS],
) -> Option<usize> {
    let (mut len, mut before) = (0, 0);
    for &byte in from {
        let utf8 = u32::from_le_bytes(table.utf8[usize::from(byte)]);
        *to.get_mut(len..)?.first_chunk_mut()? = utf8.to_le_bytes().map(MaybeUninit::new);
        len += (utf8 >> 24) as usize;
        // Bit 31 is set if the byte is unmapped.
        before |= utf8.wrapping_sub(1);
    }
    (before >> 31 == 0).then_some(len)
}
