//! Single-byte encodings whose letters have three bytes in UTF-8, which are those of Thai, to UTF-8 with
//! AVX2.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::compact::ROOM_OF_32_CHARS;
use super::single_byte_to_utf8::half_by_table;
use super::vector::Vectors256;
use super::{LANES, load, store};
use crate::simd::generic::single_byte_map::unmapped;
use crate::simd::single_byte::SingleByteToUtf8;
use crate::simd::vector::Vector as _;
use crate::simd::x86_64::sse4;

/// For four characters, each a double word with three bytes or with ASCII in the third one: the shuffle that
/// collects their bytes, by a bit for each character of three bytes.
static THREES: [[u8; 16]; 16] = {
    let mut table = [[0x80; 16]; 16];
    let mut bits = 0;
    while bits < 16 {
        let (mut at, mut lane) = (0, 0);
        while lane < 4 {
            let mut byte = if bits >> lane & 1 == 1 { 0 } else { 2 };
            while byte < 3 {
                table[bits][at] = 4 * lane + byte;
                at += 1;
                byte += 1;
            }
            lane += 1;
        }
        bits += 1;
    }
    table
};

/// Decodes up to the first unmapped byte, or somewhat less. Returns the number of bytes read and written.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn threes_to_utf8(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let v = Vectors256::here();
    let rows = &table.utf8_rows;
    let first = _mm256_set1_epi8(table.threes_first.cast_signed());
    let (mut read, mut written) = (0, 0);
    while let Some(from) = src[read..].first_chunk::<LANES>()
        && let Some(to) = dst[written..].first_chunk_mut::<ROOM_OF_32_CHARS>()
    {
        let bytes = load(from);
        let upper = _mm256_movemask_epi8(bytes).cast_unsigned();
        let other = unmapped(v, rows, bytes);
        written += if upper == 0 {
            if let Some(to) = to.first_chunk_mut() {
                store(to, bytes);
            }
            LANES
        } else if _mm256_testz_si256(other, other) == 0 {
            match half_by_table(table, from, to) {
                Some(len) => len,
                None => break,
            }
        } else {
            let bytes = v.for_interleaving(bytes);
            let row = v.high_half(bytes);
            let last = v.add_u8(bytes, v.look_up(v.table(&rows.low), row));
            let middle = v.look_up(v.table(&rows.high), row);
            one_or_three(first, middle, last, upper, to)
        };
        read += LANES;
    }
    (read, written)
}

/// Writes three bytes for every lane in `upper`, and the last byte for the others. Returns the number of
/// bytes.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn one_or_three(
    first: __m256i,
    middle: __m256i,
    last: __m256i,
    upper: u32,
    to: &mut [MaybeUninit<u8>; ROOM_OF_32_CHARS],
) -> usize {
    let zero = _mm256_setzero_si256();
    // A byte for each four lanes: first their bits, then how many of the lanes before are in `upper`.
    let fours = u64::from(upper);
    let fours = (fours | fours << 16) & 0x0000_FFFF_0000_FFFF;
    let fours = (fours | fours << 8) & 0x00FF_00FF_00FF_00FF;
    let fours = (fours | fours << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    let pairs = fours - (fours >> 1 & 0x0505_0505_0505_0505);
    let counts = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let before = counts.wrapping_mul(0x0101_0101_0101_0101) << 8;
    let low = [
        _mm256_unpacklo_epi8(first, middle),
        _mm256_unpacklo_epi8(last, zero),
    ];
    let high = [
        _mm256_unpackhi_epi8(first, middle),
        _mm256_unpackhi_epi8(last, zero),
    ];
    let row = |group: usize| sse4::load(&THREES[(fours >> (8 * group)) as usize & 0xF]);
    // Unpacking works within each 128-bit half, which leaves lanes 0 to 3 and 8 to 11 together, and so on.
    let shuffled = |group: usize, lanes: __m256i| {
        let rows = _mm256_castsi128_si256(row(group));
        let rows = _mm256_inserti128_si256::<1>(rows, row(group + 2));
        _mm256_shuffle_epi8(lanes, rows)
    };
    let a = shuffled(0, _mm256_unpacklo_epi16(low[0], low[1]));
    let b = shuffled(1, _mm256_unpackhi_epi16(low[0], low[1]));
    let c = shuffled(4, _mm256_unpacklo_epi16(high[0], high[1]));
    let d = shuffled(5, _mm256_unpackhi_epi16(high[0], high[1]));
    let in_order = [
        _mm256_castsi256_si128(a),
        _mm256_castsi256_si128(b),
        _mm256_extracti128_si256::<1>(a),
        _mm256_extracti128_si256::<1>(b),
        _mm256_castsi256_si128(c),
        _mm256_castsi256_si128(d),
        _mm256_extracti128_si256::<1>(c),
        _mm256_extracti128_si256::<1>(d),
    ];
    for (group, bytes) in in_order.into_iter().enumerate() {
        let at = 4 * group + 2 * usize::from((before >> (8 * group)) as u8);
        // SAFETY: at most seven groups of four lanes are before, of three bytes each if all are in `upper`:
        // at most 84 bytes.
        unsafe { store_at(to, at, bytes) };
    }
    LANES + 2 * upper.count_ones() as usize
}

/// Stores 16 bytes at `at`.
///
/// # Safety
///
/// `at` is at most `ROOM_OF_32_CHARS - 16`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
unsafe fn store_at(to: &mut [MaybeUninit<u8>; ROOM_OF_32_CHARS], at: usize, bytes: __m128i) {
    debug_assert!(at <= ROOM_OF_32_CHARS - 16);
    // SAFETY: the caller leaves 16 bytes at `at`.
    let to = unsafe { to.as_mut_ptr().add(at) };
    // SAFETY: so the 16 bytes that are written are inside `to`; the store needs no alignment.
    unsafe { _mm_storeu_si128(to.cast(), bytes) };
}
