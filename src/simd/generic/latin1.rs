//! Latin-1 to and from UTF-8.
//!
//! The bytes 80 to FF have two bytes in UTF-8, the first of which is C2 or C3. Both directions work on 16
//! bytes at once, whatever they contain, and then shuffle eight characters together with a row of a table;
//! there is no loop over characters.

use core::mem::MaybeUninit;

use super::ascii::ascii_to_utf8;
use super::{LANES, shuffled};
use crate::simd::scalar;
use crate::simd::shared::shuffles::{ONE_OR_TWO_HIGH_FIRST, WINDOWS};
use crate::simd::uninit::room_at;
use crate::simd::vector::Vector;

/// Converts Latin-1. Stops if there is no room for a whole character. Returns the number of bytes read and
/// written.
#[inline(always)]
pub(in crate::simd) fn latin1_to_utf8(
    v: impl Vector,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(from) = src[read..].first_chunk::<LANES>()
        && let Some(to) = dst[written..].first_chunk_mut()
    {
        let bytes = v.load(from);
        if v.is_ascii(bytes) {
            let run = ascii_to_utf8(v, &src[read..], &mut dst[written..]);
            read += run;
            written += run;
        } else {
            read += LANES;
            written += vector_to_utf8(v, bytes, to);
        }
    }
    let rest = scalar::latin1::latin1_to_utf8(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Writes the UTF-8 of 16 bytes of Latin-1, and returns its length.
#[inline(always)]
fn vector_to_utf8<V: Vector>(v: V, bytes: V::V, to: &mut [MaybeUninit<u8>; 2 * LANES]) -> usize {
    let longer = v.lt_i8(bytes, v.splat_u8(0));
    // C2 or C3 (any value for ASCII), and the byte without bit 6.
    let from_c0 = v.lt_i8(v.splat_u8(0xBF), bytes);
    let lead = v.sub_u8(v.splat_u8(0xC2), from_c0);
    let last = v.select(longer, v.and(bytes, v.splat_u8(0xBF)), bytes);
    let [low, high, ..] = v.mask_u8(longer).to_le_bytes();
    let low_len = LANES / 2 + low.count_ones() as usize;
    let [low_half, high_half] = v.interleave_u8(last, lead);
    let low_half = shuffled(v, low_half, &ONE_OR_TWO_HIGH_FIRST.0[usize::from(low)]);
    let high_half = shuffled(v, high_half, &ONE_OR_TWO_HIGH_FIRST.0[usize::from(high)]);
    v.store(to, low_half);
    if let Some(to) = room_at::<LANES, _>(to, low_len) {
        v.store(to, high_half);
    }
    low_len + LANES / 2 + high.count_ones() as usize
}

/// Converts UTF-8 up to the first character above U+00FF or the first malformed byte. Returns the number of
/// bytes read and written.
#[inline(always)]
pub(in crate::simd) fn utf8_to_latin1(
    v: impl Vector,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let ascii = ascii_to_utf8(v, src, dst);
    let (mut read, mut written) = (ascii, ascii);
    if ascii == 0 {
        // Vectors need the byte before them, so the first character is converted separately.
        let first = &src[..src.len().min(2)];
        (read, written) = scalar::latin1::utf8_to_latin1(first, dst);
    }
    // Whether the previous byte is a lead byte.
    let mut open = false;
    while read > 0
        && let Some(from) = src[read - 1..].first_chunk::<{ LANES + 1 }>()
        && let Some(to) = dst[written..].first_chunk_mut()
        && let Some(last) = from.last()
    {
        let (before, bytes) = (v.load(from), v.load(&from[1..]));
        if v.is_ascii(bytes) && !open {
            v.store(to, bytes);
            read += LANES;
            written += LANES;
            continue;
        }
        let lead = v.eq_u8(v.and(bytes, v.splat_u8(0xFE)), v.splat_u8(0xC2));
        let trail = v.eq_u8(v.and(before, v.splat_u8(0xFE)), v.splat_u8(0xC2));
        // Lead bytes must be followed by continuation bytes, and there must be no other non-ASCII bytes.
        let continuation = v.lt_i8(bytes, v.splat_u8(0xC0));
        let not_ascii = v.lt_i8(bytes, v.splat_u8(0));
        let wrong = v.or(
            v.xor(continuation, trail),
            v.xor(v.xor(not_ascii, continuation), lead),
        );
        if v.any(wrong) {
            break;
        }
        // After C3, the bytes 80 to BF stand for C0 to FF.
        let after_c3 = v.eq_u8(before, v.splat_u8(0xC3));
        let chars = v.or(bytes, v.and(after_c3, v.splat_u8(0x40)));
        written += without_leads(v, chars, lead, to);
        read += LANES;
        open = *last >= 0xC0;
    }
    // A lead byte at the end of the last vector was not written.
    read -= usize::from(open);
    let rest = scalar::latin1::utf8_to_latin1(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Room for the characters of a vector, and for what the last store may overrun them by.
type RoomOfVector = [MaybeUninit<u8>; LANES + LANES / 2];

/// Writes the 16 characters except those in `lead`. Returns their number.
#[inline(always)]
fn without_leads<V: Vector>(v: V, chars: V::V, lead: V::V, to: &mut RoomOfVector) -> usize {
    let [low, high, ..] = (!v.mask_u8(lead)).to_le_bytes();
    let low_len = low.count_ones() as usize;
    let [low_half, high_half] = v.interleave_u8(chars, v.splat_u8(0));
    let low_half = shuffled(v, low_half, &WINDOWS.0[usize::from(low)]);
    let high_half = shuffled(v, high_half, &WINDOWS.0[usize::from(high)]);
    let low_half = v.narrow_u16(low_half, low_half);
    let high_half = v.narrow_u16(high_half, high_half);
    v.store(to, low_half);
    if let Some(to) = room_at::<LANES, _>(to, low_len) {
        v.store(to, high_half);
    }
    low_len + high.count_ones() as usize
}
