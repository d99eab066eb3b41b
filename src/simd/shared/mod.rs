//! Tables and functions that kernels of several instruction sets share.

pub(super) mod shuffles;

use core::mem::MaybeUninit;

/// For each row of a single-byte encoding its bit in `Rows::unmapped`, by the high half of a byte.
pub(super) const ROW_BITS: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128];

/// Views room for code units of UTF-16 as room for their bytes.
#[inline]
pub(super) fn as_bytes(units: &mut [MaybeUninit<u16>]) -> &mut [MaybeUninit<u8>] {
    let len = 2 * units.len();
    // SAFETY: the same memory, borrowed for as long; bytes need no alignment, and if a unit need not be
    // initialised, neither need its two bytes.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), len) }
}

/// Views room for code units of UTF-32 as room for their bytes.
#[inline]
pub(super) fn word_bytes(units: &mut [MaybeUninit<u32>]) -> &mut [MaybeUninit<u8>] {
    let len = 4 * units.len();
    // SAFETY: the same memory, borrowed for as long; bytes need no alignment, and if a unit need not be
    // initialised, neither need its four bytes.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), len) }
}
