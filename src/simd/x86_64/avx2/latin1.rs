//! Latin-1 to UTF-8 for AVX2; the other direction is in `utf8_to_latin1.rs`.
//!
//! The bytes 80 to FF have two bytes in UTF-8, the first of which is C2 or C3. Both directions work on 32
//! bytes at once, whatever they contain, and then shuffle windows of eight characters together with rows of a
//! small table; there is no loop over characters. The last vector overlaps the one before it.

use core::arch::x86_64::{
    __m128i, __m256i, _mm256_and_si256, _mm256_blendv_epi8, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set_m128i,
    _mm256_set1_epi8, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_unpackhi_epi8,
    _mm256_unpacklo_epi8,
};
use core::mem::MaybeUninit;

use super::{LANES, latin1_short, load, store};
use crate::simd::shared::shuffles::Aligned;
use crate::simd::uninit::room_at;
use crate::simd::x86_64::sse4;

/// For each set of eight lanes of two bytes: the shuffle that keeps the first byte of every lane, and the
/// second byte of those in the set.
pub(super) static ONE_OR_TWO_LOW_FIRST: Aligned<[[u8; 16]; 256]> = Aligned({
    let mut table = [[0x80; 16]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            table[set][at] = 2 * lane;
            at += 1;
            if set >> lane & 1 == 1 {
                table[set][at] = 2 * lane + 1;
                at += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
});

/// Converts Latin-1. Stops when less than a character is left, or when the next one does not fit. Returns the
/// number of bytes read and written.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if src.len() <= LANES {
        if latin1_short::copies_ascii(src, dst) {
            return (src.len(), src.len());
        }
        return latin1_short::latin1_to_utf8(src, dst);
    }
    wide_latin1_to_utf8(src, dst)
}

/// Converts text of more than a vector.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt")]
fn wide_latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // Two vectors, and what the copies of a sparse one may read and write after them.
    while let Some(from) = src[read..].first_chunk::<{ 4 * LANES }>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 6 * LANES }>()
        && let ([low, high, ..], _) = from.as_chunks()
    {
        let (low, high) = (load(low), load(high));
        if _mm256_movemask_epi8(_mm256_or_si256(low, high)) == 0 {
            if let ([to_low, to_high, ..], _) = to.as_chunks_mut() {
                store(to_low, low);
                store(to_high, high);
            }
            written += 2 * LANES;
        } else {
            // Both halves, ASCII or not: in such text a branch would often be mispredicted.
            let mut len = 0;
            for (at, half) in [(0, low), (LANES, high)] {
                debug_assert!(len <= 3 * LANES, "there is room for each half");
                if let Some(from) = from[at..].first_chunk()
                    && let Some(to) = to[len..].first_chunk_mut::<{ 3 * LANES }>()
                {
                    len += match _mm256_movemask_epi8(half).count_ones() {
                        0..=2 => sparse_to_utf8(half, from, to),
                        _ => to.first_chunk_mut().map_or(0, |to| block_to_utf8(half, to)),
                    };
                }
            }
            written += len;
        }
        read += 2 * LANES;
    }
    while let Some(from) = src[read..].first_chunk::<LANES>()
        && let Some(to) = dst[written..].first_chunk_mut()
    {
        read += LANES;
        let bytes = load(from);
        if _mm256_movemask_epi8(bytes) == 0 {
            if let Some(to) = to.first_chunk_mut() {
                store(to, bytes);
            }
            written += LANES;
        } else {
            written += block_to_utf8(bytes, to);
        }
    }
    if let Some(done) = last_vector_to_utf8(src, dst, read, written) {
        return done;
    }
    let rest = latin1_short::latin1_to_utf8(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Converts the rest of the text, if that is less than a vector, as part of the last vector, whose front is converted
/// again to the same place.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn last_vector_to_utf8(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Option<(usize, usize)> {
    let front = LANES.checked_sub(src.len() - read)?;
    if front == LANES {
        return None;
    }
    let bytes = load(src.last_chunk()?);
    let high = _mm256_movemask_epi8(bytes).cast_unsigned();
    let before = front + (high & !(u32::MAX << front)).count_ones() as usize;
    let to = dst.get_mut(written.checked_sub(before)?..)?;
    let len = if high == 0 {
        store(to.first_chunk_mut()?, bytes);
        LANES
    } else {
        block_to_utf8(bytes, to.first_chunk_mut()?)
    };
    Some((src.len(), written - before + len))
}

