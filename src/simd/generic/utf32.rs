//! UTF-32 to and from UTF-16, and its validation. Stops before the first unit that is not a scalar value, or a lone
//! surrogate, and if there is no room. The scalar kernels convert less than a vector at the end.
//!
//! Characters outside of the Basic Multilingual Plane are rare: they have functions of their own, so that other text
//! does not pay for their registers. With masks and compression (AVX-512), text of nothing but emoji takes half the
//! time, and other text as much.

use core::mem::MaybeUninit;

use super::narrow::bmp_to_utf16;
use super::utf16_lanes::has_top;
use super::{load_4, shuffled};
use crate::simd::scalar;
use crate::simd::scalar::blocks::convert_all;
use crate::simd::scalar::each;
use crate::simd::shared::as_bytes;
use crate::simd::shared::shuffles::WINDOWS;
use crate::simd::vector::Vector;

/// Converts UTF-32 up to the first unit that is not a scalar value. Returns the numbers of code units read
/// and written.
#[inline(always)]
pub(in crate::simd) fn utf32_to_utf16<V: Vector>(
    v: V,
    src: &[u32],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let len = bmp_to_utf16(v, src, dst);
    if len == src.len() {
        return (len, len);
    }
    let rest = any_plane_to_utf16(v, &src[len..], &mut dst[len..]);
    (len + rest.0, len + rest.1)
}

/// Does what [`utf32_to_utf16`] does, for what [`bmp_to_utf16`] stops before.
#[inline(never)]
fn any_plane_to_utf16<V: Vector>(
    v: V,
    src: &[u32],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    v.run_on(
        src,
        dst,
        #[inline(always)]
        |v, src, dst| {
            let (mut read, mut written) = (0, 0);
            // After pairs there are often more.
            while let Some(len) = two_vectors_to_utf16(v, &src[read..], &mut dst[written..]) {
                read += V::LANES / 2;
                written += len;
                if len == V::LANES / 2 {
                    let len = bmp_to_utf16(v, &src[read..], &mut dst[written..]);
                    read += len;
                    written += len;
                }
            }
            let rest = scalar::utf32::utf32_to_utf16(&src[read..], &mut dst[written..]);
            (read + rest.0, written + rest.1)
        },
    )
}

/// Converts two vectors, if they are scalar values and there is room for a pair for each. Returns the number of code
/// units written.
#[inline(always)]
fn two_vectors_to_utf16<V: Vector>(
    v: V,
    src: &[u32],
    dst: &mut [MaybeUninit<u16>],
) -> Option<usize> {
    let from = bytemuck::cast_slice(src.get(..V::LANES / 2)?);
    let to = dst.get_mut(..V::LANES)?;
    let (low, high) = (v.load(from), v.load(&from[V::LANES..]));
    if !are_scalars(v, [low, high, low, high]) {
        return None;
    }
    let middle = vector_to_utf16(v, low, to);
    Some(middle + vector_to_utf16(v, high, &mut to[middle..]))
}

/// Returns whether all lanes are scalar values.
#[inline(always)]
pub(in crate::simd) fn are_scalars<V: Vector>(v: V, [a, b, c, d]: [V::V; 4]) -> bool {
    let most = v.max_u32(v.max_u32(a, b), v.max_u32(c, d));
    // With this added, surrogates are the smallest units, below 800.
    let moved = v.splat_u32(0xD800_u32.wrapping_neg());
    let [a, b] = [v.add_u32(a, moved), v.add_u32(b, moved)];
    let [c, d] = [v.add_u32(c, moved), v.add_u32(d, moved)];
    let least = v.min_u32(v.min_u32(a, b), v.min_u32(c, d));
    let surrogates = v.eq_u32(v.and(least, v.splat_u32(!0x7FF)), v.splat_u8(0));
    !v.any(v.or(surrogates, v.at_least_u32(most, 0x11_0000)))
}

/// Returns the length of the prefix of scalar values, in units.
#[inline(always)]
pub(in crate::simd) fn utf32_valid_prefix<V: Vector>(v: V, src: &[u32]) -> usize {
    let bytes = bytemuck::cast_slice(src);
    let mut done = 0;
    // The last group overlaps the one before it. Zeros after the last unit are scalar values.
    let is_valid = loop {
        let Some(group) = bytes[done..].get(..=4 * V::LANES) else {
            break test_last_4(
                v,
                bytes,
                #[inline(always)]
                |last| are_scalars(v, last),
            );
        };
        if !are_scalars(v, load_4(v, group)) {
            break false;
        }
        done += 4 * V::LANES;
    };
    if is_valid {
        return src.len();
    }
    let is_scalar = |&&unit: &&u32| char::from_u32(unit).is_some();
    done / 4 + src[done / 4..].iter().take_while(is_scalar).count()
}

