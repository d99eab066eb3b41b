//! Bytes as code units.

use core::array;
use core::hint::black_box;

/// Returns eight bytes as code units.
#[inline(always)]
pub(super) fn widen(bytes: [u8; 8]) -> [u16; 8] {
    // Loaded again, which is compiled to vectors: otherwise they are extracted one by one from the word that was
    // tested.
    let bytes = black_box(bytes);
    array::from_fn(|at| u16::from(bytes[at]))
}
