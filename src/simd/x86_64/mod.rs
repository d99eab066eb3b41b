//! Kernels for x86-64.

pub(super) mod avx2;
pub(super) mod avx512;
pub(super) mod avx512_vbmi2;
pub(super) mod sse4;
mod two_byte_blocks;
mod utf_8_errors;
mod utf_8_lossy;
mod utf_8_starts;
mod utf_8_tables;

use core::mem::MaybeUninit;

/// Room for code units as room for their bytes.
#[inline]
fn as_bytes(units: &mut [MaybeUninit<u16>]) -> &mut [MaybeUninit<u8>] {
    let len = 2 * units.len();
    // SAFETY: the same memory, borrowed for as long; bytes need no alignment, and what need not be
    // initialised as a unit need not be as two bytes.
    unsafe { core::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), len) }
}
