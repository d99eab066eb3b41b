//! Bytes as code units.

use core::hint::black_box;

/// Returns eight bytes as code units.
#[inline(always)]
pub(super) fn widen(bytes: [u8; 8]) -> [u16; 8] {
    // All loaded again: otherwise they are extracted one by one from the word that was tested.
    black_box(bytes).map(u16::from)
}
