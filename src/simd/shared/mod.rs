//! Tables and functions that kernels of several instruction sets share.

pub(super) mod shuffles;

use core::mem::MaybeUninit;

/// For each row of a single-byte encoding its bit in `Rows::unmapped`, by the high half of a byte.
pub(super) const ROW_BITS: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128];

/// Views room for code units as room for their bytes.
#[inline]
pub(super) fn as_bytes<T: bytemuck::Pod>(units: &mut [MaybeUninit<T>]) -> &mut [MaybeUninit<u8>] {
    let len = size_of_val(units);
    // SAFETY: the same memory, borrowed for as long; bytes need no alignment, and if a unit need not be
    // initialised, neither need its bytes.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), len) }
}
