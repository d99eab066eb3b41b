//! ASCII runs: their lengths, copies, widening and narrowing. A kernel stores a vector before it looks
//! for the end of the run in it. The last vector may overlap the one before it; less than a vector goes to the
//! scalar kernel.

use core::mem::MaybeUninit;

use super::{BLOCK, LANES, any_bits, load_block};
use crate::simd::scalar;
use crate::simd::shared::as_bytes;
use crate::simd::vector::Vector;

/// The length of the ASCII prefix.
#[inline(always)]
pub(in crate::simd) fn ascii_prefix(v: impl Vector<LANES>, src: &[u8]) -> usize {
    let mut start = 0;
    for block in src.as_chunks().0 {
        if !v.is_ascii(any_bits(v, load_block(v, block))) {
            break;
        }
        start += BLOCK;
    }
    start + before_stop(v, &src[start..], |bytes| bytes, scalar::ascii::ascii_prefix)
}

/// The length of the prefix that is ASCII without ESC, SO and SI.
#[inline(always)]
pub(in crate::simd) fn unshifted_prefix(v: impl Vector<LANES>, src: &[u8]) -> usize {
    let stops = |bytes| {
        let escape = v.eq_u8(bytes, v.splat_u8(0x1B));
        let shift = v.eq_u8(v.and(bytes, v.splat_u8(0xFE)), v.splat_u8(0x0E));
        v.or(v.or(escape, shift), bytes)
    };
    before_stop(v, src, stops, scalar::ascii::unshifted_prefix)
}

/// The length of the prefix without a byte of which `stops` sets the highest bit; `short` is for less than a
/// vector.
#[inline(always)]
fn before_stop<V: Vector<LANES>>(
    v: V,
    src: &[u8],
    stops: impl Fn(V::V) -> V::V,
    short: impl Fn(&[u8]) -> usize,
) -> usize {
    let Some(last) = src.last_chunk::<LANES>() else {
        return short(src);
    };
    let (vectors, _) = src.as_chunks::<LANES>();
    for (i, from) in vectors.iter().enumerate() {
        let stops = stops(v.load(from));
        if !v.is_ascii(stops) {
            return LANES * i + v.ascii_len(stops);
        }
    }
    let stops = stops(v.load(last));
    if v.is_ascii(stops) {
        src.len()
    } else {
        src.len() - LANES + v.ascii_len(stops)
    }
}

/// Copies the ASCII prefix, as far as there is room.
#[inline(always)]
pub(in crate::simd) fn ascii_to_utf8(
    v: impl Vector<LANES>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let put = |to: &mut [_; LANES], bytes| v.store(to, bytes);
    put_ascii(v, src, dst, put, scalar::ascii::ascii_to_utf8)
}

/// Widens the ASCII prefix, as far as there is room.
#[inline(always)]
pub(in crate::simd) fn ascii_to_utf16(
    v: impl Vector<LANES>,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    ascii_to_utf16_bytes::<false>(v, src, as_bytes(dst))
}

/// Widens the ASCII prefix to bytes in the given order, as far as there is room. Returns the number
/// of units.
#[inline(always)]
pub(super) fn ascii_to_utf16_bytes<const BE: bool>(
    v: impl Vector<LANES>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let (dst, _) = dst.as_chunks_mut::<2>();
    let put = |to: &mut _, bytes| widen::<BE, _>(v, to, bytes);
    put_ascii(v, src, dst, put, |src, dst| {
        let ascii = src.iter().take_while(|byte| byte.is_ascii());
        let units = ascii.zip(dst).map(|(&byte, to)| {
            *to = if BE { [0, byte] } else { [byte, 0] }.map(MaybeUninit::new);
        });
        units.count()
    })
}

/// Writes bytes as code units in the given order.
#[inline(always)]
pub(super) fn widen<const BE: bool, V: Vector<LANES>>(
    v: V,
    to: &mut [[MaybeUninit<u8>; 2]; LANES],
    bytes: V::V,
) {
    let zero = v.splat_u8(0);
    let [low, high] = if BE {
        v.interleave_u8(zero, bytes)
    } else {
        v.interleave_u8(bytes, zero)
    };
    if let ([to_low, to_high], _) = to.as_flattened_mut().as_chunks_mut() {
        v.store(to_low, low);
        v.store(to_high, high);
    }
}

/// Writes the ASCII prefix with `put`, as far as there is room, and less than a vector with `short`.
/// Returns its length.
#[inline(always)]
fn put_ascii<To, V: Vector<LANES>>(
    v: V,
    src: &[u8],
    dst: &mut [To],
    put: impl Fn(&mut [To; LANES], V::V),
    short: impl Fn(&[u8], &mut [To]) -> usize,
) -> usize {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    let Some(last) = src.last_chunk::<LANES>() else {
        return short(src, dst);
    };
    let mut at = 0;
    // Most runs between other characters end in the first vector.
    if let (Some(from), Some(to)) = (src.first_chunk(), dst.first_chunk_mut()) {
        let bytes = v.load(from);
        put(to, bytes);
        if !v.is_ascii(bytes) {
            return v.ascii_len(bytes);
        }
        at = LANES;
    }
    while let Some(from) = src[at..].first_chunk::<BLOCK>()
        && let Some(to) = dst[at..].first_chunk_mut::<BLOCK>()
    {
        let bytes = load_block(v, from);
        for (bytes, to) in bytes.into_iter().zip(to.as_chunks_mut().0) {
            put(to, bytes);
        }
        if !v.is_ascii(any_bits(v, bytes)) {
            return at + v.mask_at_least(bytes, 0x80).trailing_zeros() as usize;
        }
        at += BLOCK;
    }
    while let Some(from) = src[at..].first_chunk()
        && let Some(to) = dst[at..].first_chunk_mut()
    {
        let bytes = v.load(from);
        put(to, bytes);
        if !v.is_ascii(bytes) {
            return at + v.ascii_len(bytes);
        }
        at += LANES;
    }
    let bytes = v.load(last);
    if let Some(to) = dst.last_chunk_mut() {
        put(to, bytes);
    }
    if v.is_ascii(bytes) {
        len
    } else {
        len - LANES + v.ascii_len(bytes)
    }
}

/// Narrows the ASCII prefix of UTF-16 bytes, as far as there is room.
#[inline(always)]
pub(in crate::simd) fn utf16_to_ascii<const BE: bool>(
    v: impl Vector<LANES>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let units = (src.len() / 2).min(dst.len());
    let (vectors, _) = src[..2 * units].as_chunks::<LANES>();
    let (to_vectors, _) = dst[..units].as_chunks_mut::<LANES>();
    let not_ascii = v.splat_u16(if BE { 0x80FF } else { 0xFF80 });
    let zero = v.splat_u8(0);
    let mut i = 0;
    for ([low, high], to) in vectors.as_chunks().0.iter().zip(to_vectors) {
        let (low, high) = (v.load(low), v.load(high));
        let bytes = if BE {
            v.narrow_u16(v.shr_u16::<8>(low), v.shr_u16::<8>(high))
        } else {
            v.narrow_u16(low, high)
        };
        v.store(to, bytes);
        if v.any_of(v.or(low, high), not_ascii) {
            // 00FF where a unit is ASCII, or else 0.
            let ascii = |units| v.shr_u16::<8>(v.eq_u16(v.and(units, not_ascii), zero));
            let ascii = v.narrow_u16(ascii(low), ascii(high));
            return i + v.ascii_len(v.eq_u8(ascii, zero));
        }
        i += LANES;
    }
    i + scalar::utf16::utf16_to_ascii::<BE>(&src[2 * i..2 * units], &mut dst[i..units])
}
