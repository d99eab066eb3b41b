//! Buffers that need not be initialised, made from ones that are, bytes seen as code units, and the room that
//! a store of a vector takes.

use core::mem::MaybeUninit;

/// A caller's initialised buffer, to be written only.
pub(crate) fn write_only<T: Copy>(dst: &mut [T]) -> &mut [MaybeUninit<T>] {
    let len = dst.len();
    let ptr = dst.as_mut_ptr().cast::<MaybeUninit<T>>();
    // SAFETY: `MaybeUninit<T>` has the layout of `T`; the slice is borrowed for as long as the
    // result; and nothing in this crate writes an uninitialised value into such a slice, so that it
    // is initialised still when the caller has it back.
    unsafe { core::slice::from_raw_parts_mut(ptr, len) }
}

/// Bytes as code units, where their alignment allows it; an odd byte at the end is left out.
pub(crate) fn as_units(dst: &mut [MaybeUninit<u8>]) -> Option<&mut [MaybeUninit<u16>]> {
    // SAFETY: any two bytes, initialised or not, are a `MaybeUninit<u16>`, and the other way.
    match unsafe { dst.align_to_mut::<MaybeUninit<u16>>() } {
        ([], units, _) => Some(units),
        _ => None,
    }
}

/// The `N` units from `at` on, for a store that the caller has made sure fits. Where it does not fit, nothing
/// is stored, and what the caller counts is wrong: tests find that.
#[inline(always)]
pub(in crate::simd) fn room_at<const N: usize, T>(
    to: &mut [MaybeUninit<T>],
    at: usize,
) -> Option<&mut [MaybeUninit<T>; N]> {
    debug_assert!(at + N <= to.len(), "{N} units at {at} of {}", to.len());
    to[at..].first_chunk_mut()
}