/// The two bytes of UTF-8 for each byte from 80 to FF.
static TWO_BYTES: [[u8; 2]; 256] = {
    let mut table = [[0; 2]; 256];
    let mut byte = 0x80;
    while byte < 0x100 {
        table[byte] = [0xC0 | (byte >> 6) as u8, byte as u8 & 0xBF];
        byte += 1;
    }
    table
};

/// Writes the UTF-8 of the 32 bytes at the front of `from`, which are `bytes` and of which at most two are not ASCII,
/// and returns its length. Copies the bytes, and then, after each non-ASCII byte, the bytes that follow it again, at
/// their new place. The loop always runs twice, so that nothing is mispredicted; what it writes needlessly is after the
/// text.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn sparse_to_utf8(
    bytes: __m256i,
    from: &[u8; 3 * LANES],
    to: &mut [MaybeUninit<u8>; 3 * LANES],
) -> usize {
    let mut high = _mm256_movemask_epi8(bytes).cast_unsigned();
    let len = LANES + high.count_ones() as usize;
    if let Some(to) = to.first_chunk_mut() {
        store(to, bytes);
    }
    for round in 0..2 {
        // 32 if there is none.
        let at = high.trailing_zeros() as usize;
        high &= high.wrapping_sub(1);
        if let Some((byte, after)) = from[at..].split_first()
            && let Some((two, to)) = to[at + round..].split_first_chunk_mut()
            && let (Some(after), Some(to)) = (after.first_chunk(), to.first_chunk_mut())
        {
            *two = TWO_BYTES[usize::from(*byte)].map(MaybeUninit::new);
            store(to, load(after));
        }
    }
    len
}

/// Writes the UTF-8 of 32 bytes of Latin-1, and returns its length.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd::x86_64) fn block_to_utf8(
    bytes: __m256i,
    to: &mut [MaybeUninit<u8>; 2 * LANES],
) -> usize {
    let (windows, len) = windows_of_utf8(bytes);
    for (at, window) in windows {
        if let Some(to) = room_at::<16, _>(to, at) {
            sse4::store(to, window);
        }
    }
    len
}

/// Returns the UTF-8 of 32 bytes of Latin-1, as four vectors and the places to store them at, in order, and
/// its length.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn windows_of_utf8(bytes: __m256i) -> ([(usize, __m128i); 4], usize) {
    let high = _mm256_movemask_epi8(bytes).cast_unsigned();
    // C2 or C3, and the byte without bit 6.
    let lead = _mm256_and_si256(_mm256_srli_epi16::<6>(bytes), _mm256_set1_epi8(3));
    let lead = _mm256_or_si256(lead, _mm256_set1_epi8(0xC0_u8.cast_signed()));
    let first = _mm256_blendv_epi8(bytes, lead, bytes);
    let trail = _mm256_and_si256(bytes, _mm256_set1_epi8(0xBF_u8.cast_signed()));
    // Windows 0 and 2, then 1 and 3.
    let even = _mm256_unpacklo_epi8(first, trail);
    let odd = _mm256_unpackhi_epi8(first, trail);
    let row =
        |window: u32| sse4::load(&ONE_OR_TWO_LOW_FIRST.0[(high >> (8 * window) & 0xFF) as usize]);
    let even = _mm256_shuffle_epi8(even, _mm256_set_m128i(row(2), row(0)));
    let odd = _mm256_shuffle_epi8(odd, _mm256_set_m128i(row(3), row(1)));
    let len = |windows: u32| {
        let below = high & !(u32::MAX << (8 * windows));
        (8 * windows + below.count_ones()) as usize
    };
    let windows = [
        (0, _mm256_castsi256_si128(even)),
        (len(1), _mm256_castsi256_si128(odd)),
        (len(2), _mm256_extracti128_si256::<1>(even)),
        (len(3), _mm256_extracti128_si256::<1>(odd)),
    ];
    (windows, LANES + high.count_ones() as usize)
}
