//! Units one by one, in blocks of which the last one overlaps the one before it: a loop over the remainder
//! would take longer than all blocks. Each function is compiled for the instructions of its caller, which
//! has the compiler vectorise the blocks. Tested with the kernels and by `tests/unicode/`.

use core::mem::MaybeUninit;
use core::ops::BitOr;

use super::each;

/// Converts each unit, as far as there is room, and returns their number.
#[inline(always)]
pub(in crate::simd) fn convert_all<From: Copy, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    mut convert: impl FnMut(From) -> To,
) -> usize {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    if len > 64 {
        let (blocks, to_blocks) = (src.as_chunks::<64>().0, dst.as_chunks_mut::<64>().0);
        for (block, to) in blocks.iter().zip(to_blocks).take((len - 1) / 64) {
            each(block, to, &mut convert);
        }
        last_block::<64, _, _>(src, dst, convert);
    } else if len > 32 {
        for at in starts::<16>(len) {
            if let Some(block) = src[at..].first_chunk::<16>()
                && let Some(to) = dst[at..].first_chunk_mut()
            {
                each(block, to, &mut convert);
            }
        }
    } else if len > 16 {
        first_and_last::<16, _, _>(src, dst, convert);
    } else if len >= 8 {
        first_and_last::<8, _, _>(src, dst, convert);
    } else {
        convert_up_to_seven(src, dst, convert);
    }
    len
}

/// Converts 16 units or more to as many, in line.
#[inline(always)]
pub(crate) fn convert_blocks<From: Copy, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    mut convert: impl FnMut(From) -> To,
) {
    if src.len() <= 32 {
        return first_and_last::<16, _, _>(src, dst, convert);
    }
    let (blocks, to_blocks) = (src.as_chunks::<32>().0, dst.as_chunks_mut::<32>().0);
    let whole = src.len().saturating_sub(1) / 32;
    for (block, to) in blocks.iter().zip(to_blocks).take(whole) {
        each(block, to, &mut convert);
    }
    if src.len() - 32 * whole <= 16 {
        last_block::<16, _, _>(src, dst, convert);
    } else {
        last_block::<32, _, _>(src, dst, convert);
    }
}

/// Converts up to seven units, as far as there is room, and returns their number.
#[inline(always)]
pub(crate) fn convert_up_to_seven<From: Copy, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    mut convert: impl FnMut(From) -> To,
) -> usize {
    let len = src.len().min(dst.len()).min(7);
    if len >= 4 {
        first_and_last::<4, _, _>(&src[..len], &mut dst[..len], convert);
    } else {
        for (&unit, to) in src.iter().zip(dst).take(len) {
            to.write(convert(unit));
        }
    }
    len
}

/// Returns where four blocks of `N` units start that cover `len`, which is `N` to 4 `N`.
#[inline(always)]
fn starts<const N: usize>(len: usize) -> [usize; 4] {
    let last = len.saturating_sub(N);
    [0, N.min(last), last.saturating_sub(N), last]
}

/// Converts the last `N` units of two slices of the same length.
#[inline(always)]
fn last_block<const N: usize, From: Copy, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    convert: impl FnMut(From) -> To,
) {
    if let (Some(last), Some(to)) = (src.last_chunk::<N>(), dst.last_chunk_mut::<N>()) {
        each(last, to, convert);
    }
}

/// Converts the first `N` and the last `N` units of two slices of the same length.
///
/// The last ones are written first: stores to the end of `dst` are the same for all `N`, and the compiler
/// would let each block fall through those of all smaller ones. 64 units to UTF-32 took 1.15 times as long.
#[inline(always)]
fn first_and_last<const N: usize, From: Copy, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    mut convert: impl FnMut(From) -> To,
) {
    last_block::<N, _, _>(src, dst, &mut convert);
    if let (Some(first), Some(to)) = (src.first_chunk::<N>(), dst.first_chunk_mut::<N>()) {
        each(first, to, convert);
    }
}

/// Converts 8 to 16 units to as many, in line; returns false for any other number.
#[inline(always)]
pub(crate) fn convert_short<From: Copy, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    convert: impl FnMut(From) -> To,
) -> bool {
    let is_short = (8..=16).contains(&src.len()) && dst.len() >= src.len();
    if is_short {
        first_and_last::<8, _, _>(src, &mut dst[..src.len()], convert);
    }
    is_short
}

/// Returns whether there are 8 to 16 units, and `wrong` is zero for each.
#[inline(always)]
pub(crate) fn is_short_without<T>(src: &[T], wrong: impl Fn(T) -> T) -> bool
where
    T: Copy + Default + PartialEq + BitOr<Output = T>,
{
    src.len() <= 16 && ends_are_without::<8, _>(src, wrong)
}

/// Returns whether `wrong` is zero for each of up to 16 units.
#[allow(dead_code, reason = "only tables with vectors use it")]
#[inline(always)]
pub(in crate::simd) fn all_are_without<T>(src: &[T], wrong: impl Fn(T) -> T) -> bool
where
    T: Copy + Default + PartialEq + BitOr<Output = T>,
{
    match src.len() {
        0..4 => src.iter().take(3).all(|&unit| wrong(unit) == T::default()),
        4..8 => ends_are_without::<4, _>(src, wrong),
        _ => is_short_without(src, wrong),
    }
}

/// Returns whether there are at least `N` units, and `wrong` is zero for the first `N` and the last `N` of them.
#[inline(always)]
fn ends_are_without<const N: usize, T>(src: &[T], wrong: impl Fn(T) -> T) -> bool
where
    T: Copy + Default + PartialEq + BitOr<Output = T>,
{
    let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return false;
    };
    let both = first.iter().zip(last);
    let any = both.fold(T::default(), |any, (&a, &b)| any | wrong(a) | wrong(b));
    any == T::default()
}
