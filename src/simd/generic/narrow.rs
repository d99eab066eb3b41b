//! UTF-16 and UTF-32 to Latin-1, and UTF-32 to UTF-16: units that are tested and then narrowed, in blocks of which the
//! last one overlaps the one before it.

use core::mem::MaybeUninit;
use core::ops::BitOr;

use bytemuck::Pod;

use super::utf16_lanes::has_top;
use crate::simd::scalar;
use crate::simd::scalar::blocks::{all_are_without, convert_all};
use crate::simd::shared::as_bytes;
use crate::simd::vector::Vector;

/// A conversion of units to narrower ones.
pub(in crate::simd) trait Narrowing {
    type From: Pod + Default + PartialEq + BitOr<Output = Self::From>;
    type To: Pod;

    /// Narrows as many units as a vector holds afterwards. Also returns a vector that is not 0 if one is too wide.
    fn vector<V: Vector>(v: V, from: &[Self::From]) -> [V::V; 2];

    /// Narrows a unit. Also returns 0 if it is not too wide.
    fn unit(unit: Self::From) -> (Self::To, Self::From);
}

/// UTF-16 to Latin-1.
struct Utf16ToLatin1;

impl Narrowing for Utf16ToLatin1 {
    type From = u16;
    type To = u8;

    #[inline(always)]
    fn vector<V: Vector>(v: V, from: &[u16]) -> [V::V; 2] {
        let [a, b] = load(v, from);
        let wide = v.and(v.or(a, b), v.splat_u16(0xFF00));
        [v.narrow_u16(a, b), wide]
    }

    #[inline(always)]
    fn unit(unit: u16) -> (u8, u16) {
        (unit as u8, unit & 0xFF00)
    }
}

/// UTF-32 to Latin-1.
struct Utf32ToLatin1;

impl Narrowing for Utf32ToLatin1 {
    type From = u32;
    type To = u8;

    #[inline(always)]
    fn vector<V: Vector>(v: V, from: &[u32]) -> [V::V; 2] {
        let [a, b, c, d] = load(v, from);
        let wide = v.and(v.or(v.or(a, b), v.or(c, d)), v.splat_u32(!0xFF));
        let narrow = v.narrow_u16(v.narrow_u32(a, b), v.narrow_u32(c, d));
        [narrow, wide]
    }

    #[inline(always)]
    fn unit(unit: u32) -> (u8, u32) {
        (unit as u8, unit & !0xFF)
    }
}

/// UTF-32 to UTF-16, of characters of the Basic Multilingual Plane.
struct BmpToUtf16;

impl Narrowing for BmpToUtf16 {
    type From = u32;
    type To = u16;

    #[inline(always)]
    fn vector<V: Vector>(v: V, from: &[u32]) -> [V::V; 2] {
        let [a, b] = load(v, from);
        let units = v.narrow_u32(a, b);
        let beyond = v.and(v.or(a, b), v.splat_u32(0xFFFF_0000));
        [units, v.or(beyond, has_top(v, units, 0xF800, 0xD800))]
    }

    #[inline(always)]
    fn unit(unit: u32) -> (u16, u32) {
        (unit as u16, scalar::utf32::beyond_bmp(unit))
    }
}

/// Loads `N` vectors.
#[inline(always)]
fn load<const N: usize, V: Vector, T: Pod>(v: V, from: &[T]) -> [V::V; N] {
    let bytes: &[u8] = bytemuck::cast_slice(from);
    let mut vectors = [v.splat_u8(0); N];
    // With iterators, this may become a loop over memory.
    for i in 0..N {
        vectors[i] = v.load(&bytes[V::LANES * i..]);
    }
    vectors
}

/// Narrows UTF-16 up to the first unit above 00FF, as far as there is room. Returns the number of units.
#[inline(always)]
pub(in crate::simd) fn utf16_to_latin1<V: Vector>(
    v: V,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let done = narrow::<Utf16ToLatin1, _>(v, src, dst);
    done + scalar::latin1::utf16_to_latin1(&src[done..], &mut dst[done..])
}

/// Narrows UTF-32 up to the first unit above 00FF, as far as there is room. Returns the number of units.
#[inline(always)]
pub(in crate::simd) fn utf32_to_latin1<V: Vector>(
    v: V,
    src: &[u32],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let done = narrow::<Utf32ToLatin1, _>(v, src, dst);
    done + scalar::latin1::utf32_to_latin1(&src[done..], &mut dst[done..])
}

/// Converts characters of the Basic Multilingual Plane up to a block of four vectors that has others, or for
/// which there is no room. Returns their number.
#[inline(always)]
pub(in crate::simd) fn bmp_to_utf16<V: Vector>(
    v: V,
    src: &[u32],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    narrow::<BmpToUtf16, _>(v, src, dst)
}

/// Returns the number of units in a vector after they are narrowed.
#[inline(always)]
const fn units<N: Narrowing, V: Vector>(_: V) -> usize {
    V::LANES / size_of::<N::To>()
}

/// Narrows units up to a block that has a wide one, and as far as there is room. A block becomes two vectors. Returns
/// the number of units.
#[inline(always)]
fn narrow<N: Narrowing, V: Vector>(v: V, src: &[N::From], dst: &mut [MaybeUninit<N::To>]) -> usize {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    let block = 2 * units::<N, _>(v);
    let mut done = 0;
    if len > block {
        let rooms = dst.chunks_exact_mut(block);
        for (from, to) in src[..len - 1].chunks_exact(block).zip(rooms) {
            if !narrow_ends::<N, _>(v, from, to) {
                return done;
            }
            done += block;
        }
    }
    let last = len.saturating_sub(block);
    if narrow_block::<N, _>(v, &src[last..], &mut dst[last..]) {
        return len;
    }
    done
}

/// Narrows up to a block, if no unit is too wide. Returns whether that is so.
#[inline(always)]
fn narrow_block<N: Narrowing, V: Vector>(
    v: V,
    from: &[N::From],
    to: &mut [MaybeUninit<N::To>],
) -> bool {
    let len = from.len();
    if len >= units::<N, _>(v) {
        narrow_ends::<N, _>(v, from, to)
    } else if V::LANES > 32 && len >= units::<N, _>(v.short()) {
        narrow_ends::<N, _>(v.short(), from, to)
    } else if len >= 16 {
        narrow_ends::<N, _>(v.part(), from, to)
    } else {
        let all = all_are_without(from, |unit| N::unit(unit).1);
        if all {
            convert_all(from, to, |unit| N::unit(unit).0);
        }
        all
    }
}

/// Narrows the first and the last units, as many as a vector holds afterwards, if none is too wide. Returns whether
/// that is so.
#[inline(always)]
fn narrow_ends<N: Narrowing, V: Vector>(
    v: V,
    from: &[N::From],
    to: &mut [MaybeUninit<N::To>],
) -> bool {
    let last = from.len() - units::<N, _>(v);
    let [first_units, first_wide] = N::vector(v, from);
    let [last_units, last_wide] = N::vector(v, &from[last..]);
    if v.any(v.or(first_wide, last_wide)) {
        return false;
    }
    v.store(as_bytes(to), first_units);
    v.store(as_bytes(&mut to[last..]), last_units);
    true
}
