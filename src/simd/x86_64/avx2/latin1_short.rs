//! Latin-1 to and from UTF-8 for short texts, and for the end of long ones: at most 16 bytes at a time. For
//! fewer than 16, loads and stores of eight or four bytes overlap; none touches anything outside of the
//! slices.

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_blendv_epi8, _mm_cmpeq_epi8, _mm_cvtsi128_si64, _mm_extract_epi64,
    _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_shuffle_epi8,
    _mm_slli_epi16, _mm_slli_si128, _mm_srli_epi16, _mm_unpackhi_epi8, _mm_unpacklo_epi8,
};
use core::mem::MaybeUninit;

use super::latin1::ONE_OR_TWO_LOW_FIRST;
use super::utf8_to_latin1::rows_without;
use crate::simd::scalar;
use crate::simd::scalar::ascii::HIGH_BITS;
use crate::simd::x86_64::sse4;

/// The number of bytes in a window.
const WINDOW: usize = 16;

/// Loads up to 16 bytes from the front, followed by zeros.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_up_to_16(from: &[u8]) -> __m128i {
    if let Some(from) = from.first_chunk() {
        return sse4::load(from);
    }
    let len = from.len();
    let (lower, upper) = match (from.first_chunk(), from.last_chunk()) {
        (Some(first), Some(last)) => {
            let upper = u64::from_le_bytes(*last);
            let upper = upper.unbounded_shr(8 * (WINDOW - len) as u32);
            (u64::from_le_bytes(*first), upper)
        }
        _ => (load_up_to_7(from), 0),
    };
    _mm_set_epi64x(upper.cast_signed(), lower.cast_signed())
}

/// Loads fewer than eight bytes.
#[inline]
fn load_up_to_7(from: &[u8]) -> u64 {
    let len = from.len();
    if let (Some(first), Some(last)) = (from.first_chunk(), from.last_chunk()) {
        let last = u64::from(u32::from_le_bytes(*last));
        return u64::from(u32::from_le_bytes(*first)) | last << (8 * (len - 4));
    }
    let byte = |at: usize| from.get(at).map_or(0, |&byte| u64::from(byte) << (8 * at));
    byte(0) | byte(1) | byte(2)
}

/// Stores as many bytes as there is room for, at most 16.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store_up_to_16(to: &mut [MaybeUninit<u8>], bytes: __m128i) {
    if let Some(to) = to.first_chunk_mut() {
        sse4::store(to, bytes);
        return;
    }
    let lower = _mm_cvtsi128_si64(bytes).cast_unsigned();
    let upper = _mm_extract_epi64::<1>(bytes).cast_unsigned();
    let len = to.len();
    if len >= 8 {
        // The last eight bytes.
        let shift = 8 * (len - 8) as u32;
        let last = lower >> shift | upper.unbounded_shl(64 - shift);
        put(to.first_chunk_mut(), lower.to_le_bytes());
        put(to.last_chunk_mut(), last.to_le_bytes());
    } else if len >= 4 {
        let last = (lower >> (8 * (len - 4))) as u32;
        put(to.first_chunk_mut(), (lower as u32).to_le_bytes());
        put(to.last_chunk_mut(), last.to_le_bytes());
    } else {
        for (to, byte) in to.iter_mut().zip(lower.to_le_bytes()) {
            to.write(byte);
        }
    }
}

/// Writes bytes for which there is room.
#[inline(always)]
fn put<const N: usize>(to: Option<&mut [MaybeUninit<u8>; N]>, bytes: [u8; N]) {
    debug_assert!(to.is_some(), "{N} bytes fit");
    if let Some(to) = to {
        *to = bytes.map(MaybeUninit::new);
    }
}

/// Writes 16 bytes for which there is room.
#[inline]
#[target_feature(enable = "avx2")]
fn put_16(to: Option<&mut [MaybeUninit<u8>; WINDOW]>, bytes: __m128i) {
    debug_assert!(to.is_some(), "16 bytes fit");
    if let Some(to) = to {
        sse4::store(to, bytes);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(byte: u8) -> __m128i {
    _mm_set1_epi8(byte.cast_signed())
}

/// Copies up to 32 bytes if all are ASCII and there is room. Returns whether it has.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn copies_ascii(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    let Some(to) = dst.get_mut(..src.len()) else {
        return false;
    };
    if let (Some(first), Some(last)) = (src.first_chunk::<WINDOW>(), src.last_chunk::<WINDOW>()) {
        let (first, last) = (sse4::load(first), sse4::load(last));
        if _mm_movemask_epi8(_mm_or_si128(first, last)) != 0 {
            return false;
        }
        put_16(to.first_chunk_mut(), first);
        put_16(to.last_chunk_mut(), last);
    } else if let (Some(first), Some(last)) = (src.first_chunk::<8>(), src.last_chunk::<8>()) {
        if (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)) & HIGH_BITS != 0 {
            return false;
        }
        put(to.first_chunk_mut(), *first);
        put(to.last_chunk_mut(), *last);
    } else if let (Some(first), Some(last)) = (src.first_chunk::<4>(), src.last_chunk::<4>()) {
        let any = u32::from_ne_bytes(*first) | u32::from_ne_bytes(*last);
        if any & HIGH_BITS as u32 != 0 {
            return false;
        }
        put(to.first_chunk_mut(), *first);
        put(to.last_chunk_mut(), *last);
    } else {
        for (&byte, to) in src.iter().zip(to) {
            if !byte.is_ascii() {
                return false;
            }
            to.write(byte);
        }
    }
    true
}

