//! UTF-32 to UTF-8: a vector of ASCII at a time, or half as many characters of any kind. Those of the Basic Multilingual
//! Plane are narrowed to UTF-16; for others, the bytes are put at the end of each lane, and four lanes at a time are
//! moved together. Stops before the first unit that is not a scalar value, and if there is no room.

use core::mem::MaybeUninit;

use super::utf16_lanes::{bmp_to_utf8, bmp_to_utf8_exactly, front_len, room_for};
use super::utf32::are_scalars;
use super::{any_bits, load_4, shuffled};
use crate::simd::scalar;
use crate::simd::shared::shuffles::ENDS;
use crate::simd::vector::Vector;

/// Converts UTF-32 up to the first unit that is not a scalar value. Returns the number of code units read and
/// of bytes written.
#[inline(always)]
pub(in crate::simd) fn utf32_to_utf8<V: Vector>(
    v: V,
    src: &[u32],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let written = if src.len() >= V::LANES {
        None
    } else if src.len() >= V::LANES / 2 {
        short(v, src, dst)
    } else {
        short(v.part(), src, dst)
    };
    match written {
        Some(written) => (src.len(), written),
        None => not_short(v, src, dst),
    }
}

/// Converts one or two vectors of code units of the Basic Multilingual Plane into ample room, the last of which may
/// overlap the first. Returns the number of bytes.
#[inline(always)]
fn short<V: Vector>(v: V, src: &[u32], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let written = bmp_to_utf8(v, units_of(v, src)?, dst)?;
    let last = src.len() - V::LANES / 2;
    if last == 0 {
        return Some(written);
    }
    let units = units_of(v, &src[last..])?;
    let at = written - front_len(v, units, V::LANES / 2 - last);
    Some(at + bmp_to_utf8(v, units, dst.get_mut(at..)?)?)
}

/// Converts any text. A separate function, so that the path for short text needs no stack frame.
#[inline(never)]
fn not_short<V: Vector>(v: V, src: &[u32], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    v.run_on(
        src,
        dst,
        #[inline(always)]
        |v, src, dst| {
            let (mut read, mut written) = whole_blocks(v, src, dst);
            while let Some(from) = src[read..].get(..V::LANES / 2)
                && let Some(bytes) = bmp_to_any_room(v, from, &mut dst[written..])
            {
                read += V::LANES / 2;
                written += bytes;
            }
            if let Some(written) = end(v, src, dst, read, written) {
                return (src.len(), written);
            }
            while let Some(from) = src[read..].get(..V::LANES / 4)
                && let Some(to) = dst[written..].get_mut(..V::LANES)
            {
                let chars = v.load(bytemuck::cast_slice(from));
                if !are_scalars(v, [chars; 4]) {
                    break;
                }
                read += V::LANES / 4;
                written += up_to_four(v, chars, to);
            }
            let rest = scalar::utf32::utf32_to_utf8(&src[read..], &mut dst[written..]);
            (read + rest.0, written + rest.1)
        },
    )
}

/// Converts four vectors if they are ASCII, or else the first two, while there are four and ample room.
#[inline(always)]
fn whole_blocks<V: Vector>(v: V, src: &[u32], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(from) = src[read..].get(..V::LANES)
        && let Some(to) = dst[written..].get_mut(..4 * V::LANES)
    {
        let chars = load_4(v, bytemuck::cast_slice(from));
        let [a, b, c, d] = chars;
        if !v.any_of(any_bits(v, chars), v.splat_u32(!0x7F)) {
            v.store(to, v.narrow_u16(v.narrow_u32(a, b), v.narrow_u32(c, d)));
            read += V::LANES;
            written += V::LANES;
            continue;
        }
        written += if let Some(units) = narrow(v, a, b)
            && let Some(bytes) = bmp_to_utf8(v, units, to)
        {
            bytes
        } else if are_scalars(v, [a, b, a, b]) {
            let first = up_to_four(v, a, to);
            first + up_to_four(v, b, &mut to[first..])
        } else {
            break;
        };
        read += V::LANES / 2;
    }
    (read, written)
}

