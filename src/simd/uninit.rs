//! Conversions of buffers: initialised ones to uninitialised ones, and bytes to code units; and the room for
//! the store of a vector.

use core::mem::MaybeUninit;

/// Views a caller's initialised buffer as one that is only written to.
pub(crate) fn write_only<T: Copy>(dst: &mut [T]) -> &mut [MaybeUninit<T>] {
    let len = dst.len();
    let ptr = dst.as_mut_ptr().cast::<MaybeUninit<T>>();
    // SAFETY: `MaybeUninit<T>` has the layout of `T`; the slice is borrowed for as long as the result; and
    // nothing in this crate writes an uninitialised value into such a slice, so it is still initialised when
    // the caller has it back.
    unsafe { core::slice::from_raw_parts_mut(ptr, len) }
}

/// Views bytes as code units, if their alignment allows it; an odd byte at the end is left out.
pub(crate) fn as_units(dst: &mut [MaybeUninit<u8>]) -> Option<&mut [MaybeUninit<u16>]> {
    // SAFETY: any two bytes, initialised or not, are a valid `MaybeUninit<u16>`, and vice versa.
    match unsafe { dst.align_to_mut::<MaybeUninit<u16>>() } {
        ([], units, _) => Some(units),
        _ => None,
    }
}

/// Returns the `N` units from `at` on, for a store that fits: each caller has chosen `to` so that whatever it stores at
/// the places that it computes is inside. That makes the units that it reports as written initialised, and is asserted
/// in debug builds; a store that did not fit would be left out, and never reach memory outside of `to`.
#[inline(always)]
pub(in crate::simd) fn room_at<const N: usize, T>(
    to: &mut [MaybeUninit<T>],
    at: usize,
) -> Option<&mut [MaybeUninit<T>; N]> {
    debug_assert!(at + N <= to.len(), "{N} units at {at} of {}", to.len());
    to[at..].first_chunk_mut()
}
