//! ASCII runs: their lengths, copies, widening and narrowing. A kernel stores a vector before it looks for
//! the end of the run in it. The last vector may overlap the one before it; vectors of 16 bytes, and then the scalar
//! kernel, handle less than a vector.

use core::mem::MaybeUninit;

use super::{BLOCK, any_bits, load_4};
use crate::simd::scalar;
use crate::simd::scalar::ascii::ESC;
use crate::simd::shared::as_bytes;
use crate::simd::vector::Vector;

/// Evaluates `$call` with `$v`, or, for fewer units than a vector has bytes, with vectors of 16 bytes in its place.
macro_rules! by_len {
    ($v:ident: $vector:ty, $len:expr, $call:expr) => {
        if <$vector>::LANES > 16 && $len < <$vector>::LANES {
            let $v = $v.part();
            $call
        } else {
            $call
        }
    };
}

/// Returns the length of the ASCII prefix.
#[inline(always)]
pub(in crate::simd) fn ascii_prefix<V: Vector>(v: V, src: &[u8]) -> usize {
    by_len!(
        v: V,
        src.len(),
        before_stop(
            v,
            src,
            #[inline(always)]
            |bytes| bytes,
            scalar::ascii::ascii_prefix,
        )
    )
}

/// Returns the length of the prefix that is ASCII without ESC, SO and SI.
#[inline(always)]
pub(in crate::simd) fn unshifted_prefix(v: impl Vector, src: &[u8]) -> usize {
    before_stop(
        v,
        src,
        #[inline(always)]
        |bytes| {
            let escape = v.eq_u8(bytes, v.splat_u8(ESC));
            let shift = v.eq_u8(v.and(bytes, v.splat_u8(0xFE)), v.splat_u8(0x0E));
            v.or(v.or(escape, shift), bytes)
        },
        scalar::ascii::unshifted_prefix,
    )
}

/// Returns the length of the prefix without control characters that do not occur in text.
#[inline(always)]
pub(in crate::simd) fn textual_prefix(v: impl Vector, src: &[u8]) -> usize {
    before_stop(
        v,
        src,
        #[inline(always)]
        |bytes| {
            let below_bel = v.eq_u8(v.max_u8(bytes, v.splat_u8(6)), v.splat_u8(6));
            let from_dle = v.eq_u8(v.and(bytes, v.splat_u8(0xF0)), v.splat_u8(0x10));
            let escape = v.eq_u8(bytes, v.splat_u8(ESC));
            v.or(below_bel, v.xor(from_dle, escape))
        },
        scalar::ascii::textual_prefix,
    )
}

/// Returns the length of the prefix before the first byte whose highest bit `stops` sets. `short` handles
/// less than a vector.
#[inline(always)]
fn before_stop<V: Vector>(
    v: V,
    src: &[u8],
    stops: impl Fn(V::V) -> V::V,
    short: impl Fn(&[u8]) -> usize,
) -> usize {
    let Some(last) = last_vector(v, src) else {
        return short(src);
    };
    let mut at = 0;
    while let Some(fours) = src[at..].get(..4 * V::LANES) {
        let [a, b, c, d] = load_4(v, fours);
        if !v.is_ascii(any_bits(v, [stops(a), stops(b), stops(c), stops(d)])) {
            break;
        }
        at += 4 * V::LANES;
    }
    while let Some(from) = src[at..].get(..V::LANES) {
        let stops = stops(v.load(from));
        if !v.is_ascii(stops) {
            return at + v.ascii_len(stops);
        }
        at += V::LANES;
    }
    let stops = stops(v.load(last));
    if v.is_ascii(stops) {
        src.len()
    } else {
        src.len() - V::LANES + v.ascii_len(stops)
    }
}

/// Copies the ASCII prefix, as far as there is room. Returns its length.
#[inline(always)]
pub(in crate::simd) fn ascii_to_utf8<V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    by_len!(
        v: V,
        src.len().min(dst.len()),
        put_ascii(
            v,
            src,
            dst,
            #[inline(always)]
            |to: &mut [_], bytes| v.store(to, bytes),
            scalar::ascii::ascii_to_utf8,
        )
    )
}

/// Widens the ASCII prefix to code units, as far as there is room. Returns its length.
#[inline(always)]
pub(in crate::simd) fn ascii_to_utf16<V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    by_len!(
        v: V,
        src.len().min(dst.len()),
        ascii_to_utf16_bytes(v, src, as_bytes(dst))
    )
}

/// Widens the ASCII prefix to UTF-16LE, as far as there is room. Returns the number of code units.
#[inline(always)]
pub(super) fn ascii_to_utf16_bytes(
    v: impl Vector,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let (dst, _) = dst.as_chunks_mut::<2>();
    put_ascii(
        v,
        src,
        dst,
        #[inline(always)]
        |to: &mut [[_; 2]], bytes| widen(v, to.as_flattened_mut(), bytes),
        |src, dst| {
            let ascii = src.iter().take_while(|byte| byte.is_ascii());
            let units = ascii.zip(dst).map(|(&byte, to)| {
                *to = [byte, 0].map(MaybeUninit::new);
            });
            units.count()
        },
    )
}