/// Converts Latin-1, as far as there is room.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < src.len() {
        let (from, to) = (&src[read..], &mut dst[written..]);
        let len = from.len().min(WINDOW);
        let bytes = load_up_to_16(from);
        let high = _mm_movemask_epi8(bytes).cast_unsigned();
        let len_written = len + high.count_ones() as usize;
        if len_written > to.len() {
            return last_to_utf8(src, dst, read, written);
        }
        if high == 0 {
            store_up_to_16(&mut to[..len], bytes);
        } else {
            // C2 or C3, and the byte without bit 6.
            let lead = _mm_and_si128(_mm_srli_epi16::<6>(bytes), splat(3));
            let first = _mm_blendv_epi8(bytes, _mm_or_si128(lead, splat(0xC0)), bytes);
            let trail = _mm_and_si128(bytes, splat(0xBF));
            let row = |set: u32| sse4::load(&ONE_OR_TWO_LOW_FIRST.0[(set & 0xFF) as usize]);
            let lower = _mm_shuffle_epi8(_mm_unpacklo_epi8(first, trail), row(high));
            let upper = _mm_shuffle_epi8(_mm_unpackhi_epi8(first, trail), row(high >> 8));
            let lower_len = (8 + (high & 0xFF).count_ones() as usize).min(len_written);
            if let Some(to) = to.first_chunk_mut::<{ 2 * WINDOW }>() {
                put_16(to.first_chunk_mut(), lower);
                put_16(to[lower_len..].first_chunk_mut(), upper);
            } else {
                let (to_lower, to_upper) = to[..len_written].split_at_mut(lower_len);
                store_up_to_16(to_lower, lower);
                if len > WINDOW / 2 {
                    store_up_to_16(to_upper, upper);
                }
            }
        }
        read += len;
        written += len_written;
    }
    (read, written)
}

/// Converts as many characters as there is room for.
#[cold]
fn last_to_utf8(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> (usize, usize) {
    let rest = scalar::latin1::latin1_to_utf8(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Converts UTF-8 up to the first character above U+00FF or the first malformed byte, as far as there is
/// room.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while read < src.len() {
        let done = window_to_latin1(&src[read..], &mut dst[written..]);
        if done.0 == 0 {
            break;
        }
        read += done.0;
        written += done.1;
    }
    (read, written)
}

/// Converts the characters of the first 16 bytes, up to the first malformed one.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn window_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let len = src.len().min(WINDOW);
    let bytes = load_up_to_16(src);
    let high = _mm_movemask_epi8(bytes).cast_unsigned();
    if high == 0 {
        let len = len.min(dst.len());
        store_up_to_16(&mut dst[..len], bytes);
        return (len, len);
    }
    let even = _mm_and_si128(bytes, splat(0xFE));
    let lead = _mm_movemask_epi8(_mm_cmpeq_epi8(even, splat(0xC2))).cast_unsigned();
    // All bytes from C0 to FF, whether lead bytes or not, have bit 6 set.
    let bit_6 = _mm_movemask_epi8(_mm_slli_epi16::<1>(bytes)).cast_unsigned();
    let wrong = ((high & !bit_6) ^ (lead << 1)) | ((high & bit_6) ^ lead);
    // Up to the first error, and without a lead byte at the end.
    let len = len.min(wrong.trailing_zeros() as usize);
    let open = (lead << 1 >> len & 1) as usize;
    let len = len - open;
    let dropped = lead & !(u32::MAX << len);
    let kept = len - dropped.count_ones() as usize;
    if kept > dst.len() {
        return last_to_latin1(&src[..len], dst);
    }
    // After C3, the bytes 80 to BF stand for C0 to FF.
    let after_c3 = _mm_cmpeq_epi8(_mm_slli_si128::<1>(bytes), splat(0xC3));
    let chars = _mm_or_si128(bytes, _mm_and_si128(after_c3, splat(0x40)));
    let chars = _mm_shuffle_epi8(chars, rows_without(dropped & 0xFF, dropped >> 8));
    // Both halves start with their characters, followed by zeros.
    let lower = _mm_cvtsi128_si64(chars).cast_unsigned();
    let upper = _mm_extract_epi64::<1>(chars).cast_unsigned();
    let missing = 8 * (dropped & 0xFF).count_ones();
    let lower = lower | upper.unbounded_shl(64 - missing);
    let upper = upper >> missing;
    let chars = _mm_set_epi64x(upper.cast_signed(), lower.cast_signed());
    if let Some(to) = dst.first_chunk_mut() {
        sse4::store(to, chars);
    } else {
        store_up_to_16(&mut dst[..kept], chars);
    }
    (len, kept)
}

/// Converts as many characters as there is room for.
#[cold]
fn last_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    scalar::latin1::utf8_to_latin1(src, dst)
}