/// Writes the scalar values of a vector, and returns their length in code units.
#[inline(always)]
fn vector_to_utf16<V: Vector>(v: V, chars: V::V, to: &mut [MaybeUninit<u16>]) -> usize {
    let pairs = v.at_least_u32(chars, 0x1_0000);
    // D800 + (c - 10000 >> 10) in the low half, DC00 + (c & 3FF) in the high half.
    let lead = v.add_u32(v.shr_u32::<10>(chars), v.splat_u32(0xD7C0));
    let trail = v.and(chars, v.splat_u32(0x3FF));
    let trail = v.shl_u32::<16>(v.or(trail, v.splat_u32(0xDC00)));
    let units = v.select(pairs, v.or(lead, trail), chars);
    // The low half of every lane, and the high half of pairs.
    let mut at = 0;
    for (i, pairs) in v
        .mask_u16(pairs)
        .into_iter()
        .enumerate()
        .take(V::LANES / 16)
    {
        let kept = 0x55 | 0xAA & pairs;
        let part = v.part_of([units; 2], 2 * i);
        put(v.part(), as_bytes(&mut to[at..]), part, kept);
        at += kept.count_ones() as usize;
    }
    at
}

/// Writes the code units of a vector whose bits are in `kept` to the front.
#[inline(always)]
fn put<V: Vector>(v: V, to: &mut [MaybeUninit<u8>], units: V::V, kept: u8) {
    v.store(to, shuffled(v, units, &WINDOWS.0[usize::from(kept)]));
}

/// Up to this many units, text is tested for surrogates before any of it is widened.
const MAX_SHORT: usize = 128;

/// The number of units that are tested and widened together.
const BLOCK: usize = 32;

/// Converts UTF-16 up to the first lone surrogate. Returns the numbers of code units read and written.
#[inline(always)]
pub(in crate::simd) fn utf16_to_utf32<V: Vector>(
    v: V,
    src: &[u16],
    dst: &mut [MaybeUninit<u32>],
) -> (usize, usize) {
    let len = src.len();
    if len <= MAX_SHORT && len <= dst.len() && before_surrogates(v, src) == len {
        convert_all(src, dst, u32::from);
        return (len, len);
    }
    long_to_utf32(v, src, dst)
}

/// Returns the length of the text in front of the first group of four vectors that has surrogates.
#[inline(always)]
pub(in crate::simd) fn before_surrogates<V: Vector>(v: V, units: &[u16]) -> usize {
    let mut at = 0;
    // The last group overlaps the one before it.
    while let Some(group) = units[at..].get(..=2 * V::LANES) {
        if have_surrogates(v, load_4(v, bytemuck::cast_slice(group))) {
            return at;
        }
        at += 2 * V::LANES;
    }
    let last_have = test_last_4(
        v,
        bytemuck::cast_slice(units),
        #[inline(always)]
        |last| have_surrogates(v, last),
    );
    if last_have { at } else { units.len() }
}

/// Tests the last four vectors of text; if there is less, vectors that overlap, or one that zeros follow.
#[inline(always)]
pub(in crate::simd) fn test_last_4<V: Vector>(
    v: V,
    bytes: &[u8],
    test: impl Fn([V::V; 4]) -> bool,
) -> bool {
    if bytes.len() < V::LANES {
        return test([v.load_front(bytes); 4]);
    }
    let mut last = [v.splat_u8(0); 4];
    for (i, vector) in last.iter_mut().enumerate() {
        *vector = v.load(&bytes[bytes.len().saturating_sub((4 - i) * V::LANES)..]);
    }
    test(last)
}

/// Returns whether a UTF-16 code unit in the four vectors is a surrogate.
#[inline(always)]
pub(in crate::simd) fn have_surrogates<V: Vector>(v: V, [a, b, c, d]: [V::V; 4]) -> bool {
    // With this added, surrogates are the smallest units.
    let moved = v.splat_u16(0x2800);
    let [a, b] = [v.add_u16(a, moved), v.add_u16(b, moved)];
    let [c, d] = [v.add_u16(c, moved), v.add_u16(d, moved)];
    let least = v.min_u16(v.min_u16(a, b), v.min_u16(c, d));
    let upper = v.and(least, v.splat_u16(0xF800));
    v.mask_u8(v.eq_u16(upper, v.splat_u8(0))) != 0
}

/// Does what [`utf16_to_utf32`] does, for text that is not short. A separate function, so that short text does not pay
/// for saving registers.
#[inline(never)]
fn long_to_utf32<V: Vector>(v: V, src: &[u16], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    v.run_on(
        src,
        dst,
        #[inline(always)]
        |v, src, dst| {
            let len = bmp_to_utf32(v, src, dst);
            if len == src.len() {
                return (len, len);
            }
            let rest = v.run_apart(
                &src[len..],
                &mut dst[len..],
                #[inline(always)]
                |v, src, dst| pairs_to_utf32(v, src, dst),
            );
            (len + rest.0, len + rest.1)
        },
    )
}