/// Writes ASCII bytes as code units to the front of `to`, which has at least two vectors' bytes.
#[inline(always)]
pub(super) fn widen<V: Vector>(v: V, to: &mut [MaybeUninit<u8>], bytes: V::V) {
    debug_assert!(to.len() >= 2 * V::LANES, "two vectors fit");
    let units = v.interleave_u8(bytes, v.splat_u8(0));
    let (parts, _) = to.as_chunks_mut::<16>();
    for (i, to) in parts.iter_mut().take(V::LANES / 8).enumerate() {
        v.part().store(to, v.part_of(units, i));
    }
}

/// Returns the last vector, if there is one.
#[inline(always)]
fn last_vector<V: Vector>(_: V, src: &[u8]) -> Option<&[u8]> {
    src.get(src.len().checked_sub(V::LANES)?..)
}

/// Writes the ASCII prefix, as far as there is room, with `put` for whole vectors and `short` for less.
/// Returns its length.
#[inline(always)]
fn put_ascii<To, V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [To],
    put: impl Fn(&mut [To], V::V),
    short: impl Fn(&[u8], &mut [To]) -> usize,
) -> usize {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    let Some(last) = last_vector(v, src) else {
        return short(src, dst);
    };
    // Most runs between other characters end in the first vector.
    let bytes = v.load(src);
    put(&mut dst[..V::LANES], bytes);
    if !v.is_ascii(bytes) {
        return v.ascii_len(bytes);
    }
    let mut at = V::LANES;
    if V::LANES == 16 {
        while let Some(from) = src[at..].get(..BLOCK)
            && let Some(to) = dst[at..].get_mut(..BLOCK)
        {
            let bytes = load_4(v, from);
            for (bytes, to) in bytes.into_iter().zip(to.chunks_exact_mut(V::LANES)) {
                put(to, bytes);
            }
            if !v.is_ascii(any_bits(v, bytes)) {
                return at + v.block_at_least(bytes, 0x80).trailing_zeros() as usize;
            }
            at += BLOCK;
        }
    }
    while let Some(from) = src[at..].get(..V::LANES)
        && let Some(to) = dst[at..].get_mut(..V::LANES)
    {
        let bytes = v.load(from);
        put(to, bytes);
        if !v.is_ascii(bytes) {
            return at + v.ascii_len(bytes);
        }
        at += V::LANES;
    }
    let bytes = v.load(last);
    put(&mut dst[len - V::LANES..], bytes);
    if v.is_ascii(bytes) {
        len
    } else {
        len - V::LANES + v.ascii_len(bytes)
    }
}

/// Narrows the ASCII prefix of UTF-16 bytes, as far as there is room. Returns the number of code units.
#[inline(always)]
pub(in crate::simd) fn utf16_to_ascii<const BE: bool, V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let units = (src.len() / 2).min(dst.len());
    let (src, dst) = (&src[..2 * units], &mut dst[..units]);
    by_len!(v: V, units, narrow_all::<BE, _>(v, src, dst))
}

/// Narrows the ASCII prefix of as many code units as there is room for.
#[inline(always)]
fn narrow_all<const BE: bool, V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let units = dst.len();
    let Some(last) = units.checked_sub(V::LANES) else {
        return scalar::utf16::utf16_to_ascii::<BE>(src, dst);
    };
    let mut done = 0;
    while done < units {
        // The last vector may overlap the one before it.
        let at = done.min(last);
        let ascii = narrow_ascii::<BE, _>(v, &src[2 * at..], &mut dst[at..]);
        if ascii < V::LANES {
            return at + ascii;
        }
        done = at + V::LANES;
    }
    units
}

/// Narrows a vector of code units, and returns how many at the front are ASCII.
#[inline(always)]
fn narrow_ascii<const BE: bool, V: Vector>(v: V, from: &[u8], to: &mut [MaybeUninit<u8>]) -> usize {
    let (low, high) = (v.load(from), v.load(&from[V::LANES..]));
    let bytes = if BE {
        v.narrow_u16(v.shr_u16::<8>(low), v.shr_u16::<8>(high))
    } else {
        v.narrow_u16(low, high)
    };
    v.store(to, bytes);
    let not_ascii = v.splat_u16(if BE { 0x80FF } else { 0xFF80 });
    if !v.any_of(v.or(low, high), not_ascii) {
        return V::LANES;
    }
    // 00FF if a unit is ASCII, or else 0.
    let zero = v.splat_u8(0);
    let low = v.shr_u16::<8>(v.eq_u16(v.and(low, not_ascii), zero));
    let high = v.shr_u16::<8>(v.eq_u16(v.and(high, not_ascii), zero));
    v.ascii_len(v.eq_u8(v.narrow_u16(low, high), zero))
}
