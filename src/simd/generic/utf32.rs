//! UTF-32 to and from UTF-8 and UTF-16. Stops before the first unit that is not a scalar value, or a lone
//! surrogate, and if there is no room. The scalar kernels convert fewer than eight units.

use core::mem::MaybeUninit;

use super::narrow::bmp_to_utf16;
use super::utf16_lanes::has_top;
use super::{LANES, shuffled};
use crate::simd::buffer::UnitBuffer;
use crate::simd::kernels::Kernels;
use crate::simd::scalar;
use crate::simd::shared::as_bytes;
use crate::simd::shared::shuffles::WINDOWS;
use crate::simd::vector::Vector;

/// The number of UTF-32 code units in a vector.
const UNITS: usize = LANES / 4;

/// Converts UTF-32 up to the first unit that is not a scalar value. Returns the numbers of code units read
/// and written.
#[inline(always)]
pub(in crate::simd) fn utf32_to_utf16<V: Vector>(
    v: V,
    src: &[u32],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let part = v.part();
    let len = bmp_to_utf16(v, src, dst);
    let rest = utf32_to_utf16_by(
        v,
        &src[len..],
        &mut dst[len..],
        #[inline(always)]
        |from: &[u32; 2 * UNITS], to| {
            let bytes: &[u8] = bytemuck::cast_slice(from);
            let (low, high) = (part.load(bytes), part.load(&bytes[LANES..]));
            let wrong = part.or(no_scalar_values(part, low), no_scalar_values(part, high));
            if part.any(wrong) {
                return None;
            }
            let middle = vector_to_utf16(part, low, to);
            Some(middle + vector_to_utf16(part, high, &mut to[middle..]))
        },
        scalar::utf32::utf32_to_utf16,
    );
    (len + rest.0, len + rest.1)
}

