//! UTF-8 validation where ASCII and other text alternate, as in the pages of most languages.
//!
//! Tests for ASCII one after the other, each of which decides what is examined, would be mispredicted at every
//! second change. Here up to 64 vectors are tested before any is examined, and each gets a bit:
//!
//! ```text
//! vectors  <a href="  ">Привет,  мир!</a>   <p class="  ...
//! marks        0          1         1           0
//! ```
//!
//! Then the marked vectors are examined, in a loop that is mispredicted once, when it ends.
//!
//! Tested with the kernels.

use super::BLOCK;
use super::utf8_valid::{BACK, LIMITS, errors, is_cut};
use crate::simd::vector::{MARKED, Vector};

/// With fewer vectors, the end of the loop costs more than other tests.
const MIN_MARKED: usize = 2 * MARKED;

/// Returns as many whole vectors at the front of `src` as can be marked, if that is faster than other tests.
#[inline(always)]
pub(super) fn vectors_to_mark<V: Vector>(_: V, src: &[u8]) -> Option<&[u8]> {
    let vectors = (src.len() / V::LANES).min(u64::BITS as usize) / MARKED * MARKED;
    if !V::MARKS_VECTORS || vectors < MIN_MARKED {
        return None;
    }
    src.get(..vectors * V::LANES)
}

/// Returns how many vectors are not ASCII, if there is no error in them, except perhaps a cut character at their
/// end. They start `BACK` bytes into `text`.
#[inline(always)]
pub(super) fn valid_vectors<V: Vector>(v: V, text: &[u8], vectors: &[u8]) -> Option<usize> {
    // The first vector has the lowest bit.
    let mut marks = 0_u64;
    for (i, group) in vectors.chunks_exact(MARKED * V::LANES).enumerate() {
        marks |= u64::from(v.marks(group)) << (MARKED * i);
    }
    if marks & 1 == 0 && is_cut(text, BACK) {
        return None;
    }
    // Whether a vector is followed by ASCII, as far as is known.
    let ends = !(marks >> 1) & !(1 << (vectors.len() / V::LANES - 1));
    let mut any = v.splat_u8(0);
    let mut rest = marks;
    while rest != 0 {
        let i = rest.trailing_zeros();
        let window = text.get(i as usize * V::LANES..)?.get(..BACK + V::LANES)?;
        let text = v.text_inside(window);
        any = v.or(any, errors(v, text));
        // A character that is cut before ASCII is an error in a vector that is not examined.
        let limits = &LIMITS[2 * (BLOCK - V::LANES)..][(ends >> i & 1) as usize * V::LANES..];
        any = v.or(any, v.saturating_sub_u8(text.bytes, v.load(limits)));
        rest &= rest - 1;
    }
    (!v.any(any)).then_some(marks.count_ones() as usize)
}