/// Widens text up to a block that has surrogates, if there is room for all. Returns the number of units.
#[inline(always)]
fn bmp_to_utf32<V: Vector>(v: V, src: &[u16], dst: &mut [MaybeUninit<u32>]) -> usize {
    let len = src.len();
    let Some(dst) = dst.get_mut(..len) else {
        return 0;
    };
    let done = without_surrogates(v, src, dst);
    // The last block overlaps the one before it.
    let last = len.saturating_sub(BLOCK);
    let is_left = (last..len).contains(&done);
    if is_left && unaligned_without_surrogates(v, &src[last..], &mut dst[last..]) == BLOCK {
        return len;
    }
    done
}

/// Widens the blocks at the front that have no surrogates, as far as there is room. Returns the number of units.
#[inline(always)]
fn without_surrogates<V: Vector>(v: V, src: &[u16], dst: &mut [MaybeUninit<u32>]) -> usize {
    /// The number of units for which aligned stores pay.
    const MIN_ALIGNED: usize = 8 * BLOCK;
    let len = unaligned_without_surrogates(v, &src[..src.len().min(MIN_ALIGNED)], dst);
    if len < MIN_ALIGNED {
        return len;
    }
    // Goes back to an aligned address, writing a few units again.
    let len = len - dst[len..].as_ptr().addr() % V::LANES / 4;
    len + unaligned_without_surrogates(v, &src[len..], &mut dst[len..])
}

#[inline(always)]
fn unaligned_without_surrogates<V: Vector>(
    v: V,
    src: &[u16],
    dst: &mut [MaybeUninit<u32>],
) -> usize {
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let (rooms, _) = dst.as_chunks_mut::<BLOCK>();
    let mut len = 0;
    for (from, to) in blocks.iter().zip(rooms) {
        if test_last_4(
            v,
            bytemuck::cast_slice(from),
            #[inline(always)]
            |units| have_surrogates(v, units),
        ) {
            break;
        }
        each(from, to, u32::from);
        len += BLOCK;
    }
    len
}

/// Does what [`utf16_to_utf32`] does, for text with surrogates. Each vector becomes the low and the high halves of the
/// characters that end at its units, which are interleaved. Those of leading surrogates are left out.
#[inline(always)]
fn pairs_to_utf32<V: Vector>(v: V, src: &[u16], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // The previous units, of which the last one matters if it is a leading surrogate.
    let mut before = v.splat_u8(0);
    let mut open = false;
    while let Some(from) = src[read..].get(..V::LANES / 2)
        && let Some(to) = dst[written..].get_mut(..V::LANES / 2)
    {
        let units = v.load(bytemuck::cast_slice(from));
        if !open && !v.any(has_top(v, units, 0xF800, 0xD800)) {
            convert_all(from, to, u32::from);
            read += V::LANES / 2;
            written += V::LANES / 2;
            let len = without_surrogates(v, &src[read..], &mut dst[written..]);
            read += len;
            written += len;
            continue;
        }
        let before_first = if open { before } else { v.splat_u8(0) };
        let one_before = v.before::<2>(before_first, units);
        let leads = has_top(v, units, 0xFC00, 0xD800);
        let trails = has_top(v, units, 0xFC00, 0xDC00);
        if v.any(v.xor(has_top(v, one_before, 0xFC00, 0xD800), trails)) {
            break;
        }
        let ten_bits = v.and(units, v.splat_u16(0x3FF));
        let paired = v.or(v.shl_u16::<10>(one_before), ten_bits);
        let low = v.select(trails, paired, units);
        let plane = v.and(v.shr_u16::<6>(one_before), v.splat_u16(0xF));
        let high = v.and(trails, v.add_u16(plane, v.splat_u16(1)));
        let chars = v.interleave_u16(low, high);
        // Two bits per unit, as two units per character.
        let kept = !v.mask_u8(leads);
        let mut at = 0;
        for i in 0..V::LANES / 8 {
            let kept = (kept >> (8 * i)) as u8;
            put(v.part(), as_bytes(&mut to[at..]), v.part_of(chars, i), kept);
            at += kept.count_ones() as usize / 2;
        }
        before = units;
        open = from[V::LANES / 2 - 1] & 0xFC00 == 0xD800;
        read += V::LANES / 2;
        written += at;
    }
    // A leading surrogate at the end of the last vector was not written.
    read -= usize::from(open);
    let rest = scalar::utf32::utf16_to_utf32(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}