/// Does what [`utf32_to_utf16`] does, for what [`bmp_to_utf16`] stops before. `any_plane` writes `N` scalar values
/// to room for twice as many units, and returns how many it has written, or `None` if a unit is not a scalar
/// value. `rest` converts what is left, less than that or without so much room.
#[inline(always)]
pub(in crate::simd) fn utf32_to_utf16_by<V: Vector, const N: usize>(
    v: V,
    src: &[u32],
    dst: &mut [MaybeUninit<u16>],
    any_plane: impl Fn(&[u32; N], &mut [MaybeUninit<u16>]) -> Option<usize>,
    rest: impl Fn(&[u32], &mut [MaybeUninit<u16>]) -> (usize, usize),
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    'all: loop {
        // After pairs there are often more.
        let mut len = 2 * N;
        while len > N {
            let (from, to) = (src[read..].first_chunk(), dst[written..].get_mut(..2 * N));
            let units = from.zip(to).and_then(|(from, to)| any_plane(from, to));
            let Some(units) = units else {
                break 'all;
            };
            len = units;
            read += N;
            written += len;
        }
        let len = bmp_to_utf16(v, &src[read..], &mut dst[written..]);
        read += len;
        written += len;
    }
    let rest = rest(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Returns a mask of the lanes that are not scalar values.
#[inline(always)]
fn no_scalar_values<V: Vector>(v: V, chars: V::V) -> V::V {
    let top = v.and(chars, v.splat_u32(!0x7FF));
    let surrogates = v.eq_u32(top, v.splat_u32(0xD800));
    v.or(surrogates, v.at_least_u32(chars, 0x11_0000))
}

/// Writes four scalar values and returns their length in code units.
#[inline(always)]
fn vector_to_utf16<V: Vector>(v: V, chars: V::V, to: &mut [MaybeUninit<u16>]) -> usize {
    let pairs = v.at_least_u32(chars, 0x1_0000);
    // D800 + (c - 10000 >> 10) in the low half, DC00 + (c & 3FF) in the high half.
    let lead = v.add_u32(v.shr_u32::<10>(chars), v.splat_u32(0xD7C0));
    let trail = v.and(chars, v.splat_u32(0x3FF));
    let trail = v.shl_u32::<16>(v.or(trail, v.splat_u32(0xDC00)));
    let units = v.select(pairs, v.or(lead, trail), chars);
    // The low half of every lane, and the high half of pairs.
    let kept = 0b0101_0101 | 0b1010_1010 & v.mask_u16(pairs) as u8;
    let units = shuffled(v, units, &WINDOWS.0[usize::from(kept)]);
    v.store(as_bytes(to), units);
    kept.count_ones() as usize
}

/// Converts UTF-16 up to the first lone surrogate. Returns the numbers of code units read and written.
#[inline(always)]
pub(in crate::simd) fn utf16_to_utf32(
    v: impl Vector,
    src: &[u16],
    dst: &mut [MaybeUninit<u32>],
) -> (usize, usize) {
    let zero = v.splat_u8(0);
    let (mut read, mut written) = (0, 0);
    // The previous units, of which the last one matters if it is a leading surrogate.
    let mut before = zero;
    let mut open = false;
    while let Some(from) = src[read..].first_chunk::<{ 2 * UNITS }>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 2 * UNITS }>()
    {
        let units = v.load(bytemuck::cast_slice(from));
        let [low, high] = v.interleave_u16(units, zero);
        if !v.any(has_top(v, units, 0xF800, 0xD800)) && !open {
            let to = as_bytes(to);
            v.store(to, low);
            v.store(&mut to[LANES..], high);
            read += 2 * UNITS;
            written += 2 * UNITS;
            continue;
        }
        let one_before = v.two_before(if open { before } else { zero }, units);
        let after_lead = has_top(v, one_before, 0xFC00, 0xD800);
        let trails = has_top(v, units, 0xFC00, 0xDC00);
        if v.any(v.xor(after_lead, trails)) {
            break;
        }
        let [low_before, high_before] = v.interleave_u16(one_before, zero);
        let middle = pairs_to_utf32(v, low, low_before, to, 0);
        let end = middle + pairs_to_utf32(v, high, high_before, to, middle);
        before = units;
        open = from[2 * UNITS - 1] & 0xFC00 == 0xD800;
        read += 2 * UNITS;
        written += end;
    }
    // A leading surrogate at the end of the last vector was not written.
    read -= usize::from(open);
    let rest = scalar::utf32::utf16_to_utf32(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Writes at `at` the characters that end at four code units, of which those after leading surrogates are
/// trailing ones. Returns where they end.
#[inline(always)]
fn pairs_to_utf32<V: Vector>(
    v: V,
    units: V::V,
    one_before: V::V,
    to: &mut [MaybeUninit<u32>; 2 * UNITS],
    at: usize,
) -> usize {
    let tops = v.and(units, v.splat_u32(0xFC00));
    let leads = v.eq_u32(tops, v.splat_u32(0xD800));
    let trails = v.eq_u32(tops, v.splat_u32(0xDC00));
    let pair = v.add_u32(v.shl_u32::<10>(one_before), units);
    let pair = v.add_u32(pair, v.splat_u32(0x35F_DC00_u32.wrapping_neg()));
    let chars = v.select(trails, pair, units);
    // Two bits per lane.
    let kept = !v.mask_u16(leads) as u8;
    let chars = shuffled(v, chars, &WINDOWS.0[usize::from(kept)]);
    v.store(as_bytes(&mut to[at..]), chars);
    (kept.count_ones() / 2) as usize
}

/// Converts well-formed UTF-8 by way of UTF-16, with the kernels of `kernels`. Returns the number of bytes
/// read and of code units written.
#[inline(always)]
pub(in crate::simd) fn utf8_to_utf32(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [MaybeUninit<u32>],
) -> (usize, usize) {
    let mut between = UnitBuffer::new();
    let (mut read, mut written) = (0, 0);
    loop {
        let room = &mut dst[written..];
        // A text has at least as many code units as characters, so there is room for these.
        let most = room.len().min(UnitBuffer::LEN);
        let (bytes, units) = between.fill_from_utf8(kernels, &src[read..], most);
        let (_, chars) = (kernels.utf16_to_utf32())(units, room);
        read += bytes;
        written += chars;
        if bytes == 0 {
            return (read, written);
        }
    }
}

/// Converts UTF-32 up to the first unit that is not a scalar value, by way of UTF-16, with the kernels of
/// `kernels`. Returns the number of code units read and of bytes written.
#[inline(always)]
pub(in crate::simd) fn utf32_to_utf8(
    kernels: &Kernels,
    src: &[u32],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let mut between = UnitBuffer::new();
    let (mut read, mut written) = (0, 0);
    loop {
        let (ahead, room) = (&src[read..], &mut dst[written..]);
        // A text has at least as many bytes as characters.
        let ahead = &ahead[..ahead.len().min(room.len())];
        let (chars, units) = between.fill_from_utf32(kernels, ahead);
        let (taken, bytes) = (kernels.utf16le_to_utf8())(bytemuck::cast_slice(units), room);
        let taken = taken / 2;
        read += if taken == units.len() {
            chars
        } else {
            scalar::utf16_units::scalars(&units[..taken])
        };
        written += bytes;
        if taken == 0 {
            return (read, written);
        }
    }
}
