//! Latin-1 to and from UTF-8 for AVX2.
//!
//! The bytes 80 to FF have two bytes in UTF-8, the first of which is C2 or C3. Both directions work on 32
//! bytes at once, whatever they contain, and then shuffle windows of eight characters together with rows of a
//! small table; there is no loop over characters.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_cvtsi128_si64, _mm_loadl_epi64, _mm_unpackhi_epi64, _mm_unpacklo_epi64,
    _mm256_and_si256, _mm256_blendv_epi8, _mm256_castsi256_si128, _mm256_cmpeq_epi8,
    _mm256_extracti128_si256, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set_m128i,
    _mm256_set1_epi8, _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_srli_epi16,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8,
};
use core::mem::MaybeUninit;

use super::{LANES, latin1_short, load, store};
use crate::simd::shared::shuffles::Aligned;
use crate::simd::uninit::room_at;
use crate::simd::x86_64::sse4;

/// For each set of eight lanes of two bytes: the shuffle that keeps the first byte of every lane, and the
/// second byte of those in the set.
pub(super) static ONE_OR_TWO: Aligned<[[u8; 16]; 256]> = Aligned({
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

/// For each set of eight bytes: the shuffle that drops them, for the lower and for the upper half of a
/// vector.
static WITHOUT: Aligned<[[[u8; 8]; 256]; 2]> = Aligned({
    let mut table = [[[0x80; 8]; 256]; 2];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 0 {
                table[0][set][at] = lane;
                table[1][set][at] = lane + 8;
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
    let rest = latin1_short::latin1_to_utf8(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
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

/// Writes the UTF-8 of the 32 bytes at the front of `from`, which are `bytes` and of which at most two are
/// not ASCII, and returns its length. Copies the bytes, and then, after each non-ASCII byte, the bytes that
/// follow it again, at their new place. The loop always runs twice, so that nothing is mispredicted; what it
/// writes in vain is after the text.
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
    let row = |window: u32| sse4::load(&ONE_OR_TWO.0[(high >> (8 * window) & 0xFF) as usize]);
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

/// Loads eight bytes, followed by eight zeros.
#[inline]
#[target_feature(enable = "avx2")]
fn load_8(from: &[u8; 8]) -> __m128i {
    // SAFETY: the array has the eight bytes that are read; the load needs no alignment.
    unsafe { _mm_loadl_epi64(from.as_ptr().cast()) }
}

/// Converts UTF-8 up to the first character above U+00FF or the first malformed byte. Returns the number of
/// bytes read and written.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if src.len() <= LANES {
        if latin1_short::copies_ascii(src, dst) {
            return (src.len(), src.len());
        }
        return latin1_short::utf8_to_latin1(src, dst);
    }
    wide_utf8_to_latin1(src, dst)
}

/// Converts text of more than a vector.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt")]
fn wide_utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let mut read = ascii_run(src, dst);
    let mut written = read;
    // Blocks need the byte before them, so the first characters are converted separately.
    if read == 0 {
        (read, written) = latin1_short::window_to_latin1(src, dst);
    }
    // Whether the previous byte is a lead byte: 0 or 1.
    let mut carry = 0_u32;
    while read > 0
        && let Some(from) = src[read - 1..].first_chunk::<{ LANES + 1 }>()
        && dst.len() - written >= LANES
        && let (Some(before), Some(from)) = (from.first_chunk(), from.last_chunk())
    {
        let (before, bytes) = (load(before), load(from));
        let high = _mm256_movemask_epi8(bytes).cast_unsigned();
        if high | carry == 0 {
            if let Some(to) = room_at(dst, written) {
                store(to, bytes);
            }
            read += LANES;
            written += LANES;
            let len = ascii_run(&src[read..], &mut dst[written..]);
            read += len;
            written += len;
            continue;
        }
        let even = _mm256_and_si256(bytes, _mm256_set1_epi8(0xFE_u8.cast_signed()));
        let lead = _mm256_cmpeq_epi8(even, _mm256_set1_epi8(0xC2_u8.cast_signed()));
        let lead = _mm256_movemask_epi8(lead).cast_unsigned();
        // All bytes from C0 to FF, whether lead bytes or not, have bit 6 set.
        let bit_6 = _mm256_movemask_epi8(_mm256_slli_epi16::<1>(bytes)).cast_unsigned();
        let trail = lead << 1 | carry;
        if (high & !bit_6 != trail) | (high & bit_6 != lead) {
            break;
        }
        let chars = joined(before, bytes);
        if lead.count_ones() <= 2
            && let Some(from) = src[read..].first_chunk()
            && let Some(to) = dst[written..].first_chunk_mut()
        {
            sparse_to_latin1(chars, lead, from, to);
        } else if let Some(to) = room_at(dst, written) {
            block_to_latin1(chars, lead, to);
        }
        carry = lead >> 31;
        read += LANES;
        written += LANES - lead.count_ones() as usize;
    }
    // A lead byte at the end of the last block was not written.
    read -= carry as usize;
    let rest = latin1_short::utf8_to_latin1(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Copies ASCII, two vectors at a time, and returns the number of bytes.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn ascii_run(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let (blocks, _) = src.as_chunks::<{ 2 * LANES }>();
    let (rooms, _) = dst.as_chunks_mut::<{ 2 * LANES }>();
    let mut len = 0;
    for (from, to) in blocks.iter().zip(rooms) {
        let ([low, high], _) = from.as_chunks() else {
            break;
        };
        let (low, high) = (load(low), load(high));
        if _mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0 {
            break;
        }
        if let ([to_low, to_high], _) = to.as_chunks_mut() {
            store(to_low, low);
            store(to_high, high);
        }
        len += 2 * LANES;
    }
    len
}

/// Returns the bytes, with each byte after C3 replaced by the character that the two encode.
#[inline]
#[target_feature(enable = "avx2")]
fn joined(before: __m256i, bytes: __m256i) -> __m256i {
    // After C3, the bytes 80 to BF stand for C0 to FF.
    let after_c3 = _mm256_cmpeq_epi8(before, _mm256_set1_epi8(0xC3_u8.cast_signed()));
    let bit = _mm256_and_si256(after_c3, _mm256_set1_epi8(0x40));
    _mm256_or_si256(bytes, bit)
}

/// Writes the characters except those in `lead`, at most two. Copies the bytes, and then the bytes after each
/// lead byte again, at their new place. The loop always runs twice, so that nothing is mispredicted; what it
/// writes in vain is after the text.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn sparse_to_latin1(
    chars: __m256i,
    lead: u32,
    from: &[u8; 2 * LANES + 1],
    to: &mut [MaybeUninit<u8>; 2 * LANES],
) {
    if let Some(to) = to.first_chunk_mut() {
        store(to, chars);
    }
    let mut ahead = lead;
    for round in 0..2 {
        // 32 if there is none.
        let at = ahead.trailing_zeros() as usize;
        ahead &= ahead.wrapping_sub(1);
        // The number of lead bytes before this one: `round`, if there are that many.
        let dropped = if round == 0 {
            0
        } else {
            usize::from(lead != 0)
        };
        if let Some(from) = from[at..].first_chunk::<{ LANES + 1 }>()
            && let (Some(before), Some(bytes)) = (from.first_chunk(), from.last_chunk())
            && let Some(to) = to[at - dropped..].first_chunk_mut()
        {
            store(to, joined(load(before), load(bytes)));
        }
    }
}

/// Returns the shuffle that drops these bytes of the lower half and of the upper half of a vector, and moves
/// the rest of each half to its front.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rows_without(lower: u32, upper: u32) -> __m128i {
    let lower = load_8(&WITHOUT.0[0][(lower & 0xFF) as usize]);
    let upper = load_8(&WITHOUT.0[1][(upper & 0xFF) as usize]);
    _mm_unpacklo_epi64(lower, upper)
}

/// Writes the 32 bytes except those in `lead`.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn block_to_latin1(chars: __m256i, lead: u32, to: &mut [MaybeUninit<u8>; LANES]) {
    let set = |window: u32| lead >> (8 * window) & 0xFF;
    let rows = |window: u32| rows_without(set(window), set(window + 1));
    let chars = _mm256_shuffle_epi8(chars, _mm256_set_m128i(rows(2), rows(0)));
    let len = |windows: u32| {
        let below = lead & !(u32::MAX << (8 * windows));
        (8 * windows - below.count_ones()) as usize
    };
    let lower = _mm256_castsi256_si128(chars);
    let upper = _mm256_extracti128_si256::<1>(chars);
    let windows = [
        (0, lower),
        (len(1), _mm_unpackhi_epi64(lower, lower)),
        (len(2), upper),
        (len(3), _mm_unpackhi_epi64(upper, upper)),
    ];
    for (at, window) in windows {
        if let Some(to) = room_at::<8, _>(to, at) {
            let bytes = _mm_cvtsi128_si64(window).to_le_bytes();
            *to = bytes.map(MaybeUninit::new);
        }
    }
}
