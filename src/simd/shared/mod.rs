//! What kernels of several instruction sets share: tables, and the algebra of masks.

pub(super) mod shuffles;

use core::mem::MaybeUninit;

/// Room for code units as room for their bytes.
#[inline]
pub(super) fn as_bytes(units: &mut [MaybeUninit<u16>]) -> &mut [MaybeUninit<u8>] {
    let len = 2 * units.len();
    // SAFETY: the same memory, borrowed for as long; bytes need no alignment, and what need not be
    // initialised as a unit need not be as two bytes.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), len) }
}

/// Room for code units of UTF-32 as room for their bytes.
#[inline]
pub(super) fn word_bytes(units: &mut [MaybeUninit<u32>]) -> &mut [MaybeUninit<u8>] {
    let len = 4 * units.len();
    // SAFETY: the same memory, borrowed for as long; bytes need no alignment, and what need not be
    // initialised as a unit need not be as four bytes.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), len) }
}