/// Converts the last vector of code units of a text, less than which is left. Returns the number of bytes written in
/// all; `None` if it does not fit, or not all are in the Basic Multilingual Plane.
#[inline(always)]
fn end<V: Vector>(
    v: V,
    src: &[u32],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Option<usize> {
    let again = (V::LANES / 2).checked_sub(src.len() - read)?;
    if again == V::LANES / 2 {
        return Some(written);
    }
    let from = src.get(src.len().checked_sub(V::LANES / 2)?..)?;
    let at = written.checked_sub(front_len(v, units_of(v, from)?, again))?;
    Some(at + bmp_to_any_room(v, from, dst.get_mut(at..)?)?)
}

/// Converts a vector of code units of the Basic Multilingual Plane if they fit, also in little room.
#[inline(always)]
fn bmp_to_any_room<V: Vector>(v: V, from: &[u32], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
    match bmp_to_utf8(v, units_of(v, from)?, to) {
        // Loads the units again: as an argument, they would be kept in memory for this call.
        None if to.len() < room_for(V::LANES) => v.run_apart(
            from,
            to,
            #[inline(always)]
            |v, from, to| bmp_to_utf8_exactly(v, units_of(v, from)?, V::LANES / 2, to),
        ),
        written => written,
    }
}

/// Returns the code units of the first characters, as many as a vector holds, if each has a single one.
#[inline(always)]
fn units_of<V: Vector>(v: V, from: &[u32]) -> Option<V::V> {
    let from = bytemuck::cast_slice(from.get(..V::LANES / 2)?);
    narrow(v, v.load(from), v.load(&from[V::LANES..]))
}

/// Returns the code units of these characters, if each has a single one.
#[inline(always)]
fn narrow<V: Vector>(v: V, low: V::V, high: V::V) -> Option<V::V> {
    let has_more = v.any_of(v.or(low, high), v.splat_u32(!0xFFFF));
    if has_more {
        return None;
    }
    Some(v.narrow_u32(low, high))
}

/// Writes the scalar values of a vector and returns the number of bytes. `to` has room for four for each.
#[inline(always)]
fn up_to_four<V: Vector>(v: V, chars: V::V, to: &mut [MaybeUninit<u8>]) -> usize {
    let two = v.at_least_u32(chars, 0x80);
    let three = v.at_least_u32(chars, 0x800);
    let four = v.at_least_u32(chars, 0x1_0000);
    // Six bits per byte, the last six in the last byte; for ASCII all seven.
    let last = v.and(v.shl_u32::<24>(chars), v.splat_u32(0x3F00_0000));
    let third = v.and(v.shl_u32::<10>(chars), v.splat_u32(0x3F_0000));
    let second = v.and(v.shr_u32::<4>(chars), v.splat_u32(0x3F00));
    let bits = v.or(v.or(last, third), v.or(second, v.shr_u32::<18>(chars)));
    let marks = v.select(three, v.splat_u32(0x8080_E000), v.splat_u32(0x80C0_0000));
    let marks = v.select(four, v.splat_u32(0x8080_80F0), marks);
    let lanes = v.select(two, v.or(bits, marks), v.shl_u32::<24>(chars));
    // Minus one, the lengths are 0 to 3: odd if one or three of the comparisons are true.
    let odd = v.xor(v.xor(two, three), four);
    let lengths = v.mask_u16(v.select(v.splat_u32(0xFFFF), odd, three));
    let mut at = 0;
    for (i, lengths) in lengths.into_iter().enumerate().take(V::LANES / 16) {
        let part = v.part_of([lanes; 2], 2 * i);
        let bytes = shuffled(v.part(), part, &ENDS.0[usize::from(lengths)]);
        v.part().store(&mut to[at..], bytes);
        let bits = lengths.count_ones() + (lengths & 0b1010_1010).count_ones();
        at += 4 + bits as usize;
    }
    at
}
