//! Loads blocks of UTF-8, and stores their code units.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{load, store};
use crate::simd::generic::BLOCK;
use crate::simd::generic::utf8_units::copy_ends;
use crate::simd::scalar::ascii::{HIGH_BITS, HIGH_BITS_OF_16};
use crate::simd::shared::shuffles::WINDOWS;
use crate::simd::x86_64::sse4;

/// Loads up to eight bytes, followed by zeros.
#[inline]
pub(super) fn front_word(src: &[u8]) -> u64 {
    let shift = 8 * (8 - src.len().min(8));
    match (src.first_chunk::<8>(), src.first_chunk::<4>()) {
        (Some(word), _) => u64::from_le_bytes(*word),
        (None, Some(first)) => {
            let last = src.last_chunk::<4>().unwrap_or(first);
            let last = u64::from(u32::from_le_bytes(*last)) << 32 >> shift;
            u64::from(u32::from_le_bytes(*first)) | last
        }
        (None, None) => match *src {
            [a] => u64::from(a),
            [a, b] => u64::from_le_bytes([a, b, 0, 0, 0, 0, 0, 0]),
            [a, b, c] => u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0]),
            _ => 0,
        },
    }
}

/// Widens the ASCII blocks at the front, and returns their length. In a long run most are written at an
/// aligned address, which is a third faster.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn ascii_blocks(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    const MIN_ALIGNED: usize = 8 * BLOCK;
    const ALIGNED: usize = 32;
    let skip = dst.as_ptr().align_offset(ALIGNED);
    if src.len() < MIN_ALIGNED
        || skip == 0
        || !skip.is_multiple_of(2)
        || skip >= ALIGNED
        || dst.len() < ALIGNED
    {
        return whole_ascii_blocks(src, dst);
    }
    let first = whole_ascii_blocks(&src[..BLOCK], dst);
    if first < BLOCK {
        return first;
    }
    // A few bytes are written twice.
    let skipped = skip / 2;
    let more = whole_ascii_blocks(&src[skipped..], &mut dst[skip..]);
    first.max(skipped + more)
}

#[inline]
#[target_feature(enable = "avx2")]
fn whole_ascii_blocks(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let (rooms, _) = dst.as_chunks_mut::<{ 2 * BLOCK }>();
    let mut len = 0;
    for (block, to) in blocks.iter().zip(rooms) {
        let (halves, _) = block.as_chunks::<32>();
        if _mm256_movemask_epi8(_mm256_or_si256(load(&halves[0]), load(&halves[1]))) != 0 {
            break;
        }
        let (quarters, _) = block.as_chunks::<16>();
        let (to, _) = to.as_chunks_mut::<32>();
        for (to, quarter) in to.iter_mut().zip(quarters) {
            widen(to, quarter);
        }
        len += BLOCK;
    }
    len
}

/// Moves the words of `window` at `ends` to the front.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn packed(window: __m128i, ends: u8) -> __m128i {
    let row = &WINDOWS.0[usize::from(ends)];
    // SAFETY: a row has the 16 bytes that are read; the load needs no alignment.
    let row = unsafe { _mm_loadu_si128(row.as_ptr().cast()) };
    _mm_shuffle_epi8(window, row)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store_window(to: &mut [MaybeUninit<u8>; 16], value: __m128i) {
    // SAFETY: the array has the 16 bytes that are written; the store needs no alignment.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), value) };
}

/// Writes 16 ASCII bytes as code units.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn widen(to: &mut [MaybeUninit<u8>; 32], from: &[u8; 16]) {
    store(to, _mm256_cvtepu8_epi16(sse4::load(from)));
}

/// Writes at most a block of bytes as code units if they are ASCII; `to` has exactly the room that they need.
/// Writes pieces from both ends, which may overlap.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn widen_ends(to: &mut [MaybeUninit<u8>], from: &[u8]) -> bool {
    debug_assert_eq!(to.len(), 2 * from.len());
    if let (Some(first), Some(last)) = (from.first_chunk::<32>(), from.last_chunk::<32>()) {
        if _mm256_movemask_epi8(_mm256_or_si256(load(first), load(last))) != 0 {
            return false;
        }
        if let (Some(to), ([a, b], _)) = (to.first_chunk_mut::<64>(), first.as_chunks::<16>()) {
            let (to, _) = to.as_chunks_mut::<32>();
            widen(&mut to[0], a);
            widen(&mut to[1], b);
        }
        if let (Some(to), ([a, b], _)) = (to.last_chunk_mut::<64>(), last.as_chunks::<16>()) {
            let (to, _) = to.as_chunks_mut::<32>();
            widen(&mut to[0], a);
            widen(&mut to[1], b);
        }
    } else if let (Some(first), Some(last)) = (from.first_chunk::<16>(), from.last_chunk::<16>()) {
        if (u128::from_ne_bytes(*first) | u128::from_ne_bytes(*last)) & HIGH_BITS_OF_16 != 0 {
            return false;
        }
        if let Some(to) = to.first_chunk_mut() {
            widen(to, first);
        }
        if let Some(to) = to.last_chunk_mut() {
            widen(to, last);
        }
    } else if let (Some(first), Some(last)) = (from.first_chunk::<8>(), from.last_chunk::<8>()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        if (first | last) & HIGH_BITS != 0 {
            return false;
        }
        let widened = |from: u64| _mm_cvtepu8_epi16(_mm_cvtsi64_si128(from.cast_signed()));
        if let Some(to) = to.first_chunk_mut() {
            store_window(to, widened(first));
        }
        if let Some(to) = to.last_chunk_mut() {
            store_window(to, widened(last));
        }
    } else {
        let word = front_word(from);
        if word & HIGH_BITS != 0 {
            return false;
        }
        let words = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(word.cast_signed()));
        let mut copy = [MaybeUninit::uninit(); 16];
        store_window(&mut copy, words);
        copy_ends(to, &copy[..to.len().min(16)]);
    }
    true
}
